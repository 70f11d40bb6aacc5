"""Every container but MP3 and ADTS: mutagen reads them, and what it takes on trust is checked."""

from collections.abc import Callable

import mutagen
from mutagen.aiff import AIFF
from mutagen.flac import FLAC
from mutagen.mp4 import MP4
from mutagen.oggflac import OggFLAC
from mutagen.oggopus import OggOpus
from mutagen.oggspeex import OggSpeex
from mutagen.oggvorbis import OggVorbis
from mutagen.wave import WAVE

from episodes.audio import about, atoms, flac, mp4_chapters, mp4_sound, ogg
from episodes.audio.facts import Sound, UnreadableAudio
from episodes.audio.source import Source
from episodes.durations import clock
from episodes.findings import Finding, error, warning

type Reader = Callable[[Source, str], Sound]


def reader_for(source: Source, head: bytes) -> Reader | None:
    """By the first bytes; None for MP3, ADTS and what is no audio."""
    if head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip"):
        return read_mp4
    if head[:4] == b"OggS":
        return read_ogg
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return read_wav
    if head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"):
        return read_aiff
    if head[:4] == b"\x1aE\xdf\xa3":
        return refuse_matroska
    start = about.end_of_id3(source)
    if source.read(start, 4) == b"fLaC":
        return read_flac
    return None


def refuse_matroska(source: Source, path: str) -> Sound:
    raise UnreadableAudio(
        "matroska", "This is a WebM or Matroska file, which podcast apps do not play. Export MP3."
    )


def read_mp4(source: Source, path: str) -> Sound:
    try:
        file = MP4(path)
    except mutagen.MutagenError as problem:
        raise UnreadableAudio(
            "damaged-mp4",
            "This MP4 file is cut off or damaged: its index (moov) cannot be read. Export or "
            "upload it again.",
        ) from problem
    facts = atoms.read(source)
    if not facts.sound:
        raise UnreadableAudio("no-sound-track", "There is no sound track in this MP4 file.")
    notes = about.of_mp4(file)
    notes.chapters = mp4_chapters.read(source)
    codec = file.info.codec.partition(".")[0].lower()
    seconds, findings = _cut(facts.seconds or file.info.length, facts.there)
    return Sound(
        "mp4",
        {"mp4a": "aac", "": "aac"}.get(codec, codec),
        seconds,
        (facts.samples and mp4_sound.channels(source, facts.samples)) or file.info.channels,
        file.info.sample_rate,
        facts.sound_bytes,
        # A track of chapter pictures does not make a film of an audiobook.
        video=facts.video and facts.brand not in ("M4A ", "M4B "),
        brand=facts.brand,
        about=notes,
        findings=findings,
    )


def read_ogg(source: Source, path: str) -> Sound:
    head = source.read(0, 8192)
    video = b"\x80theora" in head
    for kind, codec, magic in (
        (OggOpus, "opus", b"OpusHead"),
        (OggVorbis, "vorbis", b"\x01vorbis"),
        (OggSpeex, "speex", b"Speex   "),
        (OggFLAC, "flac", b"\x7fFLAC"),
    ):
        if magic not in head:
            continue
        try:
            file = kind(path)
        except mutagen.MutagenError as problem:
            raise _damaged("Ogg") from problem
        rate = 48000 if codec == "opus" else file.info.sample_rate
        first, *further = ogg.streams(source, magic) or [ogg.Stream(b"", ended=True)]
        findings = []
        if not (further or [first])[-1].ended:
            findings = [warning("last-frame-cut", "The end of the file is cut off.")]
        return Sound(
            "ogg",
            codec,
            file.info.length + sum(stream.seconds() for stream in further),
            file.info.channels,
            rate,
            video=video,
            about=about.of_comments(file.tags),
            findings=findings,
        )
    raise UnreadableAudio("no-sound-track", "There is no sound that we know in this Ogg file.")


def read_flac(source: Source, path: str) -> Sound:
    try:
        file = FLAC(path)
    except mutagen.MutagenError as problem:
        raise _damaged("FLAC") from problem
    info = file.info
    seconds, findings = info.length, []
    there = flac.samples_there(source, info.max_blocksize)
    if there is not None and not info.total_samples:
        # Who writes into a pipe cannot come back to say how much it became.
        seconds = there / info.sample_rate
    # The last block may be shorter than its kind.
    elif there is not None and there < info.total_samples:
        seconds = there / info.sample_rate
        findings = [_truncated(info.length, seconds)]
    return Sound(
        "flac",
        "flac",
        seconds,
        info.channels,
        info.sample_rate,
        about=about.of_comments(file.tags, file.pictures),
        findings=findings,
    )


def read_wav(source: Source, path: str) -> Sound:
    """By the data chunk; recorders leave its size 0 or all ones, and disks fill up."""
    try:
        file = WAVE(path)
    except mutagen.MutagenError as problem:
        raise _damaged("WAV") from problem
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
        findings.append(_truncated(promised / each / rate, held / each / rate))
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
    raise _damaged("WAV")


def read_aiff(source: Source, path: str) -> Sound:
    try:
        file = AIFF(path)
    except mutagen.MutagenError as problem:
        raise _damaged("AIFF") from problem
    notes = about.About()
    if file.tags:
        notes = about.of_id3_frames(file.tags, notes)
    info = file.info
    seconds, findings = _cut(info.length, _share_of_sound(source))
    return Sound(
        "aiff", "pcm", seconds, info.channels, info.sample_rate, about=notes, findings=findings
    )


def _share_of_sound(source: Source) -> float:
    """How much of the sound chunk (SSND) that an AIFF file promises is in the file."""
    position = 12
    for _ in range(1000):
        head = source.read(position, 8)
        if len(head) < 8:
            break
        size = int.from_bytes(head[4:])
        if head[:4] == b"SSND":
            # Eight bytes of offset and block size come before the sound.
            return max(min(size, source.size - position - 8) - 8, 0) / max(size - 8, 1)
        position += 8 + size + (size & 1)
    raise UnreadableAudio(
        "no-sound",
        "There is no sound in this AIFF file. It may have been cut off while it was copied: "
        "export or upload it again.",
    )


def _cut(seconds: float, there: float) -> tuple[float, list[Finding]]:
    """`there` is the share of the sound's bytes that the file really holds."""
    if there > 0.999:
        return seconds, []
    return seconds * there, [_truncated(seconds, seconds * there)]


def _truncated(promised: float, there: float) -> Finding:
    return error(
        "truncated",
        f"The file is cut off: it promises {clock(promised)}, {clock(there)} is there. Upload it "
        "again.",
    )


def _damaged(kind: str) -> UnreadableAudio:
    return UnreadableAudio(
        "damaged", f"This {kind} file is damaged and cannot be read. Export or upload it again."
    )
