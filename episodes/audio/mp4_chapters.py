"""Chapters in MP4: the text track that Apple's players read, and Nero's list.

QuickTime File Format, “Chapter Lists”: the sound's track refers (`tref`, `chap`) to a track of
texts, each shown from its own time until the next one's, and to one of pictures. Tools write links
into a second track of texts, as hypertext (`href`, 3GPP TS 26.245 §5.17.1.4). Nero's
`moov.udta.chpl` holds at most 255 chapters, in units of 100 ns. Files often have both, with the
same chapters: then the starts are Nero's, because some writers let a track's first text begin at
0, and titles and links are the track's, because Nero's titles end after 255 bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from episodes.audio.atoms import children, find
from episodes.audio.source import Source
from episodes.chapters.records import MOST_CHAPTERS, Draft

MOST_SAMPLES = MOST_CHAPTERS + 1000
LONGEST_SAMPLE = 8192
LARGEST_PICTURE = 1024 * 1024


def read(source: Source) -> list[Draft]:
    """What the file has of both, as one list."""
    moov = find(source, 0, source.size, b"moov")
    if moov is None:
        return []
    tracks = [
        _track(source, at, at + size)
        for name, at, size in children(source, *moov)
        if name == b"trak"
    ]
    named = [key for track in tracks if track.handler == b"soun" for key in track.chapters]
    referred = [track for key in dict.fromkeys(named) for track in tracks if track.key == key]
    texts = [track for track in referred if track.handler in (b"text", b"sbtl", b"subt")]
    films = [track for track in referred if track.handler == b"vide"]
    shown, listed = _of_texts(source, texts, films), _nero(source, moov)
    if len(shown) == len(listed):
        return [replace(text, start=nero.start) for text, nero in zip(shown, listed, strict=True)]
    return max(shown, listed, key=len)


@dataclass(slots=True)
class _Track:
    """`samples` is where its sample table lies; `delay` in seconds, from an empty edit."""

    key: int = 0
    handler: bytes = b""
    scale: int = 0
    delay: float = 0.0
    chapters: list[int] = field(default_factory=list)
    samples: tuple[int, int] | None = None


def _track(source: Source, start: int, end: int) -> _Track:
    track = _Track()
    for name, at, size in children(source, start, end):
        if name == b"tkhd":
            track.key = source.number(at + (20 if _wide(source, at) else 12), 4)
        elif name == b"tref":
            if chap := find(source, at, at + size, b"chap"):
                track.chapters = _numbers(source, *chap, 4)[:16]
        elif name == b"edts":
            track.delay = float(_empty_edit(source, at, at + size))
        elif name == b"mdia":
            for inner, place, _ in children(source, at, at + size):
                if inner == b"hdlr":
                    track.handler = source.read(place + 8, 4)
                elif inner == b"mdhd":
                    track.scale = source.number(place + (20 if _wide(source, place) else 12), 4)
            track.samples = find(source, at, at + size, b"minf", b"stbl")
    if track.delay and (mvhd := find(source, 0, source.size, b"moov", b"mvhd")):
        scale = source.number(mvhd[0] + (20 if _wide(source, mvhd[0]) else 12), 4)
        track.delay = track.delay / scale if scale else 0.0
    return track


def _empty_edit(source: Source, start: int, end: int) -> int:
    """What an empty edit at the front puts the track off by, in the movie's time scale."""
    elst = find(source, start, end, b"elst")
    if elst is None or not source.number(elst[0] + 4, 4):
        return 0
    size = 8 if _wide(source, elst[0]) else 4
    empty = source.read(elst[0] + 8 + size, size) == b"\xff" * size
    return source.number(elst[0] + 8, size) if empty else 0


def _of_texts(source: Source, texts: list[_Track], films: list[_Track]) -> list[Draft]:
    """The first track has the titles; others may have links or pictures for the same times."""
    if not texts:
        return []
    drafts = {}
    for start, sample in _shown(source, texts[0]):
        # Writers put an empty text before the first chapter, and behind the last.
        if title := _text(sample):
            drafts[start] = Draft(start, title, _link(sample))
    for track in texts[1:]:
        for start, sample in _shown(source, track):
            draft = drafts.get(start)
            if draft and not draft.url:
                drafts[start] = replace(draft, url=_link(sample))
    for track in films:
        for start, sample in _shown(source, track, LARGEST_PICTURE):
            if start in drafts and sample.startswith((b"\xff\xd8\xff", b"\x89PNG")):
                drafts[start] = replace(drafts[start], image=sample)
    return list(drafts.values())


