"""Remarks: what reading noticed, gathered so that a thousand of a kind are one finding."""

from episodes.findings import Finding, Level

_KINDS: dict[str, tuple[Level, str]] = {
    "encoding": (Level.WARNING, "The file is not UTF-8; it was read as {note}. Check its accents."),
    "damaged": (Level.WARNING, "Some characters are damaged and became \ufffd."),
    "empty": (Level.WARNING, "There are no words in this transcript."),
    "empty-cue": (Level.ADVICE, "A cue without words was left out."),
    "bad-time": (
        Level.WARNING,
        "This time cannot be read, so the words under it were left out. Write it as "
        "00:01:02.500 --> 00:01:05.000.",
    ),
    "bad-end": (Level.WARNING, "A cue's end cannot be read; it was estimated."),
    "loose-time": (Level.ADVICE, "A time is not written as the format asks; it was understood."),
    "unusable-time": (Level.WARNING, "A time is impossible; it was estimated from its neighbours."),
    "no-end": (Level.ADVICE, "A cue has no end; it ends where the next begins, or estimated."),
    "estimated": (Level.ADVICE, "A paragraph has no time of its own; it was estimated."),
    "sparse-times": (
        Level.ADVICE,
        "Times are too far apart to follow the audio by; the words were kept without times.",
    ),
    "end-before-start": (Level.WARNING, "A cue ends before it starts; its end was estimated."),
    "zero-length": (Level.WARNING, "A cue ends when it starts."),
    "out-of-order": (Level.WARNING, "A cue starts before the one above it; cues were sorted."),
    "overlap": (Level.WARNING, "A cue starts before the one before it ends."),
    "stray-text": (Level.WARNING, "Words stand outside any cue and were left out."),
    "unclosed-tag": (Level.ADVICE, "A tag is not closed; it was left out and its words kept."),
    "markup": (Level.ADVICE, "Markup was left out and its words kept."),
    "several-voices": (Level.ADVICE, "Several people speak in one cue; it became several cues."),
    "word-segments": (
        Level.ADVICE,
        "The segments are single words; they were joined into sentences.",
    ),
    "signature": (Level.ADVICE, "Something stands before WEBVTT, which some players refuse."),
    "not-a-segment": (Level.WARNING, "Something in the list is not a segment and was left out."),
    "past-end": (Level.WARNING, "A cue ends more than two seconds after the audio does."),
    "no-speakers": (Level.ADVICE, "No cue says who speaks."),
}


class Remarks:
    """Counts by code and remembers where each was first seen."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[str, str]] = {}
        self._count: dict[str, int] = {}

    def add(self, code: str, where: object = "", note: str = "") -> None:
        """`where` is a line's number, or words for the place."""
        place = f"line {where}" if isinstance(where, int) else str(where)
        self._first.setdefault(code, (place, note))
        self._count[code] = self._count.get(code, 0) + 1

    def count(self, code: str) -> int:
        return self._count.get(code, 0)

    def findings(self) -> tuple[Finding, ...]:
        """One per code, in the order first seen."""
        found = []
        for code, (place, note) in self._first.items():
            level, message = _KINDS[code]
            more = self._count[code] - 1
            where = f"{place} and {more:,} more" if more and place else place
            found.append(Finding(level, code, message.format(note=note), where))
        return tuple(found)
