"""The worker under the front: connections that stall, crowd or speak an old language.

gunicorn leaves some of these limits out; `podcast/front/worker.py` leans on its inner names
to add them, so each is held here against a real server.
"""

import socket
import time
from contextlib import ExitStack

import pytest

from podcast.front.worker import HEADER_SECONDS
from tests.running import request

pytestmark = [pytest.mark.server, pytest.mark.any_database]


def connect(site) -> socket.socket:
    host, _, port = site.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=HEADER_SECONDS + 10)


def read_to_end(connection: socket.socket) -> bytes:
    received = b""
    try:
        while piece := connection.recv(65536):
            received += piece
    except ConnectionResetError:
        pass
    return received


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_http_1_0_client_that_asks_for_keep_alive_is_not_left_waiting(site, method):
    with connect(site) as connection:
        connection.sendall(f"{method} /healthz HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n".encode())
        began = time.monotonic()
        answer = read_to_end(connection)
    assert time.monotonic() - began < 2
    assert answer.startswith(b"HTTP/1.")
    assert b"connection: close" in answer.lower()


@pytest.mark.parametrize("path", ["/pytorch/feed.xml", "/pytorch/", "/search/?q=a", "/nothing/"])
def test_a_first_head_has_the_headers_of_a_get(site, path):
    address = f"{site.url}{path}{'&' if '?' in path else '?'}first=head"
    for coding in ("gzip", "br", "identity"):
        head = request(f"{address}-{coding}", "HEAD", {"Accept-Encoding": coding})
        got = request(f"{address}-{coding}", "GET", {"Accept-Encoding": coding})
        varying = {"date", "age", "last-modified"}
        assert head[0] == got[0]
        assert {k: v for k, v in head[1].items() if k not in varying} == {
            k: v for k, v in got[1].items() if k not in varying
        }
        assert head[1]["content-length"] == str(len(got[2]))


def test_the_server_itself_may_be_asked_for_its_options(site):
    host = site.url.removeprefix("http://")
    with connect(site) as connection:
        asked = f"OPTIONS * HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        connection.sendall(asked.encode())
        answer = read_to_end(connection)
    assert answer.startswith(b"HTTP/1.1 204")
    assert b"content-length" not in answer.lower()


def test_a_connection_is_kept_for_http_1_1(site):
    host = site.url.removeprefix("http://")
    with connect(site) as connection:
        for _ in range(3):
            connection.sendall(f"HEAD /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            answer = connection.recv(65536)
            assert answer.startswith(b"HTTP/1.1 200")
            assert b"connection: close" not in answer.lower()


def test_what_is_kept_goes_out_to_each_kind_of_client_in_its_own_way(site):
    """The laid-out headers of one stored answer are not those of another kind of request."""
    host = site.url.removeprefix("http://")
    tag = site.get("/")[1]["etag"]
    kinds = [
        ("GET", "HTTP/1.1", "", b"HTTP/1.1 200"),
        ("GET", "HTTP/1.1", "Connection: close", b"HTTP/1.1 200"),
        ("GET", "HTTP/1.0", "Connection: keep-alive", b"HTTP/1.0 200"),
        ("HEAD", "HTTP/1.1", "", b"HTTP/1.1 200"),
        ("GET", "HTTP/1.1", f"If-None-Match: {tag}", b"HTTP/1.1 304"),
        ("GET", "HTTP/1.1", f"If-None-Match: {tag}\r\nConnection: close", b"HTTP/1.1 304"),
    ]
    lengths = set()
    for method, version, header, status in [*kinds, *kinds[::-1], *kinds]:
        lines = f"{method} / {version}\r\nHost: {host}\r\n" + (f"{header}\r\n" if header else "")
        with connect(site) as connection:
            connection.sendall(f"{lines}\r\n".encode())
            closing = version == "HTTP/1.0" or "close" in header
            answer = read_to_end(connection) if closing else connection.recv(1 << 20)
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(status), (method, version, header)
        assert (b"\r\nconnection: close" in head.lower()) is closing
        named = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        assert named[b"etag"] == tag.lower().encode()
        if status.endswith(b"304") or method == "HEAD":
            assert body == b""
        if not status.endswith(b"304"):
            lengths.add(named[b"content-length"])
    assert len(lengths) == 1


def test_the_server_names_no_software(site):
    headers = site.get("/healthz")[1]
    assert "server" not in headers
    assert "x-powered-by" not in headers


def test_headers_that_never_end_are_not_waited_for(site):
    with connect(site) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ")
        began = time.monotonic()
        read_to_end(connection)
    assert HEADER_SECONDS - 2 < time.monotonic() - began < HEADER_SECONDS + 5


def test_many_silent_connections_leave_the_site_answering(site):
    with ExitStack() as stack:
        for _ in range(500):
            stack.enter_context(connect(site))
        began = time.monotonic()
        assert site.get("/healthz")[0] == 200
        assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n folded: x\r\n\r\n",
        b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 200 + b"\r\n",
    ],
    ids=["both lengths", "two lengths", "bad chunk", "folded", "long line", "many"],
)
def test_ambiguous_or_oversized_requests_end_their_connection(site, request_bytes):
    with connect(site) as connection:
        connection.sendall(request_bytes)
        answer = read_to_end(connection)
    assert answer == b"" or int(answer.split()[1]) in range(400, 500) or b" 501 " in answer[:20]
    assert answer.count(b"HTTP/1.1 2") == 0
    assert site.get("/healthz")[0] == 200
