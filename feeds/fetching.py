"""The one fetcher: every request this site makes to somebody else's server goes through here.

It connects only to public addresses, judged on the address actually dialled
(feeds/dialling.py). Redirects are judged hop by hop. Time, size (counted after
decompression) and hops are bounded.
"""

import socket
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from django.conf import settings

from feeds.internet import is_public

MAX_REDIRECTS = 5
REDIRECTS = {301, 302, 303, 307, 308}
MAX_URL = 4000


class FetchError(Exception):
    """It could not be fetched; the message is fit for an editor and tells nothing of us."""


class ForbiddenAddress(FetchError):
    """The address is not one this site may ask: the same words whatever the reason."""

    def __init__(self):
        super().__init__(
            "This address cannot be fetched: only public http and https addresses are allowed."
        )


class TooLarge(FetchError):
    pass


class TooSlow(FetchError):
    pass


@dataclass(frozen=True, slots=True)
class Limits:
    """`max_bytes` counts what is left after decompression; `seconds` the whole exchange."""

    max_bytes: int = 50 * 1024 * 1024
    seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Fetched:
    url: str
    status: int
    headers: Mapping[str, str]  # by names in any case
    body: bytes = b""
    redirects: tuple[tuple[int, str], ...] = field(default=())


def check_url(url: str) -> str:
    """`url` when it may be asked for. Raises ForbiddenAddress for anything odd about it."""
    if len(url) > MAX_URL or any(ord(c) <= 32 or ord(c) == 127 for c in url) or "\\" in url:
        raise ForbiddenAddress
    from feeds.dialling import name_in

    try:
        parts = urlsplit(url)
        port = parts.port
        dialled = name_in(url)
    except ValueError:
        raise ForbiddenAddress from None
    # What was judged and what will be dialled must be the same name.
    if dialled.lower() != (parts.hostname or "").lower():
        raise ForbiddenAddress
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username is not None:
        raise ForbiddenAddress
    allowed = {80, 443, *settings.FETCH_PORTS}
    if port is not None and port not in allowed and not settings.FETCH_PRIVATE:
        raise ForbiddenAddress
    return url


def resolve(host: str, port: int) -> str:
    """The address to dial for `host`. Raises ForbiddenAddress when any answer is not public."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise FetchError("The server's name could not be found. Check the address.") from None
    addresses = [answer[4][0] for answer in answers]
    if not settings.FETCH_PRIVATE and not all(is_public(str(a)) for a in addresses):
        raise ForbiddenAddress
    return str(addresses[0])


def opened(
    url: str,
    *,
    method: str = "GET",
    headers: dict[str, str] | None = None,
    auth: tuple[str, str] | None = None,
    data: dict[str, str] | None = None,
    limits: Limits = Limits(),
    redirects: int = MAX_REDIRECTS,
) -> AbstractContextManager[tuple[Fetched, Iterator[bytes]]]:
    """The answer's head, and its body as decompressed chunks within the limits.

    With `redirects` 0 a redirect is an answer like others. Credentials, by `auth` or as a header,
    go to the first host only, and never from https to http. Raises FetchError and its kinds.
    """
    from feeds import dialling  # httpx is loaded by the first request, if there is one

    return dialling.opened(
        url,
        method=method,
        headers=headers,
        auth=auth,
        data=data,
        limits=limits,
        redirects=redirects,
    )


def joined(url: str, location: str) -> str:
    """Where a redirect leads. Raises ForbiddenAddress when that is no address at all."""
    try:
        return urljoin(url, location)
    except ValueError:
        raise ForbiddenAddress from None


def fetch(url: str, **options) -> Fetched:
    """`url` with its whole body in memory; options as for `opened`."""
    with opened(url, **options) as (head, chunks):
        body = b"".join(chunks)
    return Fetched(head.url, head.status, head.headers, body, head.redirects)
