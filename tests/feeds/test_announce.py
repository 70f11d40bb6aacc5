"""Hubs are told of each edition once, after the commit, with patience, and in nobody's way."""

from datetime import timedelta
from urllib.parse import parse_qs

import pytest
import time_machine
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from episodes.links import absolute
from feeds import announce
from feeds.models import Announcement
from tests.make import make_episode, make_show
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
    assert announce.announce(show.pk) == 1
    row.refresh_from_db()
    assert (row.attempts, row.last_error) == (0, "")


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
