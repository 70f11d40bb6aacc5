"""One stored response, ready to be sent: headers are laid out once per coding, not per request."""

import asyncio
from concurrent.futures import Executor
from email.utils import formatdate

from episodes.preconditions import http_date, matches_weakly
from podcast.front import coding
from podcast.front.freshness import Terms
from podcast.front.wsgi import Header

# Made by the front for each variant, or about one connection only (RFC 9111 §3.1).
_MADE_HERE = frozenset(
    b"content-length etag vary date age connection keep-alive transfer-encoding "
    b"proxy-authenticate proxy-authentication-info proxy-authorization trailer upgrade "
    b"x-accel-expires x-accel-buffering".split()
)
# What a 304 repeats of the 200 (RFC 9110 §15.4.5), and what browsers check on either.
_ON_304 = frozenset(
    b"cache-control content-location expires last-modified cross-origin-resource-policy "
    b"access-control-allow-origin access-control-expose-headers timing-allow-origin".split()
)
# Describe the stored body, so a 304 from the application does not replace them (§3.2).
_OF_THE_BODY = frozenset((b"content-length", b"content-type", b"content-encoding", b"etag"))

# An estimate of what an entry costs beside its bytes: Python's objects and the key.
OVERHEAD = 4096

# A client that waits longer than this for its coding gets the plain bytes.
LONGEST_WAIT_FOR_CODING = 5.0


class Body:
    """The bytes of a representation with the codings made of them so far.

    Shared by the entries that follow each other while a validator says the bytes
    are the same, so a coding is made once per body, by whoever wants it first.
    """

    __slots__ = ("coded", "compressible", "making")

    def __init__(self, plain: bytes, compressible: bool):
        self.coded: dict[str, bytes] = {coding.IDENTITY: plain}
        self.compressible = compressible and len(plain) >= coding.WORTH_CODING
        self.making: dict[str, asyncio.Future] = {}

    @property
    def plain(self) -> bytes:
        return self.coded[coding.IDENTITY]

    @property
    def size(self) -> int:
        return sum(map(len, self.coded.values()))

    def same_as(self, other: "Body") -> bool:
        return self.compressible == other.compressible and self.plain == other.plain

    async def make(self, name: str, pool: Executor) -> None:
        """Have coding `name` in `coded`: one maker in the pool, everyone else waits for it.

        A coding that saves nothing is stored as the plain bytes themselves.
        """
        maker = self.making.get(name)
        if maker is None:
            loop = asyncio.get_running_loop()
            maker = loop.run_in_executor(pool, coding.encode, name, self.plain)
            self.making[name] = maker
        try:
            made = await asyncio.wait_for(asyncio.shield(maker), LONGEST_WAIT_FOR_CODING)
        except TimeoutError:
            return
        self.coded[name] = made if len(made) < len(self.plain) else self.plain


class SameHeaders(list[Header]):
    """Headers that are sent again and again, Date among them.

    A server may keep beside them what it made of them (podcast/front/worker.py).
    """

    __slots__ = ("laid_out", "scanned")

    def __init__(self, headers: list[Header]):
        super().__init__(headers)
        self.scanned: tuple | None = None
        self.laid_out: dict[tuple, bytes] = {}


class Reply:
    """The messages for one coding of an entry at one age in seconds."""

    __slots__ = ("age", "body", "not_modified", "start")

    def __init__(self, entry: "Entry", name: str, age: int):
        body = entry.body.coded[name]
        coded = body is not entry.body.plain
        etag = entry.etag
        if coded and etag is not None and not etag.startswith(b"W/"):
            etag = b"W/" + etag  # one strong tag must not stand for two codings (§8.8.1)
        made: list[Header] = [(b"date", entry.date)]
        first: list[Header] = []
        if entry.ends is not None:
            # Before Cache-Control, of which nginx then reads no more.
            first.append((b"x-accel-expires", b"@%d" % entry.ends))
        if etag is not None:
            made.append((b"etag", etag))
        if vary := entry.vary:
            made.append((b"vary", vary))
        if age > 0:
            made.append((b"age", b"%d" % age))
        headers = [*first, *entry.headers, *made]
        if coded:
            headers.append((b"content-encoding", name.encode()))
        headers.append((b"content-length", b"%d" % len(body)))
        kept = [pair for pair in entry.headers if pair[0] in _ON_304]
        self.age = age
        self.start = {
            "type": "http.response.start",
            "status": entry.status,
            "headers": SameHeaders(headers),
        }
        self.body = {"type": "http.response.body", "body": body}
        self.not_modified = {
            "type": "http.response.start",
            "status": 304,
            "headers": SameHeaders([*first, *kept, *made]),
        }


