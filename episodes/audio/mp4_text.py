"""The atoms of a chapter list in MP4: Nero's `chpl`, and a text track as 3GPP TS 26.245 has it."""

from collections.abc import Sequence

from episodes.chapters.records import Chapter

SCALE = 1000  # of the track: milliseconds
MATRIX = b"".join(number.to_bytes(4) for number in (0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000))
UNDETERMINED = b"\x55\xc4\0\0"  # the language “und”, packed


def chapter_list(chapters: Sequence[Chapter]) -> bytes:
    """The content of `chpl`: version 1, at most 255 chapters, titles of at most 255 bytes."""
    rows = []
    for chapter in chapters[:255]:
        title = _cut(chapter.title, 255)
        start = round(chapter.start * 1000) * 10_000
        rows.append(start.to_bytes(8) + bytes([len(title)]) + title)
    return b"\x01" + bytes(7) + bytes([len(rows)]) + b"".join(rows)


def text_samples(chapters: Sequence[Chapter], seconds: float) -> list[tuple[bytes, int]]:
    """`(sample, milliseconds it is shown)`; an empty one where the first chapter starts late."""
    starts = [round(chapter.start * 1000) for chapter in chapters]
    ends = [*starts[1:], max(round(seconds * 1000), (starts or [0])[-1] + 1)]
    samples = (
        [
            (_sample(chapter), end - start)
            for chapter, start, end in zip(chapters, starts, ends, strict=True)
        ]
        if chapters
        else []
    )
    if starts and starts[0] > 0:
        samples.insert(0, (b"\0\0", starts[0]))
    return samples


def _sample(chapter: Chapter) -> bytes:
    text = _cut(chapter.title, 65_535)
    sample = len(text).to_bytes(2) + text
    url = chapter.url.encode()
    if url and len(url) < 256:
        letters = len(chapter.title).to_bytes(2)
        sample += _atom(b"href", b"\0\0" + letters + bytes([len(url)]) + url + b"\0")
    return sample


def text_track(key: int, duration: int, samples: list[tuple[bytes, int]], at: int) -> bytes:
    """A whole `trak`, with number `key`; `duration` in the movie's scale, samples from `at` on."""
    length = sum(shown for _, shown in samples)
    head = _atom(
        b"tkhd",
        # Part of the movie but not shown by itself; no times of making.
        b"\0\0\0\x02" + bytes(8) + key.to_bytes(4) + bytes(4)
        + min(duration, 0xFFFFFFFF).to_bytes(4) + bytes(16) + MATRIX + bytes(8),
    )  # fmt: skip
    media = (
        _atom(
            b"mdhd",
            bytes(12) + SCALE.to_bytes(4) + min(length, 0xFFFFFFFF).to_bytes(4) + UNDETERMINED,
        )
        + _atom(b"hdlr", bytes(8) + b"text" + bytes(12) + b"Chapter Titles\0")
        + _atom(
            b"minf",
            _atom(b"nmhd", bytes(4))
            + _atom(b"dinf", _atom(b"dref", bytes(4) + _counted([_atom(b"url ", b"\0\0\0\x01")])))
            + _atom(b"stbl", _tables(samples, at)),
        )
    )
    return _atom(b"trak", head + _atom(b"mdia", media))


def _tables(samples: list[tuple[bytes, int]], at: int) -> bytes:
    entry = (
        bytes(6) + b"\0\x01"  # the data are in this file
        + bytes(4) + b"\0\0" + bytes(4)  # flags, justification, background
        + bytes(8)  # the box that the text is in
        + bytes(4) + b"\0\x01" + b"\0\x12" + b"\xff" * 4  # style: font 1, 18 points, white
        + _atom(b"ftab", b"\0\x01\0\x01\0")
    )  # fmt: skip
    return (
        _atom(b"stsd", bytes(4) + _counted([_atom(b"tx3g", entry)]))
        + _atom(b"stts", bytes(4) + _counted([b"\0\0\0\x01" + ms.to_bytes(4) for _, ms in samples]))
        + _atom(
            b"stsc",
            bytes(4) + _counted([b"\0\0\0\x01" + len(samples).to_bytes(4) + b"\0\0\0\x01"]),
        )
        + _atom(b"stsz", bytes(8) + _counted([len(text).to_bytes(4) for text, _ in samples]))
        # Eight bytes, so that its size does not hang on where the texts come to lie.
        + _atom(b"co64", bytes(4) + _counted([at.to_bytes(8)]))
    )


def _atom(name: bytes, content: bytes) -> bytes:
    return (len(content) + 8).to_bytes(4) + name + content


def _counted(rows: list[bytes]) -> bytes:
    return len(rows).to_bytes(4) + b"".join(rows)


def _cut(text: str, most: int) -> bytes:
    """UTF-8 of at most so many bytes, with no letter cut in two."""
    return text.encode()[:most].decode(errors="ignore").encode()
