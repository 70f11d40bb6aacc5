"""Plain text and Markdown: times and names in the ways transcribers write them.

Read are "[00:01:02] words", "00:01:02 words", "Name (00:01:02)" above the words,
"Name: words", "**Name:** words", and any mixture; Markdown's marks are taken off.
"""

import re
from collections.abc import Sequence

from episodes.durations import clock
from episodes.transcripts.clock import parse_clock
from episodes.transcripts.formats.markup import plain
from episodes.transcripts.paragraphs import Paragraph
from episodes.transcripts.remarks import Remarks
from episodes.transcripts.scripts import joined
from episodes.transcripts.speakers import assign_labels, clean_speaker
from episodes.transcripts.spoken import Spoken

_CLOCK = r"((?:\d{1,3}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?)"

#: A time before the words: in brackets, or bare and followed by words.
_TIME_FIRST = re.compile(rf"[ \t]{{0,8}}(?:[\[(]{_CLOCK}[\])]|{_CLOCK}(?=\s|$))[ \t]*[-–—:]?[ \t]*")

#: A name and a time alone in their line, above the words.
_HEADING = re.compile(rf"([^\s\[(][^\[(\n]{{0,60}}?)[ \t]{{0,4}}[\[(]?{_CLOCK}[\])]?:?[ \t]*")

_BOLD_LABEL = re.compile(
    r"(?:\*\*|__)([^*_\n:：]{1,60})(?:[:：](?:\*\*|__)|(?:\*\*|__)[:：])[ \t]*"
)
_LIST_MARK = re.compile(r"[ \t]{0,8}(?:>[ \t]?){1,4}|#{1,6}[ \t]+")
_LINK = re.compile(
    r"!?\[([^\[\]]{0,300})\]\((?:https?://[^()\n]{0,2000}|[^()\s]{0,2000}(?:\s\"[^\"]{0,200}\")?)\)"
)
_EMPHASIS = re.compile(r"(?<![\w\\*])(\*{1,3})(?=\S)([^*\n]{1,500})(?<=\S)\1(?![\w*])")
_UNDERLINE = re.compile(r"(?<![\w\\_])(_{1,2})(?=\S)([^_\n]{1,500})(?<=\S)\1(?![\w_])")
_CODE = re.compile(r"`([^`\n]{1,300})`")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!<>~|])")


def read_plain(text: str, name: str, remarks: Remarks) -> list[Spoken]:
    """One piece per paragraph, or per line where lines begin with times."""
    marked = name.lower().endswith((".md", ".markdown")) or len(_BOLD_LABEL.findall(text)) > 1
    reader = _Reader(marked)
    for number, line in enumerate(text.split("\n"), 1):
        reader.take(number, line)
    spoken = reader.finished()
    if not reader.named:
        assign_labels(spoken, at_least=2)
    return [item for item in spoken if item.text]


class _Reader:
    """Goes line by line; a blank line, a time or a name begins a new piece."""

    def __init__(self, marked: bool) -> None:
        self.named = False
        self._marked = marked
        self._spoken: list[Spoken] = []
        self._lines: list[str] = []
        self._current: Spoken | None = None
        self._speaker = ""
        self._time: int | None = None

    def take(self, number: int, line: str) -> None:
        if not line.strip():
            self._end()
            return
        heading = _HEADING.fullmatch(line) if len(line) < 120 else None
        if heading and _ends_like_a_name(heading[1]):
            self._end()
            self._time = parse_clock(heading[2])
            self._name(heading[1])
            return
        if self._marked:
            line = _LIST_MARK.sub("", line, count=1)
            line = self._bold_label(line)
            line = line.replace("\\[", "[").replace("\\]", "]") if "\\" in line[:14] else line
        timed = _TIME_FIRST.match(line)
        if timed:
            self._end()
            self._time = parse_clock(timed[1] or timed[2])
            line = line[timed.end() :]
            if self._marked:
                line = self._bold_label(line)
        if self._marked:
            line = without_marks(line)
        if not line.strip():
            return
        if self._current is None:
            self._current = Spoken(number, self._time, None, self._speaker, "")
            self._time = None
        self._lines.append(plain(line))

    def finished(self) -> list[Spoken]:
        self._end()
        return self._spoken

    def _bold_label(self, line: str) -> str:
        label = _BOLD_LABEL.match(line)
        if label is None:
            return line
        self._end()
        self._name(label[1])
        return line[label.end() :]

    def _name(self, label: str) -> None:
        self._speaker = clean_speaker(without_marks(label) if self._marked else label)
        self.named = True

    def _end(self) -> None:
        if self._current is not None:
            self._current.text = joined(self._lines)
            self._spoken.append(self._current)
        self._current, self._lines = None, []


def _ends_like_a_name(label: str) -> bool:
    """A heading's label is a name: not a sentence that happens to end in a time."""
    words = label.split()
    return len(words) <= 5 and not label.rstrip().endswith((",", ";", ".", "!", "?", "-"))


def without_marks(line: str) -> str:
    """Words without Markdown's emphasis, links, code marks and backslashes."""
    line = _LINK.sub(r"\1", line) if "](" in line else line
    line = _EMPHASIS.sub(r"\2", line) if "*" in line else line
    line = _UNDERLINE.sub(r"\2", line) if "_" in line else line
    line = _CODE.sub(r"\1", line) if "`" in line else line
    return _ESCAPE.sub(r"\1", line) if "\\" in line else line


def labelled_text(spoken: Sequence[Spoken]) -> str:
    """Paragraphs without times, each new speaker named before the words."""
    out = []
    current = ""
    for item in spoken:
        label = f"{item.speaker}: " if item.speaker and item.speaker != current else ""
        current = item.speaker or current
        out.append(label + item.text)
    return "\n\n".join(out)


def write_plain(paragraphs: Sequence[Paragraph]) -> str:
    """Paragraphs; above one of a known speaker stands "Name (h:mm:ss)"."""
    out = []
    for paragraph in paragraphs:
        head = ""
        if paragraph.speaker and paragraph.start is not None:
            head = f"{paragraph.speaker} ({clock(int(paragraph.start))})\n"
        elif paragraph.speaker:
            head = f"{paragraph.speaker}: "
        out.append(head + paragraph.text + "\n")
    return "\n".join(out)
