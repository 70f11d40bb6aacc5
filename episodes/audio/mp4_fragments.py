"""Fragmented MP4 (ISO/IEC 14496-12 §8.8): an index without samples, then pieces with their own.

Browsers' recorders and streaming tools write it. What a track holds is the sum over all fragments
(`moof`): each run of samples (`trun`) says how long and how large they are, or its fragment does
(`tfhd`), or the file does (`trex`). Numbers are believed only as far as there are bytes for them.
"""

import itertools
import operator
import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from episodes.audio.atoms import LARGEST_TABLE, children, find
from episodes.audio.source import Source

#: At one in each second, as recorders write them, a day and a half.
MOST_FRAGMENTS = 120_000
LARGEST_FRAGMENT = 8 * 1024 * 1024
MOST_ROWS = 10_000_000
MOST_BOXES = 600_000


@dataclass(slots=True)
class Track:
    """What the fragments hold of one track; durations in its own time scale.

    `units` are there, `promised` also counts what is cut off.
    """

    samples: int = 0
    units: int = 0
    promised: int = 0
    bytes: int = 0


@dataclass(slots=True)
class Fragments:
    """`cut` when the file ends inside a fragment or before one that it announces.

    `indexed` when it has an index of its fragments, by which players jump. `promised` is the
    seconds that a cut index announces. `share` is how much of the fragments was read: 1 unless
    there are more than we count.
    """

    tracks: dict[int, Track]
    count: int = 0
    cut: bool = False
    indexed: bool = False
    promised: float = 0.0
    share: float = 1.0


@dataclass(slots=True)
class _Defaults:
    duration: int = 0
    size: int = 0


class _Exhausted(Exception):
    """More fragments, rows or boxes than are counted."""


def is_fragmented(source: Source, moov: tuple[int, int]) -> bool:
    return find(source, *moov, b"mvex") is not None


def read(source: Source, moov: tuple[int, int], keys: Iterable[int]) -> Fragments:
    """What the fragments of a file whose index is `moov` hold of the tracks numbered `keys`."""
    defaults = _defaults(source, moov)
    facts = Fragments({key: Track() for key in keys})
    first = 0
    walk = _Walk(source, facts, defaults)
    position = 0
    for name, start, size in children(source, 0, source.size, 4 * MOST_FRAGMENTS):
        end = start + size
        facts.cut |= end > source.size
        try:
            if name == b"sidx":
                walk.segments(start, end)
            elif name == b"moof":
                first = first or position
                walk.fragment(position, start, size)
                facts.count += 1
        except _Exhausted:
            facts.share = (position - first or 1) / (source.size - first)
            break
        position = end
    return facts


def units_in_index(source: Source, stbl: tuple[int, int] | None) -> int:
    """How long the samples are that the index itself knows (`stts`), in the track's time scale."""
    stts = find(source, *stbl, b"stts") if stbl else None
    if stts is None:
        return 0
    count = min(source.number(stts[0] + 4, 4), LARGEST_TABLE // 8)
    rows = _numbers(source.read(stts[0] + 8, 8 * count), 2 * count)
    return sum(map(operator.mul, rows[0::2], rows[1::2]))


def _defaults(source: Source, moov: tuple[int, int]) -> dict[int, _Defaults]:
    mvex = find(source, *moov, b"mvex") or (0, 0)
    found = {}
    for name, at, _ in itertools.islice(children(source, *mvex), 100):
        if name == b"trex":
            found[source.number(at + 4, 4)] = _Defaults(
                source.number(at + 12, 4), source.number(at + 16, 4)
            )
    return found


class _Walk:
    def __init__(self, source: Source, facts: Fragments, defaults: dict[int, _Defaults]):
        self.source, self.facts, self.defaults = source, facts, defaults
        self.rows, self.boxes, self.held = MOST_ROWS, MOST_BOXES, 0
        self.parted = False

    def segments(self, start: int, end: int) -> None:
        """An index of segments (§8.16.3) says where the last one ends."""
        self.facts.indexed = True
        data = self.source.read(start, min(end - start, 1 << 20))
        size = 8 if data[:1] == b"\x01" else 4
        scale, at = _number(data, 8), 12 + 2 * size + 4
        rows = self.numbers(data[at:], 3 * int.from_bytes(data[at - 2 : at]))
        length = sum(each & 0x7FFFFFFF for each in rows[0::3])
        target = end + int.from_bytes(data[12 + size : 12 + 2 * size]) + length
        if target > self.source.size:
            self.facts.cut = True
            seconds = sum(rows[1::3]) / scale if scale else 0.0
            self.facts.promised = max(self.facts.promised, seconds)

    def fragment(self, position: int, start: int, size: int) -> None:
        if self.facts.count >= MOST_FRAGMENTS:
            raise _Exhausted
        data = self.source.read(start, min(size, LARGEST_FRAGMENT))
        behind = position
        for name, at, end in self.inside(data, 0, len(data)):
            if name == b"traf":
                behind = self.track_fragment(data, at, end, position, behind)

    def inside(self, data: bytes, at: int, end: int) -> Iterator[tuple[bytes, int, int]]:
        while at + 8 <= end:
            size = int.from_bytes(data[at : at + 4])
            if size < 8:
                return
            self.boxes -= 1
            if self.boxes < 0:
                raise _Exhausted
            yield data[at + 4 : at + 8], at + 8, min(at + size, end)
            at += size

    def track_fragment(self, data: bytes, at: int, end: int, moof: int, behind: int) -> int:
        """Where its last run ends, which is where the next one begins unless it says otherwise."""
        track, defaults, base, position = None, _Defaults(), behind, behind
        for name, start, stop in self.inside(data, at, end):
            if name == b"tfhd":
                flags, key = _number(data, start), _number(data, start + 4)
                track = self.facts.tracks.get(key)
                own = self.defaults.get(key, _Defaults())
                defaults = _Defaults(own.duration, own.size)
                place = start + 8
                if flags & 0x1:
                    base = int.from_bytes(data[place : place + 8])
                    place += 8
                elif flags & 0x20000:
                    base = moof
                place += 4 if flags & 0x2 else 0
                if flags & 0x8:
                    defaults.duration = _number(data, place)
                    place += 4
                if flags & 0x10:
                    defaults.size = _number(data, place)
                position = base
            elif name == b"trun" and track is not None:
                position = self.run(data[start:stop], track, defaults, base, position)
        return position

    def run(self, data: bytes, track: Track, defaults: _Defaults, base: int, position: int) -> int:
        """Counts a `trun`; where its samples end."""
        flags, count, at = _number(data, 0) & 0xFFFFFF, _number(data, 4), 8
        if flags & 0x1:
            position = base + int.from_bytes(data[at : at + 4], signed=True)
            at += 4
        at += 4 if flags & 0x4 else 0
        width = (flags >> 8 & 15).bit_count()
        numbers = self.numbers(data[at:], count * width)
        if len(numbers) < count * width:
            self.facts.cut = True
            count = len(numbers) // width
            numbers = numbers[: count * width]
        lengths = numbers[0::width] if flags & 0x100 else None
        sizes = numbers[flags >> 8 & 1 :: width] if flags & 0x200 else None
        total = sum(sizes) if sizes is not None else count * defaults.size
        room = min(self.source.size - max(position, 0), self.source.size - self.held)
        there = count
        if position < 0 or not total:
            there = 0
        elif total > room:
            there = 0 if self.parted else _fitting(sizes, defaults.size, room)
            self.facts.cut = self.parted = True
        track.samples += there
        if lengths is not None:
            track.units += sum(lengths[:there])
            track.promised += sum(lengths) if total else 0
        else:
            track.units += there * defaults.duration
            track.promised += min(count, total) * defaults.duration
        held = total if there == count else max(min(room, total), 0)
        track.bytes += held
        self.held += held
        return position + total

    def numbers(self, data: bytes, count: int) -> "array[int]":
        numbers = _numbers(data, count)
        self.rows -= len(numbers)
        if self.rows < 0:
            raise _Exhausted
        return numbers


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4])


def _numbers(data: bytes, count: int) -> "array[int]":
    """At most `count` of 32 bits, as many as there are."""
    numbers = array("I")
    numbers.frombytes(data[: min(count, len(data) // 4) * 4])
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers


def _fitting(sizes: "array[int] | None", each: int, room: int) -> int:
    """How many samples, from the first, have all their bytes in `room`."""
    if sizes is None:
        return max(room, 0) // each
    return bisect_right(list(itertools.accumulate(sizes)), room)
