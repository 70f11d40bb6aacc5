"""Feeds and what they name, as HTTP: what RFC 9110, 9111 and 5861 let apps and caches expect."""

import re
from datetime import datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.utils.http import http_date
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes import freshness
from episodes.models import FormerShowSlug
from episodes.models.edition import Edition
from feeds import rendering
from tests.make import NOON, make_chapter, make_episode, make_show, make_transcript

pytestmark = pytest.mark.django_db

ANY_TAG = {"HTTP_IF_NONE_MATCH": "*"}


@pytest.fixture
def show(db):
    show = make_show(title="Harbour", slug="harbour")
    make_episode(show, title="Sextant", slug="sextant")
    return show


# Methods


def opened(show) -> dict[str, bool]:
    """Addresses of each kind, and whether scripts of other sites may read them."""
    episode = show.episodes.get(slug="sextant")
    make_transcript(episode)
    make_chapter(episode)
    FormerShowSlug.objects.create(show=show, slug="haven")
    return {
        "/harbour/feed.xml": True,
        "/feed.xml": True,
        "/shows.opml": True,
        "/harbour/feed.xml?page=1": True,  # GET redirects
        "/haven/feed.xml": True,  # GET redirects
        "/harbour/sextant/transcript.txt": True,
        "/harbour/sextant/chapters.json": True,
        "/harbour/sextant.txt": True,
        "/oembed?url=/harbour/sextant/": True,
        episode.get_audio_path(): True,
        f"/audio/{episode.uid}/older/sextant.mp3": True,  # GET redirects
        "/": False,
        "/harbour/": False,
        "/harbour/sextant/": False,
        "/robots.txt": False,
        "/healthz": False,
    }


PREFLIGHT = {
    "HTTP_ORIGIN": "https://player.example",
    "HTTP_ACCESS_CONTROL_REQUEST_METHOD": "GET",
    "HTTP_ACCESS_CONTROL_REQUEST_HEADERS": "if-none-match,range",
}


