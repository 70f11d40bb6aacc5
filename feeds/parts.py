"""The parts that a Channel and an Item are made of, one record for each element with structure.

The conventions are those of `feeds.records`. Attributes keep the namespace's names in snake case.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

# RSS 2.0, Atom and Apple


@dataclass(frozen=True, slots=True)
class Enclosure:
    url: str
    length: int | None = None  # bytes of the whole file; None when the feed does not say
    type: str = ""  # MIME type


@dataclass(frozen=True, slots=True)
class ChannelImage:
    """RSS `image`. Its width and height are capped at 144 and 400: better not given."""

    url: str
    title: str = ""
    link: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class RssCategory:
    text: str
    domain: str = ""


@dataclass(frozen=True, slots=True)
class SourceFeed:
    """RSS `source`: the feed an item came from."""

    url: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Category:
    """`itunes:category`, a category alone or with one subcategory."""

    name: str
    child: str = ""


@dataclass(frozen=True, slots=True)
class Owner:
    name: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class PageLinks:
    """RFC 5005 §3, URLs of documents; all empty on a feed that is one page.

    `prev_archive` is §4: the document of the items before these, in a feed kept as archives.
    """

    first: str = ""
    last: str = ""
    next: str = ""
    previous: str = ""
    prev_archive: str = ""


@dataclass(frozen=True, slots=True)
class SimpleChapter:
    """`psc:chapter`; `start` in seconds, to the millisecond."""

    start: float
    title: str = ""
    href: str = ""
    image: str = ""


# Podcasting 2.0


@dataclass(frozen=True, slots=True)
class Locked:
    """Whether other hosts are asked not to import the feed; `owner` is an e-mail address."""

    locked: bool
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    role: str = ""  # default host
    group: str = ""  # default cast
    img: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Funding:
    url: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Location:
    name: str
    rel: str = ""  # subject, creator
    geo: str = ""  # RFC 5870
    osm: str = ""
    country: str = ""  # ISO 3166-1 alpha-2


@dataclass(frozen=True, slots=True)
class License:
    name: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptLink:
    url: str
    type: str = ""
    language: str = ""
    rel: str = ""  # captions


@dataclass(frozen=True, slots=True)
class ChaptersLink:
    url: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Soundbite:
    """Both numbers are seconds."""

    start_time: float
    duration: float
    title: str = ""


@dataclass(frozen=True, slots=True)
class Season:
    number: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class EpisodeNumber:
    """`podcast:episode`, where fractions are allowed."""

    number: Decimal
    display: str = ""


@dataclass(frozen=True, slots=True)
class Trailer:
    title: str
    url: str
    pubdate: datetime | None = None
    length: int | None = None  # bytes
    type: str = ""
    season: int | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where an alternate file can be had; `uri` may have a scheme other than http."""

    uri: str
    content_type: str = ""


@dataclass(frozen=True, slots=True)
class Integrity:
    type: str  # sri, pgp-signature
    value: str


@dataclass(frozen=True, slots=True)
class AlternateEnclosure:
    type: str
    sources: tuple[Source, ...] = ()
    length: int | None = None  # bytes
    bitrate: float | None = None  # bits per second
    height: int | None = None  # pixels
    lang: str = ""
    title: str = ""
    rel: str = ""
    codecs: str = ""
    default: bool = False
    integrity: Integrity | None = None


@dataclass(frozen=True, slots=True)
class RemoteItem:
    feed_guid: str
    feed_url: str = ""
    item_guid: str = ""
    medium: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class ValueRecipient:
    type: str  # node, lnaddress
    address: str
    split: int  # shares
    name: str = ""
    custom_key: str = ""
    custom_value: str = ""
    fee: bool = False


@dataclass(frozen=True, slots=True)
class ValueTimeSplit:
    """Other payees for a stretch of time: a remote item or recipients. Times are seconds."""

    start_time: float
    duration: float
    remote_start_time: float | None = None  # default 0
    remote_percentage: int | None = None  # default 100
    remote_item: RemoteItem | None = None
    recipients: tuple[ValueRecipient, ...] = ()


@dataclass(frozen=True, slots=True)
class Value:
    type: str
    method: str
    suggested: str = ""  # a decimal number, as written
    recipients: tuple[ValueRecipient, ...] = ()
    time_splits: tuple[ValueTimeSplit, ...] = ()


@dataclass(frozen=True, slots=True)
class Image:
    """`podcast:image`; `purpose` is a list of tokens separated by spaces."""

    href: str
    alt: str = ""
    aspect_ratio: str = ""
    width: int | None = None  # pixels
    height: int | None = None
    type: str = ""
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """`podcast:block`; without `id` it speaks to every platform."""

    blocked: bool
    id: str = ""


@dataclass(frozen=True, slots=True)
class TextRecord:
    """`podcast:txt`."""

    text: str
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class SocialInteract:
    protocol: str
    uri: str = ""  # none when the protocol is "disabled"
    account_id: str = ""
    account_url: str = ""
    priority: int | None = None  # lower first


@dataclass(frozen=True, slots=True)
class ContentLink:
    href: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class UpdateFrequency:
    text: str = ""
    rrule: str = ""  # RFC 5545 §3.3.10
    complete: bool = False
    dtstart: datetime | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    server: str
    protocol: str
    account_id: str = ""
    space: str = ""
