"""What the writer writes: well-formed whatever it is given, escaped once, understood by others."""

import io
import json
import re
import shutil
import subprocess
import xml.sax
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import feedparser
import podcastparser
import pytest
from django.utils.feedgenerator import Stylesheet
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from feeds.generator import PodcastFeed, join_feed, render_channel_head, render_item, write
from feeds.records import Channel, Item
from feeds.text import FORBIDDEN
from tests.feeds.full_records import CHANNEL, ITEM, PLAIN

HERE = Path(__file__).parent
JS = HERE.parent / "js"
NS = {
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "podcast": "https://podcastindex.org/namespace/1.0",
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "psc": "http://podlove.org/simple-chapters",
}


@pytest.fixture(scope="module")
def document() -> bytes:
    return write(CHANNEL, [ITEM, PLAIN])


# The golden feed


def test_every_field_is_filled():
    """So that an element which is added later has to be in the golden feed too."""
    for kind, written in ((Channel, [CHANNEL]), (Item, [ITEM, PLAIN])):
        for field in fields(kind):
            nothing = getattr(kind(), field.name)
            assert any(getattr(row, field.name) != nothing for row in written), field.name


def test_the_golden_feed_is_written_byte_for_byte(document):
    """Changed on purpose? Write the new one over it: the difference is what apps will see."""
    lines = document.replace(b"><", b">\n<")
    golden = HERE / "full.xml"
    assert lines.decode().splitlines() == golden.read_text().splitlines()


def test_every_adopted_element_of_the_namespace_is_in_it(document):
    written = {
        etree.QName(element).localname
        for element in etree.fromstring(document).iter(f"{{{NS['podcast']}}}*")
    }
    assert written == {
        "locked", "transcript", "funding", "chapters", "soundbite", "person", "location", "season",
        "episode", "trailer", "license", "alternateEnclosure", "source", "integrity", "guid",
        "value", "valueRecipient", "valueTimeSplit", "medium", "images", "image", "liveItem",
        "contentLink", "socialInteract", "block", "txt", "remoteItem", "podroll",
        "updateFrequency", "podping", "publisher", "chat",
    }  # fmt: skip


def test_no_element_of_a_channel_or_item_is_there_twice_that_may_not_be(document):
    many = {
        "item", "category", "link", "person", "location", "funding", "value", "image", "txt",
        "socialInteract", "block", "remoteItem", "trailer", "liveItem", "transcript", "soundbite",
        "alternateEnclosure", "contentLink",
    }  # fmt: skip
    root = etree.fromstring(document)
    for parent in (root[0], *root[0].findall("item")):
        names = [child.tag for child in parent]
        twice = {name for name in names if names.count(name) > 1}
        assert {etree.QName(name).localname for name in twice} <= many


def test_the_document_begins_and_ends_as_directories_want_it(document):
    assert document.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ')
    assert document.endswith(b"</channel></rss>")
    for prefix, uri in NS.items():
        if prefix != "psc":
            assert f'xmlns:{prefix}="{uri}"' in document[:400].decode()


def test_everything_of_the_channel_stands_before_its_first_item(document):
    names = [child.tag for child in etree.fromstring(document)[0]]
    first = names.index("item")
    assert set(names[first:]) == {"item"}


def test_description_stands_before_the_full_notes(document):
    names = [child.tag for child in etree.fromstring(document).find("channel/item")]
    assert names.index("description") < names.index(f"{{{NS['content']}}}encoded")


# Pieces


def test_pieces_joined_are_the_whole():
    sheet = Stylesheet("/static/feed.css", mimetype="text/css")
    head = render_channel_head(CHANNEL, [sheet])
    assert join_feed(head, map(render_item, [ITEM, PLAIN])) == write(
        CHANNEL, [ITEM, PLAIN], [sheet]
    )
    assert b'\n<?xml-stylesheet href="/static/feed.css" media="screen" type="text/css"?>\n' in head


def test_the_same_records_give_the_same_bytes(document):
    assert write(CHANNEL, [ITEM, PLAIN]) == document


def test_an_item_alone_is_well_formed_within_the_root():
    wrapped = b"<r %b>%b</r>" % (
        b" ".join(f'xmlns:{p}="{u}"'.encode() for p, u in NS.items() if p != "psc"),
        render_item(ITEM),
    )
    assert etree.fromstring(wrapped)[0].tag == "item"


def test_djangos_framework_writes_the_same(tmp_path):
    feed = PodcastFeed("other", "https://other.example/", "other", channel=CHANNEL)
    feed.add_item("other", "https://other.example/1", "other", record=ITEM)
    feed.add_item("other", "https://other.example/2", "other", fragment=render_item(PLAIN))
    assert feed.writeString("utf-8").encode() == write(CHANNEL, [ITEM, PLAIN])
    with pytest.raises(ValueError, match="UTF-8"):
        feed.writeString("latin-1")
    with pytest.raises(TypeError):
        feed.add_item("no record", "https://other.example/3", "x")


