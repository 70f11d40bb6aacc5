"""Content codings: which one a client wants (RFC 9110 §12.5.3), and making it."""

import gzip
import re
from functools import lru_cache

import brotli
import zstandard

IDENTITY = "identity"

# Smallest result first: what we choose when the client likes several equally.
CODINGS = ("br", "zstd", "gzip")

# Below this the saving is less than the headers that announce it.
WORTH_CODING = 256

_COMPRESSIBLE = re.compile(
    rb"text/|image/svg\+xml|application/(?:[\w.+-]+\+(?:xml|json)|xml|json|javascript"
    rb"|x-subrip|srt|manifest\+json|rtf|x-ndjson)\s*(?:;|$)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"([^\s;,]+)\s*(?:;\s*q\s*=\s*(\d(?:\.\d{0,3})?))?\s*", re.IGNORECASE | re.ASCII)


def is_compressible(content_type: bytes | None) -> bool:
    """Whether bodies of this media type shrink; sound, pictures and archives do not."""
    return content_type is not None and _COMPRESSIBLE.match(content_type) is not None


@lru_cache(maxsize=256)
def wanted(accept_encoding: bytes | None) -> tuple[str, ...]:
    """The codings to try, best first; the last is always identity.

    Identity ends the list even if the client forbids it: with nothing else to
    give, RFC 9110 prefers an uncoded answer to none.
    """
    if accept_encoding is None or len(accept_encoding) > 512:
        return (IDENTITY,)
    quality: dict[str, float] = {}
    for part in accept_encoding.decode("latin-1").split(","):
        match = _ITEM.fullmatch(part.strip())
        if match is not None:
            name = match[1].lower().removeprefix("x-")
            quality[name] = max(quality.get(name, 0.0), min(float(match[2] or 1), 1.0))
    other = quality.get("*", 0.0)
    # Not named, identity is acceptable but only if nothing named is (§12.4.2).
    plain = quality.get(IDENTITY, 0.001 if "*" not in quality or other else 0.0)
    coded = [(quality.get(name, other), name) for name in CODINGS]
    better = [(q, name) for q, name in coded if q > 0 and q >= plain]
    ordered = sorted(better, key=lambda pair: -pair[0])  # stable: CODINGS decides ties
    return (*(name for _, name in ordered), IDENTITY)


def encode(coding: str, body: bytes) -> bytes:
    """`body` in `coding`. Levels where a feed of a megabyte takes about 20 ms."""
    match coding:
        case "gzip":
            return gzip.compress(body, 6, mtime=0)
        case "br":
            return brotli.compress(body, mode=brotli.MODE_TEXT, quality=5)
        case "zstd":
            return zstandard.ZstdCompressor(level=6).compress(body)
    raise ValueError(f"{coding} is not a coding this can make")
