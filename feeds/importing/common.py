"""What channel and item spell alike: dates, flags, numbers and artwork."""

from datetime import datetime

from feeds import parts
from feeds.importing import values
from feeds.importing.elements import Node


def date(node: Node, name: str) -> datetime | None:
    """A moment in whole seconds."""
    text = node.line(name)
    if not text:
        return None
    found = values.moment(text)
    if found is None:
        node.notes.add("read-date", text)
        return None
    if not values.is_rfc2822(text, found):
        node.notes.add("read-date-form", text)
    return found.replace(microsecond=0)


def explicit(node: Node) -> bool | None:
    text = node.line("itunes:explicit")
    if not text:
        return None
    found = values.flag(text)
    if found is None:
        node.notes.add("read-value", "itunes:explicit")
    elif text not in {"true", "false"}:
        node.notes.add("read-explicit-form", text)
    return found


def yes(node: Node, name: str) -> bool:
    """Apple: only “Yes” has an effect, in any case; “no” and its kin are as nothing."""
    return node.line(name).lower() == "yes"


def enumerated(node: Node, name: str, allowed: set[str]) -> str:
    text = node.line(name).lower()
    if text and text not in allowed:
        node.notes.add("read-value", name)
        return ""
    return text


def positive(node: Node, name: str) -> int | None:
    text = node.line(name)
    if not text:
        return None
    found = values.whole(text, least=1)
    if found is None:
        node.notes.add("read-number", name)
    return found


def artwork(node: Node) -> str:
    """`itunes:image`: its href, or where others wrongly put the address."""
    image = node.first("itunes:image")
    if image is None:
        return ""
    if url := image.web_attribute("href"):
        return url
    url = image.web_attribute("url") or image.own_web()
    node.notes.add("read-image-attribute")
    return url


def rss_categories(node: Node) -> tuple[parts.RssCategory, ...]:
    rows = (
        parts.RssCategory(row.own_line(), row.attribute("domain")) for row in node.all("category")
    )
    return tuple(row for row in rows if row.text)
