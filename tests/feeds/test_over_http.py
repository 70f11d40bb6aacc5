"""Feeds and what they name, as HTTP: what RFC 9110, 9111 and 5861 let apps and caches expect."""

import pytest

from tests.make import make_episode, make_show

pytestmark = pytest.mark.django_db

ANY_TAG = {"HTTP_IF_NONE_MATCH": "*"}


@pytest.fixture
def show(db):
    show = make_show(title="Harbour", slug="harbour")
    make_episode(show, title="Sextant", slug="sextant")
    return show


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