def test_options_say_what_may_be_asked(client, show):
    for path, is_open in opened(show).items():
        got = client.options(path, **PREFLIGHT)
        assert (got.status_code, got.content) == (204, b""), path
        assert got["Allow"] == "GET, HEAD, OPTIONS"
        assert not {"Content-Length", "Content-Type", "Location", "ETag"} & set(got.headers), path
        assert not got.cookies
        shared = client.get(path).get("Access-Control-Allow-Origin")
        assert (got.get("Access-Control-Allow-Origin") == "*") is (shared == "*") is is_open, path
        if is_open:
            assert got["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
            allowed = got["Access-Control-Allow-Headers"].lower().split(", ")
            assert {"range", "if-none-match", "if-modified-since", "if-range"} <= set(allowed)
            assert int(got["Access-Control-Max-Age"]) >= 7200
        else:
            assert "Access-Control-Allow-Methods" not in got


def test_options_render_nothing(client, show, monkeypatch):
    monkeypatch.setattr(rendering, "show_feed", None)
    assert client.options("/harbour/feed.xml").status_code == 204


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"])
def test_other_methods_are_refused_whoever_asks(show, method):
    client = Client(enforce_csrf_checks=True)
    for path in (*opened(show), "/nothing/feed.xml"):
        got = client.generic(method, path)
        assert got.status_code == 405, path
        assert got["Allow"] == "GET, HEAD, OPTIONS"


def test_what_is_not_there_is_not_there_by_any_method(client, show):
    for path in ("/nothing/feed.xml", "/harbour/feed.xml?page=2", "/harbour/nothing/", "/a/b/c/d"):
        assert client.options(path).content == client.get(path).content
        assert client.options(path).status_code == 404
    assert client.post("/a/b/c/d").status_code == 404
    show.visibility = "withdrawn"
    show.save()
    assert client.options("/harbour/feed.xml").status_code == 410


def test_scripts_may_read_what_they_have_to_send_again(client, show):
    exposed = client.get("/harbour/feed.xml")["Access-Control-Expose-Headers"]
    assert {"ETag", "Content-Range", "Accept-Ranges"} <= set(exposed.split(", "))


@pytest.mark.parametrize("path", ["/harbour/?page=1", "/harbour/feed.xml?page=1", "/haven/"])
def test_redirects_say_how_long_they_hold(client, show, path):
    FormerShowSlug.objects.create(show=show, slug="haven")
    got = client.get(path)
    assert got.status_code == 301
    assert got["Location"] in {"/harbour/", "/harbour/feed.xml"}
    assert got["Cache-Control"] == "public, max-age=3600, s-maxage=1"


# Preconditions


@pytest.mark.parametrize(
    "path",
    [
        "/harbour/feed.xml?page=2",
        "/harbour/feed.xml?page=99",
        "/harbour/feed.xml?page=0",
        "/harbour/?page=99",
        "/sitemap.xml?page=99",
        "/sitemap.xml?page=x",
        "/search/?q=sextant&page=9",
        "/oembed?url=/harbour/nothing/",
        "/harbour/nothing/chapters.json",
        "/harbour/sextant/transcript.vtt",
        "/nothing/feed.xml",
    ],
)
def test_what_does_not_exist_is_not_unmodified(client, show, path):
    tags = [response["ETag"] for response in map(client.get, ("/", "/harbour/feed.xml"))]
    for asked in (
        ANY_TAG,
        {"HTTP_IF_NONE_MATCH": ", ".join(tags)},
        {"HTTP_IF_MODIFIED_SINCE": "Fri, 01 Jan 2100 00:00:00 GMT"},
        {"HTTP_IF_MATCH": '"another"'},
    ):
        assert client.get(path, **asked).status_code == 404, asked
        assert client.head(path, **asked).status_code == 404, asked


@pytest.mark.parametrize("path", ["/harbour/feed.xml", "/sitemap.xml", "/search/?q=sextant&page=1"])
def test_what_exists_is_unmodified_for_any_tag(client, show, path):
    assert client.get(path, **ANY_TAG).status_code == 304
    assert client.get(path, HTTP_IF_MATCH='"another"').status_code == 412


def test_pages_further_on_are_unmodified_too(client, show):
    show.page_size = 1
    show.save()
    make_episode(show)
    tag = client.get("/harbour/feed.xml?page=2")["ETag"]
    assert client.get("/harbour/feed.xml?page=2", HTTP_IF_NONE_MATCH=tag).status_code == 304


def test_a_poll_that_matches_costs_the_query_that_found_the_show(
    client, show, django_assert_num_queries
):
    tag = client.get("/harbour/feed.xml")["ETag"]
    with django_assert_num_queries(1):
        assert client.get("/harbour/feed.xml", HTTP_IF_NONE_MATCH=tag).status_code == 304


@pytest.mark.parametrize("mark", ["-gzip", "-br", "--gzip", ";gzip"])
def test_a_tag_that_a_proxy_marked_is_still_ours(client, show, mark):
    for path in ("/harbour/feed.xml", "/harbour/sextant/", "/feed.xml"):
        tag = client.get(path)["ETag"]
        marked = f'{tag.removesuffix(chr(34))}{mark}"'
        got = client.get(path, HTTP_IF_NONE_MATCH=marked)
        assert (got.status_code, got["ETag"]) == (304, tag)
        show.save()
        assert client.get(path, HTTP_IF_NONE_MATCH=marked).status_code == 200


def test_no_tag_of_ours_ends_as_a_proxys_mark_does(client, show):
    audio = show.episodes.get().get_audio_path()
    for path in ("/harbour/feed.xml", "/harbour/", "/feed.xml", "/shows.opml", audio):
        assert re.search(r'-[0-9a-f]{8}"$|"[0-9a-f]{32}"$', client.get(path)["ETag"])


# Dates


def dated(client, moment: datetime, since: str | None = None):
    """The feed as it is at `moment`, asked for by date alone."""
    with time_machine.travel(moment, tick=False):
        asked = {"HTTP_IF_MODIFIED_SINCE": since} if since else {}
        return client.get("/harbour/feed.xml", **asked)


@pytest.fixture
def since_noon(monkeypatch):
    """A show made at noon, on a site that started the day before."""
    monkeypatch.setattr(freshness, "STARTED", NOON - timedelta(days=1))
    with time_machine.travel(NOON, tick=False):
        return make_show(title="Harbour", slug="harbour")


def later(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def test_a_date_is_given_when_no_other_change_can_have_it(client, since_noon):
    for seconds in (0, 0.9, 1, 4.9):
        assert "Last-Modified" not in dated(client, later(seconds))
    got = dated(client, later(5))
    assert got["Last-Modified"] == "Thu, 05 Mar 2026 12:00:00 GMT"
    assert dated(client, later(900))["Last-Modified"] == got["Last-Modified"]
    assert dated(client, later(6), got["Last-Modified"]).status_code == 304
    assert dated(client, later(6), "Thu, 05 Mar 2026 11:59:59 GMT").status_code == 200


def test_an_episode_that_fell_due_is_a_change_of_its_moment(client, since_noon):
    with time_machine.travel(later(1), tick=False):
        make_episode(since_noon, title="Due", published_at=later(3600))
    before = dated(client, later(3599))["Last-Modified"]
    assert dated(client, later(3600), before).status_code == 200
    got = dated(client, later(3605), before)
    assert b"Due" in got.content
    assert got["Last-Modified"] == "Thu, 05 Mar 2026 13:00:00 GMT"


def test_a_new_build_or_setting_is_a_change_of_the_moment_it_started(
    client, since_noon, settings, monkeypatch, request
):
    before = dated(client, later(60))
    monkeypatch.setattr(freshness, "STARTED", later(90))
    settings.SITE_URL = "https://moved.example.org"
    freshness.build.cache_clear()  # as another process finds it
    request.addfinalizer(freshness.build.cache_clear)
    got = dated(client, later(91), before["Last-Modified"])
    assert got.status_code == 200
    assert got.content != before.content
    assert dated(client, later(95))["Last-Modified"] == http_date(later(90).timestamp())


moments = st.lists(st.floats(0, 12, allow_nan=False), min_size=1, max_size=12).map(sorted)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(changes=moments, polls=moments, slow=st.floats(0, 4))
def test_by_date_alone_no_change_is_missed(changes, polls, slow):
    """Edits seen up to four seconds after the moment they are dated, apps that only keep dates."""
    held: dict[int, set[int]] = {}  # a date and the editions that were handed out under it
    for poll in polls:
        seen = [moment for moment in changes if moment + slow <= poll]
        made = max(seen, default=-100.0)
        edition = Edition(len(seen), later(made), None, None)
        freshness.STARTED, started = later(-1000), freshness.STARTED
        modified = freshness.last_modified(edition, later(poll))
        freshness.STARTED = started
        if modified is not None:
            assert modified <= later(poll).timestamp()
            held.setdefault(modified, set()).add(len(seen))
    assert all(len(editions) == 1 for editions in held.values())
