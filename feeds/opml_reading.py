"""OPML in: the feeds that a list names. Outlines may be nested; each feed counts once."""

from dataclasses import dataclass

from lxml import etree

from episodes.findings import Unreadable
from feeds.addresses import ascii_url, is_web
from feeds.importing.decoding import LARGEST, decode
from feeds.text import line

MOST_FEEDS = 5_000


@dataclass(frozen=True, slots=True)
class ListedFeed:
    url: str
    title: str = ""


def read_opml(data: bytes) -> tuple[ListedFeed, ...]:
    """The feeds in their order. Raises Unreadable for what is no OPML, or names no feed."""
    if len(data) > LARGEST:
        raise Unreadable("too-large", "The list is larger than 25 MB and is not read.")
    text = decode(data).text
    if "<!ENTITY" in text[:100_000]:
        raise Unreadable("entities", "The list declares entities, which no list of feeds needs.")
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, recover=True
    )
    start = text.find("<")
    root = (
        etree.fromstring(text[max(start, 0) :].encode("utf-8", "replace"), parser)
        if text.strip()
        else None
    )
    if root is None or etree.QName(root).localname.lower() != "opml":
        raise Unreadable("not-opml", "This is no OPML. Export the list of feeds again as OPML.")
    found: dict[str, ListedFeed] = {}
    for outline in root.iter("{*}outline"):
        names = {str(key).lower(): str(value) for key, value in outline.attrib.items()}
        url = ascii_url(names.get("xmlurl", "").strip())
        if is_web(url) and len(found) < MOST_FEEDS:
            title = line(names.get("title") or names.get("text") or "")
            found.setdefault(url, ListedFeed(url, title))
    if not found:
        raise Unreadable("no-feeds", "The list names no feed: no outline has an xmlUrl.")
    return tuple(found.values())
