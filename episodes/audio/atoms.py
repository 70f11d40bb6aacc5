"""MP4's own structure (ISO/IEC 14496-12): which tracks there are and whether their bytes are."""

from collections.abc import Iterator
from dataclasses import dataclass

from episodes.audio.source import Source

MOST_ATOMS = 10_000
LARGEST_TABLE = 16 * 1024 * 1024


@dataclass(slots=True)
class Mp4Facts:
    """`seconds` is the sound track's, 0 when unsaid; `there` the share of mdat in the file."""

    brand: str = ""
    sound: bool = False
    video: bool = False
    seconds: float = 0.0
    there: float = 1.0
    sound_bytes: int = 0
    samples: tuple[int, int] | None = None  # where the sound's sample table lies


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
            for inner, at, length in children(source, start, start + size):
                if inner == b"trak":
                    _track(source, at, length, facts)
    if promised:
        facts.there = held / promised
    facts.sound_bytes = facts.sound_bytes or held
    return facts


def _track(source: Source, start: int, size: int, facts: Mp4Facts) -> None:
    for name, at, length in children(source, start, start + size):
        if name != b"mdia":
            continue
        handler, seconds, covers = b"", 0.0, False
        sound_bytes = 0
        for inner, place, extent in children(source, at, at + length):
            if inner == b"hdlr":
                handler = source.read(place + 8, 4)
            elif inner == b"mdhd":
                seconds = _duration(source, place)
            elif inner == b"minf":
                covers, sound_bytes = _samples(source, place, extent)
        if handler == b"soun" and not facts.sound:
            facts.sound, facts.seconds, facts.sound_bytes = True, seconds, sound_bytes
            facts.samples = find(source, at, at + length, b"minf", b"stbl")
        elif handler == b"vide" and not covers:
            facts.video = True


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


def _duration(source: Source, place: int) -> float:
    wide = source.read(place, 1) == b"\x01"
    scale = source.number(place + (20 if wide else 12), 4)
    length = source.number(place + (24 if wide else 16), 8 if wide else 4)
    unknown = length == (0xFFFFFFFFFFFFFFFF if wide else 0xFFFFFFFF)
    return length / scale if scale and not unknown else 0.0


def _samples(source: Source, start: int, size: int) -> tuple[bool, int]:
    """Whether it is a track of one still picture, and the bytes of all samples."""
    for name, at, length in children(source, start, start + size):
        if name != b"stbl":
            continue
        for inner, place, _ in children(source, at, at + length):
            if inner == b"stsz":
                each, count = source.number(place + 4, 4), source.number(place + 8, 4)
                if each:
                    return count <= 1, each * count
                table = source.read(place + 12, min(count * 4, LARGEST_TABLE))
                total = sum(int.from_bytes(table[n : n + 4]) for n in range(0, len(table) - 3, 4))
                return count <= 1, total
    return False, 0


def children(source: Source, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """`(name, start of content, bytes of content)` of the atoms in a range."""
    for _ in range(MOST_ATOMS):
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
