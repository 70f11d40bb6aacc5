"""Strangers' feeds as records: the corpus against its measured values, then hostile ones."""

import gzip
import json
import re
import subprocess
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes.findings import Unreadable
from feeds.generator import write
from feeds.importing import identity, parse
from feeds.importing.notes import CODES
from tests.conftest import CORPUS

FEEDS = CORPUS / "feeds"
HERE = "https://feeds.example.org/show.xml"

#: (file, items, enclosures) as the corpus' manifest says, measured there by another tool.
MANIFEST = [
    (name, int(items), int(enclosures))
    for name, items, enclosures in re.findall(
        r"^\| (\S+\.xml) \|.*?(\d+) items, (\d+) enclosures", (CORPUS / "MANIFEST.md").read_text(),
        re.MULTILINE,
    )
    if name != "odd-atom-with-enclosures.xml" and not name.startswith("hostile-xxe")
]  # fmt: skip
REFUSED = {
    "zero-bytes.xml": "empty",
    "html-page-with-feed-link.html": "web-page",
    "json-feed.json": "json",
    "odd-atom-with-enclosures.xml": "atom",
    "hostile-entity-expansion.xml": "entities",
    "hostile-xxe.xml": "entities",
}
SMALL = sorted(
    path for folder in ("podcastparser", "feedparser-itunes", "feedvalidator-itunes",
                        "feedvalidator-enclosure", "antennapod")
    for path in (FEEDS / folder).iterdir() if path.suffix in {".xml", ".rss"}
)  # fmt: skip


def rss(channel: str = "", *items: str, head: str = "", **namespaces: str) -> bytes:
    declared = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in namespaces.items())
    inside = channel + "".join(f"<item>{item}</item>" for item in items)
    return f'{head}<rss version="2.0"{declared}><channel>{inside}</channel></rss>'.encode()


ITUNES = {"itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd"}


def codes(feed):
    return {finding.code for finding in feed.findings}


# The corpus


@pytest.mark.parametrize(("name", "items", "enclosures"), MANIFEST)
def test_every_item_and_enclosure_of_the_corpus_is_found(name, items, enclosures):
    data = (FEEDS / name).read_bytes()
    feed = parse(data, base_url=HERE)
    assert len(feed.items) == items
    with_audio = sum(item.enclosure is not None for item in feed.items)
    # The manifest counts elements: those of live items, second ones and those without an address.
    beyond = {
        "made-cc0-namespace-example.xml": 1,
        "made-en-5-live-items.xml": 4,
        "twin-15-video-peertube.xml": 1,
        "twin-en-54-every-podcast-tag.xml": 1,
        "odd-no-enclosure-many-enclosures.xml": 3,
        "hostile-markup-and-urls.xml": 2,
    }.get(name, 0)
    assert with_audio == enclosures - beyond
    assert {finding.code for finding in feed.findings} <= set(CODES)


def test_the_manifest_was_read():
    assert len(MANIFEST) > 55


@pytest.mark.parametrize(("name", "code"), REFUSED.items())
def test_what_is_no_feed_is_refused_with_a_reason(name, code):
    with pytest.raises(Unreadable) as refusal:
        parse((FEEDS / name).read_bytes())
    assert refusal.value.code == code
    assert len(refusal.value.message) > 30


def test_a_web_page_names_the_feed_it_links_to():
    with pytest.raises(Unreadable, match=r"/feed\.xml"):
        parse((FEEDS / "html-page-with-feed-link.html").read_bytes())


def test_gzip_is_opened():
    assert len(parse((FEEDS / "odd-gzipped.xml.gz").read_bytes()).items) == 5


