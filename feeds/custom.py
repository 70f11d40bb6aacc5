"""Elements an editor adds by hand, and those an import brought that we do not know.

They are kept as text: one or more elements, each with its namespaces declared,
put into the feed as they are.
"""

from functools import lru_cache

from django.core.exceptions import ValidationError
from lxml import etree

from feeds.namespaces import ATOM, CONTENT, ITUNES, canonical, is_active

#: Elements in these namespaces are ours to write; a second one would break the feed.
OURS = {"": "RSS itself", ITUNES: "itunes", ATOM: "atom", CONTENT: "content"}


class BadElements(ValueError):
    """What was pasted is not well-formed, or not in a namespace of its own."""


def parse_elements(text: str) -> list[etree._Element]:
    """The top-level elements of `text`. Raises BadElements with line and reason."""
    if not text.strip():
        return []
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = etree.fromstring(f"<wrap>{text}</wrap>".encode(), parser)
    except etree.XMLSyntaxError as error:
        raise BadElements(
            f"This is not well-formed XML (line {error.lineno}: {error.msg}). "
            "Declare the namespace on each element: "
            '<ex:tag xmlns:ex="https://example.org/ns">…</ex:tag>.'
        ) from None
    if root.text and root.text.strip():
        raise BadElements("There is text outside any element.")
    for element in root:
        if not isinstance(element.tag, str):
            raise BadElements("Only elements are taken: no comments or instructions.")
        if element.tail and element.tail.strip():
            raise BadElements("There is text outside any element.")
    return list(root)


def check_elements(text: str) -> None:
    """Raises BadElements unless well-formed, in a namespace that is not ours, and inert."""
    for element in parse_elements(text):
        namespace = canonical(etree.QName(element).namespace or "")
        if namespace in OURS:
            name = etree.QName(element).localname
            raise BadElements(
                f"<{name}> belongs to {OURS[namespace]}, which has fields of its own. "
                "Put only elements of other namespaces here."
            )
        for each in element.iter():
            _check_inert(each)


def check_inert(text: str) -> None:
    """Raises BadElements for what a browser would run or render; whose it is does not matter.

    What is no XML at all is never written into a feed, and passes.
    """
    try:
        found = parse_elements(text)
    except BadElements:
        return
    for element in found:
        for each in element.iter():
            _check_inert(each)


def _check_inert(element: etree._Element) -> None:
    """A browser that opens the feed shall run nothing of it as part of this site."""
    if not isinstance(element.tag, str):
        return
    for name in (element.tag, *map(str, element.attrib)):
        namespace, local = etree.QName(name).namespace or "", etree.QName(name).localname
        if is_active(namespace):
            raise BadElements(
                f"“{local}” is of a namespace that browsers run or render ({namespace}). "
                "A feed may not hold it: take it out."
            )
    for name in element.attrib:
        if str(name).lower().startswith("on"):
            raise BadElements(f"The attribute “{name}” could run as a script: take it out.")


def validate_custom_xml(text: str) -> None:
    """`check_elements` as a validator of the models' `custom_xml`; see `feeds.apps`."""
    try:
        check_elements(text)
    except BadElements as error:
        raise ValidationError(str(error), code="custom_xml") from None


@lru_cache(maxsize=512)
def elements(text: str) -> tuple[str, ...]:
    """The elements of `text`, each as XML with its namespaces declared; () when it is not XML."""
    try:
        rows = parse_elements(text)
    except BadElements:
        return ()
    for row in rows:
        row.tail = None
    return tuple(etree.tostring(row, encoding="unicode") for row in rows)
