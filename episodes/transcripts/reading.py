"""A transcript as its page shows it: who speaks where that changes, and a place for each cue."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from episodes.transcripts.paragraphs import Paragraph, Span


@dataclass(frozen=True, slots=True)
class Sentence:
    """One cue's words. `anchor` is the id of its place, "" when a cue before it has the same."""

    anchor: str
    span: Span


@dataclass(frozen=True, slots=True)
class Said:
    """A paragraph on the page. `speaker` is empty where the one before goes on."""

    speaker: str
    anchor: str
    paragraph: Paragraph
    sentences: tuple[Sentence, ...]


def anchor(seconds: float) -> str:
    """`t=83`: a Media Fragment for the player, and the id of the place on the page.

    Whole seconds, rounded down, so that nothing said is cut off.
    """
    return f"t={math.floor(seconds)}"


def said(paragraphs: Iterable[Paragraph]) -> Iterator[Said]:
    """Paragraphs in order, with ids that each occur once."""
    taken: set[str] = set()
    before = ""
    for paragraph in paragraphs:
        sentences = []
        for span in paragraph.spans:
            place = anchor(span.start)
            sentences.append(Sentence("" if place in taken else place, span))
            taken.add(place)
        changed = paragraph.speaker != before
        before = paragraph.speaker
        place = "" if paragraph.start is None else anchor(paragraph.start)
        yield Said(paragraph.speaker if changed else "", place, paragraph, tuple(sentences))