@pytest.mark.parametrize("path", SMALL, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_small_cases_are_read_and_read_back(path):
    try:
        feed = parse(path.read_bytes(), base_url=HERE)
    except Unreadable as refusal:
        assert refusal.code == "atom"  # noqa: PT017
        assert b"http://www.w3.org/2005/Atom" in path.read_bytes()
        return
    again = parse(write(feed.channel, feed.items))
    assert (again.channel, again.items) == (feed.channel, feed.items)


@pytest.mark.parametrize("name", [name for name, _, _ in MANIFEST])
def test_what_was_read_is_written_and_read_back_unchanged(name):
    feed = parse((FEEDS / name).read_bytes(), base_url=HERE)
    document = write(feed.channel, feed.items)
    again = parse(document)
    assert again.channel == feed.channel
    assert again.items == feed.items
    assert write(again.channel, again.items) == document


# Other readers' expectations


@pytest.mark.parametrize(
    "path", sorted((FEEDS / "podcastparser").glob("*.rss")), ids=lambda path: path.name
)
def test_podcastparser_expects_the_same(path):
    try:
        feed = parse(path.read_bytes(), base_url="http://example.org/feed.xml")
    except Unreadable:
        return
    expected = json.loads(path.with_suffix(".json").read_text())
    # Without a title that parser invents one from the file's name.
    if feed.channel.title:
        assert feed.channel.title == expected["title"]
    names = {
        "itunes_author": "author", "language": "language", "generator": "generator",
        "new_location": "new_feed_url", "type": "type",
    }  # fmt: skip
    for theirs, ours in names.items():
        if path.stem not in {"itunes_type_garbage"} and expected.get(theirs):
            assert getattr(feed.channel, ours) == expected[theirs], theirs
    by_audio = {item.enclosure.url: item for item in feed.items if item.enclosure}
    compared = {
        "total_time": lambda item: item.duration or 0,
        "number": lambda item: item.episode,
        "season": lambda item: item.season,
        "type": lambda item: item.episode_type,
        "explicit": lambda item: item.explicit,
        "published": lambda item: int(item.pub_date.timestamp()) if item.pub_date else 0,
    }
    for row in expected["episodes"]:
        urls = [enclosure["url"] for enclosure in row["enclosures"]]
        item = next((by_audio[url] for url in urls if url in by_audio), None)
        if item is None:
            continue
        for key, value in compared.items():
            if row.get(key):
                assert value(item) == row[key], key
        for person, theirs in zip(item.persons, row.get("persons", ()), strict=False):
            assert person.name == theirs["name"]


@pytest.mark.parametrize(
    "path", sorted((FEEDS / "feedparser-itunes").glob("*.xml")), ids=lambda path: path.name
)
def test_feedparser_expects_the_same(path):
    feed = parse(path.read_bytes())
    name = path.stem
    record = feed.items[0] if "_item_" in name else feed.channel
    if "_explicit" in name:
        word = re.search(r"<itunes:explicit>(.*?)<", path.read_text(), re.S | re.I)[1]
        assert record.explicit is (word.strip().lower() in {"yes", "true"})
    elif "_block" in name:
        word = re.search(r"<itunes:block>(.*?)<", path.read_text(), re.S | re.I)[1]
        # Apple: only "Yes" has an effect; feedparser takes true for it too.
        assert record.block is (word.strip().lower() == "yes")
    elif name.endswith(("_image", "_image_url")) and "link" not in name:
        assert record.artwork == re.search(r"'(http[^']+)'", path.read_text())[1]
    elif name == "itunes_item_duration":
        assert record.duration == 180
    elif name == "itunes_channel_owner_email":
        assert record.owner.email in path.read_text().split("-->")[0]


# Single behaviours


def test_windows_bytes_in_what_says_utf8():
    feed = parse((FEEDS / "bad-declares-utf8-is-cp1252.xml").read_bytes())
    text = feed.channel.title + "".join(item.title + item.description for item in feed.items)
    assert "read-encoding" in codes(feed)
    assert "�" not in text
    assert not re.search("[\x80-\x9f]", text)


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        ("<rss><channel><title>Žluťoučký</title></channel></rss>".encode(), ""),
        (b"\xef\xbb\xbf" + "<rss><channel><title>Žluťoučký</title></channel></rss>".encode(), ""),
        ("<rss><channel><title>Žluťoučký</title></channel></rss>".encode("utf-16"), ""),
        ("<?xml version='1.0' encoding='iso-8859-2'?><rss><channel><title>Žluťoučký</title>"
         "</channel></rss>".encode("iso-8859-2"), ""),
        ("<rss><channel><title>Žluťoučký</title></channel></rss>".encode("iso-8859-2"),
         "text/xml; charset=ISO-8859-2"),
        ("<?xml version='1.0' encoding='utf-8'?><rss><channel><title>Žluťoučký</title>"
         "</channel></rss>".encode(), "text/xml; charset=iso-8859-1"),
    ],
)  # fmt: skip
def test_encodings(data, content_type):
    assert parse(data, content_type=content_type).channel.title == "Žluťoučký"


