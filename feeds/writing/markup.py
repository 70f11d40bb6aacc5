"""Pieces of XML as text, escaped once. About ten times as fast as a SAX generator.

Texts that come here are free of forbidden characters, or the generator will notice and start
again from a scrubbed record (`feeds.text`).
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import format_datetime

from feeds.text import block, line

type Attribute = tuple[str, object]


def escape(text: str) -> str:
    # `>` is escaped for the sake of "]]>", which may not stand in text.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quote(text: str) -> str:
    return escape(text).replace('"', "&quot;")


def element(name: str, text: str = "", attributes: Iterable[Attribute] = ()) -> str:
    """An element with a one-line text; attributes that are `""` or None are left out."""
    return (
        f"{opening(name, attributes)}>{escape(line(text))}</{name}>"
        if text
        else (f"{opening(name, attributes)}/>")
    )


def parent(name: str, children: str, attributes: Iterable[Attribute] = ()) -> str:
    return f"{opening(name, attributes)}>{children}</{name}>"


def opening(name: str, attributes: Iterable[Attribute]) -> str:
    pairs = [
        f' {key}="{quote(line(value)) if isinstance(value, str) else value}"'
        for key, value in attributes
        if value is not None and value != ""
    ]
    return f"<{name}{''.join(pairs)}"


def optional(name: str, text: str) -> str:
    """`name` with a one-line text, or nothing for an empty one."""
    text = line(text)
    return f"<{name}>{escape(text)}</{name}>" if text else ""


def optional_block(name: str, text: str) -> str:
    """`name` with a text of several lines, or nothing for an empty one."""
    text = block(text)
    return f"<{name}>{escape(text)}</{name}>" if text else ""


def optional_html(name: str, html: str) -> str:
    """HTML as CDATA, where it is readable; "]]>" is split over two sections."""
    html = block(html)
    if not html:
        return ""
    if "<" not in html and "&" not in html:
        return f"<{name}>{escape(html)}</{name}>"
    return f"<{name}><![CDATA[{html.replace(']]>', ']]]]><![CDATA[>')}]]></{name}>"


def flag(value: bool) -> str:
    return "true" if value else "false"


def yes_no(value: bool) -> str:
    return "yes" if value else "no"


def rfc2822(moment: datetime) -> str:
    """`Thu, 05 Mar 2026 07:05:09 +0000`: UTC and English, whatever the locale."""
    return format_datetime(_utc(moment))


def iso8601(moment: datetime) -> str:
    return _utc(moment).isoformat().replace("+00:00", "Z")


def number(value: float | Decimal | None) -> str:
    """Decimal digits without exponent; `12` rather than `12.0`."""
    if value is None:
        return ""
    digits = format(Decimal(repr(value)) if isinstance(value, float) else Decimal(value), "f")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def _utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError(f"A moment in a feed needs a time zone: {moment!r}")
    return moment.astimezone(UTC)
