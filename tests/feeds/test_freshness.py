"""Validators that tell the truth, whatever editors and the clock do, in any order."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from episodes import freshness
from episodes.correcting import correct
from episodes.models import (
    Chapter,
    Credit,
    DirectoryLink,
    Episode,
    Funding,
    Person,
    Season,
    Show,
    Site,
    Soundbite,
    SpeakerName,
    Transcript,
)
from episodes.transcripts import Cue
from episodes.transcripts.corrections import Change, Correction
from feeds.models import StoredItem
from tests.make import NOON, make_chapter, make_episode, make_host, make_show, make_transcript

START = datetime(2026, 3, 5, 12, 0, 0, tzinfo=UTC)


def some(show, number):
    """One of the show's episodes, or None."""
    pks = list(Episode.objects.filter(show=show).order_by("pk").values_list("pk", flat=True))
    return Episode.objects.get(pk=pks[number % len(pks)]) if pks else None


def on_episode(change):
    def operation(show, number, now):
        episode = some(show, number)
        if episode is not None:
            change(episode, number, now)

    return operation


def save(**fields):
    def change(episode, number, now):
        for name, value in fields.items():
            setattr(episode, name, value(number, now) if callable(value) else value)
        episode.save()

    return on_episode(change)


def mend(episode, number, now):
    """A correction of the transcript, if it has one."""
    for transcript in episode.transcripts.all():
        change = Change(0, transcript.lines()[:1], (Cue(0, 0, "", f"Mended {number}"),))
        correct(transcript, lambda lines, change=change: [Correction(change, "Words")])


OPERATIONS = {
    "new live": lambda s, n, now: make_episode(s, published_at=now - timedelta(minutes=n)),
    "new scheduled": lambda s, n, now: make_episode(s, published_at=now + timedelta(seconds=n)),
    "new draft": lambda s, n, now: make_episode(s, live=False),
    "retitle": save(title=lambda n, now: f"Title {n}"),
    "renote": save(notes=lambda n, now: f"Notes *{n}*"),
    "withdraw": save(status="draft"),
    "publish": save(status="published", published_at=lambda n, now: now - timedelta(seconds=n)),
    "reslug": save(slug=lambda n, now: f"slug-{n}-{now:%H%M%S%f}"),
    "bulk title": lambda s, n, now: s.episodes.update(title=f"All {n}"),
    "bulk explicit": lambda s, n, now: Episode.objects.filter(show=s).update(explicit=bool(n % 2)),
    "delete one": on_episode(lambda e, n, now: e.delete()),
    "delete some": lambda s, n, now: Episode.objects.filter(
        show=s, pk__in=list(s.episodes.values_list("pk", flat=True)[: n % 3])
    ).delete(),
    "chapter": on_episode(
        lambda e, n, now: e.chapters.filter(start_ms=n).exists() or make_chapter(e, n)
    ),
    "chapters away": lambda s, n, now: Chapter.objects.filter(episode__show=s).delete(),
    "transcript": on_episode(
        lambda e, n, now: e.transcripts.exists() or make_transcript(e, text=f"Words {n}")
    ),
    "transcript away": lambda s, n, now: Transcript.objects.filter(episode__show=s).delete(),
    "mend": on_episode(mend),
    "speaker": lambda s, n, now: SpeakerName.objects.update_or_create(
        show=s,
        label="Ada",
        defaults={"person": Person.objects.get_or_create(name=f"Guest {n % 2}")[0]},
    ),
    "guest": on_episode(
        lambda e, n, now: Credit.objects.get_or_create(
            person=Person.objects.get_or_create(name=f"Guest {n % 2}")[0], episode=e
        )
    ),
    "rename person": lambda s, n, now: Person.objects.update(name=f"Person {n}"),
    "show text": lambda s, n, now: Show.objects.filter(pk=s.pk).update(description=f"About {n}"),
    "show explicit": lambda s, n, now: Show.objects.filter(pk=s.pk).update(explicit=bool(n % 2)),
    "funding": lambda s, n, now: Funding.objects.create(show=s, url="https://x.example/", text="x"),
    "season": lambda s, n, now: Season.objects.update_or_create(
        show=s, number=1, defaults={"name": f"S {n}"}
    ),
    "link": lambda s, n, now: DirectoryLink.objects.get_or_create(
        show=s, url=f"https://{n}.example/", defaults={"service": "other", "label": "x"}
    ),
    "site": lambda s, n, now: Site(title=f"Site {n}").save(),
    "later": None,
}

steps = st.lists(
    st.tuples(st.sampled_from(sorted(OPERATIONS)), st.integers(0, 40)), min_size=1, max_size=12
)


