"""One element and its children by name, read by the rules by which ours are written."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

from lxml import etree, html

from feeds.addresses import ascii_url, is_web
from feeds.importing.notes import Notes
from feeds.namespaces import BY_PREFIX, ITUNES, PODCAST, PREFIXES, canonical
from feeds.text import block, legal, line, repaired

#: What a prefix means that a document uses without declaring it.
_UNDECLARED = {**BY_PREFIX, "i": ITUNES, "it": ITUNES, "p": PODCAST, "pod": PODCAST}

_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,24}/", re.IGNORECASE)

_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"

#: A browser that is led there runs what it says, or opens what is on the listener's disk.
_DANGEROUS = {"javascript", "vbscript", "data", "file", "about", "blob", "filesystem"}


_HTML_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{0,20}")


def parts_of(tag: str) -> tuple[str, str]:
    """Namespace and local name of a tag or attribute, which a mended document may have mangled."""
    if tag.startswith("{"):
        uri, _, local = tag[1:].rpartition("}")
        return uri, local
    return "", tag


@lru_cache(maxsize=4096)
def name_of(tag: str) -> str:
    """`title`, `itunes:image`: lower case, our prefix; `""` for a namespace we do not know."""
    if tag.startswith("{"):
        uri, local = parts_of(tag)
        uri = canonical(uri)
    else:
        prefix, _, local = tag.rpartition(":")
        uri = _UNDECLARED.get(prefix.lower(), prefix and "?")
    if not uri:
        return local.lower()
    prefix = PREFIXES.get(uri, "")
    return f"{prefix}:{local.lower()}" if prefix else ""


class Node:
    """An element whose children are asked for by name."""

    __slots__ = ("_children", "element", "notes")

    def __init__(self, element: etree._Element, notes: Notes):
        self.element = element
        self.notes = notes
        self._children: dict[str, list[etree._Element]] = defaultdict(list)
        for child in element:
            if isinstance(child.tag, str):
                self._children[name_of(child.tag)].append(child)

    def all(self, name: str) -> Iterator["Node"]:
        """The children named so, in document order."""
        for element in self._children.get(name.lower(), ()):
            yield Node(element, self.notes)

    def has(self, name: str) -> bool:
        return name.lower() in self._children

    def count(self, name: str) -> int:
        return len(self._children.get(name.lower(), ()))

    def first(self, name: str) -> "Node | None":
        """The first child named so that is not empty; a second one is noticed."""
        rows = self._children.get(name.lower(), ())
        if not rows:
            return None
        if len(rows) > 1:
            self.notes.add("read-duplicate", name)
            rows = [row for row in rows if len(row) or row.attrib or (row.text or "").strip()]
        return Node(rows[0], self.notes) if rows else None

    def line(self, name: str) -> str:
        """The text of a child as one line, `""` without one."""
        child = self.first(name)
        return child.own_line() if child else ""

    def block(self, name: str) -> str:
        child = self.first(name)
        return child.own_block() if child else ""

    def html(self, name: str) -> str:
        """The HTML that a child holds as text; markup written out as elements is HTML too."""
        child = self.first(name)
        if child is None:
            return ""
        if not len(child.element):
            return child.own_block()
        inside = child.element.text or ""
        parts = [inside.replace("&", "&amp;").replace("<", "&lt;")]
        for element in child.element:
            copied = _without_namespaces(element)
            parts.append(html.tostring(copied, encoding="unicode", with_tail=True))
        return block(repaired("".join(parts)))

    def web(self, name: str) -> str:
        """The text of a child when it is a web address, else `""`."""
        child = self.first(name)
        return child.own_web() if child else ""

    def own_text(self) -> str:
        if len(self.element):
            return "".join(text for text in self.element.itertext() if isinstance(text, str))
        return self.element.text or ""

    def own_line(self) -> str:
        return line(repaired(self.own_text()))

    def own_block(self) -> str:
        return block(repaired(self.own_text()))

    def own_identifier(self) -> str:
        """A text that is compared, and so not repaired."""
        return block(legal(self.own_text()))

    def own_web(self) -> str:
        return self._web(self.own_text())

    def attribute(self, *names: str) -> str:
        """The first of these attributes that is not empty, in any case and namespace."""
        for name in names:
            value = self.element.get(name)
            if value is None:
                for key, other in self.element.attrib.items():
                    local = str(key).rpartition("}")[2].rpartition(":")[2]
                    if local.lower() == name.lower():
                        value = other
                        break
            if value and (text := line(repaired(str(value)))):
                return text
        return ""

    def web_attribute(self, *names: str) -> str:
        return self._web(self.attribute(*names))

    def any_url(self, *names: str) -> str:
        """A URL that may have another scheme than http, such as magnet: or nostr:."""
        url = ascii_url(self.attribute(*names))
        if not url:
            return ""
        scheme = _scheme(url)
        if not scheme:
            return self._web(url)
        if scheme in _DANGEROUS:
            self.notes.add("read-url", url)
            return ""
        return url

    def _web(self, text: str) -> str:
        url = ascii_url(block(text))
        if not url:
            return ""
        if is_web(url):
            return url
        if not _scheme(url):
            # `example.org/1` lacks its scheme; nobody has a folder of that name.
            joined = f"http://{url}" if _HOST.match(url) else _joined(self._base(), url)
            if is_web(joined):
                self.notes.add("read-url-relative", url)
                return ascii_url(joined)
        self.notes.add("read-url", url)
        return ""

    def _base(self) -> str:
        base = self.notes.base
        ancestors = [self.element, *self.element.iterancestors()]
        for element in reversed(ancestors):
            if own := element.get(_XML_BASE):
                base = _joined(base, own) if base else own
        return base


def _scheme(url: str) -> str:
    try:
        return urlsplit(url).scheme.lower()
    except ValueError:
        return "?"


def _joined(base: str, url: str) -> str:
    try:
        return urljoin(base, url)
    except ValueError:
        return ""


def _without_namespaces(element: etree._Element) -> etree._Element:
    """XHTML written as elements, as the HTML that it stands for."""
    plain = html.Element("span")
    plain.text = element.text
    if isinstance(element.tag, str):
        local = parts_of(element.tag)[1].rpartition(":")[2]
        if _HTML_NAME.fullmatch(local):
            plain = html.Element(local)
        plain.text = element.text
        for key, value in element.attrib.items():
            if _HTML_NAME.fullmatch(str(key)):
                plain.set(key, value)
    plain.tail = element.tail
    for child in element:
        plain.append(_without_namespaces(child))
    return plain