# Values


def test_dates_are_rfc_2822_in_utc_and_english():
    moment = datetime.fromisoformat("2026-03-05T09:05:09+02:00")
    written = render_item(Item(title="T", pub_date=moment)).decode()
    assert "<pubDate>Thu, 05 Mar 2026 07:05:09 +0000</pubDate>" in written


def test_a_date_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        render_item(Item(pub_date=datetime(2026, 3, 5)))


@pytest.mark.parametrize(("seconds", "written"), [(None, False), (0, False), (1, True)])
def test_a_duration_of_nothing_is_not_written(seconds, written):
    assert (b"itunes:duration" in render_item(Item(duration=seconds))) is written


def test_an_unknown_length_is_0_and_not_left_out():
    enclosure = replace(ITEM.enclosure, length=None)
    assert b'length="0" type="audio/mpeg"' in render_item(Item(enclosure=enclosure))


def test_addresses_are_ascii():
    written = render_item(Item(link="https://пример.рф/a b?c=é&d"))
    assert b"<link>https://xn--e1afmkfd.xn--p1ai/a%20b?c=%C3%A9&amp;d</link>" in written


# Any text


TEXTS = st.text(
    st.one_of(
        st.characters(),  # lone surrogates and controls among them
        st.sampled_from(
            "<>&\"']\x00\x08\x0b\x1f\x7f\x85\x92\u200f\u202e\ufffe\uffff\ufffd😀\ud83d"
        ),
    ),
    max_size=40,
)
PIECES = st.sampled_from(
    ["]]>", "]]", "<![CDATA[", "<!--", "--", "-->", "<?xml", "&amp;", "&lt;", "&#8;", "</item>"]
)
HOSTILE = st.lists(st.one_of(TEXTS, PIECES), max_size=4).map("".join)


class _Expat(xml.sax.ContentHandler):
    def __init__(self):
        super().__init__()
        self.names = []

    def startElement(self, name, attrs):
        self.names.append(name)


@settings(deadline=None, max_examples=500)
@given(HOSTILE, HOSTILE)
def test_any_text_is_well_formed_for_two_parsers(one, other):
    channel = Channel(title=one, description=other, author=one, guid=other, copyright=other)
    item = Item(
        title=other, description=one, content=other, guid=one, summary=one, keywords=other,
        persons=(replace(ITEM.persons[0], name=one or "x", href="https://e.org/" + other),),
        text_records=(replace(ITEM.text_records[0], text=one or "x", purpose=other),),
    )  # fmt: skip
    document = write(channel, [item])
    by_lxml = [element.tag for element in etree.fromstring(document).iter()]
    handler = _Expat()
    xml.sax.parseString(document, handler)
    assert len(by_lxml) == len(handler.names)
    assert not FORBIDDEN.search(document.decode())
    assert ElementTree.fromstring(document).find("channel/item") is not None


@settings(deadline=None, max_examples=300)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40))
def test_text_out_is_text_in(text):
    text = text.replace("\ufffd", "").replace("\ufffe", "").replace("\uffff", "")
    item = Item(title=text, description=f"<p>{text}", content=text, summary=text)
    read = etree.fromstring(write(Channel(title="T"), [item])).find("channel/item")
    expected = " ".join(part for part in text.split(" ") if part)
    assert (read.findtext("title") or "") == expected
    assert read.findtext("description") == f"<p>{text}".strip(" ")
    assert (read.findtext(f"{{{NS['itunes']}}}summary") or "") == text.strip(" ")


@pytest.mark.parametrize("text", ["Q&amp;A", "&lt;b&gt;", "A & B", "&amp;amp;", "<![CDATA[x]]>"])
def test_nothing_is_escaped_twice_or_unescaped(text):
    read = etree.fromstring(write(Channel(title=text), [Item(title=text, description=text)]))
    assert read.findtext("channel/title") == text
    assert read.findtext("channel/item/title") == text
    assert read.findtext("channel/item/description") == text


# Other people's readers


def test_feedparser_reads_what_we_put_in(document):
    feed = feedparser.parse(document)
    assert not feed.bozo
    assert feed.feed.title == CHANNEL.title
    assert feed.feed.link == CHANNEL.link
    assert feed.feed.language == CHANNEL.language
    assert feed.feed.image.href == CHANNEL.artwork
    assert feed.feed.author == CHANNEL.author
    assert not feed.feed.itunes_explicit
    links = {(link.rel, link.href) for link in feed.feed.links}
    assert {("self", CHANNEL.self_url), ("hub", CHANNEL.hubs[1])} <= links
    assert [entry.id for entry in feed.entries] == [ITEM.guid, PLAIN.guid]
    entry = feed.entries[0]
    assert entry.title == "Ampersands & <angles> “in” a title 👩‍🚀"
    assert entry.link == ITEM.link
    assert datetime(*entry.published_parsed[:6], tzinfo=UTC) == ITEM.pub_date
    assert entry.enclosures[0].href == ITEM.enclosure.url
    assert int(entry.enclosures[0].length) == ITEM.enclosure.length
    assert entry.enclosures[0].type == ITEM.enclosure.type
    assert int(entry.itunes_duration) == ITEM.duration
    assert int(entry.itunes_episode) == ITEM.episode
    assert int(entry.itunes_season) == ITEM.season


