"""What the limited child does to a copy of a recording: its tags become those of the episode.

Run by `episodes.tagging` through `probe_in_child`. The copy is changed where it lies; MP4 with
chapters may come out as a second file, `spare`. What the tags shall be comes in a file of its own,
because pictures and a thousand chapters are more than an argument may be long.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import mutagen

from episodes.audio import tag_comments, tag_id3, tag_mp4
from episodes.chapters.records import Chapter
from episodes.findings import Unreadable

#: Bumped when the same contents give other tags, so that tags written before are known as old.
VERSION = 1


@dataclass(frozen=True, slots=True)
class Contents:
    """What a recording shall say of itself. Empty fields are taken out of it, but for `artist` and
    `cover`, which are left as they are. `cover` and the pictures of chapters are JPEG; chapters
    are in order and have ends.
    """

    title: str
    album: str
    artist: str = ""
    season: int | None = None
    number: int | None = None
    cover: bytes = b""
    chapters: tuple[Chapter, ...] = ()
    seconds: float = 0.0

    def pack(self) -> bytes:
        """As one run of bytes: the length of a JSON document, the document, the pictures."""
        pictures = [self.cover, *(_picture(chapter) for chapter in self.chapters)]
        head = asdict(self) | {"cover": "", "pictures": [len(each) for each in pictures]}
        for chapter in head["chapters"]:
            chapter["image"] = ""
        text = json.dumps(head).encode()
        return len(text).to_bytes(8) + text + b"".join(pictures)

    @classmethod
    def unpack(cls, data: bytes) -> "Contents":
        position = 8 + int.from_bytes(data[:8])
        head = json.loads(data[8:position])
        pictures = []
        for size in head.pop("pictures"):
            pictures.append(data[position : position + size])
            position += size
        chapters = [
            Chapter(**row | {"image": picture})
            for row, picture in zip(head["chapters"], pictures[1:], strict=True)
        ]
        return cls(**head | {"cover": pictures[0], "chapters": tuple(chapters)})


def _picture(chapter: Chapter) -> bytes:
    return chapter.image if isinstance(chapter.image, bytes) else b""


_WRITERS = {
    "mp3": tag_id3.write_mpeg,
    "wav": tag_id3.write_wav,
    "aiff": tag_id3.write_aiff,
    "flac": tag_comments.write_flac,
    "ogg": tag_comments.write_ogg,
    "mp4": tag_mp4.write,
}


def can_tag(container: str) -> bool:
    return container in _WRITERS


def probe(path: str, options: dict) -> tuple[dict, list[bytes]]:
    """`options`: `container`, `contents` and `spare` (paths). Facts: `path`, where the copy is."""
    contents = Contents.unpack(Path(options["contents"]).read_bytes())
    try:
        written = _WRITERS[options["container"]](path, contents, options["spare"])
    except mutagen.MutagenError as problem:
        raise Unreadable(
            "tags-not-written", f"its own tags or structure are damaged ({problem})"
        ) from problem
    return {"path": written}, []
