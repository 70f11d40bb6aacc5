"""The one fetcher at work; what it refuses stands in test_hostile_servers.py."""

import gzip
import time

import pytest

from feeds.fetching import FetchError, Limits, TooSlow, fetch
from tests.server import serving


@pytest.fixture
def private(settings):
    settings.FETCH_PRIVATE = True


def test_a_proxy_in_the_environment_is_not_followed(monkeypatch, private):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9/")
    with serving(lambda h: h.reply(200, b"direct")) as (base, _):
        assert fetch(base).body == b"direct"


def test_what_is_fetched(private):
    def answer(handler):
        if handler.path == "/":
            handler.reply(301, Location="/feed")
        else:
            body = gzip.compress(b"<rss/>")
            handler.reply(200, body, Content_Encoding="gzip", ETag='"1"')

    with serving(answer) as (base, _):
        got = fetch(base + "/")
    assert (got.status, got.body, got.headers["etag"]) == (200, b"<rss/>", '"1"')
    assert got.url == base + "/feed"
    assert got.redirects == ((301, base + "/feed"),)


def test_redirect_loops_end(private):
    with (
        serving(lambda h: h.reply(302, Location="/")) as (base, seen),
        pytest.raises(FetchError, match="Too many redirects"),
    ):
        fetch(base)
    assert len(seen) == 6


def test_credentials_stay_with_the_first_host(private):
    given = []
    with serving(lambda h: (given.append(h.headers.get("Authorization")), h.reply())) as (other, _):

        def answer(handler):
            given.append(handler.headers.get("Authorization"))
            handler.reply(302, Location=other.replace("127.0.0.1", "localhost") + "/")

        with serving(answer) as (base, _):
            fetch(base, auth=("name", "word"))
    assert given[0].startswith("Basic ")
    assert given[1] is None


@pytest.mark.parametrize("where", ["headers", "body"])
def test_a_trickle_ends_in_time(private, where):
    def trickle(handler):
        if where == "body":
            handler.send_response(200)
            handler.send_header("Content-Length", "1000")
            handler.end_headers()
        else:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        for _ in range(100):
            handler.wfile.write(b"a")
            time.sleep(0.05)

    start = time.monotonic()
    with serving(trickle) as (base, _), pytest.raises(TooSlow):
        fetch(base, limits=Limits(seconds=1))
    assert time.monotonic() - start < 4
