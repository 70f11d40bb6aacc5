"""The WSGI application seen from the event loop: a pool of threads, a queue with an end."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import IO, Any

from podcast.front import wsgi
from podcast.front.files import FIRST_CHUNK, STALLED_SECONDS, Send
from podcast.front.peers import Networks, client_address
from podcast.front.wsgi import Answer, Header, plain

logger = logging.getLogger(__name__)

# More calls than this waiting for a thread are answered 503 instead of queueing for minutes.
LONGEST_QUEUE = 256

# In bytes a second: slower, a client that is sent one large body has gone without saying so.
SLOWEST_READER = 512


class Application:
    """Calls `application` on `threads` threads, each call to its end on one of them."""

    def __init__(self, application: Callable, threads: int, trusted_proxies: Networks):
        self.application = application
        self.trusted_proxies = trusted_proxies
        self.threads = ThreadPoolExecutor(threads, "wsgi")
        self.waiting = 0

    async def call(
        self, scope: dict[str, Any], headers: list[Header], body: IO[bytes], length: int
    ) -> Answer:
        """The answer to `scope` with these headers; takes over `body` and closes it.

        A client that leaves meanwhile does not stop the call: what it writes is written.
        """
        if self.waiting >= LONGEST_QUEUE:
            body.close()
            logger.error("%d requests are waiting for the application", self.waiting)
            return plain(503, "Too busy, try again shortly.", (b"retry-after", b"2"))
        client = scope.get("client")
        if self.trusted_proxies and client is not None:
            forwarded = dict(headers).get(b"x-forwarded-for", b"").decode("latin-1")
            address = client_address(client[0], forwarded, self.trusted_proxies)
            scope = {**scope, "client": (address, client[1])}
        environment = wsgi.environ(scope, headers, body, length)
        self.waiting += 1
        loop = asyncio.get_running_loop()
        future = self.threads.submit(wsgi.call, self.application, environment)
        future.add_done_callback(lambda _: None if loop.is_closed() else self._count_down(loop))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            # Still queued, it will not run; running, its answer is for nobody.
            future.add_done_callback(lambda done: _discard(done, body))
            raise

    def _count_down(self, loop: asyncio.AbstractEventLoop) -> None:
        def count() -> None:
            self.waiting -= 1

        loop.call_soon_threadsafe(count)


def _discard(future: Future, body: IO[bytes]) -> None:
    if future.cancelled():
        body.close()
    elif future.exception() is None:
        wsgi.close(future.result())


async def give(answer: Answer, method: str, send: Send, disk: Executor) -> None:
    """Send an answer as it is, from memory or from its temporary file, which it closes.

    Content-Length is what there is to send, whatever the application said, except
    to HEAD, where it alone knows. With 204 and 304 there is none (RFC 9110 §8.6): a
    cache would take the 0 that Django says for the length of what it has stored.
    """
    empty = answer.status in (204, 304)
    bodiless = empty or method == "HEAD"
    headers = answer.headers
    if empty or not bodiless:
        headers = [p for p in headers if p[0] != b"content-length"]
    if not bodiless:
        headers = [*headers, (b"content-length", b"%d" % answer.length)]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if bodiless or answer.file is None:
        wsgi.close(answer)
        body = b"" if bodiless else answer.body
        async with asyncio.timeout(STALLED_SECONDS + len(body) / SLOWEST_READER):
            await send({"type": "http.response.body", "body": body})
        return
    loop = asyncio.get_running_loop()
    file = answer.file
    try:
        await loop.run_in_executor(disk, file.seek, 0)
        while chunk := await loop.run_in_executor(disk, file.read, FIRST_CHUNK):
            async with asyncio.timeout(STALLED_SECONDS):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        file.close()
