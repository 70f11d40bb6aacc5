"""A request's headers and target as the front looks at them."""

from typing import Any
from urllib.parse import urlsplit

from podcast.front.wsgi import Header

type Scope = dict[str, Any]
type Headers = dict[bytes, bytes]


def joined(pairs: list[Header]) -> Headers:
    """Headers as a mapping, repeated ones joined in order (RFC 9110 §5.3; cookies by `;`)."""
    headers: Headers = {}
    for name, value in pairs:
        if name in headers:
            value = headers[name] + (b"; " if name == b"cookie" else b", ") + value
        headers[name] = value
    return headers


_CONDITIONS = {
    b"if-match": "if-match",
    b"if-none-match": "if-none-match",
    b"if-modified-since": "if-modified-since",
    b"if-unmodified-since": "if-unmodified-since",
    b"if-range": "if-range",
    b"range": "range",
}


def conditions(headers: Headers) -> dict[str, str]:
    """The headers that select a part or depend on a validator, as text."""
    return {
        text: headers[name].decode("latin-1")
        for name, text in _CONDITIONS.items()
        if name in headers
    }


def origin_form(scope: Scope, headers: Headers) -> tuple[Scope, Headers] | None:
    """A request for `http://host/path` as one for `/path` at that host (RFC 9112 §3.2.2)."""
    target = scope["raw_path"].decode("latin-1")
    if not target.lower().startswith(("http://", "https://")):
        return None
    try:
        parts = urlsplit(target)
    except ValueError:
        return None
    host = parts.netloc.rpartition("@")[2].encode("latin-1")
    scope = {**scope, "raw_path": (parts.path or "/").encode("latin-1")}
    return scope, {**headers, b"host": host}
