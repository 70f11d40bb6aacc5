"""Channel and Item: what a podcast feed says, free of how it is stored and how it is spelled.

The writer, the importer and lint meet here and nowhere else. Conventions of every record:

- A text that is not there is `""`, a number or moment that is not there is `None`, a list that is
  not there is `()`. Enumerated values are lower-case strings as the feed spells them.
- Moments are aware datetimes in UTC. `pubDate` and its like have whole seconds.
- URLs are absolute and ASCII. Texts are plain, unless the field says HTML.
- Names follow the element's; its namespace is named in the comment where two share a name.

Sources: RSS 2.0 and the RSS Advisory Board's profile, Apple Podcasts, PSP-1, the Podcasting 2.0
namespace, RFC 5005 (paging), WebSub (hubs), Podlove Simple Chapters.
"""

from dataclasses import dataclass, field
from datetime import datetime

from feeds.parts import (
    AlternateEnclosure,
    Block,
    Category,
    ChannelImage,
    ChaptersLink,
    Chat,
    ContentLink,
    Enclosure,
    EpisodeNumber,
    Funding,
    Image,
    License,
    Location,
    Locked,
    Owner,
    PageLinks,
    Person,
    RemoteItem,
    RssCategory,
    Season,
    SimpleChapter,
    SocialInteract,
    Soundbite,
    SourceFeed,
    TextRecord,
    Trailer,
    TranscriptLink,
    UpdateFrequency,
    Value,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One episode, as an `item`; also the inside of a `podcast:liveItem`."""

    title: str = ""
    guid: str = ""
    guid_is_permalink: bool = False
    link: str = ""
    pub_date: datetime | None = None
    description: str = ""  # HTML
    content: str = ""  # HTML, content:encoded
    enclosure: Enclosure | None = None
    comments: str = ""  # URL
    source: SourceFeed | None = None
    rss_categories: tuple[RssCategory, ...] = ()

    itunes_title: str = ""
    duration: int | None = None  # seconds
    explicit: bool | None = None
    artwork: str = ""  # itunes:image
    season: int | None = None
    episode: int | None = None
    episode_type: str = ""  # full, trailer, bonus
    block: bool = False  # itunes:block
    author: str = ""  # itunes:author
    summary: str = ""  # itunes:summary
    subtitle: str = ""
    keywords: str = ""

    transcripts: tuple[TranscriptLink, ...] = ()
    chapters: ChaptersLink | None = None
    soundbites: tuple[Soundbite, ...] = ()
    persons: tuple[Person, ...] = ()
    locations: tuple[Location, ...] = ()
    podcast_season: Season | None = None
    podcast_episode: EpisodeNumber | None = None
    license: License | None = None
    alternate_enclosures: tuple[AlternateEnclosure, ...] = ()
    funding: tuple[Funding, ...] = ()
    values: tuple[Value, ...] = ()
    images: tuple[Image, ...] = ()  # podcast:image
    image_srcset: str = ""  # podcast:images, deprecated
    social_interacts: tuple[SocialInteract, ...] = ()
    content_links: tuple[ContentLink, ...] = ()
    text_records: tuple[TextRecord, ...] = ()  # podcast:txt
    chat: Chat | None = None
    simple_chapters: tuple[SimpleChapter, ...] = ()  # psc:chapters, inline

    #: Elements that no field holds, each well-formed and with its namespaces declared on itself.
    extra_xml: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LiveItem:
    """`podcast:liveItem`. A changed `item.guid` is a new stream."""

    item: Item
    status: str  # pending, live, ended
    start: datetime
    end: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """The show, as one document of its feed presents it."""

    title: str = ""
    link: str = ""
    description: str = ""  # plain text
    language: str = ""
    copyright: str = ""
    self_url: str = ""  # atom:link rel="self": the address of this very document
    hubs: tuple[str, ...] = ()
    pages: PageLinks = field(default_factory=PageLinks)
    pub_date: datetime | None = None
    last_build_date: datetime | None = None
    generator: str = ""
    docs: str = ""  # URL
    ttl: int | None = None  # minutes
    managing_editor: str = ""
    web_master: str = ""
    image: ChannelImage | None = None  # RSS image
    rss_categories: tuple[RssCategory, ...] = ()

    author: str = ""
    artwork: str = ""  # itunes:image
    categories: tuple[Category, ...] = ()  # itunes:category
    explicit: bool | None = None
    type: str = ""  # episodic, serial
    owner: Owner | None = None
    block: bool = False  # itunes:block
    complete: bool = False
    new_feed_url: str = ""
    summary: str = ""  # itunes:summary
    subtitle: str = ""
    keywords: str = ""

    guid: str = ""  # podcast:guid
    locked: Locked | None = None
    medium: str = ""
    uses_podping: bool = False
    funding: tuple[Funding, ...] = ()
    persons: tuple[Person, ...] = ()
    locations: tuple[Location, ...] = ()
    trailers: tuple[Trailer, ...] = ()
    license: License | None = None
    values: tuple[Value, ...] = ()
    images: tuple[Image, ...] = ()  # podcast:image
    image_srcset: str = ""  # podcast:images, deprecated
    blocks: tuple[Block, ...] = ()  # podcast:block
    text_records: tuple[TextRecord, ...] = ()  # podcast:txt
    social_interacts: tuple[SocialInteract, ...] = ()
    remote_items: tuple[RemoteItem, ...] = ()
    podroll: tuple[RemoteItem, ...] = ()
    publisher: RemoteItem | None = None
    update_frequency: UpdateFrequency | None = None
    chat: Chat | None = None
    live_items: tuple[LiveItem, ...] = ()

    #: Elements that no field holds, each well-formed and with its namespaces declared on itself.
    extra_xml: tuple[str, ...] = ()
