"""iTunes tags in MP4 by mutagen, chapters by `mp4_writing`, which mutagen does not write."""

from typing import TYPE_CHECKING, Any

from mutagen.mp4 import MP4, MP4Cover

from episodes.audio.mp4_writing import write_chapters

if TYPE_CHECKING:
    from episodes.audio.tagging import Contents


def write(path: str, contents: "Contents", spare: str) -> str:
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
