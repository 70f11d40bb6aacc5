"""Any records a feed can hold, for hypothesis: canonical as `feeds.records` says they are.

Texts are what the writer would leave as they are (one line or block, legal characters), URLs are
absolute, and parts have what they must have.
"""

import string
from datetime import UTC, datetime
from decimal import Decimal

from hypothesis import strategies as st

from feeds import parts
from feeds.addresses import ascii_url, is_web
from feeds.records import Channel, Item, LiveItem
from feeds.text import block, line, repaired

# Hostile to XML, to right-to-left readers and to whoever cuts by bytes or code units.
CHARACTERS = st.one_of(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff\ufffd"),
    st.sampled_from("<>&\"'];\u200f\u202e\u0301😀👩\u200d🚀"),
)
SNIPPETS = st.sampled_from(
    [
        "]]>",
        "<![CDATA[",
        "&amp;",
        "&lt;b&gt;",
        "<!--",
        "-->",
        "<?xml",
        "</item>",
        "&#8;",
        "&eacute;",
    ]
)
RAW = st.lists(st.one_of(CHARACTERS, SNIPPETS, st.just(" ")), max_size=12).map("".join)
MULTILINE = st.lists(st.one_of(RAW, st.sampled_from(["\n", "\n\n", "\t"])), max_size=5).map("".join)


def clean_line(text: str) -> str:
    return line(repaired(text))


def clean_block(text: str) -> str:
    return block(repaired(text))


LINE = RAW.map(clean_line)
SOME = LINE.filter(bool)
BLOCK = MULTILINE.map(clean_block)
TOKEN = st.text(string.ascii_letters + string.digits + "-+./", min_size=1, max_size=12)
GUID = st.one_of(SOME, st.uuids().map(str), st.just("https://example.org/?p=1&q=2"))
URL = (
    st.builds(
        "{}://{}/{}".format,
        st.sampled_from(["http", "https"]),
        st.sampled_from(["example.org", "example.org:8080", "пример.рф", "xn--e1afmkfd.xn--p1ai"]),
        st.text(string.ascii_letters + string.digits + "-._~!$&'()*+,;=:@/?#[]%é開 ", max_size=20),
    )
    .map(ascii_url)
    .filter(lambda url: is_web(url) and ascii_url(url) == url == line(url))
)
ANY_URL = st.one_of(URL, st.sampled_from(["magnet:?xt=urn:btih:1&dn=a", "at://did:plc:x/1"]))
MOMENT = st.datetimes(
    datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)
).map(lambda moment: moment.replace(microsecond=0))  # fmt: skip
BYTES = st.integers(1, 10**15)
COUNT = st.integers(1, 10**6)
SECONDS = st.one_of(
    st.integers(0, 10**6).map(float), st.floats(0, 10**5, allow_nan=False).map(lambda s: s + 0.0)
)
FLAG = st.booleans()


def maybe(strategy):
    return st.one_of(st.none(), strategy)


def either(strategy):
    """The text, or none."""
    return st.one_of(st.just(""), strategy)


def some(strategy):
    return st.lists(strategy, max_size=2).map(tuple)


