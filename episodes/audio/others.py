"""Every container but MP3 and ADTS: mutagen reads them, and what it takes on trust is checked."""

from collections.abc import Callable

import mutagen
from mutagen.flac import FLAC
from mutagen.oggflac import OggFLAC
from mutagen.oggopus import OggOpus
from mutagen.oggspeex import OggSpeex
from mutagen.oggvorbis import OggVorbis

from episodes.audio import about, flac, ogg
from episodes.audio.aiff import read_aiff
from episodes.audio.damage import damaged, truncated
from episodes.audio.facts import Sound, UnreadableAudio
from episodes.audio.mp4 import read_mp4
from episodes.audio.source import Source
from episodes.audio.wav import LONG_FORMS, read_long_wav, read_wav
from episodes.findings import warning

type Reader = Callable[[Source, str], Sound]

#: What the first atom may be; of streams' pieces without their index (`styp`), that is said.
_MP4 = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"styp", b"moof", b"sidx")


def reader_for(source: Source, head: bytes) -> Reader | None:
    """By the first bytes; None for MP3, ADTS and what is no audio."""
    if head[4:8] in _MP4:
        return read_mp4
    if head[:4] == b"OggS":
        return read_ogg
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return read_wav
    if head[:4] in LONG_FORMS and head[8:12] == b"WAVE":
        return read_long_wav
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
            raise damaged("Ogg") from problem
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
        raise damaged("FLAC") from problem
    info = file.info
    seconds, findings = info.length, []
    there = flac.samples_there(source, info.max_blocksize)
    if there is not None and not info.total_samples:
        # Who writes into a pipe cannot come back to say how much it became.
        seconds = there / info.sample_rate
    # The last block may be shorter than its kind.
    elif there is not None and there < info.total_samples:
        seconds = there / info.sample_rate
        findings = [truncated(info.length, seconds)]
    return Sound(
        "flac",
        "flac",
        seconds,
        info.channels,
        info.sample_rate,
        about=about.of_comments(file.tags, file.pictures),
        findings=findings,
    )