class Freshness(TestCase):
    @settings(
        max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
    )
    @given(steps)
    def test_same_validator_means_same_bytes(self, steps):
        with time_machine.travel(START, tick=False) as clock:
            show = make_show(title="Property", slug="property")
            make_host(show)
            make_episode(show, published_at=START - timedelta(days=1), season=1)
            seen: dict[tuple[str, str], bytes] = {}
            before: dict[str, str] = {}
            now = START
            for name, number in steps:
                if name == "later":
                    now += timedelta(seconds=number)
                    clock.move_to(now)
                else:
                    OPERATIONS[name](Show.objects.get(pk=show.pk), number, now)
                for path in ("/property/feed.xml", "/property/", "/feed.xml", "/"):
                    response = self.client.get(path)
                    assert response.status_code == 200
                    tag, body = response["ETag"], response.content
                    assert seen.setdefault((path, tag), body) == body, (path, name)
                    # What the app last saw, asked again conditionally, tells the same story.
                    if path in before:
                        again = self.client.get(path, HTTP_IF_NONE_MATCH=before[path])
                        assert (again.status_code == 304) == (before[path] == tag)
                    before[path] = tag
            # Stored items are only a cache: without them the feed is the same, byte for byte.
            kept = self.client.get("/property/feed.xml").content
            StoredItem.objects.all().delete()
            assert self.client.get("/property/feed.xml").content == kept


@pytest.mark.django_db
def test_a_scheduled_episode_is_in_the_feed_the_second_it_is_due(client):
    show = make_show()
    make_episode(show, published_at=NOON - timedelta(days=1))
    make_episode(show, title="Due at noon", published_at=NOON)
    path = f"/{show.slug}/feed.xml"
    with time_machine.travel(NOON - timedelta(seconds=1), tick=False) as clock:
        early = client.get(path)
        assert b"Due at noon" not in early.content
        clock.move_to(NOON)
        due = client.get(path, HTTP_IF_NONE_MATCH=early["ETag"])
        assert due.status_code == 200
        assert b"Due at noon" in due.content


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("seconds", "app", "shared", "meanwhile"),
    [
        (None, 300, 1, 60),
        (3600, 300, 1, 60),
        (360, 300, 1, 60),
        (359.9, 300, 1, 59),
        (301, 300, 1, 1),
        (90.5, 90, 1, 0),
        (0.5, 0, 0, 0),
    ],
)
def test_no_copy_may_be_kept_past_the_next_due_date(client, seconds, app, shared, meanwhile):
    show = make_show()
    make_episode(show, published_at=NOON - timedelta(days=1))
    if seconds is not None:
        make_episode(show, published_at=NOON + timedelta(seconds=seconds))
    with time_machine.travel(NOON, tick=False):
        for path in (f"/{show.slug}/feed.xml", "/feed.xml"):
            said = client.get(path)["Cache-Control"].split(", ")
            assert said == [
                "public",
                f"max-age={app}",
                f"s-maxage={shared}",
                f"stale-while-revalidate={meanwhile}",
                "stale-if-error=86400",
            ]
            assert seconds is None or app + meanwhile <= seconds


@pytest.mark.django_db
def test_an_edit_renders_one_item_anew(client, monkeypatch):
    from feeds import rendering

    show = make_show()
    episodes = [make_episode(show) for _ in range(5)]
    rendered = []
    monkeypatch.setattr(
        rendering.document,
        "item_of",
        lambda episode, *rest, real=rendering.document.item_of: (
            rendered.append(episode.pk),
            real(episode, *rest),
        )[1],
    )
    path = f"/{show.slug}/feed.xml"
    client.get(path)
    assert sorted(rendered) == [episode.pk for episode in episodes]
    rendered.clear()
    episodes[2].title = "Changed"
    episodes[2].save()
    assert b"Changed" in client.get(path).content
    assert rendered == [episodes[2].pk]
    show.refresh_from_db()
    show.explicit = True
    show.save()
    rendered.clear()
    client.get(path)
    assert len(rendered) == 5


@pytest.mark.django_db
@pytest.mark.parametrize("count", [10, 300])
def test_a_cold_feed_costs_the_same_queries_however_long(
    client, count, django_assert_max_num_queries
):
    show = make_show()
    for _ in range(count):
        make_episode(show)
    with django_assert_max_num_queries(45):
        client.get(f"/{show.slug}/feed.xml")
    show.save()
    with django_assert_max_num_queries(20):
        client.get(f"/{show.slug}/feed.xml")


def edit_while_rendering(monkeypatch, show, times: int):
    """An edit after the first rows were read and before the last, `times` renderings long."""
    from feeds import rendering

    channel_of, left = rendering.document.channel_of, [times]

    def edited(row, **facts):
        channel = channel_of(row, **facts)
        if left[0]:
            left[0] -= 1
            episode = Episode.objects.filter(show=show).latest("pk")
            episode.title = f"Edited, {left[0]} to go"
            episode.save()
        return channel

    monkeypatch.setattr(rendering.document, "channel_of", edited)


