"""What a foreign feed said and no row of ours holds: kept as XML, and said again in our feed.

The XML is that of a record in which only the left-over fields are filled, written by our writer
and read by our reader. Where a row has something to say, the row wins.
"""

from copy import deepcopy
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from lxml import etree

from feeds.importing import channel as channel_reading
from feeds.importing import item as item_reading
from feeds.importing.elements import Node
from feeds.importing.notes import Notes
from feeds.namespaces import DECLARED
from feeds.records import Channel, Item
from feeds.text import scrubbed
from feeds.writing import channel as channel_writing
from feeds.writing import item as item_writing

_DECLARATIONS = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in DECLARED.items())


def item_xml(item: Item) -> str:
    """The elements of a record, each with its namespaces declared on itself."""
    return _elements(item_writing.children(scrubbed(item)))


def channel_xml(channel: Channel) -> str:
    return _elements(channel_writing.children(scrubbed(channel)))


@lru_cache(maxsize=256)
def item_from(xml: str) -> Item:
    """The record that `item_xml` was given; an empty one for what is no XML."""
    node = _node(xml)
    return Item() if node is None else item_reading.item(node)


@lru_cache(maxsize=64)
def channel_from(xml: str) -> Channel:
    node = _node(xml)
    return Channel() if node is None else channel_reading.channel(node)


def with_leftovers[Record: (Channel, Item)](record: Record, left: Record) -> Record:
    """`record`, with what only `left` says. Lists are joined, in this order, without doubles.

    A left-over `itunes:title` is said as long as the title is the one it came with: `left.title`.
    """
    changes: dict[str, Any] = {}
    for field in fields(record):
        own, other = getattr(record, field.name), getattr(left, field.name)
        if isinstance(own, tuple) and other:
            changes[field.name] = own + tuple(part for part in other if part not in own)
        elif other and own in ("", None, False):
            changes[field.name] = other
    if "itunes_title" in changes and left.title != record.title:
        del changes["itunes_title"]
    return replace(record, **changes) if changes else record


def _elements(inside: str) -> str:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    root = etree.fromstring(f"<x{_DECLARATIONS}>{inside}</x>".encode(), parser)
    rows = []
    for child in root:
        alone = deepcopy(child)
        alone.tail = None
        etree.cleanup_namespaces(alone)
        rows.append(etree.tostring(alone, encoding="unicode"))
    return "\n".join(rows)


def _node(xml: str) -> Node | None:
    if not xml.strip():
        return None
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        return Node(etree.fromstring(f"<x>{xml}</x>".encode(), parser), Notes())
    except etree.XMLSyntaxError:
        return None
