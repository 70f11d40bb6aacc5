"""A front with a small WSGI site behind it, driven without a server."""

import asyncio
import gzip
import threading
from dataclasses import dataclass, field
from pathlib import Path

import brotli
import zstandard

from podcast.front import Front, Options

HOST = "podcast.example.org"
SHORT = "public, s-maxage=1, stale-while-revalidate=60, stale-if-error=86400"


@dataclass
class Got:
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    complete: bool = True

    def __getitem__(self, name: str) -> str | None:
        values = [value for key, value in self.headers if key == name.lower()]
        assert len(values) <= 1, f"{name} was sent {len(values)} times"
        return values[0] if values else None

    @property
    def content(self) -> bytes:
        match self["content-encoding"]:
            case None:
                return self.body
            case "gzip":
                return gzip.decompress(self.body)
            case "br":
                return brotli.decompress(self.body)
            case "zstd":
                return zstandard.ZstdDecompressor().decompress(self.body, max_output_size=10**8)
        raise AssertionError(self["content-encoding"])


@dataclass
class Site:
    """The WSGI application: one text for every address, changed by `edit()`.

    `asked` records each environ it was called with. A `hook` sees the environ
    first and may answer instead, raise, or wait.
    """

    text: bytes = b"the first edition"
    control: str = SHORT
    headers: list[tuple[str, str]] = field(default_factory=list)
    kind: str = "text/html; charset=utf-8"
    status: str = "200 OK"
    validators: bool = True
    edition: int = 1
    asked: list[dict] = field(default_factory=list)
    hook: object = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def edit(self, text: bytes) -> None:
        self.text, self.edition = text, self.edition + 1

    def __call__(self, environ, start_response):
        with self.lock:
            self.asked.append(environ)
        if self.hook is not None and (answer := self.hook(environ, start_response)) is not None:
            return answer
        headers = list(self.headers)
        if self.control:
            headers.append(("Cache-Control", self.control))
        if self.validators:
            etag = f'W/"{self.edition}"'
            headers.append(("ETag", etag))
            if environ.get("HTTP_IF_NONE_MATCH") == etag:
                start_response("304 Not Modified", headers)
                return []
        start_response(self.status, [("Content-Type", self.kind), *headers])
        return [self.text]


def make_front(site, tmp_path: Path, **changes) -> Front:
    media = tmp_path / "media"
    media.mkdir(exist_ok=True)
    options = {
        "media_root": media,
        "spool_directory": tmp_path,
        "hosts": frozenset({HOST.encode(), b"other.example.org"}),
    }
    return Front(site, Options(**(options | changes)))


async def fetch(front, path="/", method="GET", headers=(), body=b"", scheme="http", **scope) -> Got:
    """One request as gunicorn's asgi worker would hand it over."""
    if isinstance(headers, dict):
        headers = headers.items()
    pairs = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    if not any(name == b"host" for name, _ in pairs):
        pairs.insert(0, (b"host", HOST.encode()))
    pieces = list(body) if isinstance(body, list) else [body]
    if isinstance(body, bytes) and body:
        pairs.append((b"content-length", b"%d" % len(body)))
    elif isinstance(body, list):
        pairs.append((b"transfer-encoding", b"chunked"))
    raw, _, query = path.encode("latin-1").partition(b"?")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": scheme,
        "path": raw.decode(errors="replace"),
        "raw_path": raw,
        "query_string": query,
        "root_path": "",
        "headers": pairs,
        "server": ("127.0.0.1", 8000),
        "client": ("192.0.2.7", 4711),
        **scope,
    }
    got = Got(0, [], b"", complete=False)
    sent: list[bytes] = []

    async def receive():
        if pieces:
            piece = pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(pieces)}
        return await asyncio.Event().wait()

    async def send(message):
        if message["type"] == "http.response.start":
            got.status = message["status"]
            got.headers = [(n.decode(), v.decode("latin-1")) for n, v in message["headers"]]
        else:
            sent.append(bytes(message.get("body", b"")))
            got.complete = not message.get("more_body", False)
        await asyncio.sleep(0)

    await front(scope, receive, send)
    got.body = b"".join(sent)
    if method != "HEAD" and got.status not in (304, 204):
        assert got["content-length"] == str(len(got.body)), "Content-Length is not the length"
    else:
        assert got.body == b"", "a body where none may be"
    return got


async def closing(front, work):
    """The result of `work`; ends the front's threads whatever happens."""
    try:
        return await work
    finally:
        front.site.threads.shutdown()
        front.disk.shutdown()


class Clock:
    """Time for the front, moved by hand."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds
