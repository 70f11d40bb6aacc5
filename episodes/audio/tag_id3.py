"""ID3: in front of MPEG sound, and as a chunk of WAV and AIFF.

Chapters by the ID3v2 Chapter Frame Addendum 1.0, and as ID3v2.3: in 2.4 the frames inside a
chapter have their lengths in another coding, which ffmpeg and what is built on it read wrongly.
Frames that are none of ours stay.
"""

from typing import TYPE_CHECKING, Any

from mutagen.aiff import AIFF
from mutagen.id3 import (
    APIC,
    CHAP,
    CTOC,
    ID3,
    TALB,
    TIT2,
    TPE1,
    TPOS,
    TRCK,
    WXXX,
    CTOCFlags,
    Encoding,
    ID3NoHeaderError,
    PictureType,
)
from mutagen.wave import WAVE

from episodes.audio.wav import LONG_FORMS
from episodes.findings import Unreadable

if TYPE_CHECKING:
    from episodes.audio.tagging import Contents

UTF8 = Encoding.UTF8  # written as UTF-16, for 2.3 has no UTF-8

#: A table of contents counts its children in one byte.
MOST_LISTED = 255


def write_mpeg(path: str, contents: "Contents", spare: str) -> str:
    try:
        tag = ID3(path)
    except ID3NoHeaderError:
        tag = ID3()
    fill(tag, contents)
    tag.update_to_v23()
    tag.save(path, v2_version=3)
    return path


def write_wav(path: str, contents: "Contents", spare: str) -> str:
    with open(path, "rb") as file:
        if file.read(4) in LONG_FORMS:
            raise Unreadable("no-tags", "WAV files for more than 4 GB (RF64) take none. MP3 does.")
    return _write_chunk(WAVE(path), path, contents)


def write_aiff(path: str, contents: "Contents", spare: str) -> str:
    return _write_chunk(AIFF(path), path, contents)


def _write_chunk(file: WAVE | AIFF, path: str, contents: "Contents") -> str:
    if file.tags is None:
        file.add_tags()
    tags: Any = file.tags
    fill(tags, contents)
    tags.update_to_v23()
    tags.save(path, v2_version=3)
    return path


def fill(tag: ID3, contents: "Contents") -> None:
    for frame, value in (
        (TIT2, contents.title),
        (TALB, contents.album),
        (TRCK, contents.number),
        (TPOS, contents.season),
    ):
        tag.delall(frame.__name__)
        if value:
            tag.add(frame(encoding=UTF8, text=[str(value)]))
    if contents.artist:
        tag.setall("TPE1", [TPE1(encoding=UTF8, text=[contents.artist])])
    if contents.cover:
        fronts = (PictureType.COVER_FRONT, PictureType.OTHER)
        others = [picture for picture in tag.getall("APIC") if picture.type not in fronts]
        tag.setall("APIC", [_picture(contents.cover), *others])
    tag.delall("CHAP")
    tag.delall("CTOC")
    _add_chapters(tag, contents)


def _add_chapters(tag: ID3, contents: "Contents") -> None:
    listed = []
    for number, chapter in enumerate(contents.chapters):
        key = f"chp{number}"
        frames: list = [TIT2(encoding=UTF8, text=[chapter.title])]
        if chapter.url:
            frames.append(WXXX(encoding=UTF8, desc="chapter url", url=chapter.url))
        if isinstance(chapter.image, bytes) and chapter.image:
            frames.append(_picture(chapter.image))
        tag.add(
            CHAP(
                element_id=key,
                start_time=round(chapter.start * 1000),
                end_time=round((chapter.end or contents.seconds) * 1000),
                start_offset=0xFFFFFFFF,
                end_offset=0xFFFFFFFF,
                sub_frames=frames,
            )
        )
        if chapter.toc:
            listed.append(key)
    if not contents.chapters:
        return
    top = CTOCFlags.TOP_LEVEL | CTOCFlags.ORDERED
    if len(listed) > MOST_LISTED:  # parts, which the table of contents then lists
        parts = [listed[at : at + MOST_LISTED] for at in range(0, len(listed), MOST_LISTED)]
        listed = [f"toc{number}" for number in range(len(parts))]
        for key, part in zip(listed, parts, strict=True):
            tag.add(_table(key, CTOCFlags.ORDERED, part))
    tag.add(_table("toc", top, listed))


def _table(key: str, flags: int, children: list[str]) -> CTOC:
    return CTOC(element_id=key, flags=flags, child_element_ids=children, sub_frames=[])


def _picture(data: bytes) -> APIC:
    return APIC(
        encoding=Encoding.LATIN1,
        mime="image/jpeg",
        type=PictureType.COVER_FRONT,
        desc="",
        data=data,
    )