PERSON = st.builds(
    parts.Person, SOME, either(SOME), either(SOME), img=either(URL), href=either(URL)
)
REMOTE_ITEM = st.builds(
    parts.RemoteItem, SOME, either(URL), item_guid=either(SOME), medium=either(TOKEN), title=LINE
)
RECIPIENT = st.builds(
    parts.ValueRecipient, TOKEN, SOME, st.integers(0, 100), LINE, LINE, LINE, fee=FLAG
)
TIME_SPLIT = st.builds(
    parts.ValueTimeSplit, SECONDS, SECONDS, maybe(SECONDS), maybe(st.integers(0, 100)),
    maybe(REMOTE_ITEM), some(RECIPIENT),
)  # fmt: skip
VALUE = st.builds(
    parts.Value, TOKEN, TOKEN, either(st.just("0.00000005")), some(RECIPIENT), some(TIME_SPLIT)
)
IMAGE = st.builds(
    parts.Image, URL, LINE, either(st.just("16/9")), maybe(COUNT), maybe(COUNT), either(TOKEN),
    either(st.just("artwork social")),
)  # fmt: skip
ALTERNATE = st.builds(
    parts.AlternateEnclosure, TOKEN, some(st.builds(parts.Source, ANY_URL, either(TOKEN))),
    maybe(BYTES), maybe(SECONDS), maybe(COUNT), either(TOKEN), LINE, LINE, LINE, FLAG,
    maybe(st.builds(parts.Integrity, st.just("sri"), SOME)),
)  # fmt: skip
SHARED = {
    "persons": some(PERSON),
    "locations": some(st.builds(parts.Location, SOME, either(TOKEN), LINE, LINE, either(TOKEN))),
    "license": maybe(st.builds(parts.License, SOME, either(URL))),
    "funding": some(st.builds(parts.Funding, URL, LINE)),
    "values": some(VALUE),
    "images": some(IMAGE),
    "image_srcset": LINE,
    "social_interacts": some(
        st.builds(
            parts.SocialInteract, TOKEN, either(ANY_URL), LINE, either(URL), maybe(COUNT)
        )
    ),
    "text_records": some(st.builds(parts.TextRecord, BLOCK.filter(bool), LINE)),
    "chat": maybe(st.builds(parts.Chat, SOME, either(TOKEN), LINE, LINE)),
    "rss_categories": some(st.builds(parts.RssCategory, SOME, LINE)),
    "block": FLAG,
    "explicit": maybe(FLAG),
    "artwork": either(URL),
    "author": LINE,
    "summary": BLOCK,
    "subtitle": LINE,
    "keywords": LINE,
    "extra_xml": some(
        st.sampled_from(
            [
                '<x:a xmlns:x="urn:x" b="1">t &amp; <x:c/>u</x:a>',
                '<y xmlns="urn:y">😀</y>',
                '<podcast:new xmlns:podcast="https://podcastindex.org/namespace/1.0"/>',
            ]
        )
    ),
}  # fmt: skip
GUIDS = st.one_of(
    st.just({"guid": "", "guid_is_permalink": False}),
    st.fixed_dictionaries({"guid": GUID, "guid_is_permalink": FLAG}),
)
_ITEM = st.fixed_dictionaries(
    {
        "title": LINE,
        "link": either(URL),
        "pub_date": maybe(MOMENT),
        "description": BLOCK,
        "content": BLOCK,
        "enclosure": maybe(st.builds(parts.Enclosure, URL, maybe(BYTES), either(TOKEN))),
        "comments": either(URL),
        "source": maybe(st.builds(parts.SourceFeed, URL, LINE)),
        "itunes_title": LINE,
        "duration": maybe(st.integers(1, 100_000)),
        "season": maybe(COUNT),
        "episode": maybe(COUNT),
        "episode_type": st.sampled_from(["", "full", "trailer", "bonus"]),
        "transcripts": some(
            st.builds(parts.TranscriptLink, URL, either(TOKEN), either(TOKEN), either(TOKEN))
        ),
        "chapters": maybe(st.builds(parts.ChaptersLink, URL, either(TOKEN))),
        "soundbites": some(st.builds(parts.Soundbite, SECONDS, SECONDS, LINE)),
        "podcast_season": maybe(st.builds(parts.Season, st.integers(0, 10**6), LINE)),
        "podcast_episode": maybe(
            st.builds(
                parts.EpisodeNumber, st.decimals(0, 10**6, places=2).map(Decimal), LINE
            )
        ),
        "alternate_enclosures": some(ALTERNATE),
        "content_links": some(st.builds(parts.ContentLink, URL, LINE)),
        "simple_chapters": some(
            st.builds(
                parts.SimpleChapter,
                st.integers(0, 10**8).map(lambda ms: ms / 1000),
                LINE,
                either(URL),
                either(URL),
            )
        ),
        **SHARED,
    }
)  # fmt: skip
ITEM = st.builds(lambda fields, guid: Item(**fields, **guid), _ITEM, GUIDS)
LIVE_ITEM = st.builds(
    LiveItem, ITEM, st.sampled_from(["pending", "live", "ended"]), MOMENT, maybe(MOMENT)
)
CHANNEL = st.builds(
    Channel,
    title=LINE,
    link=either(URL),
    description=BLOCK,
    language=either(TOKEN),
    copyright=LINE,
    self_url=either(URL),
    hubs=st.lists(URL, max_size=2, unique=True).map(tuple),
    pages=st.builds(parts.PageLinks, either(URL), either(URL), either(URL), either(URL)),
    pub_date=maybe(MOMENT),
    last_build_date=maybe(MOMENT),
    generator=LINE,
    docs=either(URL),
    ttl=maybe(COUNT),
    managing_editor=LINE,
    web_master=LINE,
    image=maybe(st.builds(parts.ChannelImage, URL, LINE, either(URL), maybe(COUNT), maybe(COUNT))),
    categories=st.lists(
        st.builds(parts.Category, SOME, LINE), max_size=3, unique=True
    ).map(tuple),
    type=st.sampled_from(["", "episodic", "serial"]),
    owner=maybe(st.builds(parts.Owner, LINE, SOME)),
    complete=FLAG,
    new_feed_url=either(URL),
    guid=either(GUID),
    locked=maybe(st.builds(parts.Locked, FLAG, LINE)),
    medium=either(TOKEN),
    uses_podping=FLAG,
    trailers=some(
        st.builds(
            parts.Trailer, LINE, URL, maybe(MOMENT), maybe(BYTES), either(TOKEN), maybe(COUNT)
        )
    ),
    blocks=some(st.builds(parts.Block, FLAG, LINE)),
    remote_items=some(REMOTE_ITEM),
    podroll=some(REMOTE_ITEM),
    publisher=maybe(REMOTE_ITEM),
    update_frequency=maybe(
        st.builds(parts.UpdateFrequency, SOME, LINE, FLAG, maybe(MOMENT))
    ),
    live_items=some(LIVE_ITEM),
    **SHARED,
)  # fmt: skip
