"""Corrections: what an editor changed, kept apart from the file, so that both survive.

A correction says which cues became which. It can be taken back, and it can be made again
on another reading of the same words: another file, or this one read better.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from episodes.transcripts.cues import Cue

#: The same words so near are the same cue said at a slightly different time.
NEAR_MS = 5_000
NEAR_PLACES = 5

#: Words so long that occur once are the same cue wherever they stand.
TELLING = 20


class DoesNotFit(ValueError):
    """The words a correction is about are not there."""


@dataclass(frozen=True, slots=True)
class Change:
    """Cues `before`, which begin at index `place`, became cues `after`; either may be empty.

    Text without times is cues that all stand at 0, one per paragraph.
    """

    place: int
    before: tuple[Cue, ...]
    after: tuple[Cue, ...]

    @property
    def renames(self) -> bool:
        """Whether somebody else speaks afterwards."""
        return {cue.speaker for cue in self.before} != {cue.speaker for cue in self.after}

    def reversed(self) -> "Change":
        return Change(self.place, self.after, self.before)


@dataclass(frozen=True, slots=True)
class Correction:
    """A change and, in a few words, what it is."""

    change: Change
    note: str


def make(cues: Sequence[Cue], change: Change) -> tuple[Cue, ...]:
    """The cues with the change made, near where it says. Raises DoesNotFit."""
    place = _find(cues, change)
    if place is None:
        raise DoesNotFit
    return (*cues[:place], *change.after, *cues[place + len(change.before) :])


@dataclass(frozen=True, slots=True)
class Replayed:
    """`changes` are those asked for, in their order, as they fit these cues; None if lost."""

    cues: tuple[Cue, ...]
    changes: tuple[Change | None, ...]


def replay(cues: Sequence[Cue], changes: Iterable[Change]) -> Replayed:
    """Make changes in order on another reading of what they were made on.

    A change fits where the very cues are, else where the same words are: within five
    seconds, or anywhere if they are long enough to be told from others and occur once. What
    the cues say already as it should be counts as made.
    """
    now = tuple(cues)
    made: list[Change | None] = []
    for change in changes:
        fitting = _fit(now, change)
        made.append(fitting)
        if fitting is not None:
            end = fitting.place + len(fitting.before)
            if now[fitting.place : end] == fitting.before:
                now = (*now[: fitting.place], *fitting.after, *now[end:])
    return Replayed(now, tuple(made))


def _fit(cues: tuple[Cue, ...], change: Change) -> Change | None:
    timed = any(cue.end_ms for cue in change.before)
    place = _find(cues, change) if timed else None
    if place is not None:
        return replace(change, place=place)
    place = _same_words(cues, change.before, change.place)
    if place is not None:
        found = cues[place : place + len(change.before)]
        after = _carried(change.before, change.after, found)
        return Change(place, found, after) if after is not None else None
    place = _same_words(cues, change.after, change.place)
    if place is not None:
        found = cues[place : place + len(change.after)]
        before = _carried(change.after, change.before, found)
        return Change(place, before, found) if before is not None else None
    return None


def _find(cues: Sequence[Cue], change: Change) -> int | None:
    """The place nearest to the change's where exactly its cues are."""
    size = len(change.before)
    if not size:
        return _gap(cues, change)
    found = [
        place
        for place in _places(cues, change.before[0].text)
        if tuple(cues[place : place + size]) == change.before
    ]
    return min(found, key=lambda place: abs(place - change.place), default=None)


def _gap(cues: Sequence[Cue], change: Change) -> int:
    """Where cues that were removed go back: at their place if time allows, else by time."""
    start = change.after[0].start_ms if change.after else 0
    place = min(change.place, len(cues))
    fits_left = not place or cues[place - 1].start_ms <= start
    fits_right = place == len(cues) or start <= cues[place].start_ms
    if fits_left and fits_right:
        return place
    return bisect_right(cues, start, key=lambda cue: cue.start_ms)


def _same_words(cues: Sequence[Cue], wanted: tuple[Cue, ...], place: int) -> int | None:
    if not wanted:
        return None
    words = [cue.text for cue in wanted]
    found = [
        at
        for at in _places(cues, words[0])
        if [cue.text for cue in cues[at : at + len(words)]] == words
    ]
    if not found:
        return None

    def distance(at: int) -> tuple[int, int]:
        return abs(cues[at].start_ms - wanted[0].start_ms), abs(at - place)

    nearest = min(found, key=distance)
    milliseconds, places = distance(nearest)
    timed = cues[nearest].end_ms or wanted[0].end_ms
    if milliseconds <= NEAR_MS if timed else places <= NEAR_PLACES:
        return nearest
    return nearest if len(found) == 1 and sum(map(len, words)) >= TELLING else None


def _places(cues: Sequence[Cue], text: str) -> Iterator[int]:
    return (place for place, cue in enumerate(cues) if cue.text == text)


def _carried(
    before: tuple[Cue, ...], after: tuple[Cue, ...], found: tuple[Cue, ...]
) -> tuple[Cue, ...] | None:
    """`after` with the times of `found`, which has the words of `before`.

    Speakers the change left alone are those of `found`. None where it was about a speaker
    and somebody else speaks here.
    """
    heard = {cue.speaker: here.speaker for cue, here in zip(before, found, strict=True)}
    changed = {cue.speaker for cue in after} - set(heard)
    unknown = {here.speaker for here in found} - {cue.speaker for cue in (*before, *after)}
    if changed and unknown:
        return None
    moved = {cue.start_ms: here.start_ms for cue, here in zip(before, found, strict=True)}
    moved |= {cue.end_ms: here.end_ms for cue, here in zip(before, found, strict=True)}
    begin, length = before[0].start_ms, before[-1].end_ms - before[0].start_ms
    start, end = found[0].start_ms, found[-1].end_ms

    def at(time: int) -> int:
        if time in moved or not length:
            return moved.get(time, start)
        return max(0, start + round((time - begin) * (end - start) / length))

    return tuple(
        replace(
            cue,
            start_ms=at(cue.start_ms),
            end_ms=max(at(cue.start_ms), at(cue.end_ms)),
            speaker=heard.get(cue.speaker, cue.speaker),
        )
        for cue in after
    )
