"""iTunes tags in MP4 by mutagen, chapters by `mp4_writing`, which mutagen does not write."""

from typing import TYPE_CHECKING, Any

from mutagen.mp4 import MP4, MP4Cover

from episodes.audio import mp4_fragments
from episodes.audio.atoms import find
from episodes.audio.mp4_writing import write_chapters
from episodes.audio.source import Source
from episodes.findings import Unreadable

if TYPE_CHECKING:
    from episodes.audio.tagging import Contents


def write(path: str, contents: "Contents", spare: str) -> str:
    _refuse_fragments(path)
    file = MP4(path)
    if file.tags is None:
        file.add_tags()
    tags: Any = file.tags
    tags["\xa9nam"] = [contents.title]
    tags["\xa9alb"] = [contents.album]
    if contents.artist:
        tags["\xa9ART"] = [contents.artist]
    for atom, value in (("trkn", contents.number), ("disk", contents.season)):
        if value and value < 1 << 16:
            tags[atom] = [(value, 0)]
        elif atom in tags:
            del tags[atom]
    if contents.cover:
        tags["covr"] = [MP4Cover(contents.cover, imageformat=MP4Cover.FORMAT_JPEG)]
    file.save()
    # What is hidden has no place in either kind of list.
    listed = [chapter for chapter in contents.chapters if chapter.toc]
    return spare if write_chapters(path, spare, listed, contents.seconds) else path


def _refuse_fragments(path: str) -> None:
    """Whatever grows in front of fragments, indexes of them (`mfra`) would point beside them."""
    with open(path, "rb") as file:
        source = Source(file)
        moov = find(source, 0, source.size, b"moov")
        if moov and mp4_fragments.is_fragmented(source, moov):
            raise Unreadable("no-tags", "an MP4 in fragments takes none. MP3 and ordinary M4A do.")
