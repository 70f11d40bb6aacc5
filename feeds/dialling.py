"""How the one fetcher reaches a server, with httpx: loaded at the first request, not before.

It connects only to public addresses, judged on the address actually dialled:
a name is resolved once, every answer must be public, and the connection is
made to that answer while Host and TLS keep the name.
"""

import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from urllib.parse import SplitResult, urlsplit

import httpcore
import httpx
from django.conf import settings

from feeds.fetching import (
    REDIRECTS,
    Fetched,
    FetchError,
    ForbiddenAddress,
    Limits,
    TooLarge,
    TooSlow,
    check_url,
    joined,
    resolve,
)
from feeds.gunzip import Damaged, Gunzip

CONNECT_SECONDS = 10
USER_AGENT = "podcast-publisher/1.0 (+{site})"


def name_in(url: str) -> str:
    """The host that httpx would dial for `url`. Raises ValueError when it could not."""
    try:
        return httpx.URL(url).host
    except httpx.InvalidURL as error:
        raise ValueError from error


class _Deadline:
    """The end of one whole exchange; no single slow read can outlast it."""

    def __init__(self, seconds: float):
        self.at = time.monotonic() + seconds

    def left(self, timeout: float | None) -> float:
        left = self.at - time.monotonic()
        if left <= 0:
            raise TooSlow("The server took too long to answer.")
        return left if timeout is None else min(timeout, left)


class _Stream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream, deadline: _Deadline):
        self.inner, self.deadline = inner, deadline

    def read(self, max_bytes, timeout=None):
        return self.inner.read(max_bytes, self.deadline.left(timeout))

    def write(self, buffer, timeout=None):
        self.inner.write(buffer, self.deadline.left(timeout))

    def close(self):
        self.inner.close()

    def start_tls(self, ssl_context, server_hostname=None, timeout=None):
        secured = self.inner.start_tls(ssl_context, server_hostname, self.deadline.left(timeout))
        return _Stream(secured, self.deadline)

    def get_extra_info(self, info):
        return self.inner.get_extra_info(info)


class _PublicBackend(httpcore.SyncBackend):
    """Dials the address that was judged, not the name again."""

    def __init__(self, deadline: _Deadline):
        self.deadline = deadline

    def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        address = resolve(host, port)
        stream = super().connect_tcp(
            address, port, self.deadline.left(timeout), local_address, socket_options
        )
        return _Stream(stream, self.deadline)

    def connect_unix_socket(self, *args, **kwargs):
        raise ForbiddenAddress


@cache
def _tls() -> ssl.SSLContext:
    # Reading the system's certificates takes longer than many a request.
    return ssl.create_default_context()


@contextmanager
def _client(seconds: float) -> Iterator[httpx.Client]:
    deadline = _Deadline(seconds)
    transport = httpx.HTTPTransport(verify=_tls(), trust_env=False)
    transport._pool = httpcore.ConnectionPool(
        ssl_context=_tls(),
        network_backend=_PublicBackend(deadline),
        retries=0,
    )
    timeout = httpx.Timeout(min(seconds, 30), connect=CONNECT_SECONDS)
    with httpx.Client(transport=transport, trust_env=False, timeout=timeout) as client:
        yield client


@contextmanager
def opened(
    url: str,
    *,
    method: str,
    headers: dict[str, str] | None,
    auth: tuple[str, str] | None,
    data: dict[str, str] | None,
    limits: Limits,
    redirects: int,
) -> Iterator[tuple[Fetched, Iterator[bytes]]]:
    """As `feeds.fetching.opened`."""
    own = {
        "User-Agent": USER_AGENT.format(site=settings.SITE_URL),
        "Accept-Encoding": "gzip",
        **(headers or {}),
    }
    first = urlsplit(check_url(url))
    hops: list[tuple[int, str]] = []
    with _client(limits.seconds) as client:
        while True:
            check_url(url)
            known = _may_know(first, urlsplit(url))
            sent = own if known else {k: v for k, v in own.items() if k.lower() != "authorization"}
            request = client.build_request(method, url, headers=sent, data=data)
            try:
                response = client.send(
                    request,
                    stream=True,
                    follow_redirects=False,
                    auth=auth if known else None,
                )
            except FetchError:
                raise
            except (httpx.TimeoutException, httpcore.TimeoutException):
                raise TooSlow("The server took too long to answer.") from None
            except (httpx.HTTPError, httpx.InvalidURL, OSError, ssl.SSLError) as error:
                raise FetchError(
                    f"The server could not be asked: {type(error).__name__}."
                ) from None
            moved = response.status_code in REDIRECTS and "location" in response.headers
            if moved and redirects:
                response.close()
                if len(hops) >= redirects:
                    raise FetchError("Too many redirects.")
                url = joined(url, response.headers["location"])
                hops.append((response.status_code, url))
                if response.status_code == 303:
                    method, data = "GET", None
                continue
            break
        head = Fetched(url, response.status_code, response.headers, redirects=tuple(hops))
        try:
            yield head, _chunks(response, limits)
        except (httpx.TimeoutException, httpcore.TimeoutException):
            raise TooSlow("The server took too long to answer.") from None
        except (httpx.HTTPError, httpcore.ProtocolError, httpcore.NetworkError) as error:
            raise FetchError(f"The answer broke off: {type(error).__name__}.") from None
        finally:
            response.close()


def _may_know(first: SplitResult, now: SplitResult) -> bool:
    """Whether credentials for `first` may be sent to `now`."""
    return now.netloc == first.netloc and (first.scheme == "http" or now.scheme == "https")


def _chunks(response: httpx.Response, limits: Limits) -> Iterator[bytes]:
    """The body, decompressed a bounded piece at a time, so that no bomb goes off in memory."""
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in {"identity", "", "gzip", "x-gzip"}:
        raise FetchError(f"The server sent a coding that was not asked for ({coding[:20]}).")
    inflate = Gunzip() if "gzip" in coding else None
    taken = total = 0
    try:
        for raw in response.iter_raw(65536):
            taken += len(raw)  # what unpacks to nothing must end as well
            for piece in inflate.pieces(raw) if inflate else (raw,):
                total += len(piece)
                if total > limits.max_bytes:
                    break
                yield piece
            if max(taken, total) > limits.max_bytes:
                size = limits.max_bytes / 1024 / 1024
                raise TooLarge(f"The answer is larger than {size:.0f} MB.")
            if inflate and inflate.over:
                return
        if inflate and taken:
            inflate.end()
    except Damaged as damage:
        raise FetchError(f"The answer's compression {damage}.") from None
