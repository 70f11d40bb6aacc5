"""Sending a file that the application pointed at with X-Accel-Redirect.

The same contract as nginx's internal location: the application decides who may
have the file and names the headers; the front adds ranges, preconditions and
bytes. No thread waits for a listener: chunks that the page cache holds are read
on the event loop without blocking, the rest by the disk pool.
"""

import asyncio
import errno
import logging
import os
import stat
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from email.utils import formatdate
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any
from urllib.parse import unquote_to_bytes

from episodes.preconditions import evaluate, http_date
from episodes.ranges import (
    Multipart,
    Partial,
    Span,
    Unsatisfiable,
    multipart,
    parse_range,
    range_applies,
)
from podcast.front.wsgi import Answer, Header, plain

logger = logging.getLogger(__name__)

# What one listener keeps in memory: little for a slow one, who comes in hundreds; much
# for a fast one, for whom each piece costs a turn of the event loop.
FIRST_CHUNK = 512 * 1024
FAST_CHUNK = 1024 * 1024
SLOW_CHUNK = 128 * 1024
FAST_SECONDS = 0.05

# A hop to another thread and back costs more than opening a file whose name is in memory.
RECENT_SECONDS = 10.0
MOST_RECENT = 1024

# A listener that takes no chunk for this long has gone without saying so.
STALLED_SECONDS = 120

# Told anew for each response, or not the application's to say for a file.
_OURS = frozenset(
    b"content-length content-range accept-ranges content-encoding "
    b"x-accel-redirect x-accel-buffering x-accel-charset x-accel-expires "
    b"x-accel-limit-rate".split()
)
# RFC 9110 §15.4.5: a 304 carries no metadata of a body that it does not send.
_ONLY_WITH_BODY = frozenset((b"content-type", b"content-disposition", b"content-language"))

# Not the file's fault but the moment's.
_BUSY = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO))

type Receive = Callable[[], Awaitable[dict[str, Any]]]
type Send = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class OpenFile:
    fd: int
    size: int
    modified: int


class Files:
    """The files below `root`, under the internal address `prefix` (with both slashes)."""

    def __init__(self, root: Path, prefix: str, disk: Executor):
        self.root = os.fsencode(root)
        self.prefix = prefix.encode()
        self.disk = disk
        self.recent: dict[bytes, float] = {}  # path: until when opening it will not wait

    def locate(self, redirect: bytes) -> bytes | None:
        """The path an X-Accel-Redirect value names, or None if it is not below `root`.

        The value is a percent-encoded address, as for nginx: decoded once here,
        and a raw `?` ends it.
        """
        if not redirect.startswith(self.prefix):
            return None
        path = unquote_to_bytes(redirect[len(self.prefix) :].split(b"?", 1)[0])
        segments = path.split(b"/")
        if b"\0" in path or any(segment in (b"", b".", b"..") for segment in segments):
            return None
        return os.path.join(self.root, path)

    async def send(
        self, answer: Answer, method: str, request: dict[str, str], receive: Receive, send: Send
    ) -> Answer | None:
        """Answer a GET or HEAD from the file `answer` redirects to.

        Returns an answer to give instead when there is nothing to send (a file
        that is missing is the site's fault, hence logged). `request` holds the
        client's headers as text under lower-case names.
        """
        redirect = answer.header(b"x-accel-redirect") or b""
        path = self.locate(redirect)
        try:
            if path is None:
                raise FileNotFoundError(errno.ENOENT, "not below the media directory")
            opened = await self._open(path)
        except OSError as error:
            logger.error("cannot send %s: %s", redirect.decode("latin-1"), error.strerror)
            if error.errno in _BUSY:
                return plain(503, "Too busy, try again shortly.", (b"retry-after", b"5"))
            return plain(404, "Not found.")
        gone = None
        try:
            start, spans, layout = respond(answer, opened, method, request)
            if layout is not None or sum(map(len, spans)) > FIRST_CHUNK:
                # What is sent to a listener who left is dropped without a word: watch for that.
                gone = asyncio.create_task(_departure(receive))
            await send(start)
            if layout is not None:
                for head, span in layout.parts:
                    await send({"type": "http.response.body", "body": head, "more_body": True})
                    await self._send_span(opened.fd, span, gone, send, more=True)
                await send({"type": "http.response.body", "body": layout.tail})
            elif spans:
                await self._send_span(opened.fd, spans[0], gone, send)
            else:
                await send({"type": "http.response.body", "body": b""})
        finally:
            os.close(opened.fd)
            if gone is not None:
                gone.cancel()
        return None

    async def _open(self, path: bytes) -> OpenFile:
        """Opened by the disk pool, unless its directory entry was just used and is in memory."""
        now = monotonic()
        if now < self.recent.get(path, 0):
            return _open(path)
        opened = await asyncio.get_running_loop().run_in_executor(self.disk, _open, path)
        if len(self.recent) >= MOST_RECENT:
            self.recent.clear()
        self.recent[path] = now + RECENT_SECONDS
        return opened

    async def _send_span(
        self, fd: int, span: Span, gone: asyncio.Task | None, send: Send, more: bool = False
    ) -> None:
        """The bytes of `span`, as the end of the body unless there is `more`.

        Raises EOFError when the file became shorter or the listener left, and
        TimeoutError when he takes nothing: the answer then ends short.
        """
        loop = asyncio.get_running_loop()
        position, stop, size = span.start, span.stop, FIRST_CHUNK
        async with asyncio.timeout(STALLED_SECONDS) as patience:
            while position < stop:
                chunk = await self._read(fd, position, min(size, stop - position))
                if not chunk:
                    raise EOFError("the file became shorter")
                if gone is not None and gone.done():
                    raise EOFError("the listener left")
                position += len(chunk)
                began = loop.time()
                ends = position >= stop and not more
                await send({"type": "http.response.body", "body": chunk, "more_body": not ends})
                if position < stop:
                    await asyncio.sleep(0)  # a fast listener must not keep the loop to himself
                    now = loop.time()
                    size = FAST_CHUNK if now - began < FAST_SECONDS else SLOW_CHUNK
                    patience.reschedule(now + STALLED_SECONDS)

    async def _read(self, fd: int, position: int, length: int) -> bytes:
        """Up to `length` bytes, from the page cache at once or by the disk pool."""
        if _in_memory(fd, position, length):
            return os.pread(fd, length, position)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.disk, os.pread, fd, length, position)


