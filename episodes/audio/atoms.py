"""MP4's own structure (ISO/IEC 14496-12): which tracks there are and whether their bytes are."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from episodes.audio.source import Source

MOST_ATOMS = 10_000
LARGEST_TABLE = 16 * 1024 * 1024


@dataclass(slots=True)
class Mp4Facts:
    """`seconds` is the sound track's, 0 when unsaid; `there` the share of mdat in the file.

    `key` is the sound track's number, `scale` its units in a second; `films` has for each track of
    pictures how many the index knows.
    """

    brand: str = ""
    sound: bool = False
    video: bool = False
    seconds: float = 0.0
    there: float = 1.0
    sound_bytes: int = 0  # of the samples that the index knows
    held: int = 0  # bytes of mdat
    samples: tuple[int, int] | None = None  # where the sound's sample table lies
    moov: tuple[int, int] | None = None
    key: int = 0
    scale: int = 0
    films: dict[int, int] = field(default_factory=dict)


def read(source: Source) -> Mp4Facts:
    facts = Mp4Facts()
    promised = held = 0
    for name, start, size in children(source, 0, source.size):
        if name == b"ftyp":
            facts.brand = source.read(start, 4).decode("latin-1")
        elif name == b"mdat":
            promised += size
            held += max(min(size, source.size - start), 0)
        elif name == b"moov":
            facts.moov = facts.moov or (start, start + size)
            for inner, at, length in children(source, start, start + size):
                if inner == b"trak":
                    _track(source, at, length, facts)
    if promised:
        facts.there = held / promised
    facts.held = held
    return facts


def _track(source: Source, start: int, size: int, facts: Mp4Facts) -> None:
    key = 0
    for name, at, length in children(source, start, start + size):
        if name == b"tkhd":
            key = source.number(at + (20 if source.read(at, 1) == b"\x01" else 12), 4)
        if name != b"mdia":
            continue
        handler, seconds, scale = b"", 0.0, 0
        count = sound_bytes = 0
        for inner, place, extent in children(source, at, at + length):
            if inner == b"hdlr":
                handler = source.read(place + 8, 4)
            elif inner == b"mdhd":
                scale, seconds = _duration(source, place)
            elif inner == b"minf":
                count, sound_bytes = _samples(source, place, extent)
        if handler == b"soun" and not facts.sound:
            facts.sound, facts.seconds, facts.sound_bytes = True, seconds, sound_bytes
            facts.samples = find(source, at, at + length, b"minf", b"stbl")
            facts.key, facts.scale = key, scale
        elif handler == b"vide":
            facts.films[key] = count
            # One still picture is a cover.
            facts.video |= count > 1


def find(source: Source, start: int, end: int, *path: bytes) -> tuple[int, int] | None:
    """Start and end of the content of the first atom under `path`."""
    for wanted in path:
        for name, at, length in children(source, start, end):
            if name == wanted:
                start, end = at, at + length
                break
        else:
            return None
    return start, end


def _duration(source: Source, place: int) -> tuple[int, float]:
    """Units in a second, and seconds, 0 when unsaid."""
    wide = source.read(place, 1) == b"\x01"
    scale = source.number(place + (20 if wide else 12), 4)
    length = source.number(place + (24 if wide else 16), 8 if wide else 4)
    unknown = length == (0xFFFFFFFFFFFFFFFF if wide else 0xFFFFFFFF)
    return scale, length / scale if scale and not unknown else 0.0


def _samples(source: Source, start: int, size: int) -> tuple[int, int]:
    """How many samples there are, and the bytes of all."""
    for name, at, length in children(source, start, start + size):
        if name != b"stbl":
            continue
        for inner, place, _ in children(source, at, at + length):
            if inner == b"stz2":
                return source.number(place + 8, 4), 0
            if inner == b"stsz":
                each, count = source.number(place + 4, 4), source.number(place + 8, 4)
                if each:
                    return count, each * count
                table = source.read(place + 12, min(count * 4, LARGEST_TABLE))
                total = sum(int.from_bytes(table[n : n + 4]) for n in range(0, len(table) - 3, 4))
                return count, total
    return 0, 0


def children(
    source: Source, start: int, end: int, most: int = MOST_ATOMS
) -> Iterator[tuple[bytes, int, int]]:
    """`(name, start of content, bytes of content)` of the atoms in a range."""
    for _ in range(most):
        head = source.read(start, 16)
        if start + 8 > end or len(head) < 8:
            return
        size, header = int.from_bytes(head[:4]), 8
        if size == 1:
            size, header = int.from_bytes(head[8:16]), 16
        elif size == 0:
            size = max(end, source.size) - start
        if size < header:
            return
        yield head[4:8], start + header, size - header
        start += size
