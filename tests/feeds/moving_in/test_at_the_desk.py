"""Moving in at the desk: the form, the run with its report, and the checklist of the move."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from episodes.models import Episode, Show
from feeds import import_runs
from feeds.models import ImportedShow, ImportRun
from feeds.moving_in import takeover
from feeds.tasks import check_move, run_import
from tests.conftest import CORPUS
from tests.feeds.moving_in.old_host import OldHost

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("local")]

ADD = "/admin/feeds/importrun/add/"


@pytest.fixture
def host():
    with OldHost().running() as one:
        yield one


@pytest.fixture
def desk(admin_client):
    return admin_client


def queued(name):
    return DBTaskResult.objects.filter(task_path=f"feeds.tasks.{name}")


def ask(desk, **form):
    return desk.post(ADD, {"audio": "link", "feed_url": "", **form})


def test_an_import_is_queued_carried_out_and_reported(desk, host):
    answer = ask(desk, feed_url=host.url)
    run = ImportRun.objects.get()
    page = reverse("admin:feeds_importrun_change", args=[run.pk])
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert host.requests == []  # nothing is fetched while the editor waits
    assert queued("run_import").count() == 1
    assert desk.get(page)["Refresh"] == "3"
    host.status = {"/2.mp3": [404]}
    run.audio = "copy"
    run.save()
    run_import.call(run.pk)
    run.refresh_from_db()
    assert (run.state, run.done, run.total) == ("done", 3, 3)
    assert run.show.slug == "harbour-line"
    answer = desk.get(page)
    text = answer.content.decode()
    assert "Refresh" not in answer
    assert "3 created" in text
    assert "incomplete: old-2: The audio could not be fetched" in text
    answer = desk.post(f"/admin/feeds/importrun/{run.pk}/again/")
    fresh = ImportRun.objects.latest("pk")
    assert answer["Location"].endswith(f"/{fresh.pk}/change/")
    run_import.call(fresh.pk)
    fresh.refresh_from_db()
    assert fresh.report["updated"] == 1
    assert Episode.objects.filter(status="published").count() == 3


def test_a_file(desk):
    data = (CORPUS / "feeds/twin-de-2-day1.xml").read_bytes()
    ask(desk, document_upload=SimpleUploadedFile("day1.xml", data))
    run = ImportRun.objects.get()
    assert import_runs.carry_out(run.pk) == "done"
    assert Episode.objects.count() == 2


def test_credentials_are_forgotten_when_it_has_ended(desk, host):
    host.password = "Basic YWRhOmhhcmJvdXItc2VjcmV0"
    ask(desk, feed_url=host.url, feed_user="ada", feed_password="harbour-secret")
    run = ImportRun.objects.get()
    assert (
        "harbour-secret"
        not in desk.get(f"/admin/feeds/importrun/{run.pk}/change/").content.decode()
    )
    import_runs.carry_out(run.pk)
    run.refresh_from_db()
    assert (run.state, run.user, run.password) == ("done", "", "")


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({}, "Give the feed&#x27;s address, or a file."),
        ({"feed_url": "ftp://old.example/"}, "cannot be fetched"),
        ({"feed_url": "https://old.example/\\@127.0.0.1/"}, "cannot be fetched"),
    ],
)
def test_what_is_wrong_is_said_in_the_form(desk, form, words):
    answer = ask(desk, **form)
    assert words in answer.content.decode()
    assert not ImportRun.objects.exists()


def test_a_file_that_is_no_feed_is_refused_beside_its_field(desk):
    page = SimpleUploadedFile("page.html", b"<!doctype html><html></html>")
    answer = ask(desk, document_upload=page)
    assert "This is a web page, not a feed." in answer.content.decode()
    both = SimpleUploadedFile("f.xml", (CORPUS / "feeds/twin-de-2-day1.xml").read_bytes())
    answer = ask(desk, document_upload=both, feed_url="https://old.example/")
    assert "not both" in answer.content.decode()


def test_a_feed_that_cannot_be_read_fails_and_says_why(desk, host):
    ask(desk, feed_url=f"{host.base}/none.xml")
    run = ImportRun.objects.get()
    assert import_runs.carry_out(run.pk) == "failed"
    text = desk.get(f"/admin/feeds/importrun/{run.pk}/change/").content.decode()
    assert "The server answered 404 instead of a feed." in text


def test_one_worker_has_it_and_a_dead_one_loses_it(host):
    run = ImportRun.objects.create(
        feed_url=host.url, audio="link", state="running", beat_at=timezone.now()
    )
    assert import_runs.carry_out(run.pk) == ""
    ImportRun.objects.update(beat_at=timezone.now() - timedelta(minutes=6))
    assert import_runs.sweep() == 1
    assert queued("run_import").count() == 1
    assert import_runs.carry_out(run.pk) == "done"
    assert import_runs.sweep() == 0


def test_an_error_of_ours_ends_the_run_and_is_told(host, monkeypatch):
    def fail(*args):
        raise RuntimeError("secret words")

    monkeypatch.setattr(import_runs, "import_feed", fail)
    run = ImportRun.objects.create(feed_url=host.url, password="word")
    assert import_runs.carry_out(run.pk) == "failed"
    run.refresh_from_db()
    assert run.password == ""
    assert "RuntimeError" in run.report["refused"]
    assert "secret" not in run.report["refused"]


def test_who_may(client, host):
    users = get_user_model().objects
    user = users.create_user("reader", password="a long enough word", is_staff=True)
    client.force_login(user)
    run = ImportRun.objects.create(feed_url=host.url)
    for path in (ADD, f"/admin/feeds/importrun/{run.pk}/change/"):
        assert client.get(path).status_code == 403
    assert client.post(f"/admin/feeds/importrun/{run.pk}/again/").status_code == 403
    assert ask(client, feed_url=host.url).status_code == 403
    show = Show.objects.create(title="S", description="d")
    ImportedShow.objects.create(show=show, feed_url=host.url)
    for name in ("check", "import"):
        assert client.post(f"/admin/feeds/importedshow/{show.pk}/{name}/").status_code == 403
    assert client.get(f"/admin/feeds/importedshow/{show.pk}/check/").status_code in {403, 405}
    assert ImportRun.objects.count() == 1


# The checklist


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


def test_check_now_and_import_again_are_tasks(desk, host, moved):
    host.requests.clear()
    page = f"/admin/feeds/importedshow/{moved.pk}/change/"
    answer = desk.post(f"/admin/feeds/importedshow/{moved.pk}/check/")
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert host.requests == []
    assert queued("check_move").count() == 1
    assert desk.get(page)["Refresh"] == "3"
    check_move.call(moved.pk)
    answer = desk.get(page)
    assert "Refresh" not in answer
    text = answer.content.decode()
    assert "The old address redirects here for good" in text
    assert "It does not redirect." in text
    assert "Check now" in text
    assert "4 of 6" not in desk.get("/admin/feeds/importedshow/").content.decode()
    answer = desk.post(f"/admin/feeds/importedshow/{moved.pk}/import/")
    run = ImportRun.objects.get()
    assert answer["Location"] == reverse("admin:feeds_importrun_change", args=[run.pk])
    assert (run.feed_url, run.audio) == (host.url, "link")