def test_a_codec_that_is_no_character_set_is_not_used():
    data = b"<?xml version='1.0' encoding='unicode_escape'?><rss><channel><title>a\\u003c</title>"
    assert parse(data + b"</channel></rss>").channel.title == "a\\u003c"


def test_entities_and_ampersands_are_mended_but_not_in_cdata():
    feed = parse(
        rss("<title>Caf&eacute; &amp; Q & A &#8; &unknown;</title>",
            "<description><![CDATA[<p>a & b &eacute;</p>]]></description>")
    )  # fmt: skip
    assert feed.channel.title == "Café & Q & A &unknown;"
    assert feed.items[0].description == "<p>a & b &eacute;</p>"
    assert "read-not-well-formed" in codes(feed)


@pytest.mark.parametrize("text", ["a&#xD8&#0;00;b", "a&#xD8\x0b00;b", "a&#x00000000000D800;b"])
def test_no_forbidden_character_is_put_together_from_pieces(text):
    title = parse(rss(f"<title>{text} &</title>")).channel.title
    assert title.startswith("a")
    assert "\ud800" not in title
    assert "read-not-well-formed" not in codes(parse(write(parse(rss(title)).channel, [])))


def test_first_of_two_is_taken_and_the_second_noticed():
    feed = parse(rss("<title/><title>One</title><title>Two</title>"))
    assert feed.channel.title == "One"
    assert "read-duplicate" in codes(feed)


def test_date_forms():
    feed = parse((FEEDS / "odd-16-date-forms.xml").read_bytes())
    six = datetime(2026, 11, 2, 6, tzinfo=UTC)
    assert [item.pub_date for item in feed.items] == [
        six, six, six.replace(hour=11), six, six.replace(hour=0), six.replace(hour=0),
        six.replace(hour=5), six, None, datetime(1970, 1, 1, tzinfo=UTC), six.replace(year=2126),
        None, None, six.replace(day=3, hour=0), six.replace(hour=13, minute=1), None,
    ]  # fmt: skip


def test_duration_forms():
    feed = parse((FEEDS / "odd-20-duration-forms.xml").read_bytes())
    durations = [item.duration for item in feed.items]
    assert durations[:11] == [151] * 6 + [152] + [151] * 4
    assert durations[11:17] == [None] * 6
    assert durations[17:] == [151, 151, None]


def test_the_first_playable_enclosure_is_taken():
    feed = parse((FEEDS / "odd-no-enclosure-many-enclosures.xml").read_bytes())
    enclosures = [item.enclosure for item in feed.items]
    assert enclosures[0] is None
    assert enclosures[1].url == "https://example.com/a/2.mp3"
    assert enclosures[4].length is None
    assert enclosures[5] is None
    assert {"read-enclosures", "read-enclosure-length", "read-incomplete"} <= codes(feed)


def test_addresses_that_act_or_reach_inward_by_scheme_are_left_out():
    feed = parse(
        rss("<link>javascript:alert(1)</link>",
            "<link>data:text/html,x</link><enclosure url='file:///etc/passwd' type='audio/mpeg'/>")
    )  # fmt: skip
    assert feed.channel.link == ""
    assert feed.items[0].link == ""
    assert feed.items[0].enclosure is None


def test_relative_addresses_are_completed():
    feed = parse(rss("<link>/about</link>", "<link>e/1</link>"), base_url=HERE)
    assert feed.channel.link == "https://feeds.example.org/about"
    assert feed.items[0].link == "https://feeds.example.org/e/1"
    assert parse(rss("", "<link>e/1</link>")).items[0].link == ""
    based = b"<rss xml:base='https://b.example/x/'><channel><link>y</link></channel></rss>"
    assert parse(based).channel.link == "https://b.example/x/y"


