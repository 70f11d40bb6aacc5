"""Byte ranges: RFC 9110 §14, as arithmetic without files.

A header is answered with one of three outcomes: `Whole` (send everything, 200),
`Partial` (these spans, 206) or `Unsatisfiable` (416). Time is linear in the
header's length, and the spans of one answer never overlap, so that no header
can ask for more bytes than there are.
"""

import re
from dataclasses import dataclass

from episodes.preconditions import http_date

# More ranges than this is not how players read; RFC 9110 §14.2 lets us ignore them.
MOST_RANGES = 5

# Spans closer than the part header between them cost less as one (§15.3.7.2).
WORTH_A_GAP = 128

_BYTES = re.compile(r"\s*bytes\s*=", re.IGNORECASE | re.ASCII)
_SPEC = re.compile(r"(\d*)-(\d*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes `start` up to but not including `stop`."""

    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    def content_range(self, size: int) -> str:
        return f"bytes {self.start}-{self.stop - 1}/{size}"


@dataclass(frozen=True, slots=True)
class Whole:
    """No usable Range: answer as if it had not been there."""


@dataclass(frozen=True, slots=True)
class Partial:
    """One span, or several for `multipart/byteranges`; ascending when merged."""

    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """Understood, and wholly beyond the `size` bytes there are."""

    size: int

    @property
    def content_range(self) -> str:
        return f"bytes */{self.size}"


type Outcome = Whole | Partial | Unsatisfiable


def parse_range(header: str | None, size: int) -> Outcome:
    """What a GET with this Range header gets of `size` bytes.

    An unknown unit, a malformed list, a range that ends before it begins and
    more than `MOST_RANGES` ranges are ignored (`Whole`), as §14.2 allows.
    """
    unit = _BYTES.match(header) if header else None
    if header is None or unit is None:
        return Whole()
    specs = [spec for part in header[unit.end() :].split(",") if (spec := part.strip(" \t"))]
    if not 0 < len(specs) <= MOST_RANGES:
        return Whole()
    spans = []
    for spec in specs:
        match = _SPEC.fullmatch(spec)
        if match is None or spec == "-":
            return Whole()
        first, last = match.groups()
        if not first:
            length = min(_number(last), size)
            if size == 0 and _number(last):
                return Whole()  # a suffix of nothing is all there is, and has no Content-Range
            start, stop = size - length, size
        else:
            start, stop = _number(first), min(_number(last) + 1, size) if last else size
            if last and _number(last) < start:
                return Whole()
        if start < stop:
            spans.append(Span(start, stop))
    return Partial(_merged(spans)) if spans else Unsatisfiable(size)


def _number(digits: str) -> int:
    """The value, exact below 10**18 and 10**18 from there on.

    No file is that long, and converting kilobytes of digits takes quadratic time.
    """
    return int(digits) if len(digits) <= 18 else min(int(digits.lstrip("0")[:19] or 0), 10**18)


def _merged(spans: list[Span]) -> tuple[Span, ...]:
    """Overlapping and nearly touching spans joined; otherwise in the order asked for."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if merged and span.start <= merged[-1].stop + WORTH_A_GAP:
            merged[-1] = Span(merged[-1].start, max(merged[-1].stop, span.stop))
        else:
            merged.append(span)
    return tuple(spans if len(merged) == len(spans) else merged)


def range_applies(if_range: str | None, etag: str | None, modified: int | None) -> bool:
    """Whether If-Range (§13.1.5) lets Range count; without If-Range it does.

    A tag must equal ours by strong comparison; a date must be our Last-Modified
    exactly, not merely later.
    """
    if if_range is None:
        return True
    value = if_range.strip()
    if value.startswith(('"', "W/")):
        return etag is not None and value == etag and not value.startswith("W/")
    date = http_date(value)
    return date is not None and date == modified


@dataclass(frozen=True, slots=True)
class Multipart:
    """A `multipart/byteranges` body (§14.6): each part's bytes follow its head."""

    content_type: str
    parts: tuple[tuple[bytes, Span], ...]
    tail: bytes

    @property
    def length(self) -> int:
        return sum(len(head) + len(span) for head, span in self.parts) + len(self.tail)


def multipart(spans: tuple[Span, ...], size: int, content_type: str, boundary: str) -> Multipart:
    """The layout for two or more spans; `boundary` must not occur in the file (make it random)."""
    parts = []
    for number, span in enumerate(spans):
        lines = [
            ("\r\n" if number else "") + f"--{boundary}",
            f"Content-Type: {content_type}",
            f"Content-Range: {span.content_range(size)}",
            "\r\n",
        ]
        parts.append(("\r\n".join(lines).encode("latin-1"), span))
    return Multipart(
        f"multipart/byteranges; boundary={boundary}",
        tuple(parts),
        f"\r\n--{boundary}--\r\n".encode("ascii"),
    )