def _shown(
    source: Source, track: _Track, longest: int = LONGEST_SAMPLE
) -> Iterator[tuple[float, bytes]]:
    """`(second, sample)` of each sample, in order."""
    if track.samples is None or not track.scale:
        return
    tables = {
        name: (at, at + size)
        for name, at, size in children(source, *track.samples)
        if name in (b"stts", b"stsc", b"stsz", b"stco", b"co64")
    }
    if not {b"stts", b"stsc", b"stsz"} <= tables.keys():
        return
    clock = 0
    durations = _durations(source, *tables[b"stts"])
    for place, size in _places(source, tables):
        sample = source.read(place, min(size, longest))
        yield round(track.delay + clock / track.scale, 3), sample
        clock += next(durations, 0)


def _durations(source: Source, start: int, end: int) -> Iterator[int]:
    numbers = _numbers(source, start + 8, end, 4)
    for count, length in zip(numbers[::2], numbers[1::2], strict=False):
        for _ in range(min(count, MOST_SAMPLES)):
            yield length


def _places(source: Source, tables: dict) -> Iterator[tuple[int, int]]:
    """Offset and size of each sample; chunks of them lie together (ISO 14496-12 §8.7)."""
    at, end = tables[b"stsz"]
    each, count = source.number(at + 4, 4), min(source.number(at + 8, 4), MOST_SAMPLES)
    sizes = [each] * count if each else _numbers(source, at + 12, end, 4)[:count]
    wide = b"co64" in tables
    if not wide and b"stco" not in tables:
        return
    at, end = tables[b"co64" if wide else b"stco"]
    chunks = _numbers(source, at + 8, end, 8 if wide else 4)
    at, end = tables[b"stsc"]
    runs = _numbers(source, at + 8, end, 4)
    rest = iter(sizes)
    # Runs of three: the first chunk, counted from 1, samples in each chunk, their description.
    firsts, counts = runs[::3], runs[1::3]
    run = 0
    for number, offset in enumerate(chunks, 1):
        while run + 1 < len(firsts) and firsts[run + 1] <= number:
            run += 1
        for _ in range(min(counts[run] if run < len(counts) else 0, MOST_SAMPLES)):
            size = next(rest, None)
            if size is None:
                return
            yield offset, size
            offset += size


def _numbers(source: Source, start: int, end: int, size: int) -> list[int]:
    """Big-endian numbers, at most as many as there may be samples, three to a run."""
    data = source.read(start, min(end - start, 3 * MOST_SAMPLES * size))
    return [int.from_bytes(data[n : n + size]) for n in range(0, len(data) - size + 1, size)]


def _text(sample: bytes) -> str:
    """UTF-8 after its length, or UTF-16 where a byte order mark says so."""
    text = sample[2 : 2 + int.from_bytes(sample[:2])]
    if text[:2] in (b"\xfe\xff", b"\xff\xfe"):
        return text.decode("utf-16", "replace").strip("\0 ")
    return text.decode("utf-8", "replace").strip("\0 ")


def _link(sample: bytes) -> str:
    behind = 2 + int.from_bytes(sample[:2])
    for name, at, size in children(Source.of(sample), behind, len(sample)):
        if name == b"href":
            data = sample[at : at + size]
            return data[5 : 5 + data[4]].decode("utf-8", "replace") if len(data) > 4 else ""
    return ""


def _nero(source: Source, moov: tuple[int, int]) -> list[Draft]:
    found = find(source, *moov, b"udta", b"chpl")
    if found is None:
        return []
    data = source.read(found[0], min(found[1] - found[0], 1 << 20))
    position = 8 if _wide(source, found[0]) else 4
    count = data[position] if position < len(data) else 0
    position += 1
    drafts = []
    for _ in range(count):
        if position + 9 > len(data):
            break
        length = data[position + 8]
        title = data[position + 9 : position + 9 + length].decode("utf-8", "replace")
        drafts.append(Draft(int.from_bytes(data[position : position + 8]) / 10_000_000, title))
        position += 9 + length
    return drafts


def _wide(source: Source, at: int) -> bool:
    """Version 1 of an atom, with longer numbers."""
    return source.read(at, 1) == b"\x01"
