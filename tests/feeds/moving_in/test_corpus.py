"""Every feed of the corpus becomes rows, and comes out of our own feed as it went in."""

from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest
import time_machine

from episodes.findings import Unreadable
from episodes.models import Episode, Show
from feeds.importing import parse
from feeds.lint.sources import from_show
from feeds.models import AudioMode
from feeds.moving_in.report import Kind
from feeds.moving_in.running import Options, import_feed
from feeds.moving_in.settling import People, dates, settled_channel, settled_item
from feeds.moving_in.source import Source
from tests.conftest import CORPUS
from tests.feeds.test_importing import MANIFEST, REFUSED, SMALL

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("offline")]

FEEDS = CORPUS / "feeds"
LINK = Options(audio=AudioMode.LINK)
NAMES = [name for name, _, _ in MANIFEST] + ["odd-gzipped.xml.gz"]
CASES = [FEEDS / name for name in NAMES] + SMALL
COUNTS = {name: items for name, items, _ in MANIFEST}
LATER = datetime(2099, 1, 1, tzinfo=UTC)


def settled(feed):
    """The channel, and the items by GUID, as our rows can say them."""
    people = People.of(feed.channel, feed.items)
    channel = settled_channel(feed.channel, people, feed.items)
    items = {}
    for item, date in zip(feed.items, dates(feed.channel, feed.items), strict=True):
        one = settled_item(item, channel, people, date)
        if one.artwork == channel.artwork:
            one = replace(one, artwork="")
        items.setdefault(one.guid, with_hosts(one, channel))
    return channel, items


def with_hosts(item, channel):
    """Our feed names the show's people beside an episode's own."""
    if not item.persons:
        return item
    own = {person.name for person in item.persons}
    hosts = tuple(person for person in channel.persons if person.name not in own)
    return replace(item, persons=item.persons + hosts)


def assert_same(one, other, but=()):
    for field in fields(one):
        if field.name in but:
            continue
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, tuple):
            a, b = sorted(a, key=repr), sorted(b, key=repr)
        assert a == b, field.name


def ours(show):
    return from_show(show.slug)


def test_every_feed_of_the_corpus_is_a_case():
    kinds = {".xml", ".rss", ".gz", ".html"}
    files = {path for path in FEEDS.rglob("*") if path.suffix in kinds}
    files |= set(FEEDS.glob("*.json"))  # in a folder they are what a reader should find
    assert files == {*CASES, *(FEEDS / name for name in REFUSED)}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_feed_makes_no_rows(name):
    report = import_feed(Source(str(FEEDS / name)), LINK)
    assert report.exit_code == 2
    assert len(report.refused) > 30
    assert not Show.objects.exists()


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_goes_in_comes_out(path):
    data = path.read_bytes()
    with time_machine.travel(LATER, tick=False):
        try:
            feed = parse(data)
        except Unreadable:
            return
        report = import_feed(Source(path.name, data), LINK)
        is_whole(report, feed, COUNTS.get(path.name, len(feed.items)))
        there_channel, there = settled(feed)
        show = Show.objects.get(slug=report.slug)
        mine = ours(show)
        here_channel, here = settled(mine)
        if not there_channel.link:
            there_channel = replace(there_channel, link=f"https://podcast.example.org/{show.slug}/")
        changing = set() if there_channel.guid else {"guid"}
        assert_same(here_channel, there_channel, changing)
        with_audio = {
            guid: item
            for guid, item in there.items()
            if item.enclosure and guid and item.pub_date <= LATER
        }
        assert set(here) == set(with_audio)
        for guid, item in with_audio.items():
            chapters = {"chapters", "simple_chapters"} if item.simple_chapters else set()
            assert_same(here[guid], item, chapters)

        # And in again, as another show: the same rows, so the same feed.
        again = import_feed(
            Source("again.xml", rendered(show)), Options(audio=AudioMode.LINK, slug="again")
        )
        assert (again.skipped, again.total) == (0, len(here))
        twin_channel, twin = settled(ours(Show.objects.get(slug="again")))
        assert_same(twin_channel, here_channel, {"guid"})
        for guid, item in here.items():
            assert_same(twin[guid], item)


def is_whole(report, feed, count):
    """Every item is a row or explained, and every GUID is there, letter for letter."""
    assert (report.refused, report.total) == ("", count)
    assert report.created + report.skipped == count
    skipped = [one for one in report.problems if one.kind is Kind.SKIPPED]
    assert len(skipped) == report.skipped
    assert not [one for one in skipped if "stored" in one.message], skipped
    episodes = Episode.objects.filter(show__slug=report.slug)
    assert episodes.count() == report.created
    there = {item.guid for item in feed.items if item.guid}
    assert there <= set(episodes.values_list("guid", flat=True))


def rendered(show) -> bytes:
    from django.utils import timezone

    from feeds import rendering

    now = timezone.now()
    show = Show.objects.with_edition(now).get(pk=show.pk)
    return rendering.render_show_feed(show, now, 1, 1)


def test_a_second_import_changes_nothing():
    name = "twin-en-54-every-podcast-tag.xml"
    first = import_feed(Source(str(FEEDS / name)), LINK)
    show = Show.objects.get(slug=first.slug)
    rows = list(Episode.objects.order_by("pk").values())
    revision = show.revision
    second = import_feed(Source(str(FEEDS / name)), LINK)
    assert (second.created, second.updated) == (0, 0)
    assert second.unchanged + second.skipped == first.total
    assert list(Episode.objects.order_by("pk").values()) == rows
    show.refresh_from_db()
    assert show.revision == revision
