"""Notes as `description`: Apple takes 4,000 bytes and cuts anywhere, so we cut between blocks."""

from collections.abc import Iterator
from html import escape

from lxml import etree, html

from feeds.text import legal

#: Apple Podcasts: “The maximum amount of text allowed for this tag is 4000 bytes.”
LONGEST = 4000

#: Of these a part is as good as the whole, as long as it ends between two children.
_CONTAINERS = {"ul", "ol", "div", "section", "article", "blockquote", "dl"}


def shorten(notes: str, page_url: str, longest: int = LONGEST) -> str:
    """HTML notes of at most `longest` bytes of UTF-8, cut where a block ends.

    Notes that fit come back as they are. What was cut ends in a link to `page_url`, where all of
    it stands. Tags are always closed. A first block that is too long by itself is cut between its
    words, without its markup.
    """
    if _size(notes) <= longest:
        return notes
    link = f'<p><a href="{escape(page_url)}">Read on</a></p>' if page_url else ""
    room = longest - _size(link)
    body = html.fragment_fromstring(legal(notes), create_parent="div")
    return (_whole_blocks(body, room) or _words(body, room)) + link


def _whole_blocks(parent: etree._Element, room: int) -> str:
    kept = ""
    for block, element in _blocks(parent):
        left = room - _size(kept)
        if _size(block) <= left:
            kept += block
            continue
        if element is not None and element.tag in _CONTAINERS:
            opening, closing = f"<{element.tag}>", f"</{element.tag}>"
            inside = _whole_blocks(element, left - _size(opening + closing))
            if inside.strip():
                kept += opening + inside + closing
        break
    return kept.rstrip()


def _blocks(parent: etree._Element) -> Iterator[tuple[str, etree._Element | None]]:
    """The children as HTML, with the text between them."""
    if parent.text:
        yield escape(parent.text, quote=False), None
    for child in parent:
        yield html.tostring(child, encoding="unicode", with_tail=False), child
        if child.tail:
            yield escape(child.tail, quote=False), None


def _words(body: etree._Element, room: int) -> str:
    opening, closing = "<p>", "…</p>"
    room -= _size(opening + closing)
    text = " ".join(body.text_content().split())
    cut = text.encode()[: max(room, 0)].decode(errors="ignore")
    # Chinese and Japanese have no spaces to cut at.
    cut = cut.rpartition(" ")[0] or cut
    while _size(escape(cut, quote=False)) > room and cut:
        cut = cut[:-1]
    return opening + cut + closing if cut else ""


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
