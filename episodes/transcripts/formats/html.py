"""HTML transcripts as the Podcasting 2.0 namespace describes them: cite, time and p."""

import re
from collections.abc import Sequence
from html import escape

from lxml import etree

from episodes.durations import clock
from episodes.transcripts.clock import parse_clock
from episodes.transcripts.formats.markup import plain
from episodes.transcripts.paragraphs import Paragraph
from episodes.transcripts.remarks import Remarks
from episodes.transcripts.speakers import assign_labels, clean_speaker
from episodes.transcripts.spoken import Spoken

_TAG = re.compile(r"<(?:p|cite|time|html|body|div|br|h[1-6]|article)(?=[\s>/])", re.IGNORECASE)

#: Elements whose text is no speech. Only such as parsers close by themselves: an <svg>
#: without its end would take all that follows with it.
_SILENT = frozenset(("script", "style", "title", "textarea"))
_BLOCK = re.compile(
    "p|div|li|ul|ol|dl|dt|dd|tr|td|th|table|hr|pre|h[1-6]|section|article|main|body|header|"
    "footer|figure|blockquote|form|iframe|svg"
)


def is_html(text: str) -> bool:
    return _TAG.search(text[:20_000]) is not None


def read_html(text: str, remarks: Remarks) -> list[Spoken]:
    """One piece per paragraph; a speaker and a time hold until the next."""
    reader = _Reader()
    parser = etree.HTMLParser(target=reader, no_network=True, remove_comments=True)
    for at in range(0, len(text), 65_536):
        parser.feed(text[at : at + 65_536])
    if text:
        parser.close()
    spoken = reader.finished()
    assign_labels(spoken, at_least=2)
    return spoken


class _Reader:
    """Collects from lxml's events; nothing of the document is kept but words."""

    def __init__(self) -> None:
        self._spoken: list[Spoken] = []
        self._pieces: list[str] = []
        self._captured: list[str] = []
        self._capturing = ""
        self._datetime = ""
        self._silent = 0
        self._speaker = ""
        self._time: int | None = None

    def start(self, tag, attributes) -> None:
        if self._silent or tag in _SILENT:
            self._silent += 1
        elif tag in ("cite", "time"):
            self._flush()
            self._capturing, self._captured = tag, []
            self._datetime = attributes.get("datetime", "")
        elif tag == "br":
            self._pieces.append(" ")
        elif _BLOCK.fullmatch(tag):
            self._end_capture()
            self._flush()

    def end(self, tag) -> None:
        if self._silent:
            self._silent -= 1
        elif tag == self._capturing:
            self._end_capture()
        elif _BLOCK.fullmatch(tag):
            self._end_capture()
            self._flush()

    def data(self, text) -> None:
        if self._silent:
            return
        (self._captured if self._capturing else self._pieces).append(text)

    def comment(self, text) -> None:
        """Comments are nobody's words."""

    def close(self) -> None:
        self._end_capture()
        self._flush()

    def finished(self) -> list[Spoken]:
        self.close()
        return self._spoken

    def _end_capture(self) -> None:
        if not self._capturing:
            return
        words = plain("".join(self._captured))
        if self._capturing == "cite":
            self._speaker = clean_speaker(words) or self._speaker
        else:
            found = parse_clock(words.strip("[]() ")) if len(words) < 40 else None
            self._time = found if found is not None else parse_clock(self._datetime[:40])
        self._capturing = ""

    def _flush(self) -> None:
        words = plain("".join(self._pieces))
        self._pieces = []
        if words:
            number = len(self._spoken) + 1
            where = f"paragraph {number}"
            self._spoken.append(Spoken(where, self._time, None, self._speaker, words))
            self._time = None


def write_html(paragraphs: Sequence[Paragraph]) -> str:
    """A fragment: for each paragraph its speaker and time, where known, and its words."""
    out = []
    for paragraph in paragraphs:
        if paragraph.speaker:
            out.append(f"<cite>{escape(paragraph.speaker, quote=False)}:</cite>")
        if paragraph.start is not None:
            out.append(f"<time>{clock(int(paragraph.start))}</time>")
        out.append(f"<p>{escape(paragraph.text, quote=False)}</p>")
    return "\n".join([*out, ""])
