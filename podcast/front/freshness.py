"""May a shared cache keep this response, and for how long: RFC 9111 §3, §4.2, RFC 5861."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

# Statuses kept at all, each only with an explicit lifetime. No 302, 206 or 5xx.
STORABLE = frozenset((200, 301, 308, 404, 410))

LONGEST = 2**31  # RFC 9111 §1.2.2: larger numbers are read as this

# A directive, with its value in quotes or without (RFC 9111 §5.2).
_DIRECTIVE = re.compile(r'([^\s,;="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?')


# Lifetimes up to this are spent by the nginx in front, if there is one.
SHORT = 60

# A browser's word on what it will do with the answer. What is kept tells apart only `document`,
# a person opening the address as a page, from everything else.
DESTINATION = b"sec-fetch-dest"
PAGE = b"document"


@dataclass(frozen=True, slots=True)
class Terms:
    """How long a stored response may be used; all in seconds since it was asked for.

    `lifetime` is how long it is fresh. `slow` and `broken` are for how long
    after that it may stand in while the application is slow, or failing.
    """

    lifetime: int
    slow: int = 0
    broken: int = 0
    public: bool = False
    immutable: bool = False
    ahead: int = 0  # of these, handed on to the cache in front of us
    shared: bool = False  # the lifetime was given for shared caches, not for the bytes
    varies: bool = False  # a browser that opens it as a page gets an answer of its own


def directives(values: Iterable[str]) -> dict[str, str | None]:
    """Cache-Control as lower-case names and values; the smallest number of a repeated one."""
    found: dict[str, str | None] = {}
    for match in _DIRECTIVE.finditer(", ".join(values)):
        name = match[1].lower()
        value = match[2] if match[2] is not None else match[3]
        if name in found and seconds(found[name]) <= seconds(value):
            continue
        found[name] = value
    return found


def seconds(value: str | None) -> int:
    """delta-seconds; what is not a plain number is 0, so that doubt means stale."""
    if value is None or not value.isascii() or not value.isdigit():
        return 0
    return LONGEST if len(value) > 10 else min(int(value), LONGEST)


def terms(status: int, headers: Iterable[tuple[bytes, bytes]]) -> Terms | None:
    """On which terms to keep this response to a GET without Authorization; None: do not.

    Not kept: anything with Set-Cookie, `private`, `no-store` or `no-cache` (with
    or without field names), a Vary on anything but Accept-Encoding and Sec-Fetch-Dest,
    a coded or partial body, and whatever gives no explicit lifetime, since guessing one
    (§4.2.2) would make the application's freshness untrue.

    By §5.2.2.10 `s-maxage` alone forbids stale answers; `stale-while-revalidate`
    and `stale-if-error` beside it are the application's word that it allows them
    (RFC 5861). `must-revalidate` and `proxy-revalidate` take that back.

    `X-Accel-Expires` (nginx's header: seconds, 0 for "do not keep") sets the
    lifetime in the front alone, over what Cache-Control tells the world; unlike
    in nginx it does not open what Cache-Control forbids.
    """
    if status not in STORABLE:
        return None
    control: list[str] = []
    expires: bytes | None = None
    varies = False
    for name, value in headers:
        if name == b"cache-control":
            control.append(value.decode("latin-1"))
        elif name == b"x-accel-expires":
            expires = value
        elif name == b"vary":
            wanted = {part.strip().lower() for part in value.split(b",")} - {b""}
            if wanted - {b"accept-encoding", DESTINATION}:
                return None
            varies = varies or DESTINATION in wanted
        elif name in (b"set-cookie", b"content-encoding", b"content-range", b"www-authenticate"):
            return None
    said = directives(control)
    if {"private", "no-store", "no-cache"} & said.keys():
        return None
    if expires is not None:
        lifetime = seconds(expires.decode("latin-1"))
        if lifetime == 0:
            return None
    elif "s-maxage" in said:
        lifetime = seconds(said["s-maxage"])
    elif "max-age" in said:
        lifetime = seconds(said["max-age"])
    else:
        return None
    strict = bool({"must-revalidate", "proxy-revalidate"} & said.keys())
    return Terms(
        lifetime,
        slow=0 if strict else seconds(said.get("stale-while-revalidate")),
        broken=0 if strict else seconds(said.get("stale-if-error")),
        public="public" in said,
        immutable="immutable" in said,
        shared="s-maxage" in said or expires is not None,
        varies=varies,
    )


def handed_on(status: int, headers: Iterable[tuple[bytes, bytes]]) -> Terms | None:
    """As `terms`, with an nginx in front of us: a short lifetime is its to spend, not ours.

    Two caches of a second each would lag by two; nginx, which counts in whole
    seconds and takes the last one as fresh, would lag by three. So the front
    keeps the bytes but asks each time, and tells nginx the second in which they
    end (`X-Accel-Expires: @…`). Redirects to files are not kept by nginx and
    stay as they are.
    """
    headers = list(headers)
    agreed = terms(status, headers)
    if agreed is None or not 0 < agreed.lifetime <= SHORT:
        return agreed
    if any(name == b"x-accel-redirect" for name, _ in headers):
        return agreed
    return replace(agreed, lifetime=0, ahead=agreed.lifetime)