def test_prefixes_do_not_matter_and_namespaces_do():
    feed = parse((FEEDS / "odd-namespaces-other-prefixes.xml").read_bytes())
    assert feed.items[0].episode == 1
    assert feed.items[0].transcripts[0].url == "https://example.com/t/1.vtt"
    other = parse(rss("<itunes:author>A</itunes:author>", itunes="https://other.example/ns"))
    assert other.channel.author == ""
    assert other.channel.extra_xml == (
        '<itunes:author xmlns:itunes="https://other.example/ns">A</itunes:author>',
    )


def test_unknown_elements_are_kept_each_with_its_namespaces():
    feed = parse(
        rss("<x:a b='1'>t<x:c/><y:d/></x:a>", "<x:e x:f='2'/>", x="urn:x", y="urn:y", z="urn:z")
    )
    assert feed.channel.extra_xml == (
        '<x:a xmlns:x="urn:x" xmlns:y="urn:y" b="1">t<x:c/><y:d/></x:a>',
    )
    assert feed.items[0].extra_xml == ('<x:e xmlns:x="urn:x" x:f="2"/>',)


def test_what_would_act_in_a_browser_is_not_kept():
    feed = parse(
        rss(
            "<h:script>alert(1)</h:script><x:a onclick='alert(1)' l:href='javascript:alert(1)'>"
            "t<s:svg onload='alert(1)'/>u</x:a>",
            h="http://www.w3.org/1999/xhtml",
            s="http://www.w3.org/2000/svg",
            l="http://www.w3.org/1999/xlink",
            x="urn:x",
        )
    )
    assert feed.channel.extra_xml == ('<x:a xmlns:x="urn:x">tu</x:a>',)
    assert ("script", 1) in feed.skipped
    assert "read-active" in codes(feed)


def test_elements_without_a_namespace_that_nobody_knows_are_skipped():
    feed = parse(rss("<cloud domain='h'/><mood>good</mood>"))
    assert feed.channel.extra_xml == ()
    assert dict(feed.skipped) == {"cloud": 1, "mood": 1}


def test_items_beside_the_channel_are_found():
    data = b"<rss><channel><title>T</title></channel><item><title>I</title></item></rss>"
    assert [item.title for item in parse(data).items] == ["I"]


def test_xhtml_as_elements_is_html():
    feed = parse(rss("", "<description>A<b>B</b>&lt;c&gt;<br/>D</description>"))
    assert feed.items[0].description == "A<b>B</b>&lt;c&gt;<br>D"


def test_identity():
    items = parse((FEEDS / "odd-duplicate-and-missing-guids.xml").read_bytes()).items
    assert identity(items[0]) == "harbour-line-1"
    assert items[2].guid == ""
    assert identity(items[2]) == "https://example.com/a/3.mp3"


def test_findings_of_one_kind_are_counted_and_not_endless():
    many = "<item><pubDate>yesterday</pubDate></item>" * 1000
    feed = parse(f"<rss><channel>{many}</channel></rss>".encode())
    assert len(feed.findings) == 200


# Hostile documents


def nested(levels: int) -> bytes:
    return rss("<a>" * levels + "</a>" * levels)


