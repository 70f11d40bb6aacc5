"""“Import a show” at the desk: the form, the run that goes on whatever happens, and its report."""

import threading
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from episodes.models import Episode, Show
from feeds.models import ImportedShow, ImportRun
from feeds.moving_in import pulse, runs
from feeds.moving_in.report import ImportReport, Kind
from feeds.tasks import run_import
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
    text = desk.get(page).content.decode()
    assert "Waiting for the worker" in text
    assert '<meta http-equiv="refresh"' in text
    host.status = {"/2.mp3": [404]}
    run.audio = "copy"
    run.save()
    run_import.call(run.pk)
    run.refresh_from_db()
    assert (run.state, run.done, run.total) == ("done", 3, 3)
    assert run.show.slug == "harbour-line"
    answer = desk.get(page)
    text = answer.content.decode()
    assert "http-equiv" not in text
    assert "<dt>created</dt>" in text
    assert "Incomplete (1)" in text
    episode = Episode.objects.get(guid="old-2")
    assert f'<a href="/admin/episodes/episode/{episode.pk}/change/">Episode 2</a>' in text
    assert "The audio could not be fetched" in text
    assert queued("check_move").count() == 1
    whole = desk.get(f"/admin/feeds/importrun/{run.pk}/report.txt")
    assert whole["Content-Disposition"] == f'attachment; filename="import-{run.pk}.txt"'
    assert "incomplete: old-2: The audio could not be fetched" in whole.content.decode()
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
    assert runs.carry_out(run.pk) == "done"
    assert Episode.objects.count() == 2


def test_credentials_are_forgotten_when_it_has_ended(desk, host):
    host.password = "Basic YWRhOmhhcmJvdXItc2VjcmV0"
    ask(desk, feed_url=host.url, feed_user="ada", feed_password="harbour-secret")
    run = ImportRun.objects.get()
    assert (
        "harbour-secret"
        not in desk.get(f"/admin/feeds/importrun/{run.pk}/change/").content.decode()
    )
    runs.carry_out(run.pk)
    run.refresh_from_db()
    assert (run.state, run.user, run.password) == ("done", "", "")
    text = desk.get(f"/admin/feeds/importrun/{run.pk}/change/").content.decode()
    assert "Run again with the password" in text  # the form, with the address in it
    form = desk.get(ADD, {"feed_url": host.url, "audio": "link"}).content.decode()
    assert f'value="{host.url}"' in form


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
    assert runs.carry_out(run.pk) == "failed"
    text = desk.get(f"/admin/feeds/importrun/{run.pk}/change/").content.decode()
    assert "The server answered 404 instead of a feed." in text


def test_one_worker_has_it_and_a_dead_one_loses_it(host):
    run = ImportRun.objects.create(
        feed_url=host.url, audio="link", state="running", beat_at=timezone.now()
    )
    assert runs.carry_out(run.pk) == ""
    ImportRun.objects.update(beat_at=timezone.now() - timedelta(minutes=3))
    assert runs.sweep() == 1
    assert queued("run_import").count() == 1
    assert runs.carry_out(run.pk) == "done"
    assert runs.sweep() == 0


def test_an_error_of_ours_ends_the_run_and_is_told(host, monkeypatch):
    def fail(*args):
        raise RuntimeError("secret words")

    monkeypatch.setattr(runs, "import_feed", fail)
    run = ImportRun.objects.create(feed_url=host.url, password="word")
    assert runs.carry_out(run.pk) == "failed"
    run.refresh_from_db()
    assert run.password == ""
    assert "RuntimeError" in run.report["refused"]
    assert "secret" not in run.report["refused"]