class Entry:
    """A stored response with its terms, on the monotonic clock.

    `asked` is when the application was asked: it answered from a state that was
    no older, so counting from there errs towards stale. The entry is sent without
    a word to the application until `soon`, is renewed in the background until
    `fresh_until`, and from there on only stands in while the application is slow
    (`slow_until`) or failing (`broken_until`). `ends` is the second, of the clock
    on the wall, in which a cache in front of us must stop using it.
    """

    __slots__ = (
        "asked",
        "body",
        "broken_until",
        "date",
        "ends",
        "etag",
        "file",
        "fresh_until",
        "headers",
        "modified",
        "replies",
        "retry_at",
        "slow_until",
        "soon",
        "status",
        "terms",
    )

    def __init__(
        self,
        status: int,
        headers: list[Header],
        body: Body,
        terms: Terms,
        asked: float,
        clock: float,
    ):
        self.status = status
        self.headers = [pair for pair in headers if pair[0] not in _MADE_HERE]
        named = dict(headers)
        self.file = named.get(b"x-accel-redirect")
        self.etag = named.get(b"etag")
        date = named.get(b"last-modified")
        self.modified = http_date(date.decode("latin-1")) if date else None
        self.body = body
        self.terms = terms
        self.asked = asked
        self.date = formatdate(clock, usegmt=True).encode()
        # For nginx a thing that ends in a second is fresh to the end of that second.
        self.ends = int(clock) + terms.ahead - 1 if terms.ahead else None
        self.fresh_until = asked + terms.lifetime
        early = min(terms.lifetime / 4, 1.0) if terms.slow else 0.0
        self.soon = self.fresh_until - early
        self.slow_until = self.fresh_until + terms.slow
        self.broken_until = self.fresh_until + terms.broken
        self.retry_at = 0.0
        self.replies: dict[str, Reply] = {}

    def freshened(self, headers: list[Header]) -> list[Header]:
        """The stored headers with those of a 304 in the place of their namesakes."""
        new = [pair for pair in headers if pair[0] not in _OF_THE_BODY]
        names = {name for name, _ in new}
        kept = [pair for pair in self.headers if pair[0] not in names]
        if self.etag is not None:
            kept.append((b"etag", self.etag))
        if self.vary and b"vary" not in names:
            kept.append((b"vary", self.vary))
        return kept + new

    @property
    def validators(self) -> list[Header]:
        """ETag, Vary and Date as sent, for whoever lays out the headers anew."""
        named = [(b"etag", self.etag), (b"vary", self.vary or None), (b"date", self.date)]
        return [(name, value) for name, value in named if value is not None]

    @property
    def size(self) -> int:
        return self.body.size + sum(len(k) + len(v) for k, v in self.headers) + OVERHEAD

    @property
    def vary(self) -> bytes:
        names = [b"Accept-Encoding"] if self.body.compressible else []
        return b", ".join([*names, b"Sec-Fetch-Dest"] if self.terms.varies else names)

    def serves(self, start: float) -> bool:
        """Whether a request that began at `start` may have this without a further question."""
        return start < self.fresh_until or start < self.asked

    def reply(self, name: str, now: float) -> Reply:
        """The messages for coding `name`, which must have been made, at this age."""
        age = int(now - self.asked)
        reply = self.replies.get(name)
        if reply is None or reply.age != age:
            reply = self.replies[name] = Reply(self, name, age)
        return reply

    def unchanged_for(self, if_none_match: bytes | None, if_modified_since: bytes | None) -> bool:
        """Whether these request headers ask for a 304 (RFC 9110 §13.1.2, §13.1.3)."""
        if self.status != 200:
            return False
        if if_none_match is not None:
            if if_none_match == self.etag:
                return True
            etag = self.etag.decode("latin-1") if self.etag is not None else None
            return matches_weakly(if_none_match.decode("latin-1"), etag)
        if if_modified_since is None or self.modified is None:
            return False
        since = http_date(if_modified_since.decode("latin-1"))
        return since is not None and self.modified <= since


def conditions(entry: Entry) -> list[Header]:
    """The conditional headers with which to ask whether `entry` is still true."""
    asked: list[Header] = []
    if entry.etag is not None:
        asked.append((b"if-none-match", entry.etag))
    elif entry.modified is not None:
        date = formatdate(entry.modified, usegmt=True).encode()
        asked.append((b"if-modified-since", date))
    return asked
