"""The front: an ASGI application before a WSGI one, with the two jobs of a reverse proxy.

It keeps what the application lets it keep (cache.py) and sends the files the
application points at (files.py). Everything else goes to the application on a
small pool of threads (wsgi.py) with its body counted (body.py). It knows HTTP
and nothing of podcasts; taking it away changes speed, not behaviour.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from time import monotonic

from episodes.preconditions import evaluate, http_date
from podcast.front import coding, wsgi
from podcast.front.application import SLOWEST_READER, Application, give
from podcast.front.body import BodyRefused, ClientGone, linger, read_body
from podcast.front.cache import SharedCache
from podcast.front.entry import Entry
from podcast.front.files import FIRST_CHUNK, STALLED_SECONDS, Files, Receive, Send
from podcast.front.freshness import DESTINATION, PAGE
from podcast.front.options import Options
from podcast.front.requests import Headers, Scope, conditions, joined, origin_form
from podcast.front.store import Key
from podcast.front.wsgi import Answer, Header, plain

logger = logging.getLogger(__name__)

# A GET with one of these is the application's own to judge (RFC 9111 §3.5, §4.3.2),
# or is no GET that a cache should see.
_UNSHARED = frozenset(
    (
        b"authorization",
        b"if-match",
        b"if-unmodified-since",
        b"content-length",
        b"transfer-encoding",
    )
)
# Not passed on when the answer may be kept: it must be whole, plain and for everyone.
_NOT_ASKED = frozenset((b"if-none-match", b"if-modified-since", b"accept-encoding", DESTINATION))

_EMPTY = {"type": "http.response.body", "body": b""}


class Front:
    """`application` is the WSGI callable; one Front serves one process."""

    def __init__(self, application: Callable, options: Options):
        self.options = options
        self.site = Application(application, options.threads, options.trusted_proxies)
        self.cache = SharedCache(options.cache_bytes, options.x_accel)
        # Reads that miss the page cache, spooling and compression: all of it waits for
        # the disk or works outside the interpreter lock.
        self.disk = ThreadPoolExecutor(4, "disk")
        self.files = Files(options.media_root, options.protected_prefix, self.disk)
        self._session = options.session_cookie + b"="
        self._entries = self.cache.store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._other(scope, receive, send)
            return
        try:
            await self._request(scope, receive, send)
        except (TimeoutError, EOFError) as error:
            # Returning with the answer incomplete makes the server close the connection.
            logger.info("gave up on %s: %s", scope["raw_path"], error or "nobody reads it")

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = monotonic()
        pairs = scope["headers"]
        headers = dict(pairs)
        if len(headers) != len(pairs):
            headers = joined(pairs)
        method = scope["method"]
        if (method == "GET" or method == "HEAD") and _UNSHARED.isdisjoint(headers):
            key = (
                scope["scheme"],
                headers.get(b"host", b""),
                scope["raw_path"],
                scope["query_string"],
                headers.get(DESTINATION) == PAGE,
            )
            entry = self._entries.get(key)
            cookie = headers.get(b"cookie")
            if cookie is not None and self._session in cookie:
                # An editor sees the site as the application has it this moment,
                # but versioned files are the same for everyone.
                if entry is not None and not (entry.terms.public and entry.terms.immutable):
                    entry = None
                key = None  # type: ignore[assignment]
            if entry is not None and start < entry.fresh_until:
                if start >= entry.soon and key is not None:
                    self.cache.renew_early(key, entry, self._asking(scope, headers))
                await self._from_entry(entry, key, method, headers, start, receive, send)
                return
        else:
            key = None
        await self._uncached(scope, headers, key, start, receive, send)

    # From the cache

    async def _from_entry(
        self,
        entry: Entry,
        key: Key | None,
        method: str,
        headers: Headers,
        now: float,
        receive: Receive,
        send: Send,
    ) -> None:
        if entry.file is not None:
            answer = Answer(entry.status, [*entry.headers, *entry.validators])
            await self._send_file(answer, method, headers, receive, send)
            return
        body = entry.body
        name = coding.IDENTITY
        if body.compressible:
            name = coding.wanted(headers.get(b"accept-encoding"))[0]
            if name not in body.coded:
                await body.make(name, self.disk)
                self.cache.weigh(key, body)
                if name not in body.coded:
                    name = coding.IDENTITY
        reply = entry.reply(name, now)
        tags = headers.get(b"if-none-match")
        since = headers.get(b"if-modified-since")
        if b"x-nginx-cache" in headers and since is None and entry.modified:
            tags = None  # its own question, about an answer that had no date yet (docs/nginx.conf)
        if (tags is not None or since is not None) and entry.unchanged_for(tags, since):
            await send(reply.not_modified)
            await send(_EMPTY)
        elif method == "HEAD":
            await send(reply.start)
            await send(_EMPTY)
        elif (size := len(reply.body["body"])) > FIRST_CHUNK:
            async with asyncio.timeout(STALLED_SECONDS + size / SLOWEST_READER):
                await send(reply.start)
                await send(reply.body)
        else:
            await send(reply.start)
            await send(reply.body)

    # By the application

    async def _uncached(
        self,
        scope: Scope,
        headers: Headers,
        key: Key | None,
        start: float,
        receive: Receive,
        send: Send,
    ) -> None:
        options = self.options
        if scope["raw_path"] == b"*" and scope["method"] == "OPTIONS":
            await self._give(Answer(204, []), scope, send)  # the server itself: it is there
            return
        if not scope["raw_path"].startswith(b"/"):
            absolute = origin_form(scope, headers)
            if absolute is None:
                await self._give(
                    plain(400, "The request target is not an address here."), scope, send
                )
                return
            scope, headers = absolute
            key = None
        if scope["raw_path"].startswith(self.files.prefix):
            await self._give(plain(404, "Not found."), scope, send)  # internal, as in nginx
            return
        method = scope["method"]
        # A HEAD is asked as a GET, which the application renders for either: so it has the same
        # headers, and the GET after it finds its answer made.
        if key is not None and headers.get(b"host", b"") in options.hosts:
            answer = await self.cache.answer(key, start, self._asking(scope, headers))
            if isinstance(answer, Entry):
                await self._from_entry(answer, key, method, headers, monotonic(), receive, send)
                return
            if answer is not None and not (method == "HEAD" and answer.status // 100 == 3):
                await self._finish(answer, scope, headers, receive, send)
                return
            if answer is not None:
                wsgi.close(answer)  # an address to go to may be signed for one method alone
        try:
            answer = await self._pass(scope, headers, receive)
        except BodyRefused as refusal:
            closing = (b"connection", b"close")
            await self._give(plain(refusal.status, str(refusal), closing), scope, send)
            await linger(receive)
            return
        except ClientGone:
            return
        if method not in ("GET", "HEAD", "OPTIONS", "TRACE") and answer.status < 400:
            host = headers.get(b"host", b"")
            self.cache.forget(
                (scope["scheme"], host, scope["raw_path"], scope["query_string"], False)
            )
        if answer.header(b"x-accel-redirect") is not None:
            await self._send_file(answer, method, headers, receive, send)
        else:
            await self._give(answer, scope, send)

    def _asking(self, scope: Scope, headers: Headers) -> Callable:
        """How the cache puts this request to the application: without the client's conditions."""
        scope = {**scope, "method": "GET"}
        kept = [pair for pair in headers.items() if pair[0] not in _NOT_ASKED]

        async def ask(conditions: list[Header], page: bool) -> Answer:
            asked = [*kept, (DESTINATION, PAGE)] if page else kept
            if conditions:  # a renewal is about the whole, and about nobody in particular
                asked = [p for p in asked if p[0] not in (b"range", b"if-range", b"cookie")]
            return await self.site.call(scope, [*asked, *conditions], BytesIO(), 0)

        return ask

    async def _pass(self, scope: Scope, headers: Headers, receive: Receive) -> Answer:
        """The application's own answer to this very request, body and all."""
        declared = headers.get(b"content-length")
        if b"transfer-encoding" not in headers and declared in (None, b"0"):
            return await self.site.call(scope, list(headers.items()), BytesIO(), 0)
        options = self.options
        limit = options.body_limit
        signed_in = self._session in headers.get(b"cookie", b"")
        if signed_in and scope["raw_path"].startswith(options.upload_prefix):
            limit = options.upload_limit
        length = int(declared) if declared is not None and declared.isdigit() else None
        body, size = await read_body(receive, length, limit, options.spool_directory, self.disk)
        return await self.site.call(scope, list(headers.items()), body, size)

    async def _finish(
        self, answer: Answer, scope: Scope, headers: Headers, receive: Receive, send: Send
    ) -> None:
        """Send an answer that was asked for without the client's conditions: apply them now."""
        if answer.header(b"x-accel-redirect") is not None:
            await self._send_file(answer, scope["method"], headers, receive, send)
            return
        if answer.status == 200 and (
            b"if-none-match" in headers or b"if-modified-since" in headers
        ):
            etag, date = answer.header(b"etag"), answer.header(b"last-modified")
            status = evaluate(
                conditions(headers),
                scope["method"],
                etag.decode("latin-1") if etag else None,
                http_date(date.decode("latin-1")) if date else None,
            )
            if status == 304:
                wsgi.close(answer)
                kept = [p for p in answer.headers if not p[0].startswith(b"content-")]
                answer = Answer(304, kept)
        if scope["method"] == "HEAD" and answer.status != 304:
            length = (b"content-length", b"%d" % answer.length)
            answer.headers = [*(p for p in answer.headers if p[0] != length[0]), length]
        await self._give(answer, scope, send)

    async def _give(self, answer: Answer, scope: Scope, send: Send) -> None:
        await give(answer, scope["method"], send, self.disk)

    async def _send_file(
        self, answer: Answer, method: str, headers: Headers, receive: Receive, send: Send
    ) -> None:
        if self.options.x_accel:
            await self._give_redirect(answer, send)
            return
        instead = await self.files.send(answer, method, conditions(headers), receive, send)
        if instead is not None:
            await give(instead, method, send, self.disk)

    async def _give_redirect(self, answer: Answer, send: Send) -> None:
        """Leave the file to the nginx in front: the headers alone, X-Accel-Redirect among them."""
        wsgi.close(answer)
        headers = [p for p in answer.headers if p[0] != b"content-length"]
        headers.append((b"content-length", b"0"))
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send(_EMPTY)

    async def _other(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lifespan is followed; a websocket is refused."""
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})
            return
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            else:
                self.site.threads.shutdown(wait=False, cancel_futures=True)
                self.disk.shutdown(wait=False, cancel_futures=True)
                await send({"type": "lifespan.shutdown.complete"})
                return
