"""One show and two items in which every field is filled: a feed with every element we can write."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from feeds import parts
from feeds.records import Channel, Item, LiveItem

MOMENT = datetime(2026, 3, 5, 7, 5, 9, tzinfo=UTC)
HOME = "https://podcast.example.org"
EXTRA = '<x:mood xmlns:x="urn:x">calm &amp; good</x:mood>'

PERSONS = (
    parts.Person("Ada Harbour", "host", "cast", f"{HOME}/ada.jpg", f"{HOME}/ada"),
    parts.Person("Ben “Gu\u0308nther” Öl", "guest"),
)
REMOTE = parts.RemoteItem(
    "917393e3-1b1e-5cef-ace4-edaa54e1f810",
    "https://elsewhere.example/feed.xml",
    "item-1",
    "podcast",
    "Another show",
)
RECIPIENTS = (
    parts.ValueRecipient("node", "02d5c1bf8b940dc9cadca86d1b0a3c37", 95, "Ada", "696969", "ada"),
    parts.ValueRecipient("lnaddress", "app@example.com", 5, "The app", fee=True),
)
VALUE = parts.Value(
    "lightning",
    "keysend",
    "0.00000005000",
    RECIPIENTS,
    (
        parts.ValueTimeSplit(60, 237.5, 2.5, 90, REMOTE),
        parts.ValueTimeSplit(330, 53, recipients=RECIPIENTS[:1]),
    ),
)
SHARED = {
    "persons": PERSONS,
    "locations": (parts.Location("Wien", "subject", "geo:48.2082,16.3738", "R109166", "AT"),),
    "license": parts.License("cc-by-4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "funding": (parts.Funding(f"{HOME}/give?a=1&b=2", "Support us & them"),),
    "values": (VALUE,),
    "images": (
        parts.Image(
            f"{HOME}/wide.jpg", "A harbour", "16/9", 1600, 900, "image/jpeg", "artwork social"
        ),
    ),
    "image_srcset": f"{HOME}/600.jpg 600w, {HOME}/1400.jpg 1400w",
    "social_interacts": (
        parts.SocialInteract(
            "activitypub", f"{HOME}/@ada/1", "@ada@example.org", f"{HOME}/@ada", 1
        ),
        parts.SocialInteract("disabled"),
    ),
    "text_records": (parts.TextRecord("false", "ai-content"), parts.TextRecord("One\nTwo")),
    "chat": parts.Chat("irc.example.org", "irc", "@ada", "#harbour"),
    "rss_categories": (parts.RssCategory("Harbours & ships", "https://example.org/tags"),),
    "extra_xml": (EXTRA,),
}
ITEM = Item(
    title="Ampersands & <angles> “in” a title 👩‍🚀",
    guid="urn:uuid:9d2f6a50-5f43-5b5a-9d5e-5d7c6a3f5e11",
    guid_is_permalink=False,
    link=f"{HOME}/show/ampersands/",
    pub_date=MOMENT,
    description="<p>Fish &amp; chips, and ]]&gt; and ]]> too.</p>",
    content="<p>Fish &amp; chips.</p><ul><li>One</li><li>שלום</li></ul>",
    enclosure=parts.Enclosure(f"{HOME}/audio/1/abc/ampersands.mp3", 604545, "audio/mpeg"),
    comments=f"{HOME}/show/ampersands/#comments",
    source=parts.SourceFeed(f"{HOME}/show/feed.xml", "The show"),
    itunes_title="Ampersands",
    duration=151,
    explicit=False,
    artwork=f"{HOME}/artwork/episode/1/abc/full.jpg",
    season=2,
    episode=7,
    episode_type="full",
    block=True,
    author="Ada Harbour",
    summary="In two\nlines.",
    subtitle="A subtitle",
    keywords="harbour, line",
    transcripts=(
        parts.TranscriptLink(f"{HOME}/t.vtt", "text/vtt", "en", "captions"),
        parts.TranscriptLink(f"{HOME}/t.html", "text/html", "en"),
    ),
    chapters=parts.ChaptersLink(f"{HOME}/chapters.json", "application/json+chapters"),
    soundbites=(parts.Soundbite(33.833, 60, "Why it matters"),),
    podcast_season=parts.Season(2, "The second harbour"),
    podcast_episode=parts.EpisodeNumber(Decimal("7.5"), "Ch. 7½"),
    alternate_enclosures=(
        parts.AlternateEnclosure(
            "audio/ogg",
            (parts.Source(f"{HOME}/1.opus", "audio/ogg"), parts.Source("ipfs://bafy/1.opus")),
            220000,
            32000.0,
            None,
            "en",
            "Small",
            "small",
            "opus",
            True,
            parts.Integrity("sri", "sha384-ExVqijgYHm15PqQqdXfW95x+Rs6C+d6E/ICxyQOeFevnxNLR"),
        ),
        parts.AlternateEnclosure(
            "video/mp4", (parts.Source(f"{HOME}/1.mp4"),), height=1080, title="Film"
        ),
    ),
    content_links=(parts.ContentLink(f"{HOME}/live", "Watch it here"),),
    simple_chapters=(
        parts.SimpleChapter(0, "Hello"),
        parts.SimpleChapter(94.5, "More & more", f"{HOME}/more", f"{HOME}/more.jpg"),
    ),
    **SHARED,
)  # fmt: skip
PLAIN = Item(
    title="A plain one",
    guid=f"{HOME}/show/plain/",
    guid_is_permalink=True,
    pub_date=MOMENT - timedelta(days=1),
    description="Plain text",
    enclosure=parts.Enclosure(f"{HOME}/audio/2/abc/plain.mp3", 1000, "audio/mpeg"),
    duration=3601,
    explicit=True,
    episode_type="bonus",
)
CHANNEL = Channel(
    title="Harbour Line & friends",
    link=f"{HOME}/show/",
    description="Short briefings.\nFor <people> & machines.",
    language="en-gb",
    copyright="Ada Harbour",
    self_url=f"{HOME}/show/feed.xml?page=2",
    hubs=("https://hub.example.org/", "https://hub.example.net/?a=1&b=2"),
    pages=parts.PageLinks(
        f"{HOME}/show/feed.xml",
        f"{HOME}/show/feed.xml?page=3",
        f"{HOME}/show/feed.xml?page=3",
        f"{HOME}/show/feed.xml",
    ),
    pub_date=MOMENT,
    last_build_date=MOMENT + timedelta(hours=1),
    generator="Podcast (self-hosted)",
    docs="https://www.rssboard.org/rss-specification",
    ttl=5,
    managing_editor="user@example.com (Ada Harbour)",
    web_master="user@example.com (Ada Harbour)",
    image=parts.ChannelImage(
        f"{HOME}/small.jpg", "Harbour Line & friends", f"{HOME}/show/", 144, 144
    ),
    author="Ada Harbour",
    artwork=f"{HOME}/artwork/show/1/abc/full.jpg",
    categories=(parts.Category("Society & Culture", "Documentary"), parts.Category("Technology")),
    explicit=False,
    type="serial",
    owner=parts.Owner("Ada Harbour", "user@example.com"),
    block=True,
    complete=True,
    new_feed_url=f"{HOME}/show/feed.xml",
    summary="A summary",
    subtitle="A subtitle",
    keywords="harbour, line",
    guid="0385b517-e0dd-5f8b-8340-08cbb4843ca8",
    locked=parts.Locked(True, "user@example.com"),
    medium="podcast",
    uses_podping=True,
    trailers=(
        parts.Trailer("Hello there", f"{HOME}/trailer.mp3", MOMENT, 12345, "audio/mpeg", 2),
    ),
    blocks=(parts.Block(True), parts.Block(False, "youtube")),
    remote_items=(REMOTE,),
    podroll=(REMOTE,),
    publisher=parts.RemoteItem("003af0a0-6a45-55cf-b765-68e3d349551a", medium="publisher"),
    update_frequency=parts.UpdateFrequency("Ten weeks", "FREQ=WEEKLY;COUNT=10", True, MOMENT),
    live_items=(
        LiveItem(
            Item(
                title="Live from the harbour",
                guid="live-1",
                enclosure=parts.Enclosure(f"{HOME}/live.mp3", None, "audio/mpeg"),
                content_links=(parts.ContentLink(f"{HOME}/live", "Listen here"),),
            ),
            "pending",
            MOMENT,
            MOMENT + timedelta(hours=2),
        ),
    ),
    **SHARED,
)  # fmt: skip
