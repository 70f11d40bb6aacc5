"""URLs as a feed may hold them: ASCII only, with nothing that needs escaping twice."""

import re
from urllib.parse import quote, urlsplit

# RFC 3986 §2: reserved and unreserved characters, and the sign of an escape.
_PLAIN = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*")
_SAFE = "/#%[]=:;$&()+,!?*@'~"
_INVISIBLE = re.compile("[\t\n\r\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_AUTHORITY = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*://)([^/?#]*)(.*)", re.DOTALL)


def ascii_url(url: str) -> str:
    """`url` with other characters percent-encoded as UTF-8 and its host in IDNA; idempotent.

    Line breaks and tabs inside are dropped, as browsers do (WHATWG URL §4.4).
    """
    if _PLAIN.fullmatch(url):
        return url
    url = _INVISIBLE.sub("", url).strip(" \xa0\u3000\u200b\ufeff")
    match = _AUTHORITY.fullmatch(url)
    if match and not match[2].isascii():
        url = match[1] + _ascii_host(match[2]) + match[3]
    return quote(url, safe=_SAFE)


def _ascii_host(authority: str) -> str:
    user, at, host = authority.rpartition("@")
    name, colon, port = host.partition(":")
    try:
        name = name.encode("idna").decode("ascii")
    except UnicodeError:
        return authority  # left to percent-encoding: no such host exists anyway
    return user + at + name + colon + port


def is_web(url: str) -> bool:
    """Whether `url` is absolute, http or https, and names a host."""
    try:
        split = urlsplit(url)
        return split.scheme in {"http", "https"} and bool(split.hostname)
    except ValueError:
        return False


def extension(url: str) -> str:
    """The lower-case extension that the path of `url` ends in, without dot; often `""`."""
    try:
        name = urlsplit(url).path.rpartition("/")[2]
    except ValueError:
        return ""
    return name.rpartition(".")[2].lower() if "." in name else ""
