"""The records that audio readers share."""

import builtins
from dataclasses import dataclass, field

from episodes.chapters.records import Chapter
from episodes.findings import Finding, Unreadable


class UnreadableAudio(Unreadable):
    """Not a recording that can be published; the message says what it is and what to do."""


@dataclass(frozen=True, slots=True)
class Tags:
    """What the file says about itself, with control characters removed and lengths bounded.

    `season` and `number` are None when the file has none or something that is no number.
    """

    title: str = ""
    artist: str = ""
    album: str = ""
    season: int | None = None
    number: int | None = None
    date: str = ""
    genre: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class AudioFacts:
    """A recording, told by its bytes alone.

    `duration` is seconds of sound that are really in the file, `bitrate` bits per second over
    that sound. `extension` has no dot. `cover_type` is the picture's media type by its own
    first bytes, empty without a cover.
    """

    container: str
    codec: str
    media_type: str
    extension: str
    bytes: int
    duration: float
    bitrate: int
    channels: int
    sample_rate: int
    sha256: str
    tags: Tags = Tags()
    chapters: tuple[Chapter, ...] = ()
    cover: "builtins.bytes | None" = field(default=None, repr=False)
    cover_type: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(slots=True)
class Sound:
    """What one container's reader found; `probe` turns it into `AudioFacts`."""

    container: str
    codec: str
    duration: float
    channels: int = 0
    sample_rate: int = 0
    # Bytes of sound without tags and pictures, for the bit rate; 0 means nearly the whole file.
    sound_bytes: int = 0
    video: bool = False
    brand: str = ""
    about: "About" = field(default_factory=lambda: About())
    findings: list[Finding] = field(default_factory=list)


@dataclass(slots=True)
class About:
    """Tags, chapters and picture as one tag format has them, before they are merged."""

    tags: dict[str, str] = field(default_factory=dict)
    chapters: list = field(default_factory=list)  # of chapters.records.Draft
    cover: bytes | None = None
    findings: list[Finding] = field(default_factory=list)
