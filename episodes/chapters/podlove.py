"""Podlove Simple Chapters 1.2, as a file and as elements of a feed item."""

from collections.abc import Iterable, Iterator

from episodes.chapters.records import Chapter, Draft, UnreadableChapters
from episodes.chapters.times import normal_play_time, parse_seconds

NAMESPACE = "http://podlove.org/simple-chapters"


def read(data: bytes) -> list[Draft]:
    """Every `chapter` element, in whatever spelling of the namespace."""
    # Here, because the child that probes audio imports the records and must start fast.
    from lxml import etree

    # No entity is expanded and nothing is fetched or loaded for a stranger's document.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise UnreadableChapters(
            "bad-xml",
            f"This XML cannot be read: {error.msg}.",
            f"line {error.lineno or 1}",
        ) from None
    found = [element for element in root.iter() if _name(element) == "chapter"]
    if not found and _name(root) != "chapters":
        raise UnreadableChapters(
            "no-chapters", "This XML has no psc:chapter element (Podlove Simple Chapters)."
        )
    return [
        Draft(
            start=parse_seconds(element.get("start", "")),
            title=element.get("title", ""),
            url=element.get("href", ""),
            image=element.get("image", ""),
            where=f"line {element.sourceline}",
        )
        for element in found
    ]


def psc_items(chapters: Iterable[Chapter]) -> Iterator[dict[str, str]]:
    """The attributes of one `psc:chapter` element per listed chapter.

    The format has no way to hide a chapter, so those with `toc` false are left out, and a
    picture that is bytes has no address to give.
    """
    for chapter in chapters:
        if not chapter.toc or not chapter.title:
            continue
        item = {"start": normal_play_time(chapter.start), "title": chapter.title}
        if chapter.url:
            item["href"] = chapter.url
        if chapter.image and isinstance(chapter.image, str):
            item["image"] = chapter.image
        yield item


def _name(element) -> str:
    # Comments and processing instructions have a function for a tag.
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
