"""Elements that no field holds: kept as XML that stands by itself, where that is harmless."""

import re
from collections.abc import Iterable
from copy import deepcopy

from lxml import etree

from feeds.importing.elements import Node, name_of, parts_of
from feeds.importing.notes import Notes
from feeds.namespaces import is_active
from feeds.text import repaired

#: Characters of extra elements kept for one channel or item.
LARGEST = 64 * 1024

_NAME = re.compile(r"[^\W\d][\w.\-]*")
_NO_URI = re.compile('[\\s{}<>"\x80-\x9f\ufffd]')

#: Namespaces of which no unknown element is kept: ours to write, or about the old host's service.
_LEFT_OUT = {"itunes", "atom", "content", "psc", "fh", "rdf", "feedburner", "enc"}


def extra_xml(node: Node, known: Iterable[str]) -> tuple[str, ...]:
    """The children that are not in `known`, each with its namespaces declared on itself."""
    known = set(known)
    kept: list[str] = []
    room = LARGEST
    for child in node.element:
        if not isinstance(child.tag, str):
            continue
        name = name_of(child.tag)
        if name in known:
            continue
        namespace, local = parts_of(child.tag)
        if not namespace or name.partition(":")[0] in _LEFT_OUT or not _is_sound(child):
            node.notes.skipped[name or child.tag] += 1
            continue
        if is_active(namespace):
            node.notes.add("read-active", local)
            node.notes.skipped[local] += 1
            continue
        text = _alone(child, node.notes)
        if not _is_well_formed(text):
            node.notes.skipped[name or child.tag] += 1
            continue
        if len(text) > room:
            node.notes.add("read-too-much")
            break
        room -= len(text)
        kept.append(text)
    return tuple(kept)


def _is_sound(element: etree._Element) -> bool:
    """Whether every name in it has its namespace, which a mended document cannot promise."""
    for each in element.iter():
        if not isinstance(each.tag, str) or not _is_name(each.tag):
            return False
        if any(not _is_name(str(key)) for key in each.attrib):
            return False
    return True


def _is_well_formed(text: str) -> bool:
    """Whether it would spoil our feed, as a namespace that is no URI does."""
    try:
        etree.fromstring(text, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        return False
    return True


def _is_name(name: str) -> bool:
    namespace, local = parts_of(name)
    return bool(_NAME.fullmatch(local)) and not _NO_URI.search(namespace)


def _alone(element: etree._Element, notes: Notes) -> str:
    alone = deepcopy(element)
    alone.tail = None
    for each in list(alone.iter()):
        # <x></x> and <x/> are one thing, and shall be one text.
        each.text = each.text or None
        for key in list(each.attrib):
            uri, local = parts_of(str(key))
            # on… are events in the HTML and SVG that a browser may take these for.
            if is_active(uri) or _is_event(local):
                del each.attrib[key]
        uri, local = parts_of(str(each.tag))
        if each is not alone and is_active(uri):
            notes.add("read-active", local)
            _remove(each)
    etree.cleanup_namespaces(alone)
    return repaired(etree.tostring(alone, encoding="unicode"))


def _is_event(name: str) -> bool:
    return name.lower().startswith("on") and len(name) > 4


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)