def test_podcastparser_reads_what_we_put_in(document):
    """It knows the namespace of Podcasting 2.0 by its former address only, and reads none of it."""
    feed = podcastparser.parse("https://podcast.example.org/feed.xml", io.BytesIO(document))
    assert feed["title"] == CHANNEL.title
    assert feed["language"] == CHANNEL.language
    assert feed["type"] == CHANNEL.type
    assert feed["cover_url"] == CHANNEL.artwork
    assert feed["itunes_owner"] == {"name": "Ada Harbour", "email": "user@example.com"}
    episodes = {episode["guid"]: episode for episode in feed["episodes"]}
    assert set(episodes) == {ITEM.guid, PLAIN.guid}
    first = episodes[ITEM.guid]
    assert first["total_time"] == ITEM.duration
    assert first["published"] == int(ITEM.pub_date.timestamp())
    assert first["number"] == ITEM.episode
    assert first["season"] == ITEM.season
    assert first["explicit"] is False
    assert [chapter["start"] for chapter in first["chapters"]] == [0, 94]
    enclosures = {row["url"]: row["file_size"] for row in first["enclosures"]}
    assert enclosures[ITEM.enclosure.url] == ITEM.enclosure.length
    assert episodes[PLAIN.guid]["total_time"] == PLAIN.duration


@pytest.fixture(scope="module")
def partytime(document) -> dict:
    """What the JavaScript reader of the Podcasting 2.0 namespace makes of the golden feed."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed (apt-get install nodejs npm)")
    if not (JS / "node_modules").is_dir():
        pytest.skip("its packages are not installed (npm ci --prefix tests/js --ignore-scripts)")
    done = subprocess.run(
        [node, JS / "read.js"], input=document, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_partytime_reads_the_show(partytime):
    assert partytime["title"] == CHANNEL.title
    assert partytime["guid"] == CHANNEL.guid
    assert partytime["medium"] == CHANNEL.medium
    assert partytime["itunesCategory"] == ["Society & Culture > Documentary", "Technology"]
    assert partytime["pubsub"] == {
        "self": CHANNEL.self_url, "hub": CHANNEL.hubs[0], "next": CHANNEL.pages.next
    }  # fmt: skip
    assert partytime["explicit"] is False
    assert partytime["itunesComplete"] is True
    assert partytime["locked"] is True
    assert partytime["trailers"][0]["url"] == CHANNEL.trailers[0].url
    assert partytime["podcastFunding"][0]["url"] == CHANNEL.funding[0].url
    assert [person["name"] for person in partytime["podcastPeople"]] == [
        person.name for person in CHANNEL.persons
    ]


def test_partytime_reads_the_items(partytime):
    item, plain = partytime["items"]
    assert (item["guid"], plain["guid"]) == (ITEM.guid, PLAIN.guid)
    assert item["enclosure"] == {
        "url": ITEM.enclosure.url, "length": 604545, "type": "audio/mpeg"
    }  # fmt: skip
    assert item["title"] == ITEM.title
    assert item["duration"] == ITEM.duration
    assert item["pubDate"] == "2026-03-05T07:05:09.000Z"
    assert [row["url"] for row in item["podcastTranscripts"]] == [t.url for t in ITEM.transcripts]
    assert item["podcastTranscripts"][0]["rel"] == "captions"
    assert item["podcastChapters"]["type"] == ITEM.chapters.type
    assert item["podcastSoundbites"][0]["startTime"] == 33.833
    assert item["podcastEpisode"] == {"number": 7.5, "display": "Ch. 7½"}
    assert item["podcastSeason"] == {"number": 2, "name": "The second harbour"}
    assert item["license"]["identifier"] == "cc-by-4.0"
    assert item["podcastLocation"]["geo"] == "geo:48.2082,16.3738"
    assert item["alternativeEnclosures"][0]["bitrate"] == 32000
    assert item["value"]["recipients"][1]["fee"] is True
    assert item["value"]["valueTimeSplits"][0]["remotePercentage"] == 90
    assert item["podcastSocialInteraction"][0]["url"] == ITEM.social_interacts[0].uri
    assert item["chat"]["server"] == ITEM.chat.server


def test_packages_for_javascript_are_pinned_and_name_no_host():
    lock = (JS / "package-lock.json").read_text()
    resolved = set(re.findall(r'"resolved": "(https?://[^/"]+)', lock))
    assert resolved <= {"https://registry.npmjs.org"}
    packages = json.loads(lock)["packages"]
    assert all("integrity" in row for name, row in packages.items() if name)
