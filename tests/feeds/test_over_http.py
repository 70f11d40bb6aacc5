"""Feeds and what they name, as HTTP: what RFC 9110, 9111 and 5861 let apps and caches expect."""

import pytest
from django.test import Client

from episodes.models import FormerShowSlug
from feeds import rendering
from tests.make import make_chapter, make_episode, make_show, make_transcript

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
