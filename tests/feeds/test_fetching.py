"""The one fetcher: refuses what is not public, whatever it is dressed as; bounded in all else."""

import gzip
import socket
import time

import pytest

from feeds import fetching
from feeds.fetching import FetchError, ForbiddenAddress, Limits, TooLarge, TooSlow, fetch
from tests.server import serving


@pytest.fixture
def private(settings):
    settings.FETCH_PRIVATE = True


INWARD = [
    "127.0.0.1", "[::1]", "0.0.0.0", "127.1", "0x7f.1", "2130706433", "0177.0.0.1",
    "①②⑦.0.0.1", "localhost", "[::ffff:127.0.0.1]", "169.254.169.254", "10.1.1.1",
    "100.64.0.1", "224.0.0.1", "[64:ff9b::7f00:1]", "[::127.0.0.1]", "[fec0::1]",
    "[2002:7f00:1::]", "192.168.0.1", "172.16.0.1", "[fe80::1]", "[fc00::1]", "0",
    "255.255.255.255",
]  # fmt: skip


@pytest.mark.parametrize("host", INWARD)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_inward_addresses_are_refused_before_a_connection(host, scheme, monkeypatch):
    dialled = []
    monkeypatch.setattr(socket.socket, "connect", lambda self, address: dialled.append(address))
    monkeypatch.setattr(socket, "create_connection", lambda a, *r, **k: dialled.append(a))
    with pytest.raises(FetchError):
        fetch(f"{scheme}://{host}/")
    assert dialled == []


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "gopher://example.org/", "ftp://example.org/", "//example.org/",
        "http://user:pw@example.org/", "http://example.org\\@127.0.0.1/", "http://exa mple.org/",
        "http://example.org/\r\nHost: x", "http://example.org:25/", "http://example.org:x/",
        "http:///nohost", "http://example.org/" + "a" * 9000, "javascript:alert(1)", "",
    ],
)  # fmt: skip
def test_odd_addresses_are_refused(url):
    with pytest.raises(ForbiddenAddress, match="cannot be fetched"):
        fetch(url)


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("target", ["http://127.0.0.1:1/", "file:///etc/passwd", "gopher://x/"])
def test_each_redirect_is_judged_like_the_first(code, target, monkeypatch, settings):
    """The first hop is let through as if public; where it leads is not."""
    with serving(lambda h: h.reply(code, Location=target)) as (base, seen):
        host, port = base.rpartition("/")[2].split(":")
        settings.FETCH_PORTS = [int(port), 1]
        first = iter([host])
        real = fetching.is_public
        monkeypatch.setattr(fetching, "is_public", lambda a: a == next(first, None) or real(a))
        with pytest.raises(ForbiddenAddress):
            fetch(base + "/")
    assert len(seen) == 1


def test_the_address_judged_is_the_address_dialled(monkeypatch):
    """A name that answers public first and loopback second is asked once and dialled as judged."""
    answers = iter(["93.184.215.14", "127.0.0.1"])
    asked = []

    def resolve(host, port, **kwargs):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    dialled = []

    def connect(address, *args, **kwargs):
        dialled.append(address)
        raise OSError("no route")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(FetchError):
        fetch("http://rebinding.example/")
    assert asked == ["rebinding.example"]
    assert dialled == [("93.184.215.14", 80)]


def test_a_mixed_answer_is_refused(monkeypatch):
    rows = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80))
        for address in ("93.184.215.14", "10.0.0.1")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: rows)
    with pytest.raises(ForbiddenAddress):
        fetch("http://mixed.example/")


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


def test_bombs_and_endless_bodies_are_cut(private):
    bomb = gzip.compress(b"\0" * 30_000_000)
    limits = Limits(max_bytes=1_000_000, seconds=10)
    with (
        serving(lambda h: h.reply(200, bomb, Content_Encoding="gzip")) as (base, _),
        pytest.raises(TooLarge),
    ):
        fetch(base, limits=limits)

    def endless(handler):
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(b"x" * 65536)

    with serving(endless) as (base, _), pytest.raises(TooLarge):
        fetch(base, limits=limits)


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


def test_other_codings_are_refused(private):
    with (
        serving(lambda h: h.reply(200, b"x", Content_Encoding="br")) as (base, _),
        pytest.raises(FetchError, match="not asked for"),
    ):
        fetch(base)
