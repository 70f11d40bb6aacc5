"""The checklist of a move: what the old address says, and when it was seen."""

import pytest
from django.urls import reverse
from django_tasks_db.models import DBTaskResult

from feeds.models import ImportedShow, ImportRun
from feeds.moving_in import takeover
from feeds.tasks import check_move
from tests.feeds.moving_in.old_host import OldHost

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("local")]


@pytest.fixture
def host():
    with OldHost().running() as one:
        yield one


@pytest.fixture
def moved(host):
    from feeds.moving_in.running import Options, import_feed
    from feeds.moving_in.source import Source

    import_feed(Source(host.url), Options(audio="link"))
    return ImportedShow.objects.get()


def states(moved):
    takeover.check(moved.pk)
    moved.refresh_from_db()
    return {name: row["state"] for name, row in moved.checks.items()}


OURS = "https://podcast.example.org/harbour-line/feed.xml"


def test_nothing_is_done_yet(host, moved):
    assert states(moved) == {
        "here": "done", "guid": "unknown", "locked": "done",
        "new_feed_url": "open", "redirect": "open", "alive": "done",
    }  # fmt: skip
    assert OURS in moved.checks["new_feed_url"]["seen"]


def test_what_the_old_feed_says(host, moved):
    host.number = 4
    host.head = (
        "<podcast:locked owner='ada@example.org'>yes</podcast:locked>"
        f"<itunes:new-feed-url>{OURS}</itunes:new-feed-url>"
        f"<podcast:guid>{moved.show.guid}</podcast:guid>"
    )
    found = states(moved)
    assert (found["here"], found["locked"], found["guid"]) == ("open", "open", "done")
    assert found["new_feed_url"] == "done"
    assert "Episode 4" in moved.checks["here"]["seen"]
    assert "ada@example.org" in moved.checks["locked"]["seen"]
    host.head = "<itunes:new-feed-url>https://third.example/</itunes:new-feed-url>"
    assert states(moved)["new_feed_url"] == "open"


def test_a_redirect_to_us_is_seen_without_asking_ourselves(host, moved):
    moved.show.slug = "harbour"
    moved.show.save()
    host.status = {"/feed.xml": [301]}
    host.headers = {"/feed.xml": {"Location": f"{OURS}?from=old"}}
    assert set(states(moved).values()) == {"done"}
    host.status = {"/feed.xml": [302]}
    found = states(moved)
    assert (found["redirect"], found["alive"]) == ("open", "done")
    assert "for now only" in moved.checks["redirect"]["seen"]
    host.headers = {"/feed.xml": {"Location": f"{host.base}/else.xml"}}
    host.files = {"/else.xml": (host.feed(), "application/rss+xml")}
    host.status = {"/feed.xml": [301]}
    assert states(moved)["redirect"] == "open"
    assert "not here" in moved.checks["redirect"]["seen"]


@pytest.mark.parametrize("status", [404, 410, 500])
def test_an_old_address_that_is_gone(host, moved, status):
    host.status = {"/feed.xml": [status]}
    found = states(moved)
    assert (found["alive"], found["redirect"], found["here"]) == ("open", "open", "unknown")
    assert str(status) in moved.checks["alive"]["seen"]


def test_an_old_address_inside_is_not_asked(host, moved, settings):
    settings.FETCH_PRIVATE = False
    host.requests.clear()
    assert states(moved)["alive"] == "open"
    assert host.requests == []


def test_check_now_and_import_again_are_tasks(admin_client, host, moved):
    desk = admin_client
    host.requests.clear()
    page = f"/admin/feeds/importedshow/{moved.pk}/change/"
    answer = desk.post(f"/admin/feeds/importedshow/{moved.pk}/check/")
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert host.requests == []
    assert DBTaskResult.objects.filter(task_path="feeds.tasks.check_move").count() == 1
    text = desk.get(page).content.decode()
    assert "is being asked" in text
    assert '<meta http-equiv="refresh"' in text
    check_move.call(moved.pk)
    moved.refresh_from_db()
    text = desk.get(page).content.decode()
    assert "http-equiv" not in text
    assert f'<time datetime="{moved.checked_at:%Y-%m-%dT%H:%M}' in text
    assert "The old address redirects here for good" in text
    assert "It does not redirect." in text
    assert "Check now" in text
    assert "Seen to be done: 3 of 6" in text
    assert "3 of 6" in desk.get("/admin/feeds/importedshow/").content.decode()
    answer = desk.post(f"/admin/feeds/importedshow/{moved.pk}/import/")
    run = ImportRun.objects.get()
    assert answer["Location"] == reverse("admin:feeds_importrun_change", args=[run.pk])
    assert (run.feed_url, run.audio) == (host.url, "link")


def test_what_was_seen_stays_seen_when_the_old_host_is_away(host, moved):
    host.head = f"<itunes:new-feed-url>{OURS}</itunes:new-feed-url>"
    assert states(moved)["new_feed_url"] == "done"
    before = moved.checks["new_feed_url"]
    host.status = {"/feed.xml": [500]}
    found = states(moved)
    assert (found["new_feed_url"], found["alive"]) == ("done", "open")
    assert moved.checks["new_feed_url"] == before  # with the moment when it was seen
    assert moved.checks["alive"]["at"] > before["at"]


def test_a_protected_feed_is_alive_and_says_no_more(host, moved):
    host.password = "Basic x"
    found = states(moved)
    assert (found["alive"], found["redirect"]) == ("done", "open")
    assert "password" in moved.checks["alive"]["seen"]


def test_hostile_words_of_the_old_feed_are_text(admin_client, host, moved):
    host.head = "<podcast:locked owner='&lt;script&gt;alert(1)&lt;/script&gt;'>yes</podcast:locked>"
    states(moved)
    text = admin_client.get(f"/admin/feeds/importedshow/{moved.pk}/change/").content.decode()
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
