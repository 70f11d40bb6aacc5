"""Cues become paragraphs to read: parted by speaker, pause and the end of sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from episodes.transcripts.cues import Cue
from episodes.transcripts.excerpt import paragraphs_of_text
from episodes.transcripts.scripts import glue
from episodes.transcripts.sentences import ends_sentence
from episodes.transcripts.speakers import assign_labels
from episodes.transcripts.spoken import Spoken

#: A pause this long after a sentence parts paragraphs; the longer one parts anywhere.
PAUSE_MS = 1_500
LONG_PAUSE_MS = 4_000

#: From this length on the next end of a sentence parts them; then any end of a cue.
LONG = 480
LONGEST = 960

#: A cue so long is a paragraph of whoever wrote the file.
PARAGRAPH_CUE = 200


@dataclass(frozen=True, slots=True)
class Span:
    """One cue's words in a paragraph: `index` is the cue's, times are seconds.

    `lead` is what stands between the span before and this one: a space, in CJK nothing.
    """

    index: int
    start: float
    end: float
    lead: str
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """`text` is its spans' leads and texts joined. Times are seconds.

    Of a transcript without times `start` and `end` are None and `spans` is empty.
    """

    start: float | None
    end: float | None
    speaker: str
    text: str
    spans: tuple[Span, ...] = ()


def paragraphs(cues: Sequence[Cue]) -> tuple[Paragraph, ...]:
    """Every cue in order, in paragraphs of one speaker each."""
    out: list[Paragraph] = []
    group: list[int] = []
    length = 0
    for index, cue in enumerate(cues):
        if group and _parts(cues[group[-1]], cue, length):
            out.append(_paragraph(cues, group))
            group, length = [], 0
        group.append(index)
        length += len(cue.text) + 1
    if group:
        out.append(_paragraph(cues, group))
    return tuple(out)


def text_paragraphs(text: str) -> tuple[Paragraph, ...]:
    """Paragraphs of plain text; a "Name: " that begins them becomes their speaker."""
    spoken = [Spoken("", None, None, "", words) for words in paragraphs_of_text(text)]
    assign_labels(spoken, at_least=2)
    return tuple(Paragraph(None, None, item.speaker, item.text) for item in spoken if item.text)


def text_of(cues: Sequence[Cue]) -> str:
    """The words of cues as paragraphs parted by blank lines, without names and times."""
    return "\n\n".join(paragraph.text for paragraph in paragraphs(cues))


def _parts(last: Cue, cue: Cue, length: int) -> bool:
    if last.speaker != cue.speaker:
        return True
    pause = cue.start_ms - last.end_ms
    if pause >= LONG_PAUSE_MS or length >= LONGEST:
        return True
    ripe = pause >= PAUSE_MS or length >= LONG or len(last.text) >= PARAGRAPH_CUE
    return ripe and ends_sentence(last.text, cue.text)


def _paragraph(cues: Sequence[Cue], group: list[int]) -> Paragraph:
    spans = []
    before = ""
    for index in group:
        cue = cues[index]
        spans.append(Span(index, cue.start, cue.end, glue(before, cue.text), cue.text))
        before = cue.text
    first, last = cues[group[0]], cues[group[-1]]
    end = max(cues[index].end_ms for index in group) / 1000 if len(group) > 1 else last.end
    text = "".join(span.lead + span.text for span in spans)
    return Paragraph(first.start, end, first.speaker, text, tuple(spans))
