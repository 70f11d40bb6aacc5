"""XML text to a tree that is safe to walk: no entities, no network, bounded depth and size."""

import re

from lxml import etree

from episodes.findings import Unreadable
from feeds.importing.mending import mended
from feeds.importing.notes import Notes

#: Tags and attributes, which cost memory each. 10,000 items of 30 elements have 800,000.
MOST_MARKS = 1_000_000
#: In one start tag; more is no feed.
LONGEST_TAG = 256 * 1024

_ATTRIBUTES = re.compile(rf"<[A-Za-z_][^<>]{{{LONGEST_TAG}}}")


def tree(text: str, notes: Notes) -> etree._Element:
    """The root element of `text`, which begins with it. Raises Unreadable."""
    if _marks(text) > MOST_MARKS or _ATTRIBUTES.search(text):
        raise _too_large()
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), _parser())
    except etree.XMLSyntaxError as error:
        first = error
    if text.count("&") > MOST_MARKS:
        raise _too_large()
    recovering = _parser(recover=True)
    root = etree.fromstring(mended(text).encode("utf-8", "replace"), recovering)
    if root is None:
        raise Unreadable("not-xml", "This is not a feed: there is no XML in it.")
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in recovering.error_log):
        raise _too_large()
    line = f"line {first.lineno}: {first.msg}"
    if "Namespace prefix" not in (first.msg or ""):
        notes.add("read-not-well-formed", line)
    if any(entry.type_name == "ERR_TAG_NOT_FINISHED" for entry in recovering.error_log):
        notes.add("read-truncated")
    return root


def _too_large() -> Unreadable:
    return Unreadable("too-large", "The document is too large or too deep to be a feed.")


def _parser(recover: bool = False) -> etree.XMLParser:
    return etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        strip_cdata=True,
        recover=recover,
    )


def _marks(text: str) -> int:
    # Markup in CDATA is text, and costs no nodes; it is told apart only when it matters.
    count = text.count("<") + text.count("=")
    if count <= MOST_MARKS:
        return count
    count = at = 0
    while True:
        start = text.find("<![CDATA[", at)
        end = text.find("]]>", start) if start >= 0 else -1
        if end < 0:
            return count + text.count("<", at) + text.count("=", at)
        count += text.count("<", at, start) + text.count("=", at, start)
        at = end + 3
