"""Hubs are told of each edition once, after the commit, with patience, and in nobody's way."""

from datetime import timedelta
from itertools import pairwise
from urllib.parse import parse_qs

import pytest
import time_machine
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from episodes.links import absolute
from episodes.models import Show
from feeds import announce
from feeds.models import Announcement
from tests.make import NOON, make_episode, make_show
from tests.server import serving

pytestmark = pytest.mark.django_db


@pytest.fixture
def hub(settings):
    """A hub that accepts; `hub.fail = True` makes it refuse."""

    class Hub:
        fail = False

    state = Hub()
    settings.FETCH_PRIVATE = True
    with serving(lambda h: h.reply(500 if state.fail else 204)) as (url, seen):
        settings.WEBSUB_HUBS = [url]
        state.seen = seen
        yield state


@pytest.fixture
def show(db):
    show = make_show()
    make_episode(show)
    return show


def queued(show):
    return [r for r in DBTaskResult.objects.all() if r.args_kwargs["args"] == [show.pk]]


def test_an_edition_is_announced_once(hub, show):
    assert announce.announce(show.pk) == 1
    assert announce.announce(show.pk) == 0
    assert len(hub.seen) == 1
    method, _, body = hub.seen[0]
    assert method == "POST"
    assert b"hub.mode=publish" in body
    assert b"%2Ffeed.xml" in body
    show.save()
    assert announce.announce(show.pk) == 1


def test_hubs_are_named_where_they_are_told_of_changes_and_nowhere_else(client, hub, settings):
    show = make_show(page_size=1)
    for _ in range(2):
        make_episode(show)
    path = f"/{show.slug}/feed.xml"
    (url,) = settings.WEBSUB_HUBS
    for ask in (client.get, client.head):
        assert ask(path)["Link"] == f'<{url}>; rel="hub", <{absolute(path)}>; rel="self"'
    assert b'rel="hub"' in client.get(path).content
    for other in (f"{path}?page=2", "/feed.xml"):  # no hub hears of these
        got = client.get(other)
        assert b'rel="hub"' not in got.content
        assert "Link" not in got
    settings.WEBSUB_HUBS = []
    assert "Link" not in client.get(path)


def test_two_workers_ping_once(hub, show):
    row = announce.rows_of(show).get()
    edition = type(show).objects.with_edition(timezone.now()).get(pk=show.pk).edition().tag
    assert announce.tell(row, edition, "https://x.example/feed.xml")
    stale = row
    assert not announce.tell(stale, edition, "https://x.example/feed.xml")
    assert len(hub.seen) == 1


def test_a_claim_of_a_dead_worker_is_taken_over(hub, show):
    row = announce.rows_of(show).get()
    tag = type(show).objects.with_edition(timezone.now()).get(pk=show.pk).edition().tag
    Announcement.objects.filter(pk=row.pk).update(claimed=tag, claimed_at=timezone.now())
    assert announce.announce(show.pk) == 0
    Announcement.objects.filter(pk=row.pk).update(
        claimed_at=timezone.now() - announce.CLAIM_LASTS - timedelta(seconds=1)
    )
    assert announce.announce(show.pk) == 1


def test_failures_are_written_down_and_tried_again(hub, show, caplog):
    hub.fail = True
    assert announce.announce(show.pk) == 0
    row = Announcement.objects.get()
    assert row.attempts == 1
    assert "500" in row.last_error
    (task,) = queued(show)
    assert task.run_after > timezone.now() + timedelta(seconds=20)
    hub.fail = False
    assert announce.announce(show.pk) == 0  # it is not yet time
    with time_machine.travel(task.run_after, tick=False):
        assert announce.announce(show.pk) == 1
    row.refresh_from_db()
    assert (row.attempts, row.last_error) == (0, "")


