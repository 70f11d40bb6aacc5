"""Assembling cues: unknown times are estimated, cues put in order, oddities remarked."""

from episodes.transcripts.cues import Cue
from episodes.transcripts.remarks import Remarks
from episodes.transcripts.spoken import Spoken

#: How long words take to say: about 15 characters a second; CJK is read slower, which
#: matters little where all of a file is estimated alike.
MS_PER_CHARACTER = 67
SHORTEST_MS = 500

#: Between two known times further apart than this, estimates are guesses.
FOLLOWABLE_MS = 90_000


def said_in(text: str) -> int:
    """Milliseconds these words take, roughly."""
    return max(SHORTEST_MS, len(text) * MS_PER_CHARACTER)


def assemble(spoken: list[Spoken], remarks: Remarks) -> tuple[Cue, ...]:
    """Cues in order of their start. What has no words is left out."""
    worded = []
    for item in spoken:
        if item.text:
            worded.append(item)
        else:
            remarks.add("empty-cue", item.where)
    if not worded:
        remarks.add("empty")
        return ()
    _part_equal_starts(worded)
    _estimate_starts(worded, remarks)
    _sort(worded, remarks)
    return _with_ends(worded, remarks)


def followable(spoken: list[Spoken]) -> bool:
    """Whether the known times are close enough together to estimate those between.

    Not, when more than a quarter of the words' pieces lie where known times are more than
    a minute and a half apart, or there is no time at all.
    """
    if all(item.start is None for item in spoken):
        return False
    lost = run = last = since = 0
    for item in spoken:
        if item.start is None:
            run += 1
            since += said_in(item.text)
            continue
        if item.start - last > FOLLOWABLE_MS:
            lost += run
        last, run, since = item.start, 0, said_in(item.text)
    if since > FOLLOWABLE_MS:
        lost += run
    return lost * 4 <= len(spoken)


def _part_equal_starts(spoken: list[Spoken]) -> None:
    """Times to the second give quick lines the same start: all but the first are estimated."""
    last = None
    for item in spoken:
        if item.end is None and item.start is not None and item.start == last:
            item.start = None
        else:
            last = item.start


def _estimate_starts(spoken: list[Spoken], remarks: Remarks) -> None:
    """Unknown starts are set between the known ones around them, by the length of words."""
    at = 0
    while at < len(spoken):
        if spoken[at].start is not None:
            at += 1
            continue
        first = at
        while at < len(spoken) and spoken[at].start is None:
            at += 1
        before = spoken[first - 1] if first else None
        begin = (before.start or 0) if before else 0
        pieces = ([before] if before else []) + spoken[first:at]
        needed = sum(said_in(piece.text) for piece in pieces)
        until = spoken[at].start if at < len(spoken) else None
        room = needed if until is None else max(0, until - begin)
        done = said_in(before.text) if before else 0
        for piece in spoken[first:at]:
            piece.start = begin + room * done // needed
            done += said_in(piece.text)
            remarks.add("estimated", piece.where)


def _sort(spoken: list[Spoken], remarks: Remarks) -> None:
    latest = 0
    ordered = True
    for item in spoken:
        if (item.start or 0) < latest:
            remarks.add("out-of-order", item.where)
            ordered = False
        latest = max(latest, item.start or 0)
    if not ordered:
        spoken.sort(key=lambda item: item.start or 0)


def _with_ends(spoken: list[Spoken], remarks: Remarks) -> tuple[Cue, ...]:
    cues = []
    latest_end = 0
    following: int | None = None
    nexts: list[int | None] = [None] * len(spoken)
    for at in range(len(spoken) - 1, -1, -1):
        nexts[at] = following
        if at and spoken[at].start != spoken[at - 1].start:
            following = spoken[at].start
    for item, later in zip(spoken, nexts, strict=True):
        start, end = item.start or 0, item.end
        if end is not None and end < start:
            remarks.add("end-before-start", item.where)
            end = None
        elif end is None:
            remarks.add("no-end", item.where)
        elif end == start:
            remarks.add("zero-length", item.where)
        if end is None:
            end = start + said_in(item.text)
            if later is not None and later - start < 3 * said_in(item.text):
                end = later
        if start < latest_end:
            remarks.add("overlap", item.where)
        latest_end = max(latest_end, end)
        cues.append(Cue(start, end, item.speaker, item.text))
    return tuple(cues)
