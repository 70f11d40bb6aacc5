"""Export at the desk: asked for, made by the worker, fetched by those who may change the show."""

import io
import time
import zipfile
from contextlib import closing
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.core.files.storage import default_storage
from django.utils import timezone
from lxml import html

from episodes.media_check import find_problems
from episodes.models import Show
from feeds.archives import desk
from feeds.models import ShowArchive
from tests.editor import Editor
from tests.make import make_episode, make_show


@pytest.mark.server
def test_an_editor_exports_a_show_on_the_running_site(site):
    with closing(Editor(site.url, timeout=60)) as editor:
        change = html.fromstring(editor.http.get("/admin/episodes/show/1/change/").text)
        (path,) = change.xpath("//ul[@class='object-tools']//a[text()='Export']/@href")
        page = editor.http.get(path)
        asked = editor.http.post(
            path,
            data={"csrfmiddlewaretoken": editor._token(page)},
            headers={"Referer": f"{site.url}{path}"},
        )
        assert asked.status_code == 302
        deadline = time.monotonic() + 90
        while "pytorch.zip" not in (page := editor.http.get(path)).text:
            assert "It is being made" in page.text, page.text
            assert time.monotonic() < deadline
            time.sleep(0.3)
        (link,) = html.fromstring(page.text).xpath("//a[text()='pytorch.zip']/@href")
        fetched = editor.http.get(link)
        assert fetched.status_code == 200
        assert fetched.headers["content-type"] == "application/zip"
        assert fetched.headers["content-disposition"].startswith(
            'attachment; filename="pytorch.zip"'
        )
        assert fetched.headers["cache-control"].startswith("private, no-store")
        assert "access-control-allow-origin" not in fetched.headers
        part = editor.http.get(link, headers={"Range": "bytes=0-3"})
        assert (part.status_code, part.content) == (206, b"PK\3\4")
        with zipfile.ZipFile(io.BytesIO(fetched.content)) as archive:
            assert archive.testzip() is None
            assert {"show.json", "feed.xml"} <= set(archive.namelist())
    status, headers, _ = site.get(link)
    assert status == 302
    assert "/admin/login/" in headers["location"]


@pytest.fixture
def show(db):
    return Show.objects.get(pk=make_show(slug="harbour").pk)


def address(show, end="") -> str:
    return f"/admin/feeds/showarchive/{show.pk}/{end}"


@pytest.mark.parametrize("end", ["", "fetch/"])
def test_only_those_who_may_change_the_show_get_it(show, client, django_user_model, end):
    ShowArchive.objects.create(show=show)
    desk.make(show.pk)
    reader = django_user_model.objects.create_user("reader", password="x", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_show"))
    reader.user_permissions.add(Permission.objects.get(codename="view_showarchive"))
    assert client.get(address(show, end)).status_code == 302
    client.force_login(reader)
    assert client.get(address(show, end)).status_code == 403
    assert client.post(address(show)).status_code == 403
    reader.user_permissions.add(Permission.objects.get(codename="change_show"))
    client.force_login(django_user_model.objects.get(pk=reader.pk))
    assert client.get(address(show, end)).status_code == 200
    assert client.get(f"/admin/feeds/showarchive/{show.pk + 1}/{end}").status_code == 404
    assert client.get("/admin/feeds/showarchive/").status_code == 404


def test_it_is_asked_for_once_and_made_again_when_wanted(show):
    assert desk.ask(show)
    assert not desk.ask(show)
    desk.make(show.pk)
    first = ShowArchive.objects.get()
    assert desk.ready(first)
    assert first.revision == show.revision
    assert desk.ask(show)
    desk.make(show.pk)
    second = ShowArchive.objects.get()
    assert second.name != first.name
    assert not default_storage.exists(first.name)
    assert second.bytes == default_storage.size(second.name)


def test_it_is_kept_for_a_day(show, time_machine):
    desk.ask(show)
    desk.make(show.pk)
    row = ShowArchive.objects.get()
    name = row.name

    def unused():
        return [problem.name for problem in find_problems() if problem.code == "file-unused"]

    now = timezone.now()
    time_machine.move_to(now + timedelta(hours=23))
    assert name not in unused()
    assert desk.ready(row)
    time_machine.move_to(now + timedelta(hours=25))
    assert name in unused()
    assert not desk.ready(row)
    assert not default_storage.exists(name)
    assert ShowArchive.objects.get().name == ""


def test_what_cannot_be_made_is_said(show, client, admin_client):
    make_episode(show)
    desk.ask(show)
    desk.make(show.pk)
    page = admin_client.get(address(show)).content.decode()
    assert "It could not be made: 1 files of this show are not in the media" in page
    assert admin_client.get(address(show, "fetch/")).status_code == 404
    assert desk.ask(show), "it can be asked for again at once"