BOMBS = {
    "entities": b'<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel/></rss>',
    "parameter entity": b'<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:9/">%p;]><rss/>',
    "lower case": b'<!doctype r [<!Entity a "aaaa">]><rss><channel/></rss>',
    "deep": nested(200_000),
    "wide": rss("<a/>" * 2_000_000),
    "attributes": rss("<a " + " ".join(f'a{n}="1"' for n in range(1_000_000)) + "/>"),
    "gzip": gzip.compress(b"<rss>" + b" " * (60 * 1024 * 1024)),
    "half a gzip": gzip.compress(rss("<title>T</title>"))[:-20],
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_quickly(name):
    start = time.process_time()
    with pytest.raises(Unreadable):
        parse(BOMBS[name])
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "expression",
    [
        "b'<x:a/>' * 990_000",
        "(b'<item>' + b' '.join(b'a%d=\"\"' % n for n in range(9990)) + b'</item>') * 99",
        "b'<item><title>x</title></item>' * 49_000",
        "b'<item><title>&b;' + b'x' * 400 + '\U0001f600'.encode() + b'</title></item>' * 49_000",
    ],
)
def test_the_largest_that_is_read_stays_within_300_mb(expression, tmp_path):
    code = (
        "import sys\n"
        "from episodes.findings import Unreadable\n"
        "from feeds.importing import parse\n"
        "def peak():\n"
        "    rows = open('/proc/self/status').read().splitlines()\n"
        "    return next(int(r.split()[1]) for r in rows if r.startswith('VmHWM')) // 1024\n"
        "data = open(sys.argv[1], 'rb').read()\n"
        "before = peak()\n"
        "try: parse(data)\n"
        "except Unreadable: pass\n"
        "print(peak() - before)\n"
    )
    inside = eval(expression)
    path = tmp_path / "large.xml"
    path.write_bytes(b"<rss><channel xmlns:x='urn:x'>" + inside + b"</channel></rss>")
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, cwd=CORPUS.parent.parent
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 300


def test_an_include_and_a_doctype_fetch_nothing():
    include = "<x:include href='file:///etc/hostname' parse='text'/>"
    feed = parse(
        rss(include, head="<!DOCTYPE rss SYSTEM 'http://127.0.0.1:9/rss.dtd'>",
            x="http://www.w3.org/2001/XInclude")
    )  # fmt: skip
    assert feed.channel.extra_xml == ()
    assert "read-doctype" in codes(feed)


@pytest.mark.parametrize(
    "piece",
    [
        b"<title>" + b"a-." * 20_000,
        b"&" * 50_000,
        b"<![CDATA[" * 10_000,
        b"<!--" * 10_000,
        b"<link>" + b"/" * 50_000,
        b"<pubDate>" + b" " * 50_000 + b"x</pubDate>",
        b"<description>" + b"<" * 50_000,
        b"</a>" * 30_000,
    ],
)
def test_reading_is_linear(piece):
    def seconds(data):
        start = time.process_time()
        with suppress(Unreadable):
            parse(data)
        return time.process_time() - start

    head, tail = b"<rss><channel><item>", b"</item></channel></rss>"
    assert seconds(head + piece * 2 + tail) < 1


SMALL_FEEDS = [
    path.read_bytes()
    for path in sorted(FEEDS.rglob("*"))
    if path.suffix in {".xml", ".rss"} and path.stat().st_size < 20_000
]
DAMAGE = [
    b"]]>", b"<![CDATA[", b"&#xD800;", b"&#0;", b"<!--", b"xmlns:itunes='", b"\xff\xfe", b"\0",
    b"<item>", b"</item>", b" xml:base='http://['", b" url='http://[::'", b"<a:b:c d:e:f='1'/>",
    b"<?xml", b"<!DOCTYPE", b"9" * 30, b"<x:y xmlns:x='http:|/x'/>", b" xmlns:q=''", b"<1/>",
]  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(
    st.sampled_from(SMALL_FEEDS),
    st.lists(
        st.tuples(
            st.integers(0, 20_000),
            st.one_of(st.sampled_from(DAMAGE), st.binary(max_size=3), st.integers(1, 40)),
        ),
        max_size=8,
    ),
)
def test_a_damaged_feed_is_read_or_refused_and_what_was_read_is_stable(data, damages):
    for at, damage in damages:
        at %= len(data) + 1
        if isinstance(damage, int):
            data = data[:at] + data[at + damage :]
        else:
            data = data[:at] + damage + data[at:]
    try:
        feed = parse(data, base_url=HERE)
    except Unreadable:
        return
    again = parse(write(feed.channel, feed.items))
    assert (again.channel, again.items) == (feed.channel, feed.items)
    assert "read-not-well-formed" not in codes(again)