@pytest.mark.django_db
def test_an_edit_during_rendering_is_labelled_as_the_new_edition(client, monkeypatch):
    show = make_show()
    make_episode(show)
    path = f"/{show.slug}/feed.xml"
    before = client.get(path)["ETag"]
    show.save()
    old = Show.objects.with_edition(datetime.now(UTC)).get(pk=show.pk).edition().tag
    edit_while_rendering(monkeypatch, show, 1)
    got = client.get(path)
    assert b"Edited, 0 to go" in got.content
    assert got["ETag"] not in (before, old)
    assert client.get(path)["ETag"] == got["ETag"]
    assert client.get(path).content == got.content


@pytest.mark.django_db
def test_while_edits_never_stop_the_bytes_are_given_without_a_promise(client, monkeypatch):
    show = make_show()
    make_episode(show)
    edit_while_rendering(monkeypatch, show, 50)
    got = client.get(f"/{show.slug}/feed.xml")
    assert got.status_code == 200
    assert "ETag" not in got
    assert "Last-Modified" not in got
    assert got["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_the_first_row_of_its_kind_is_not_lost_for_coming_while_items_are_read(client, monkeypatch):
    """Which kinds there are was asked before it came, and its episode is read after it."""
    from feeds import rendering

    show = make_show()
    episode = make_episode(show)
    path = f"/{show.slug}/feed.xml"
    used_by = rendering.used_by

    def and_then_one_more(shows):
        used = used_by(shows)
        monkeypatch.undo()
        Soundbite.objects.create(episode=episode, start_ms=0, duration_ms=1000, title="Came late")
        return used

    monkeypatch.setattr(rendering, "used_by", and_then_one_more)
    client.get(path)
    assert b"Came late" in client.get(path).content


@pytest.mark.django_db
def test_pages_by_rfc_5005(client):
    from lxml import etree

    show = make_show(page_size=4)
    for n in range(10):
        make_episode(show, title=f"N{n}", published_at=NOON + timedelta(hours=n))
    base = f"https://podcast.example.org/{show.slug}/feed.xml"
    titles, address, links = [], base, []
    while address:
        root = etree.fromstring(
            client.get(address.removeprefix("https://podcast.example.org")).content
        )
        atom = {
            link.get("rel"): link.get("href")
            for link in root.iter("{http://www.w3.org/2005/Atom}link")
        }
        assert atom["self"] == address
        links.append(atom)
        titles += root.xpath("//item/title/text()")
        address = atom.get("next")
    assert titles == [f"N{n}" for n in reversed(range(10))]
    assert links[0] == {
        "self": base,
        "first": base,
        "last": f"{base}?page=3",
        "next": f"{base}?page=2",
    }
    assert links[1]["previous"] == base
    assert links[2]["previous"] == f"{base}?page=2"
    assert client.get(f"/{show.slug}/feed.xml?page=1").status_code == 301
    for bad in ("0", "4", "x", "-1"):
        assert client.get(f"/{show.slug}/feed.xml?page={bad}").status_code == 404


@pytest.mark.django_db
def test_a_moved_feed_redirects_for_as_long_as_the_editor_keeps_it(client):
    show = make_show(new_feed_url="https://elsewhere.example/feed.xml")
    response = client.get(f"/{show.slug}/feed.xml")
    assert response.status_code == 301
    assert response["Location"] == "https://elsewhere.example/feed.xml"
    show.new_feed_url = ""
    show.save()
    assert client.get(f"/{show.slug}/feed.xml").status_code == 200


@pytest.mark.django_db
def test_a_show_made_again_is_not_taken_for_the_one_that_was_deleted(client):
    def feed(now):
        with time_machine.travel(now, tick=False):
            show = make_show(slug="again")
            make_episode(show, title="The same", guid="the-same", published_at=START)
            got = client.get("/again/feed.xml")
            show.delete()
        return got

    before, after = feed(START), feed(START + timedelta(days=1))
    assert before.content != after.content  # its recordings have other addresses
    assert before["ETag"] != after["ETag"]


@pytest.mark.django_db
def test_an_untouched_site_says_the_same_from_one_second_to_the_next(client):
    with time_machine.travel(START, tick=False) as clock:
        before = client.get("/feed.xml")
        clock.move_to(START + timedelta(seconds=5))
        after = client.get("/feed.xml")
    assert "ETag" in before
    assert (before["ETag"], before.content) == (after["ETag"], after.content)


def test_another_setting_that_pages_show_is_another_build(settings):
    def build():
        return freshness.build.__wrapped__()

    built = {build()}
    for name, value in {
        "SITE_URL": "https://other.example.org",
        "WEBSUB_HUBS": ["https://hub.example.org/"],
        "TIME_ZONE": "Europe/Berlin",
    }.items():
        setattr(settings, name, value)
        built.add(build())
    assert len(built) == 4
