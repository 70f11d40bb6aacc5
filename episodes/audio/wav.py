"""WAV: chunks in RIFF, little-endian; RF64 and BW64, with lengths of 64 bits (EBU Tech 3306)."""

import io
from dataclasses import dataclass

import mutagen
from mutagen.wave import WAVE

from episodes.audio import about
from episodes.audio.chunks import chunks
from episodes.audio.damage import damaged, truncated
from episodes.audio.facts import Sound
from episodes.audio.source import Source
from episodes.findings import Finding

LONG_FORMS = (b"RF64", b"BW64")

#: What a length says that was never filled in, or stands in `ds64`.
_UNSAID = (0, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF)
_LARGEST_TAG = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Form:
    """`frame` is the bytes of one sample of all channels, where all have the same."""

    channels: int
    rate: int
    frame: int


def read_wav(source: Source, path: str) -> Sound:
    try:
        file = WAVE(path)
    except mutagen.MutagenError as problem:
        raise damaged("WAV") from problem
    info = file.info
    frame = info.channels * max(info.bits_per_sample, 8) // 8
    notes = about.About()
    if file.tags:
        notes = about.of_id3_frames(file.tags, notes)
    return _sound(
        source, _chunks(source), _Form(info.channels, info.sample_rate or 1, frame), notes
    )


def read_long_wav(source: Source, path: str) -> Sound:
    """RF64 or BW64; recorders write them beyond 4 GB, some from the first second on."""
    parts = _chunks(source, _lengths(source))
    at, size = parts.get(b"fmt ", (0, 0))
    form = _Form(
        _little(source, at + 2, 2), _little(source, at + 4, 4), _little(source, at + 12, 2)
    )
    if size < 16 or not (form.channels and form.rate):
        raise damaged("WAV")
    notes = about.About()
    for name in (b"id3 ", b"ID3 "):
        if name in parts:
            at, size = parts[name]
            notes = about.of_id3_tag(io.BytesIO(source.read(at, min(size, _LARGEST_TAG))))
    sound = _sound(source, parts, form, notes)
    sound.findings += notes.findings
    return sound


def _sound(source: Source, parts: dict, form: _Form, notes: about.About) -> Sound:
    """By the data chunk; recorders leave its size 0 or all ones, and disks fill up."""
    start, promised = parts[b"data"]
    there = source.size - start
    rate = form.rate
    kind, each = _kind(source, parts, form)
    findings: list[Finding] = []
    unsaid = promised in _UNSAID
    held = there if unsaid else min(promised, there)
    if not unsaid and promised > there + max(each, 1):
        findings.append(truncated(promised / each / rate, held / each / rate))
    return Sound(
        "wav", kind, held / each / rate, form.channels, rate, held, about=notes,
        findings=findings,
    )  # fmt: skip


#: Formats whose samples have one size: PCM, float, A-law, µ-law, and what names one of these.
_EVEN = {1: "pcm", 3: "pcm", 6: "alaw", 7: "ulaw", 0xFFFE: "pcm"}


def _kind(source: Source, parts: dict, form: _Form) -> tuple[str, float]:
    """The codec and how many bytes a sample of all channels takes, on average where compressed."""
    at = parts.get(b"fmt ", (0, 0))[0]
    kind = _little(source, at, 2)
    if kind in _EVEN:
        return _EVEN[kind], max(form.frame, 1)
    codec = {0x50: "mp2", 0x55: "mp3", 0xFF: "aac"}.get(kind, "adpcm")
    size, promised = parts.get(b"fact", (0, 0))[0], parts[b"data"][1]
    samples = _little(source, size, 4) if size else 0
    if samples not in _UNSAID and promised not in _UNSAID:
        return codec, promised / samples
    return codec, (_little(source, at + 8, 4) or form.rate * max(form.frame, 1)) / form.rate


def _little(source: Source, at: int, count: int) -> int:
    return int.from_bytes(source.read(at, count), "little")


def _lengths(source: Source) -> dict[bytes, int]:
    """What the first chunk, `ds64`, says of chunks whose own 32 bits say nothing."""
    if source.read(12, 4) != b"ds64":
        raise damaged("WAV")
    lengths = {b"data": _little(source, 28, 8)}
    for number in range(min(_little(source, 44, 4), 1000)):
        name = source.read(48 + 12 * number, 4)
        lengths.setdefault(name, _little(source, 52 + 12 * number, 8))
    return lengths


def _chunks(source: Source, lengths: dict[bytes, int] | None = None) -> dict:
    """Where the chunks up to the sound begin, and how long they say they are.

    With `lengths`, for chunks that are longer than 32 bits tell, also those behind the sound.
    """
    found: dict[bytes, tuple[int, int]] = {}
    for name, at, size in chunks(source, "little", lengths):
        found.setdefault(name, (at, size))
        if name == b"data" and (lengths is None or size in _UNSAID):
            break
    if b"data" not in found:
        raise damaged("WAV")
    return found