def go_on(show, clock, until, edits=(), limit=100) -> list:
    """Runs the queue's looks at `show` in their order up to `until`; the moments of attempts.

    At each moment of `edits` a new edition comes, and with it what the queue gets then.
    """
    done = {task.pk for task in queued(show) if task.run_after < timezone.now()}
    tried, edits = [], sorted(edits)
    while True:
        tasks = [(t.run_after, t.pk) for t in queued(show) if t.pk not in done]
        moment, pk = min(tasks, default=(until, None))
        if edits and edits[0] <= moment:
            clock.move_to(edits[0])
            Show.objects.filter(pk=show.pk).update(description=f"As of {edits.pop(0)}")
            now = timezone.now()
            announce.queue(Show.objects.with_edition(now).get(pk=show.pk), now)
            continue
        if moment >= until:
            return tried
        done.add(pk)
        clock.move_to(moment)
        before = Announcement.objects.get().claimed_at
        announce.announce(show.pk)
        if Announcement.objects.get().claimed_at != before:
            tried.append(moment)
        assert len(done) < limit


@pytest.fixture
def dead(hub, show):
    """A hub that took an edition at noon and nothing since."""
    with time_machine.travel(NOON, tick=False) as clock:
        assert announce.announce(show.pk) == 1
        hub.fail = True
        yield clock


def hours(count: float) -> timedelta:
    return timedelta(hours=count)


def test_each_edition_is_tried_for_half_a_day_and_then_no_more(hub, dead, show):
    tried = go_on(show, dead, NOON + hours(48), edits=[NOON + hours(1)])
    assert len(tried) == announce.MAX_ATTEMPTS
    assert Announcement.objects.get().attempts == announce.MAX_ATTEMPTS
    pauses = [(b - a).total_seconds() for a, b in pairwise(tried)]
    assert pauses[:4] == [30, 60, 120, 240]
    assert pauses == sorted(pauses)
    assert 12 < sum(pauses) / 3600 < 16


def test_a_new_edition_gets_tries_of_its_own(hub, dead, show):
    second = NOON + hours(1.05)  # while the first one's pauses have grown
    tried = go_on(show, dead, NOON + hours(48), edits=[NOON + hours(1), second])
    own = [moment for moment in tried if moment > second]
    assert len(own) == announce.MAX_ATTEMPTS
    assert own[0] - second == announce.DEBOUNCE
    assert own[1] - own[0] == timedelta(seconds=30)


def test_a_hub_that_is_away_for_days_is_tried_about_once_an_hour_at_most(hub, dead, show):
    edits = [NOON + timedelta(minutes=20 * n) for n in range(1, 120)]
    tried = go_on(show, dead, NOON + hours(40), edits, limit=1000)
    early = [moment for moment in tried if moment < NOON + announce.AWAY_AFTER]
    assert all(any(e < moment < e + hours(0.1) for moment in early) for e in edits[:70])
    late = [moment for moment in tried if moment > NOON + announce.AWAY_AFTER + hours(2)]
    assert 5 < len(late) < 20
    assert min(b - a for a, b in pairwise(late)) > timedelta(minutes=50)


def test_an_edition_after_a_long_failure_is_still_tried_and_found(hub, dead, show):
    go_on(show, dead, NOON + hours(48), edits=[NOON + hours(1)])
    assert Announcement.objects.get().attempts == announce.MAX_ATTEMPTS
    edit = NOON + hours(24 * 7)
    (first, *rest) = go_on(show, dead, edit + hours(48), edits=[edit])
    assert first - edit == announce.DEBOUNCE  # long enough after the last
    assert len(rest) == 3
    hub.fail = False
    edit = NOON + hours(24 * 14)
    assert len(go_on(show, dead, edit + hours(1), edits=[edit])) == 1
    row = Announcement.objects.get()
    assert (row.attempts, row.last_error) == (0, "")


def test_a_start_tries_at_once_whatever_was_refused(hub, dead, show):
    go_on(show, dead, NOON + hours(30), edits=[NOON + hours(1)])
    hub.fail = False
    dead.move_to(NOON + hours(31))
    assert announce.sweep() == 1
    tried = go_on(show, dead, NOON + hours(32))
    assert tried == [NOON + hours(31) + announce.DEBOUNCE]


