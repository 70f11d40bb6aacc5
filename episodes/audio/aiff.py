"""AIFF and AIFF-C: chunks in IFF, big-endian (Apple's Audio Interchange File Format AIFF-C)."""

import mutagen
from mutagen.aiff import AIFF

from episodes.audio import about
from episodes.audio.chunks import chunks
from episodes.audio.damage import cut, damaged
from episodes.audio.facts import Sound, UnreadableAudio
from episodes.audio.source import Source

#: Compression types with samples of one size: the codec, and their bytes where the file's own
#: number of bits does not say it.
_EVEN = {
    b"NONE": ("pcm", 0), b"twos": ("pcm", 0), b"sowt": ("pcm", 0), b"raw ": ("pcm", 0),
    b"in24": ("pcm", 3), b"ni24": ("pcm", 3), b"42ni": ("pcm", 3), b"in32": ("pcm", 4),
    b"23ni": ("pcm", 4), b"fl32": ("pcm", 4), b"FL32": ("pcm", 4), b"fl64": ("pcm", 8),
    b"FL64": ("pcm", 8), b"ulaw": ("ulaw", 1), b"ULAW": ("ulaw", 1), b"alaw": ("alaw", 1),
    b"ALAW": ("alaw", 1),
}  # fmt: skip

#: Those in packets: the codec, bytes of a packet of one channel, samples that come of it.
_PACKED = {
    b"ima4": ("adpcm", 34, 64),
    b"MAC3": ("mace", 2, 6),
    b"MAC6": ("mace", 1, 6),
    b"GSM ": ("gsm", 33, 160),
}


def read_aiff(source: Source, path: str) -> Sound:
    try:
        file = AIFF(path)
    except mutagen.MutagenError as problem:
        raise damaged("AIFF") from problem
    notes = about.About()
    if file.tags:
        notes = about.of_id3_frames(file.tags, notes)
    info = file.info
    parts = _chunks(source)
    promised, held = _sound_bytes(source, parts)
    codec, each = _codec(source, parts, info)
    seconds, share = info.length, held / max(promised, 1)
    if each:
        # Some writers count packets where samples are meant, and recorders that were switched
        # off counted nothing: the bytes know. What is behind the samples counted fills a block.
        by_bytes = promised / each / (info.sample_rate or 1)
        counted = min(seconds, by_bytes) if seconds and each >= 1 and codec != "adpcm" else by_bytes
        share = min(by_bytes * share, counted) / counted if counted else 0.0
        seconds = counted
    seconds, findings = cut(seconds, share)
    return Sound(
        "aiff", codec, seconds, info.channels, info.sample_rate, held, about=notes,
        findings=findings,
    )  # fmt: skip


def _codec(source: Source, parts: dict, info) -> tuple[str, float]:
    """The codec, and the bytes that a sample of all channels takes; 0 where nobody knows."""
    kind = b"NONE"
    if source.read(8, 4) == b"AIFC":
        kind = source.read(parts.get(b"COMM", (0, 0))[0] + 18, 4)
    channels = max(info.channels, 1)
    if kind in _EVEN:
        codec, size = _EVEN[kind]
        return codec, channels * (size or max(-(-info.bits_per_sample // 8), 1))
    if kind in _PACKED:
        codec, size, samples = _PACKED[kind]
        return codec, channels * size / samples
    return kind.decode("latin-1").strip().lower(), 0


def _sound_bytes(source: Source, parts: dict) -> tuple[int, int]:
    """How many bytes of sound the file promises, and how many are there."""
    if b"SSND" not in parts:
        raise UnreadableAudio(
            "no-sound",
            "There is no sound in this AIFF file. It may have been cut off while it was copied: "
            "export or upload it again.",
        )
    at, size = parts[b"SSND"]
    # Eight bytes come before the sound: how far it is off, for blocks, and their size.
    start = at + 8 + source.number(at, 4)
    there = max(source.size - start, 0)
    # A recorder that was switched off before it knew the length left it empty.
    promised = at + size - start if size not in (0, 0xFFFFFFFF) else there
    return max(promised, 0), min(promised, there)


def _chunks(source: Source) -> dict[bytes, tuple[int, int]]:
    """Where each chunk begins, and how long it says it is."""
    found: dict[bytes, tuple[int, int]] = {}
    for name, at, size in chunks(source, "big"):
        found.setdefault(name, (at, size))
    return found
