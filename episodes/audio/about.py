"""Tags, chapters and pictures: ID3, Vorbis comments and MP4 atoms, read by mutagen."""

import base64
import contextlib
import io
import re

import mutagen
from mutagen.flac import Picture
from mutagen.id3 import ID3

from episodes.audio.facts import About, Tags
from episodes.audio.source import Source
from episodes.chapters.records import Draft
from episodes.findings import warning

LONGEST = 1000
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_NUMBER = re.compile(r"\s*(\d{1,6})")


def tags_of(raw: dict[str, str]) -> Tags:
    text = {key: _CONTROLS.sub("", value).strip()[:LONGEST] for key, value in raw.items()}
    return Tags(
        title=text.get("title", ""),
        artist=text.get("artist", ""),
        album=text.get("album", ""),
        season=_number(text.get("season", "")),
        number=_number(text.get("number", "")),
        date=text.get("date", ""),
        genre=text.get("genre", ""),
        comment=text.get("comment", ""),
    )


def _number(text: str) -> int | None:
    match = _NUMBER.match(text)
    return int(match[1]) or None if match else None


# ID3


def end_of_id3(source: Source) -> int:
    """Where the sound may begin: behind the tags at the front. A size that lies is 0."""
    position = 0
    for _ in range(4):
        head = source.read(position, 10)
        if len(head) < 10 or head[:3] != b"ID3":
            return position
        size = head[6] << 21 | head[7] << 14 | head[8] << 7 | head[9]
        if max(head[6:10]) > 127 or position + 10 + size > source.size:
            return position + 10  # the frames are looked for instead
        position += 10 + size + (10 if head[5] & 0x10 else 0)
    return position


def of_id3(path: str, source: Source) -> About:
    if source.read(0, 3) != b"ID3" and source.read(source.size - 128, 3) != b"TAG":
        return About()
    return of_id3_tag(path)


def of_id3_tag(file: "str | io.BytesIO") -> About:
    about = About()
    try:
        tag = ID3(file)
    except mutagen.MutagenError:
        about.findings.append(
            warning("damaged-tag", "The ID3 tag is damaged and was not read. Tag the file again.")
        )
        return about
    return of_id3_frames(tag, about)


def of_id3_frames(tag: ID3, about: About) -> About:
    for key, frame in (
        ("title", "TIT2"),
        ("artist", "TPE1"),
        ("album", "TALB"),
        ("date", "TDRC"),
        ("genre", "TCON"),
        ("number", "TRCK"),
        ("season", "TPOS"),
    ):
        if tag.get(frame):
            about.tags[key] = str(tag[frame])
    comments = tag.getall("COMM")
    if comments:
        about.tags["comment"] = str(comments[0])
    pictures = sorted(tag.getall("APIC"), key=lambda picture: picture.type != 3)
    if pictures:
        about.cover = pictures[0].data
    contents = tag.getall("CTOC")
    listed = {key for table in contents for key in table.child_element_ids}
    for chapter in sorted(tag.getall("CHAP"), key=lambda row: row.start_time):
        frames = chapter.sub_frames
        links = frames.getall("WXXX")
        images = frames.getall("APIC")
        about.chapters.append(
            Draft(
                start=chapter.start_time / 1000,
                title=str(frames["TIT2"]) if "TIT2" in frames else "",
                url=links[0].url if links else "",
                image=images[0].data if images else "",
                end=chapter.end_time / 1000 if chapter.end_time < 0xFFFFFFFF else None,
                # What no table of contents names is hidden (ID3v2 Chapter Frame Addendum, 3.2).
                toc=not listed or chapter.element_id in listed,
            )
        )
    return about


# Vorbis comments


_VORBIS_CHAPTER = re.compile(r"chapter(\d{1,4})(name|url)?", re.IGNORECASE)
_CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)")


def of_comments(tags, pictures=()) -> About:
    """The `CHAPTERxxx` convention: `CHAPTER001=00:01:02.500`, `CHAPTER001NAME=…`, `…URL=…`."""
    about = About()
    for key, names in (
        ("title", ("title",)),
        ("artist", ("artist",)),
        ("album", ("album",)),
        ("date", ("date",)),
        ("genre", ("genre",)),
        ("comment", ("comment", "description")),
        ("number", ("tracknumber",)),
        ("season", ("discnumber",)),
    ):
        for name in names:
            if tags and name in tags:
                about.tags.setdefault(key, str(tags[name][0]))
    rows: dict[int, dict[str, str]] = {}
    for name, value in tags or ():
        if match := _VORBIS_CHAPTER.fullmatch(name):
            rows.setdefault(int(match[1]), {})[(match[2] or "start").lower()] = value
    for _, row in sorted(rows.items()):
        about.chapters.append(
            Draft(_seconds(row.get("start", "")), row.get("name", ""), row.get("url", ""))
        )
    found = list(pictures)
    for text in (tags.get("metadata_block_picture", []) if tags else [])[:20]:
        with contextlib.suppress(mutagen.MutagenError, ValueError):
            found.append(Picture(base64.b64decode(text)))
    found.sort(key=lambda picture: picture.type != 3)
    if found:
        about.cover = found[0].data
    return about


def _seconds(text: str) -> float | None:
    match = _CLOCK.fullmatch(text.strip())
    if not match:
        return None
    return int(match[1] or 0) * 3600 + int(match[2]) * 60 + float(match[3])


# MP4


def of_mp4(file) -> About:
    about = About()
    tags = file.tags or {}
    for key, atom in (
        ("title", "\xa9nam"),
        ("artist", "\xa9ART"),
        ("album", "\xa9alb"),
        ("date", "\xa9day"),
        ("genre", "\xa9gen"),
        ("comment", "\xa9cmt"),
    ):
        if tags.get(atom):
            about.tags[key] = str(tags[atom][0])
    for key, atom in (("number", "trkn"), ("season", "disk")):
        if tags.get(atom):
            about.tags[key] = str(tags[atom][0][0])
    if tags.get("covr"):
        about.cover = bytes(tags["covr"][0])
    return about
