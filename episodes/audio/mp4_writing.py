"""Chapters into MP4: a new index (`moov`) with both kinds of lists, and the rest as it was.

The reader's side, and the sources, are in `mp4_chapters`. Where the index lies in front of the
sound, everything behind it moves, and with it the offsets that the index holds of it (`stco`,
`co64`; ISO/IEC 14496-12 §8.7.5).
"""

import shutil
from collections.abc import Iterator, Sequence

import mutagen

from episodes.audio.atoms import children
from episodes.audio.mp4_text import chapter_list, text_samples, text_track
from episodes.audio.source import Source
from episodes.chapters.records import Chapter

LARGEST_INDEX = 24 * 1024 * 1024

#: Atoms that hold atoms, on the way to what is changed here.
_NESTS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"udta", b"tref"}

type Atom = tuple[bytes, "bytes | list[Atom]"]


def write_chapters(path: str, target: str, chapters: Sequence[Chapter], seconds: float) -> bool:
    """Write the file at `path` to `target` with these chapters and no others.

    False, and nothing written, when it has none and shall have none. Raises MutagenError for a
    file that cannot be changed without harm.
    """
    with open(path, "rb") as file:
        source = Source(file)
        top = list(_top_level(source))
        place = next(((at, end) for name, at, end in top if name == b"moov"), None)
        if place is None or place[1] - place[0] > LARGEST_INDEX:
            raise mutagen.MutagenError("its index is missing or too large")
        start, end = place
        moov = _inside(_parse(source.read(start, end - start)), b"moov")
        if not isinstance(moov, list):
            raise mutagen.MutagenError("its index is damaged")
        if any(name == b"mvex" for name, _ in moov):
            raise mutagen.MutagenError("it is a fragmented MP4")
        had = _remove_chapters(moov)
        if not chapters and not had:
            return False
        samples = text_samples(chapters, seconds)
        if chapters:
            # The offset of the texts takes the same room whatever it is.
            before = _bytes((b"moov", _with_chapters(moov, chapters, samples, seconds, 0)))
            moved = len(before) - (end - start)
            texts_at = source.size + moved + 8
            moov = _with_chapters(moov, chapters, samples, seconds, texts_at)
        moved = len(_bytes((b"moov", moov))) - (end - start)
        _move(moov, end, moved)
        with open(target, "wb") as out:
            file.seek(0)
            _copy(file, out, start)
            out.write(_bytes((b"moov", moov)))
            file.seek(end)
            shutil.copyfileobj(file, out, 1 << 20)
            if chapters:
                out.write(_bytes((b"mdat", b"".join(text for text, _ in samples))))
    return True


def _top_level(source: Source) -> Iterator[tuple[bytes, int, int]]:
    """Name, start and end of the outermost atoms, with their heads."""
    start = 0
    for name, at, size in children(source, 0, source.size):
        if source.number(start, 4) == 0 and name != b"mdat":
            raise mutagen.MutagenError(f"its last atom, {name!r}, has no size")
        if source.number(start, 4) == 0:
            # What is appended would become part of it.
            raise mutagen.MutagenError("its sound has no size of its own")
        yield name, start, at + size
        start = at + size


def _parse(data: bytes) -> list[Atom]:
    atoms: list[Atom] = []
    position = 0
    source = Source.of(data)
    for name, at, size in children(source, 0, len(data)):
        content = data[at : at + size]
        if name in _NESTS:
            atoms.append((name, _parse(content)))
        else:
            atoms.append((name, content))
        position = at + size
    if data[position:].strip(b"\0"):
        raise mutagen.MutagenError("its index is damaged")
    return atoms


def _bytes(atom: Atom) -> bytes:
    name, content = atom
    inner = content if isinstance(content, bytes) else b"".join(map(_bytes, content))
    return (len(inner) + 8).to_bytes(4) + name + inner


def _inside(atoms: list[Atom], *path: bytes) -> "bytes | list[Atom] | None":
    found: bytes | list[Atom] | None = atoms
    for wanted in path:
        if not isinstance(found, list):
            return None
        found = next((content for name, content in found if name == wanted), None)
    return found


def _tracks(moov: list[Atom]) -> Iterator[list[Atom]]:
    for name, content in moov:
        if name == b"trak" and isinstance(content, list):
            yield content


def _handler(track: list[Atom]) -> bytes:
    found = _inside(track, b"mdia", b"hdlr")
    return found[8:12] if isinstance(found, bytes) else b""


