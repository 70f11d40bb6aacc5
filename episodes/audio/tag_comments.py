"""Vorbis comments, in FLAC and Ogg; chapters by the `CHAPTERxxx` convention.

It knows no pictures of chapters and no hidden ones: those are left out.
"""

import base64
import re
from typing import TYPE_CHECKING, Any

import mutagen
from mutagen.flac import FLAC, Picture
from mutagen.oggflac import OggFLAC
from mutagen.oggopus import OggOpus
from mutagen.oggspeex import OggSpeex
from mutagen.oggvorbis import OggVorbis

if TYPE_CHECKING:
    from episodes.audio.tagging import Contents

_CHAPTER = re.compile(r"chapter\d+(name|url)?", re.IGNORECASE)
FRONT_COVER = 3


def write_flac(path: str, contents: "Contents", spare: str) -> str:
    file = FLAC(path)
    if file.tags is None:
        file.add_tags()
    fill(file.tags, contents)
    if contents.cover:
        others = [picture for picture in file.pictures if picture.type != FRONT_COVER]
        file.clear_pictures()
        for picture in (_picture(contents.cover), *others):
            file.add_picture(picture)
    file.save()
    return path


def write_ogg(path: str, contents: "Contents", spare: str) -> str:
    file = mutagen.File(path, [OggOpus, OggVorbis, OggSpeex, OggFLAC])
    if file is None:
        raise mutagen.MutagenError("no Ogg sound that has comments")
    fill(file.tags, contents)
    if contents.cover:
        picture = base64.b64encode(_picture(contents.cover).write()).decode()
        file.tags["metadata_block_picture"] = [picture]
    file.save()
    return path


def fill(tags: Any, contents: "Contents") -> None:
    for name, value in (
        ("title", contents.title),
        ("album", contents.album),
        ("tracknumber", contents.number),
        ("discnumber", contents.season),
    ):
        if value:
            tags[name] = [str(value)]
        elif name in tags:
            del tags[name]
    if contents.artist:
        tags["artist"] = [contents.artist]
    for name in {name for name, _ in tags if _CHAPTER.fullmatch(name)}:
        del tags[name]
    listed = [chapter for chapter in contents.chapters if chapter.toc]
    for number, chapter in enumerate(listed):
        key = f"CHAPTER{number:03d}"
        tags[key] = [_clock(chapter.start)]
        tags[f"{key}NAME"] = [chapter.title]
        if chapter.url:
            tags[f"{key}URL"] = [chapter.url]


def _clock(seconds: float) -> str:
    milliseconds = round(seconds * 1000)
    minutes, milliseconds = divmod(milliseconds, 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{milliseconds / 1000:06.3f}"


def _picture(data: bytes) -> Picture:
    picture = Picture()
    picture.type, picture.mime, picture.data = FRONT_COVER, "image/jpeg", data
    return picture