def staff(*permissions):
    user = get_user_model().objects.create_user("reader", password="a long word", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return user


def test_who_may_import_may_also_write_shows_and_episodes(client, host):
    client.force_login(staff("add_importrun", "view_importrun"))
    assert ask(client, feed_url=host.url).status_code == 403
    writing = ["add_show", "change_show", "add_episode", "change_episode"]
    get_user_model().objects.all().delete()
    client.force_login(staff("add_importrun", "view_importrun", *writing))
    assert ask(client, feed_url=host.url).status_code == 302
    run = ImportRun.objects.get()
    assert "Stop" in client.get(f"/admin/feeds/importrun/{run.pk}/change/").content.decode()
    get_user_model().objects.all().delete()
    client.force_login(staff("view_importrun"))
    text = client.get(f"/admin/feeds/importrun/{run.pk}/change/").content.decode()
    assert "Waiting for the worker" in text
    assert 'value="Stop"' not in text
    assert client.get(f"/admin/feeds/importrun/{run.pk}/report.txt").status_code == 200


def test_who_may(client, host):
    user = staff()
    client.force_login(user)
    run = ImportRun.objects.create(feed_url=host.url)
    for path in (ADD, f"/admin/feeds/importrun/{run.pk}/change/"):
        assert client.get(path).status_code == 403
    for name in ("again", "stop", "resume"):
        assert client.post(f"/admin/feeds/importrun/{run.pk}/{name}/").status_code == 403
    assert client.get(f"/admin/feeds/importrun/{run.pk}/report.txt").status_code == 403
    assert ask(client, feed_url=host.url).status_code == 403
    show = Show.objects.create(title="S", description="d")
    ImportedShow.objects.create(show=show, feed_url=host.url)
    for name in ("check", "import"):
        assert client.post(f"/admin/feeds/importedshow/{show.pk}/{name}/").status_code == 403
    assert client.get(f"/admin/feeds/importedshow/{show.pk}/check/").status_code in {403, 405}
    assert ImportRun.objects.count() == 1


# Once, stopped, killed, looked at


def test_sent_twice_it_runs_once(desk, host):
    first, second = (ask(desk, feed_url=host.url) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert "being imported already" in desk.get(second["Location"]).content.decode()
    run = ImportRun.objects.get()
    assert queued("run_import").count() == 1
    runs.carry_out(run.pk)
    assert ask(desk, feed_url=host.url)["Location"] != first["Location"]  # now it is another one


def closed():
    """Django leaves connections to a database in memory open, those of threads as well."""
    BaseDatabaseWrapper.close(connection)


def test_a_dry_run_writes_nothing_and_leads_on(desk, host):
    answer = ask(desk, feed_url=host.url, dry_run="on")
    run = ImportRun.objects.get()
    assert runs.carry_out(run.pk) == "done"
    assert not Show.objects.exists()
    text = desk.get(answer["Location"]).content.decode()
    assert "“Harbour Line” is new" in text
    assert "new: Episode 1 (old-1)" in text
    assert 'value="Import now"' in text
    desk.post(f"/admin/feeds/importrun/{run.pk}/again/")
    real = ImportRun.objects.latest("pk")
    assert (real.dry_run, real.feed_url, real.audio) == (False, host.url, "link")


@pytest.fixture
def every_step(monkeypatch):
    monkeypatch.setattr(runs, "NOTE", 0)


def test_stop_ends_it_between_two_episodes(desk, host, every_step, monkeypatch):
    ask(desk, feed_url=host.url, feed_user="ada", feed_password="word")
    run = ImportRun.objects.get()
    noted = runs.Notes.__call__

    def note(self, done, total, what):
        noted(self, done, total, what)
        if done == 1:
            desk.post(f"/admin/feeds/importrun/{run.pk}/stop/")

    monkeypatch.setattr(runs.Notes, "__call__", note)
    assert runs.carry_out(run.pk) == ""
    run.refresh_from_db()
    assert (run.state, run.done, run.total, run.password) == ("stopped", 1, 3, "")
    assert Episode.objects.count() == 2
    text = desk.get(f"/admin/feeds/importrun/{run.pk}/change/").content.decode()
    assert "after 1 of 3" in text
    desk.post(f"/admin/feeds/importrun/{run.pk}/stop/")  # too late, and said
    run.refresh_from_db()
    assert run.state == "stopped"
    monkeypatch.setattr(runs.Notes, "__call__", noted)
    again, _ = runs.again(run, None)
    assert runs.carry_out(again.pk) == "done"
    assert Episode.objects.count() == 3


def test_a_deleted_run_is_not_gone_on_with(desk, host, every_step):
    run, _ = runs.ask(ImportRun(feed_url=host.url, audio="link"))

    answer = host.answer

    def deleted(handler):
        ImportRun.objects.all().delete()
        answer(handler)

    host.answer = deleted
    host.files["/feed.xml"] = (host.feed(), "application/rss+xml")
    ImportRun.objects.filter(pk=run.pk).delete()
    assert runs.carry_out(run.pk) == ""
    assert not Show.objects.exists()


def test_a_run_taken_by_another_worker_is_let_go(host, every_step, monkeypatch):
    run, _ = runs.ask(ImportRun(feed_url=host.url, audio="link"))
    noted = runs.Notes.__call__

    def note(self, done, total, what):
        ImportRun.objects.update(claim="another")
        noted(self, done, total, what)

    monkeypatch.setattr(runs.Notes, "__call__", note)
    assert runs.carry_out(run.pk) == ""
    run.refresh_from_db()
    assert (run.state, run.claim, run.report) == ("running", "another", {})


def test_a_killed_workers_run_goes_on_by_a_button(desk, host):
    run, _ = runs.ask(ImportRun(feed_url=host.url, audio="link"))
    page = f"/admin/feeds/importrun/{run.pk}/change/"
    now = timezone.now()
    ImportRun.objects.update(state="running", claim="dead", beat_at=now)
    assert "Go on with it" not in desk.get(page).content.decode()
    desk.post(f"/admin/feeds/importrun/{run.pk}/resume/")
    assert queued("run_import").count() == 1
    ImportRun.objects.update(beat_at=now - timedelta(minutes=3))
    text = desk.get(page).content.decode()
    assert "seems to have been killed" in text
    assert "Go on with it" in text
    desk.post(f"/admin/feeds/importrun/{run.pk}/resume/")
    assert queued("run_import").count() == 2
    assert runs.carry_out(run.pk) == "done"


def test_a_long_download_gives_signs_of_life(host, monkeypatch):
    monkeypatch.setattr(pulse, "EVERY", 0.05)
    monkeypatch.setattr(pulse, "connection", SimpleNamespace(close=closed))
    run, _ = runs.ask(ImportRun(feed_url=host.url))
    seen = []

    def slow(*args):
        for _ in range(100):
            seen.append(ImportRun.objects.get().beat_at)
            if len(set(seen)) > 2:
                break
            threading.Event().wait(0.05)
        return ImportReport()

    monkeypatch.setattr(runs, "import_feed", slow)
    assert runs.carry_out(run.pk) == "done"
    assert len(set(seen)) > 2


def test_only_an_address_is_imported_from_a_row(host):
    """What a file said of its feed's address is not to be trusted to be one."""
    for path in (str(CORPUS / "feeds/twin-de-2-day1.xml"), "file:///etc/passwd"):
        run = ImportRun.objects.create(feed_url=path)
        assert runs.carry_out(run.pk) == "failed"
        run.refresh_from_db()
        assert "cannot be fetched" in run.report["refused"]
    assert not Show.objects.exists()


def test_a_report_of_anything_is_kept_and_shown(desk, host, monkeypatch):
    report = ImportReport(feed="f", title="T", total=300)
    for number in range(300):
        report.add(Kind.SKIPPED, f"<b>\0 \ud800 {number}", "No.")
    monkeypatch.setattr(runs, "import_feed", lambda *args: report)
    run, _ = runs.ask(ImportRun(feed_url=host.url))
    assert runs.carry_out(run.pk) == "done"
    text = desk.get(f"/admin/feeds/importrun/{run.pk}/change/").content.decode()
    assert "&lt;b&gt;" in text
    assert "And 100 more" in text
    whole = desk.get(f"/admin/feeds/importrun/{run.pk}/report.txt").content.decode()
    assert whole.count("skipped: ") == 300


ODD = ["0", "-1", "x", "%00", "1" * 40, "%F0%9F%8E%99", "1_2F_etc", "../1"]


@pytest.mark.parametrize("pk", ODD)
def test_no_address_of_the_desk_fails(desk, pk):
    for model in ("importrun", "importedshow"):
        for rest in ("change/", "delete/", "history/", "report.txt", ""):
            assert desk.get(f"/admin/feeds/{model}/{pk}/{rest}").status_code < 500
        for rest in ("again/", "stop/", "resume/", "check/", "import/"):
            assert desk.post(f"/admin/feeds/{model}/{pk}/{rest}").status_code < 500


@pytest.mark.parametrize(
    "form",
    [
        {"feed_url": "https://old.example/\0"},
        {"feed_url": "https://" + "a" * 3000},
        {"feed_url": "https://[::1/"},
        {"feed_url": "https://xn--zzzzzzz--/", "audio": "elsewhere"},
        {"feed_url": "https://u:p@old.example/"},
        {"feed_url": "\ud83c", "feed_user": "\0", "feed_password": "\0" * 400},
        {"document_upload": "no file"},
        {"feed_url": "https://old.example/", "dry_run": "perhaps", "feed_user": "a" * 300},
    ],
)
def test_no_form_fails(desk, form):
    given = {k: v.encode("utf-8", "replace").decode() for k, v in form.items()}
    answer = desk.post(ADD, {"audio": "link", "feed_url": "", **given})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not ImportRun.objects.exists()


@pytest.mark.parametrize("name", ["", "a" * 300 + ".xml", "../../x\0.xml", "ünï\ud800.xml"])
@pytest.mark.parametrize("body", [b"", b"\0" * 100, b"\x1f\x8b broken", b"<rss><channel/></rss>"])
def test_no_file_fails(desk, name, body):
    upload = SimpleUploadedFile("x.xml", body)
    upload._name = name.encode("utf-8", "replace").decode()
    assert ask(desk, document_upload=upload).status_code in {200, 302}