def _key(track: list[Atom]) -> int:
    found = _inside(track, b"tkhd")
    if not isinstance(found, bytes):
        raise mutagen.MutagenError("a track has no head")
    at = 20 if found[:1] == b"\x01" else 12
    return int.from_bytes(found[at : at + 4])


def _remove_chapters(moov: list[Atom]) -> bool:
    """Takes out Nero's list, references to chapter tracks, and those tracks. Whether any was."""
    keys = set()
    had = False
    for track in _tracks(moov):
        for name, content in track:
            if name == b"tref" and isinstance(content, list):
                for kind, data in content:
                    if kind == b"chap" and isinstance(data, bytes):
                        keys |= {int.from_bytes(data[n : n + 4]) for n in range(0, len(data), 4)}
                content[:] = [atom for atom in content if atom[0] != b"chap"]
        track[:] = [atom for atom in track if atom != (b"tref", [])]
    for track in list(_tracks(moov)):
        if _key(track) in keys and _handler(track) != b"soun":
            moov.remove((b"trak", track))
            had = True
    udta = _inside(moov, b"udta")
    if isinstance(udta, list):
        had |= any(name == b"chpl" for name, _ in udta)
        udta[:] = [atom for atom in udta if atom[0] != b"chpl"]
    return had or bool(keys)


def _with_chapters(
    moov: list[Atom],
    chapters: Sequence[Chapter],
    samples: list[tuple[bytes, int]],
    seconds: float,
    texts_at: int,
) -> list[Atom]:
    """A new index with both kinds of lists; `texts_at` is where the track's samples will lie."""
    key = 1 + max(map(_key, _tracks(moov)))
    scale = _movie_scale(moov)
    new: list[Atom] = []
    referred = False
    for name, content in moov:
        if name == b"trak" and isinstance(content, list) and not referred:
            if _handler(content) == b"soun":
                content = _referring(content, key)
                referred = True
        elif name == b"mvhd" and isinstance(content, bytes):
            content = content[:-4] + (key + 1).to_bytes(4)
        elif name == b"udta" and isinstance(content, list):
            content = [*content, (b"chpl", chapter_list(chapters))]
        new.append((name, content))
    if not any(name == b"udta" for name, _ in new):
        new.append((b"udta", [(b"chpl", chapter_list(chapters))]))
    last = max(at for at, (name, _) in enumerate(new) if name == b"trak")
    track = text_track(key, round(seconds * scale), samples, texts_at)
    new.insert(last + 1, _parse(track)[0])
    return new


def _referring(track: list[Atom], key: int) -> list[Atom]:
    tref = _inside(track, b"tref")
    chap: Atom = (b"chap", key.to_bytes(4))
    rest = [atom for atom in track if atom[0] != b"tref"]
    before = next(at for at, (name, _) in enumerate(rest) if name == b"mdia")
    others = tref if isinstance(tref, list) else []
    return [*rest[:before], (b"tref", [*others, chap]), *rest[before:]]


def _movie_scale(moov: list[Atom]) -> int:
    mvhd = _inside(moov, b"mvhd")
    if not isinstance(mvhd, bytes):
        raise mutagen.MutagenError("its index has no head")
    at = 20 if mvhd[:1] == b"\x01" else 12
    return int.from_bytes(mvhd[at : at + 4])


def _move(moov: list[Atom], behind: int, by: int) -> None:
    """Offsets in the tables of samples that lie at `behind` or later, but for our own texts."""
    for track in _tracks(moov):
        stbl = _inside(track, b"mdia", b"minf", b"stbl")
        if not isinstance(stbl, list) or _handler(track) == b"text":
            continue
        for at, (name, data) in enumerate(stbl):
            if name in (b"stco", b"co64") and isinstance(data, bytes):
                stbl[at] = (name, _moved(data, 4 if name == b"stco" else 8, behind, by))


def _moved(table: bytes, size: int, behind: int, by: int) -> bytes:
    count = min(int.from_bytes(table[4:8]), (len(table) - 8) // size)
    out = bytearray(table)
    for at in range(8, 8 + count * size, size):
        offset = int.from_bytes(table[at : at + size])
        if offset >= behind:
            if offset + by >= 1 << (size * 8):
                raise mutagen.MutagenError("it would grow past 4 GB")
            out[at : at + size] = (offset + by).to_bytes(size)
    return bytes(out)


def _copy(file, out, count: int) -> None:
    while count:
        data = file.read(min(count, 1 << 20))
        if not data:
            return
        out.write(data)
        count -= len(data)
