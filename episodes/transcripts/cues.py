"""Cue: something said, when and by whom; the one shape every transcript format is read into."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from episodes.findings import Finding, Unreadable


@dataclass(frozen=True, slots=True)
class Cue:
    """Times are whole milliseconds, the finest step of WebVTT and SRT: floats would drift.

    `start_ms <= end_ms`; `speaker` may be empty; `text` is plain text without line breaks.
    """

    start_ms: int
    end_ms: int
    speaker: str
    text: str

    @property
    def start(self) -> float:
        """Seconds."""
        return self.start_ms / 1000

    @property
    def end(self) -> float:
        """Seconds."""
        return self.end_ms / 1000


@dataclass(frozen=True, slots=True)
class ReadTranscript:
    """A transcript as read from a file.

    `cues` ascend by start, and are empty when the file has no times, or so few that most
    would be guesses. `text` has the words as paragraphs parted by blank lines; only where
    there are no cues do paragraphs begin with "Name: ", for nothing else knows who speaks.
    `language` is what the file says of itself, often nothing. `format` is "vtt", "srt",
    "sbv", "json", "html" or "txt"; `encoding` is a codec's name.
    """

    cues: tuple[Cue, ...]
    text: str
    language: str
    format: str
    encoding: str
    findings: tuple[Finding, ...]


class UnreadableTranscript(Unreadable):
    """A file that is no transcript; `line` is where reading ended, 0 if no line is to blame."""

    def __init__(self, code: str, reason: str, line: int = 0):
        super().__init__(code, reason, f"line {line}" if line else "")
        self.reason = reason
        self.line = line


def cues_to_rows(cues: Iterable[Cue]) -> list[list]:
    """For a JSON column: one `[start_ms, end_ms, speaker, text]` per cue."""
    return [[cue.start_ms, cue.end_ms, cue.speaker, cue.text] for cue in cues]


def cues_from_rows(rows: Iterable[Sequence]) -> tuple[Cue, ...]:
    """What `cues_to_rows` made. Raises TypeError for rows of another shape."""
    return tuple(Cue(*row) for row in rows)
