"""AIFF and AIFF-C: chunks in IFF, big-endian."""

import mutagen
from mutagen.aiff import AIFF

from episodes.audio import about
from episodes.audio.damage import cut, damaged
from episodes.audio.facts import Sound, UnreadableAudio
from episodes.audio.source import Source


def read_aiff(source: Source, path: str) -> Sound:
    try:
        file = AIFF(path)
    except mutagen.MutagenError as problem:
        raise damaged("AIFF") from problem
    notes = about.About()
    if file.tags:
        notes = about.of_id3_frames(file.tags, notes)
    info = file.info
    seconds, findings = cut(info.length, _share_of_sound(source))
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