async def _departure(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


_NOWAIT = getattr(os, "RWF_NOWAIT", 0)  # Linux only
_READ_AHEAD = 128 * 1024  # the kernel fills its cache in steps of this
_probe = bytearray(1)


def _in_memory(fd: int, position: int, length: int) -> bool:
    """Whether reading this would not wait for the disk: one byte of each step is asked for."""
    if not _NOWAIT:
        return False
    try:
        for offset in (*range(position, position + length, _READ_AHEAD), position + length - 1):
            if os.preadv(fd, [_probe], offset, _NOWAIT) == 0:
                return False
    except OSError:  # EAGAIN, or a file system that cannot say
        return False
    return True


def _open(path: bytes) -> OpenFile:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    facts = os.fstat(fd)
    if not stat.S_ISREG(facts.st_mode):
        os.close(fd)
        raise IsADirectoryError(errno.EISDIR, "not a regular file")
    return OpenFile(fd, facts.st_size, int(facts.st_mtime))


def respond(
    answer: Answer, opened: OpenFile, method: str, request: dict[str, str]
) -> tuple[dict[str, Any], tuple[Span, ...], Multipart | None]:
    """The start message, and the spans or the multipart layout that follow it.

    The application's validators are used where it sent any; otherwise they come
    from the file's time and size, as nginx makes them.
    """
    size = opened.size
    sent_etag, sent_date = answer.header(b"etag"), answer.header(b"last-modified")
    etag = sent_etag.decode("latin-1") if sent_etag else f'"{opened.modified:x}-{size:x}"'
    modified = http_date(sent_date.decode("latin-1")) if sent_date else opened.modified
    headers: list[Header] = [pair for pair in answer.headers if pair[0] not in _OURS]
    if not sent_etag:
        headers.append((b"etag", etag.encode("latin-1")))
    if not sent_date:
        headers.append((b"last-modified", formatdate(modified, usegmt=True).encode()))
    headers.append((b"accept-ranges", b"bytes"))

    status = evaluate(request, method, etag, modified)
    if status == 304:
        kept = [pair for pair in headers if pair[0] not in _ONLY_WITH_BODY]
        return _start(304, kept), (), None
    if status == 412:
        return _start(412, [*headers, (b"content-length", b"0")]), (), None
    whole = (Span(0, size),) if size and method == "GET" else ()
    full = _start(200, [*headers, (b"content-length", b"%d" % size)]), whole, None
    if method != "GET" or not range_applies(request.get("if-range"), etag, modified):
        return full
    match parse_range(request.get("range"), size):
        case Partial(spans=(span,)):
            headers.append((b"content-range", span.content_range(size).encode()))
            headers.append((b"content-length", b"%d" % len(span)))
            return _start(206, headers), (span,), None
        case Partial(spans=spans):
            media_type = (answer.header(b"content-type") or b"application/octet-stream").decode(
                "latin-1"
            )
            layout = multipart(spans, size, media_type, token_hex(12))
            headers = [pair for pair in headers if pair[0] != b"content-type"]
            headers.append((b"content-type", layout.content_type.encode("latin-1")))
            headers.append((b"content-length", b"%d" % layout.length))
            return _start(206, headers), (), layout
        case Unsatisfiable() as outcome:
            headers = [pair for pair in headers if pair[0] not in _ONLY_WITH_BODY]
            headers.append((b"content-range", outcome.content_range.encode()))
            headers.append((b"content-length", b"0"))
            return _start(416, headers), (), None
    return full


def _start(status: int, headers: list[Header]) -> dict[str, Any]:
    return {"type": "http.response.start", "status": status, "headers": headers}