def test_edits_are_gathered_into_one_task(hub, show, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(5):
            show.save()
    assert len(queued(show)) == 1


def test_a_scheduled_episode_is_announced_when_due(hub, show, django_capture_on_commit_callbacks):
    due = timezone.now() + timedelta(hours=3)
    with django_capture_on_commit_callbacks(execute=True):
        make_episode(show, published_at=due)
    moments = sorted(task.run_after for task in queued(show))
    assert moments[-1] == due + timedelta(seconds=1)


def test_each_of_several_scheduled_episodes_is_announced_when_due(
    hub, show, django_capture_on_commit_callbacks
):
    now = timezone.now()
    first, second = now + timedelta(days=1), now + timedelta(days=2)
    with django_capture_on_commit_callbacks(execute=True):
        make_episode(show, published_at=first)
        make_episode(show, published_at=second)
    with time_machine.travel(first + timedelta(seconds=1), tick=False):
        assert announce.announce(show.pk) == 1
        announce.announce(show.pk)
    moments = sorted(task.run_after for task in queued(show))
    assert moments[-2:] == [due + timedelta(seconds=1) for due in (first, second)]


def test_an_editor_never_waits_for_a_hub(show, settings, django_capture_on_commit_callbacks):
    settings.WEBSUB_HUBS = ["http://127.0.0.1:1/"]
    with django_capture_on_commit_callbacks(execute=True):
        show.save()
    assert announce.announce(show.pk) == 0
    assert "cannot be fetched" in Announcement.objects.get().last_error


def test_what_a_crash_left_is_found_at_the_next_start(hub, show):
    assert announce.sweep() == 1
    assert len(queued(show)) == 1
    announce.announce(show.pk)
    assert announce.sweep() == 0


def test_hidden_and_moved_shows_are_not_announced(hub):
    hidden = make_show(visibility="hidden")
    moved = make_show(new_feed_url="https://elsewhere.example/feed.xml")
    assert announce.announce(hidden.pk) == announce.announce(moved.pk) == 0
    assert hub.seen == []


# Podping


@pytest.fixture
def gateway(settings):
    """A gateway to Podping that takes what comes with the right token."""
    settings.FETCH_PRIVATE, settings.PODPING_TOKEN = True, "token-of-ours"

    def answer(handler):
        known = handler.headers["Authorization"] == "token-of-ours"
        handler.reply(200 if known else 401, b"Success!" if known else b"Bad authorization.")

    with serving(answer) as (url, seen):
        settings.PODPING_URL = f"{url}/"
        yield seen


def test_an_edition_is_podpinged_once(gateway, show):
    assert announce.announce(show.pk) == 1
    assert announce.announce(show.pk) == 0
    ((method, path, _),) = gateway
    assert method == "GET"
    assert parse_qs(path.partition("?")[2]) == {
        "url": [absolute(show.get_feed_path())], "reason": ["update"], "medium": ["podcast"],
    }  # fmt: skip


def test_podping_and_hubs_are_told_each_for_itself(gateway, hub, show):
    hub.fail = True
    assert announce.announce(show.pk) == 1
    assert {bool(row.announced) for row in Announcement.objects.all()} == {True, False}
    hub.fail = False
    with time_machine.travel(timezone.now() + timedelta(minutes=1)):
        assert announce.announce(show.pk) == 1
    assert len(gateway) == 1


def test_a_wrong_token_is_written_down(gateway, show, settings, caplog):
    settings.PODPING_TOKEN = "another"
    assert announce.announce(show.pk) == 0
    row = Announcement.objects.get()
    assert "401" in row.last_error
    assert "Bad authorization" in row.last_error
    assert "another" not in row.last_error + caplog.text


def test_without_a_token_nothing_is_podpinged(gateway, show, settings):
    settings.PODPING_TOKEN = ""
    assert announce.announce(show.pk) == 0
    assert gateway == []


def test_the_token_is_not_sent_on_to_another_server(show, settings):
    settings.FETCH_PRIVATE, settings.PODPING_TOKEN = True, "token-of-ours"
    tokens = []

    def other(handler):
        tokens.append(handler.headers["Authorization"])
        handler.reply(200)

    with (
        serving(other) as (elsewhere, _),
        serving(lambda h: h.reply(302, Location=elsewhere)) as (url, _),
    ):
        settings.PODPING_URL = f"{url}/"
        assert announce.announce(show.pk) == 0
    assert tokens == []
    assert "302" in Announcement.objects.get().last_error
