"""Show notes: Markdown in, safe HTML out, once, on the way in."""

import re
from html import unescape

import nh3
from markdown_it import MarkdownIt

#: What notes may hold. No picture, no style, no svg, no math: each has been a way in.
TAGS = {
    "a", "abbr", "b", "blockquote", "br", "cite", "code", "dd", "del", "dl", "dt", "em", "h2",
    "h3", "h4", "hr", "i", "li", "ol", "p", "pre", "q", "s", "strong", "sub", "sup", "table",
    "tbody", "td", "th", "thead", "time", "tr", "u", "ul",
}  # fmt: skip
ATTRIBUTES = {"a": {"href", "title"}, "time": {"datetime"}, "ol": {"start"}}

#: Raw HTML in Markdown is allowed, since nh3 has the last word.
_markdown = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable(
    ["table", "strikethrough"]
)
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def clean_text(text: str) -> str:
    """`text` without the characters XML 1.0 forbids."""
    return _FORBIDDEN.sub("", text)


def sanitise(html: str) -> str:
    """`html` with only what notes may hold: nothing executable, http(s) and mailto links.

    Sanitising twice gives the same text as sanitising once.
    """
    return nh3.clean(
        clean_text(html),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener nofollow",
        clean_content_tags={"script", "style", "iframe", "object", "svg", "math", "template"},
    ).strip()


def render_notes(markdown: str) -> str:
    """Show notes in Markdown as HTML that is safe to put on a page and into a feed."""
    return sanitise(_markdown.render(clean_text(markdown))) if markdown.strip() else ""


_BLOCK_END = re.compile(r"</(?:p|li|h[1-6]|blockquote|pre|tr|dt|dd)>|<br ?/?>|<hr ?/?>", re.I)


def paragraphs(html: str) -> list[str]:
    """The blocks of sanitised `html` as plain text, in order, none of them empty."""
    blocks = _BLOCK_END.sub("\n\n", html)
    text = unescape(nh3.clean(blocks, tags=set()))
    return [" ".join(block.split()) for block in text.split("\n\n") if block.strip()]
