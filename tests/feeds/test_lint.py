"""Every rule fires on the smallest bad record and is silent on the good one."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command

from episodes.findings import Finding, Level
from feeds import parts
from feeds.importing import parse
from feeds.importing.notes import CODES
from feeds.lint import RULES, lint
from feeds.records import Channel, Item, LiveItem
from tests.conftest import CORPUS
from tests.server import serving

FEEDS = CORPUS / "feeds"
MOMENT = datetime(2026, 3, 5, 7, 5, 9, tzinfo=UTC)

CHANNEL = Channel(
    title="Harbour Line",
    link="https://example.org/",
    description="Short briefings.",
    language="en-us",
    self_url="https://example.org/feed.xml",
    image=parts.ChannelImage(
        "https://example.org/cover.jpg", "Harbour Line", "https://example.org/"
    ),
    author="Harbour Line",
    artwork="https://example.org/cover.jpg",
    categories=(parts.Category("Arts", "Books"),),
    explicit=False,
    type="serial",
    guid="0385b517-e0dd-5f8b-8340-08cbb4843ca8",
    locked=parts.Locked(True),
    medium="podcast",
    persons=(parts.Person("Ada"),),
    values=(
        parts.Value("lightning", "keysend", recipients=(parts.ValueRecipient("node", "02d5", 1),)),
    ),
    social_interacts=(parts.SocialInteract("activitypub", "https://example.org/@a/1"),),
    chat=parts.Chat("irc.example.org", "irc"),
    locations=(parts.Location("Vienna", "subject", "geo:48.2,16.4", "R113314", "AT"),),
    trailers=(parts.Trailer("Hello", "https://example.org/t.mp3", MOMENT),),
    podroll=(parts.RemoteItem("917393e3-1b1e-5cef-ace4-edaa54e1f810"),),
    update_frequency=parts.UpdateFrequency("Weekly", "FREQ=WEEKLY"),
    live_items=(
        LiveItem(
            Item(guid="live", content_links=(parts.ContentLink("https://example.org/live"),)),
            "live",
            MOMENT,
            MOMENT + timedelta(hours=1),
        ),
    ),
)
ITEM = Item(
    title="The build is green",
    guid="one",
    link="https://example.org/1",
    pub_date=MOMENT,
    description='<p>What changed. <a href="https://example.org/">More</a></p>',
    enclosure=parts.Enclosure("https://example.org/1.mp3", 1000, "audio/mpeg"),
    duration=151,
    explicit=False,
    artwork="https://example.org/1.png",
    season=1,
    episode=2,
    episode_type="full",
    transcripts=(parts.TranscriptLink("https://example.org/1.vtt", "text/vtt", "en", "captions"),),
    chapters=parts.ChaptersLink("https://example.org/1.json", "application/json+chapters"),
    soundbites=(parts.Soundbite(10, 30, "A bite"),),
    persons=(parts.Person("Ada"), parts.Person("Bob", "guest")),
    alternate_enclosures=(
        parts.AlternateEnclosure(
            "audio/ogg", (parts.Source("https://example.org/1.ogg"),), default=True
        ),
    ),
)
OTHER = replace(
    ITEM,
    guid="two",
    title="The build is red",
    pub_date=MOMENT - timedelta(days=1),
    episode=1,
    enclosure=parts.Enclosure("https://example.org/2.mp3", 1000, "audio/mpeg"),
)
LONG = "x" * 300
AUDIO = ITEM.enclosure
TRANSCRIPT = ITEM.transcripts[0]

#: What of the good show makes each rule of the channel speak.
BAD_CHANNELS = {
    "title-missing": [{"title": ""}],
    "title-text": [{"title": "<b>Harbour</b>"}, {"title": "Q &amp; A"}, {"title": LONG}],
    "link-missing": [{"link": ""}],
    "description-missing": [{"description": ""}],
    "description-text": [{"description": "<p>Hi</p>"}, {"description": "開" * 1400}],
    "language-missing": [{"language": ""}],
    "language-form": [{"language": "en_US"}, {"language": "english"}],
    "artwork-missing": [{"artwork": ""}],
    "artwork-type": [{"artwork": "https://example.org/cover.webp"}],
    "category-missing": [{"categories": ()}],
    "category-unknown": [
        {"categories": (parts.Category("arts"),)},
        {"categories": (parts.Category("Comedy", "Books"),)},
    ],
    "category-retired": [{"categories": (parts.Category("Games & Hobbies", "Hobbies"),)}],
    "explicit-missing": [{"explicit": None}],
    "author-missing": [{"author": ""}],
    "self-missing": [{"self_url": ""}],
    "guid-missing": [{"guid": ""}],
    "guid-form": [{"guid": "harbour-line"}],
    "locked-missing": [{"locked": None}],
    "owner-email": [{"owner": parts.Owner("Ada")}, {"owner": parts.Owner("Ada", "nobody")}],
    "owner-public": [{"owner": parts.Owner("Ada", "user@example.com")}],
    "blocked": [{"block": True}],
    "complete": [{"complete": True}],
    "moved": [{"new_feed_url": "https://elsewhere.example/feed.xml"}],
    "image-mismatch": [{"image": replace(CHANNEL.image, title="Cover")}],
    "image-size": [{"image": replace(CHANNEL.image, width=3000, height=3000)}],
    "author-long": [{"author": LONG}, {"keywords": LONG}],
    "web-master-form": [{"web_master": "Ada"}, {"managing_editor": "user@example.com"}],
    "medium-unknown": [{"medium": "radio"}],
    "value-recipients": [{"values": (parts.Value("lightning", "keysend"),)}],
    "social-incomplete": [
        {"social_interacts": (parts.SocialInteract("activitypub"),)},
        {"social_interacts": (parts.SocialInteract("myspace", "https://example.org/"),)},
    ],
    "chat-incomplete": [{"chat": parts.Chat("", "irc")}, {"chat": parts.Chat("s", "icq")}],
    "location-form": [{"locations": (parts.Location("Vienna", geo="48.2,16.4"),)}],
    "text-long": [
        {"persons": (parts.Person(LONG),)},
        {"text_records": (parts.TextRecord("x" * 4001),)},
    ],
    "trailer-incomplete": [{"trailers": (parts.Trailer("", "https://example.org/t.mp3"),)}],
    "remote-item-guid": [{"podroll": (parts.RemoteItem("", "https://example.org/feed"),)}],
    "update-frequency-start": [
        {"update_frequency": parts.UpdateFrequency("Ten", "FREQ=WEEKLY;COUNT=10")}
    ],
    "live-item-incomplete": [
        {"live_items": (LiveItem(Item(guid="live"), "live", MOMENT),)},
        {"live_items": (replace(CHANNEL.live_items[0], end=MOMENT),)},
    ],
}
#: What of the good episode makes each rule of items speak.
BAD_ITEMS = {
    "item-title-missing": [{"title": ""}],
    "item-title-text": [{"title": "<i>Green</i>"}, {"title": "A &lt; B"}, {"title": LONG}],
    "item-title-numbered": [{"title": "Episode 12: Green"}, {"title": "#12 Green"}],
    "item-title-show": [{"title": "Harbour Line: green"}],
    "item-link-missing": [{"link": ""}],
    "item-description-missing": [{"description": ""}],
    "item-description-long": [{"description": "<p>" + "é" * 2001 + "</p>"}],
    "item-notes-active": [{"content": "<p>Hi</p><SCRIPT>alert(1)</SCRIPT>"}],
    "item-notes-relative": [{"description": '<a href="/about">About</a>'}],
    "item-summary-text": [{"summary": "<p>Hi</p>"}, {"summary": "x" * 4001}],
    "item-text-long": [{"keywords": LONG}],
    "item-guid-missing": [{"guid": ""}],
    "item-guid-permalink": [{"guid_is_permalink": True}],
    "item-guid-number": [{"guid": "12"}],
    "item-date-missing": [{"pub_date": None}],
    "item-date-old": [{"pub_date": datetime(1970, 1, 1, tzinfo=UTC)}],
    "item-duration-missing": [{"duration": None}],
    "item-explicit-missing": [{"explicit": None}],
    "item-number-missing": [{"episode": None}],
    "item-artwork-type": [{"artwork": "https://example.org/1.webp"}],
    "enclosure-missing": [{"enclosure": None}],
    "enclosure-length": [{"enclosure": replace(AUDIO, length=None)}],
    "enclosure-type": [{"enclosure": replace(AUDIO, type="")}],
    "enclosure-type-mismatch": [{"enclosure": replace(AUDIO, type="video/mp4")}],
    "enclosure-extension": [{"enclosure": replace(AUDIO, url="https://example.org/play?id=1")}],
    "enclosure-format": [
        {"enclosure": parts.Enclosure("https://example.org/1.opus", 1, "audio/ogg")}
    ],
    "enclosure-playlist": [
        {"enclosure": parts.Enclosure("https://example.org/1.m3u8", 1, "application/x-mpegURL")}
    ],
    "enclosure-insecure": [{"enclosure": replace(AUDIO, url="http://example.org/1.mp3")}],
    "enclosure-prefixes": [
        {"enclosure": replace(AUDIO, url="https://op3.dev/e/pdst.fm/e/cdn.example.org/1.mp3")}
    ],
    "transcript-missing": [{"transcripts": ()}],
    "transcript-vtt": [{"transcripts": (replace(TRANSCRIPT, type="text/html"),)}],
    "transcript-type": [{"transcripts": (TRANSCRIPT, replace(TRANSCRIPT, type="application/pdf"))}],
    "transcript-language": [{"transcripts": (TRANSCRIPT, replace(TRANSCRIPT, language=""))}],
    "chapters-type": [{"chapters": replace(ITEM.chapters, type="")}],
    "insecure-resource": [{"chapters": replace(ITEM.chapters, url="http://example.org/1.json")}],
    "soundbite-outside": [{"soundbites": (parts.Soundbite(140, 20),)}],
    "soundbite-length": [{"soundbites": (parts.Soundbite(0, 5),)}],
    "persons-without-host": [{"persons": (parts.Person("Bob", "guest"),)}],
    "alternate-incomplete": [{"alternate_enclosures": (parts.AlternateEnclosure("audio/ogg"),)}],
    "alternate-default": [{"alternate_enclosures": ITEM.alternate_enclosures * 2}],
    "text-long": [{"podcast_episode": parts.EpisodeNumber(1, "x" * 33)}],
}  # fmt: skip
BAD_FEEDS = {
    "no-items": [],
    "guid-duplicate": [ITEM, replace(OTHER, guid="one")],
    "enclosure-duplicate": [ITEM, replace(OTHER, enclosure=AUDIO)],
    "order": [OTHER, ITEM],
    "number-duplicate": [ITEM, replace(OTHER, episode=2)],
    "many-items": [
        replace(
            ITEM, guid=str(n), episode=n, enclosure=replace(AUDIO, url=f"https://e.org/{n}.mp3")
        )
        for n in range(1, 1002)
    ],
}


def codes(channel, items, findings=()):
    return {finding.code for finding in lint(channel, items, findings)}


def test_the_good_feed_is_silent():
    assert lint(CHANNEL, [ITEM, OTHER]) == ()


@pytest.mark.parametrize(
    ("code", "change"), [(code, c) for code, changes in BAD_CHANNELS.items() for c in changes]
)
def test_rules_of_the_channel(code, change):
    found = [f for f in lint(replace(CHANNEL, **change), [ITEM, OTHER]) if f.code == code]
    assert found
    for finding in found:
        assert finding.level is RULES[code].level
        assert finding.where == ("live" if code == "live-item-incomplete" else "channel")
        assert finding.message
        assert finding.mend


@pytest.mark.parametrize(
    ("code", "change"), [(code, c) for code, changes in BAD_ITEMS.items() for c in changes]
)
def test_rules_of_an_item(code, change):
    item = replace(ITEM, **change)
    found = [f for f in lint(CHANNEL, [item, OTHER]) if f.code == code]
    assert [f.where for f in found] == [item.guid or item.title]


@pytest.mark.parametrize("code", BAD_FEEDS)
def test_rules_of_the_whole_feed(code):
    assert code in codes(CHANNEL, BAD_FEEDS[code])


def test_every_rule_has_its_bad_record():
    assert set(BAD_CHANNELS) | set(BAD_ITEMS) | set(BAD_FEEDS) == set(RULES)


def test_errors_come_first_and_the_readers_findings_are_among_them():
    noticed = Finding(Level.ERROR, "read-truncated", "It ends.", "channel")
    findings = lint(replace(CHANNEL, locked=None), [replace(ITEM, title="")], [noticed])
    levels = [finding.level for finding in findings]
    assert levels == sorted(levels, key=list(Level).index)
    assert "read-truncated" in {finding.code for finding in findings}


def test_every_code_is_documented():
    text = (CORPUS.parent.parent / "docs/lint.md").read_text()
    rules, reading = text.split("## What the reader notices")
    rows = re.findall(r"^\| `([\w-]+)` \| (\w+) \| (.+?) \| (.+?) \| (.+?) \|$", rules, re.M)
    assert rows == [
        (rule.code, rule.level.value, rule.who, rule.says, rule.mend) for rule in RULES.values()
    ]
    rows = re.findall(r"^\| `([\w-]+)` \| (\w+) \| (.+?) \|$", reading, re.M)
    assert rows == [
        (code, level.value, words.replace("{}", "…")) for code, (level, words) in CODES.items()
    ]


@pytest.mark.parametrize("path", sorted(FEEDS.glob("good-*.xml")), ids=lambda path: path.name)
def test_good_feeds_of_the_corpus_have_no_error(path):
    feed = parse(path.read_bytes())
    findings = lint(feed.channel, feed.items, feed.findings)
    assert [f for f in findings if f.level is Level.ERROR] == []


#: What the W3C's validator says of its own cases, in our codes.
VALIDATOR = {
    "feedvalidator-itunes/image_no_url.xml": "read-image-attribute",
    "feedvalidator-itunes/invalid_category.xml": "category-unknown",
    "feedvalidator-itunes/invalid_category_and_sub.xml": "category-unknown",
    "feedvalidator-itunes/invalid_subcategory.xml": "category-unknown",
    "feedvalidator-itunes/incomplete_category.xml": "category-missing",
    "feedvalidator-itunes/missing_category.xml": "category-missing",
    "feedvalidator-itunes/obsolete_category.xml": "category-unknown",
    "feedvalidator-itunes/obsolete_subcategory.xml": "category-unknown",
    "feedvalidator-itunes/invalid_channeltype.xml": "read-value",
    "feedvalidator-itunes/invalid_episodetype.xml": "read-value",
    "feedvalidator-itunes/invalid_explicit_value.xml": "read-value",
    "feedvalidator-itunes/invalid_duration.xml": "read-duration",
    "feedvalidator-itunes/invalid_episode.xml": "read-number",
    "feedvalidator-itunes/invalid_season.xml": "read-number",
    "feedvalidator-itunes/missing_explicit.xml": "explicit-missing",
    "feedvalidator-itunes/missing_lang.xml": "language-missing",
    "feedvalidator-itunes/missing_owner_email.xml": "owner-email",
    "feedvalidator-itunes/invalid_owner_email.xml": "owner-email",
    "feedvalidator-itunes/keywords_too_long.xml": "item-text-long",
    "feedvalidator-itunes/summary_contains_html.xml": "item-summary-text",
    "feedvalidator-itunes/summary_too_long.xml": "item-summary-text",
    "feedvalidator-enclosure/invalid_item_enclosure_blank_length.xml": "enclosure-length",
    "feedvalidator-enclosure/invalid_item_enclosure_decimal_length.xml": "read-enclosure-length",
    "feedvalidator-enclosure/invalid_item_enclosure_invalid_length.xml": "read-enclosure-length",
    "feedvalidator-enclosure/invalid_item_enclosure_negative_length.xml": "read-enclosure-length",
    "feedvalidator-enclosure/invalid_item_enclosure_no_length.xml": "enclosure-length",
    "feedvalidator-enclosure/invalid_item_enclosure_no_type.xml": "enclosure-type",
    "feedvalidator-enclosure/invalid_item_enclosure_invalid_type.xml": "enclosure-type",
    "feedvalidator-enclosure/invalid_item_enclosure_no_url.xml": "read-incomplete",
    "feedvalidator-enclosure/invalid_item_enclosure_invalid_url.xml": "read-url-relative",
}


@pytest.mark.parametrize(("name", "code"), VALIDATOR.items())
def test_what_the_w3c_validator_minds_is_found(name, code):
    feed = parse((FEEDS / name).read_bytes())
    assert code in codes(feed.channel, feed.items, feed.findings)


# The command


def run(*arguments, capsys):
    """Exit code and output."""
    try:
        call_command("lint_feed", *arguments)
        code = 0
    except SystemExit as end:
        code = end.code
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.django_db
def test_the_demo_shows_feed_has_no_error(capsys):
    call_command("demo")
    capsys.readouterr()
    code, out, _ = run("pytorch", "--format", "json", capsys=capsys)
    answer = json.loads(out)
    assert answer["items"] == 9
    assert [row for row in answer["findings"] if row["level"] == "error"] == []
    assert code in {0, 1}


def test_a_file_with_errors_ends_with_2(capsys):
    code, out, _ = run(str(FEEDS / "odd-duplicate-and-missing-guids.xml"), capsys=capsys)
    assert code == 2
    assert "error guid-duplicate (RSS, Apple, PSP-1)\n  harbour-line-1: 3 episodes" in out
    assert "→ Give each episode its own guid." in out


def test_a_file_with_warnings_ends_with_1(capsys):
    assert run(str(FEEDS / "good-paged-first-page.xml"), capsys=capsys)[0] == 1


def test_a_page_ends_with_3_and_a_sentence(capsys):
    page = str(FEEDS / "html-page-with-feed-link.html")
    code, out, err = run(page, capsys=capsys)
    assert (code, out) == (3, "")
    assert "web page" in err
    code, out, _ = run(page, "--format", "json", capsys=capsys)
    assert code == 3
    assert json.loads(out)["unreadable"]["code"] == "web-page"


@pytest.mark.django_db
def test_what_is_nothing_ends_with_3(capsys):
    code, _, err = run("nothing-here", capsys=capsys)
    assert code == 3
    assert "There is no show" in err


def test_an_address_is_fetched_by_the_one_fetcher(capsys, settings):
    body = (FEEDS / "good-paged-first-page.xml").read_bytes()
    with serving(lambda handler: handler.reply(200, body, Content_Type="text/xml")) as (url, seen):
        code, _, err = run(f"{url}/feed.xml", capsys=capsys)
        assert code == 3
        assert "only public http" in err
        assert seen == []
        settings.FETCH_PRIVATE = True
        assert run(f"{url}/feed.xml", capsys=capsys)[0] == 1
        assert [(method, path) for method, path, _ in seen] == [("GET", "/feed.xml")]
