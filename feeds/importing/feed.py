"""From bytes to a ParsedFeed: decode, find the root, build a safe tree, read its records."""

import re
from dataclasses import dataclass

from lxml import etree, html

from episodes.findings import Finding, Unreadable
from feeds.importing import channel as channel_reading
from feeds.importing import item as item_reading
from feeds.importing.decoding import LARGEST, decode, decompressed
from feeds.importing.elements import Node, name_of
from feeds.importing.mending import split_prolog
from feeds.importing.notes import Notes
from feeds.importing.trees import tree
from feeds.namespaces import DECLARED, canonical, is_exact
from feeds.records import Channel, Item

MOST_ITEMS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedFeed:
    """`skipped` are names of elements that were left out, with how often each was there."""

    channel: Channel
    items: tuple[Item, ...]
    findings: tuple[Finding, ...] = ()
    skipped: tuple[tuple[str, int], ...] = ()
    encoding: str = "utf-8"


def parse(data: bytes, *, base_url: str = "", content_type: str = "") -> ParsedFeed:
    """RSS 2.0, 1.0 and 0.9x as records, in the order of the document.

    `base_url` is where the document came from; relative addresses are completed with it.
    Raises Unreadable for what is no feed, and for what no feed needs to be: entities, a depth of
    256 elements, 50,000 items, a million tags, 25 MB.
    """
    if len(data) > LARGEST:
        raise _too_large()
    plain = decompressed(data)
    if len(plain) > LARGEST:
        raise _too_large()
    if not plain.strip(b" \t\r\n\0\xef\xbb\xbf"):
        raise Unreadable("empty", "The file is empty. Check the address of the feed.")
    decoded = decode(plain, content_type)
    notes = Notes(base=base_url)
    if decoded.wrong:
        notes.add("read-encoding", decoded.wrong)
    prolog, text = split_prolog(decoded.text.lstrip("\ufeff"))
    _refuse_others(prolog, text)
    if "<?xml" in prolog and not prolog.startswith("<?xml"):
        notes.add("read-before-declaration")
    if "<!doctype" in prolog.lower():
        notes.add("read-doctype")
    root = tree(text, notes)
    _notice_namespaces(root, notes)
    channel_element, item_elements = _parts(root)
    if len(item_elements) > MOST_ITEMS:
        raise Unreadable("too-large", f"The feed has more than {MOST_ITEMS:,} items.")
    channel = channel_reading.channel(Node(channel_element, notes))
    items = []
    for number, element in enumerate(item_elements, 1):
        notes.where = f"item {number}"
        items.append(item_reading.item(Node(element, notes)))
    return ParsedFeed(
        channel=channel,
        items=tuple(items),
        findings=tuple(notes.found),
        skipped=tuple(sorted(notes.skipped.items())),
        encoding=decoded.encoding,
    )


def identity(item: Item) -> str:
    """What an item is known by: its guid, else its enclosure's address, else link, else title."""
    return item.guid or (item.enclosure.url if item.enclosure else "") or item.link or item.title


def _parts(root: etree._Element) -> tuple[etree._Element, list[etree._Element]]:
    """The channel and all items, which RSS 1.0 and careless generators put beside it."""
    name = name_of(root.tag)
    channel = root if name == "channel" else None
    items = []
    for child in root:
        if not isinstance(child.tag, str):
            continue
        if channel is None and name_of(child.tag) == "channel":
            channel = child
        elif name_of(child.tag) == "item":
            items.append(child)
    if channel is not None and channel is not root:
        within = [c for c in channel if isinstance(c.tag, str) and name_of(c.tag) == "item"]
        items = within + items
    return (root if channel is None else channel), items


def _refuse_others(prolog: str, text: str) -> None:
    start = re.match(r"<([^\s/>]{1,60})", text)
    local = start[1].rpartition(":")[2].lower() if start else ""
    if local in {"rss", "rdf", "channel"}:
        return
    if "<!doctype html" in prolog.lower() or local in {"html", "head", "body"}:
        raise _web_page(text)
    if local == "feed":
        raise Unreadable(
            "atom",
            "This is an Atom feed. Podcast directories take RSS only, and so do we: look for the "
            "show's RSS address.",
        )
    if local == "opml":
        raise Unreadable(
            "opml", "This is a list of feeds (OPML). Give the address of one of the feeds in it."
        )
    if prolog.lstrip().startswith("{"):
        raise Unreadable(
            "json", "This is JSON. Podcast apps read RSS: look for the show's RSS address."
        )
    raise Unreadable(
        "not-a-feed", "This is not an RSS feed. Check the address: it should lead to RSS."
    )


def _web_page(text: str) -> Unreadable:
    message = "This is a web page, not a feed."
    try:
        links = html.fromstring(text[:500_000]).iter("link")
        found = [
            str(link.get("href"))
            for link in links
            if (link.get("type") or "").lower() == "application/rss+xml" and link.get("href")
        ]
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        found = []
    if found:
        return Unreadable("web-page", f"{message} It names this feed: {found[0][:300]}")
    return Unreadable("web-page", f"{message} Look there for a link to its RSS feed.")


def _too_large() -> Unreadable:
    return Unreadable(
        "too-large", f"The feed is larger than {LARGEST // 1024 // 1024} MB and is not read."
    )


def _notice_namespaces(root: etree._Element, notes: Notes) -> None:
    seen = set(root.nsmap.values())
    undeclared = set()
    for element in root.iter():
        if isinstance(element.tag, str) and not element.tag.startswith("{") and ":" in element.tag:
            undeclared.add(element.tag.partition(":")[0])
    for uri in sorted(uri for uri in seen if uri):
        if canonical(uri) in DECLARED.values() and not is_exact(uri):
            notes.add("read-namespace", uri)
    for prefix in sorted(undeclared)[:10]:
        notes.add("read-undeclared-prefix", prefix)
