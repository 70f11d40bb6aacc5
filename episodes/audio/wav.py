"""WAV: chunks in RIFF, little-endian."""

import mutagen
from mutagen.wave import WAVE

from episodes.audio import about
from episodes.audio.damage import damaged, truncated
from episodes.audio.facts import Sound
from episodes.audio.source import Source
from episodes.findings import Finding


def read_wav(source: Source, path: str) -> Sound:
    """By the data chunk; recorders leave its size 0 or all ones, and disks fill up."""
    try:
        file = WAVE(path)
    except mutagen.MutagenError as problem:
        raise damaged("WAV") from problem
    info = file.info
    chunks = _wav_chunks(source)
    start, promised = chunks[b"data"]
    there = source.size - start
    rate = info.sample_rate or 1
    kind, each = _wav_kind(source, chunks, rate, info.channels * max(info.bits_per_sample, 8) // 8)
    findings: list[Finding] = []
    unsaid = promised in (0, 0xFFFFFFFF)
    held = there if unsaid else min(promised, there)
    if not unsaid and promised > there + max(each, 1):
        findings.append(truncated(promised / each / rate, held / each / rate))
    notes = about.About()
    if file.tags:
        notes = about.of_id3_frames(file.tags, notes)
    return Sound(
        "wav", kind, held / each / rate, info.channels, rate, held, about=notes,
        findings=findings,
    )  # fmt: skip


#: Formats whose samples have one size: PCM, float, A-law, µ-law, and what names one of these.
_EVEN = (1, 3, 6, 7, 0xFFFE)


def _wav_kind(source: Source, chunks: dict, rate: int, frame: int) -> tuple[str, float]:
    """The codec and how many bytes a sample of all channels takes, on average where compressed."""
    at = chunks.get(b"fmt ", (0, 0))[0]
    kind = _little(source, at, 2)
    if kind in _EVEN:
        return "pcm", max(frame, 1)
    codec = {0x50: "mp2", 0x55: "mp3", 0xFF: "aac"}.get(kind, "adpcm")
    size, promised = chunks.get(b"fact", (0, 0))[0], chunks[b"data"][1]
    samples = _little(source, size, 4) if size else 0
    if samples and promised not in (0, 0xFFFFFFFF):
        return codec, promised / samples
    return codec, (_little(source, at + 8, 4) or rate * max(frame, 1)) / rate


def _little(source: Source, at: int, count: int) -> int:
    return int.from_bytes(source.read(at, count), "little")


def _wav_chunks(source: Source) -> dict[bytes, tuple[int, int]]:
    """Where the chunks up to the sound begin, and how long they say they are."""
    chunks: dict[bytes, tuple[int, int]] = {}
    position = 12
    for _ in range(1000):
        head = source.read(position, 8)
        if len(head) < 8:
            break
        size = int.from_bytes(head[4:], "little")
        chunks[head[:4]] = position + 8, size
        if head[:4] == b"data":
            return chunks
        position += 8 + size + (size & 1)
    raise damaged("WAV")
