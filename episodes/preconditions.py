"""Conditional requests: RFC 9110 §13, for whoever holds the validators.

Header values are text, None when the header is absent; several lines of one
header are joined with ", " first. Dates are whole seconds since 1970. Nothing
here raises on hostile input: what cannot be read counts as absent.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from django.utils.http import parse_http_date_safe

# RFC 9110 §8.8.3: optional W/, then any of these characters in quotes.
# A comma may stand inside a tag, so lists are scanned and never split.
_ETAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')

# What a proxy that compresses adds to a tag inside its quotes, so that each coding has its own:
# Apache's mod_deflate and mod_brotli `-gzip` and `-br`, Jetty `--gzip`, others `;gzip`.
_CODED = re.compile(r'(?:--?|;)(?:gzip|br|zstd|deflate)"$')


def etags(header: str) -> list[str]:
    """The quoted tags of a list, weak marks kept; `["*"]` for the wildcard."""
    return ["*"] if header.strip() == "*" else _ETAG.findall(header)


def opaque(etag: str) -> str:
    """The tag without its weak mark: what weak comparison (§8.8.3.2) compares."""
    return etag.removeprefix("W/")


def uncoded(etag: str) -> str:
    """The tag as we gave it, if a proxy marked it with the coding it made of our bytes."""
    return _CODED.sub('"', etag)


def matches_weakly(header: str, etag: str | None) -> bool:
    """If-None-Match: is the current `etag` in the list? `*` matches whatever exists.

    A tag that a proxy marked as one coding of ours counts as ours: the mark is taken away from
    what the client lists and never from `etag`. Whoever makes tags must therefore end none with
    such a mark, or two of its own would be taken for one; nor with a hyphen, which a mark may be
    written with twice.
    """
    listed = etags(header)
    if listed == ["*"] or etag is None:
        return listed == ["*"]
    ours = opaque(etag)
    return any(ours in (tag, uncoded(tag)) for tag in map(opaque, listed))


def matches_strongly(header: str, etag: str | None) -> bool:
    """If-Match: the very tag that was given, and neither it nor `etag` a weak one."""
    listed = etags(header)
    return listed == ["*"] or (etag is not None and etag[:2] != "W/" and etag in listed)


@lru_cache(maxsize=512)
def http_date(header: str | None) -> int | None:
    """Seconds since 1970 from any of the three forms of §5.6.7; None if it is not one date."""
    return parse_http_date_safe(header) if header and len(header) <= 64 else None


def evaluate(
    headers: Mapping[str, str], method: str, etag: str | None, modified: int | None
) -> int:
    """200, 304 or 412, in the order of §13.2.2, for a representation that exists.

    `headers` has lower-case names. A date header is looked at only where the
    tag header of its pair is absent (§13.1.3, §13.1.4).
    """
    if (tags := headers.get("if-match")) is not None:
        if not matches_strongly(tags, etag):
            return 412
    elif modified is not None:
        since = http_date(headers.get("if-unmodified-since"))
        if since is not None and modified > since:
            return 412
    reading = method in {"GET", "HEAD"}
    if (tags := headers.get("if-none-match")) is not None:
        if matches_weakly(tags, etag):
            return 304 if reading else 412
    elif reading and modified is not None:
        since = http_date(headers.get("if-modified-since"))
        if since is not None and modified <= since:
            return 304
    return 200
