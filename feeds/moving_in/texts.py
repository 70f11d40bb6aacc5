"""Descriptions of a foreign feed as our notes and summary.

The HTML is sanitised and otherwise kept. Our notes are Markdown, in which HTML may stand as it
is when no empty line ends the block: `as_notes` writes it so that rendering gives it back.
"""

import re
from html import escape, unescape

from episodes.notes import paragraphs, render_notes, sanitise
from feeds.text import line

#: Bytes of UTF-8 that a summary may have (Apple, PSP-1).
SUMMARY_BYTES = 4000

#: Letters up to which a text without markup is a summary, and no notes.
SUMMARY_ONLY = 500

_MARKUP = re.compile(r"<(?:/?[a-zA-Z][a-zA-Z0-9:-]*(?:\s[^<>]*)?/?|!--.*?--)>", re.DOTALL)
_FORMATTING = re.compile(r"<(?!/?(?:p|br)\b)[a-zA-Z]")
_CUT = re.compile(r"(?:\[?(?:…|\.\.\.)\]?|Readon|Readmore|Continuereading)+$", re.IGNORECASE)
_BLANK = re.compile(r"\n[ \t]*(?=\n)")
_PRE = re.compile(r"<pre>.*?</pre>", re.DOTALL)


def notes_and_summary(description: str, content: str, summary: str) -> tuple[str, str]:
    """Safe HTML for the notes and plain text for the summary, neither saying the other again.

    `content:encoded` is the notes where there is one, else the description. A text without
    markup that is one short paragraph is a summary only.
    """
    notes = as_html(content) or as_html(description)
    short = plain(summary)
    if not short and content and not is_beginning(description, notes):
        short = plain(description)
    if not notes and short:
        notes = as_html(summary)
    if not short or same_text(notes, short):
        only = " ".join(paragraphs(notes))
        one = len(paragraphs(notes)) == 1 and not _FORMATTING.search(notes) and "<br" not in notes
        return ("", only) if one and len(only) <= SUMMARY_ONLY else (notes, "")
    return notes, shortened(short)


def as_html(text: str) -> str:
    """Safe HTML; a text without any markup is plain, and its paragraphs are made ones."""
    if not _MARKUP.search(text):
        blocks = re.split(r"\n\s*\n", unescape(text).strip())
        text = "\n".join(
            f"<p>{escape(block.strip(), quote=False)}</p>".replace("\n", "<br>\n")
            for block in blocks
            if block.strip()
        )
    clean = sanitise(text)
    return stable(clean) if paragraphs(clean) else ""


def stable(html: str) -> str:
    """Without empty lines, which would end a block of HTML in Markdown."""
    html = _PRE.sub(lambda match: match[0].replace("\n", "&#10;"), html)
    return sanitise(_BLANK.sub("", html))


def as_notes(html: str) -> str:
    """Notes (Markdown) that render to exactly `html`, which `as_html` has made."""
    if not html or render_notes(html) == html:
        return html
    guarded = _PRE.sub(lambda match: match[0].replace("\n", "&#10;"), html)
    # A block of HTML that the sanitiser takes away again.
    return f"<div>\n{guarded}\n</div>"


def plain(text: str) -> str:
    """Paragraphs of plain text with empty lines between."""
    if not text:
        return ""
    if _MARKUP.search(text):
        return "\n\n".join(paragraphs(sanitise(text)))
    blocks = re.split(r"\n\s*\n", unescape(text).strip())
    return "\n\n".join(line(block) for block in blocks if block.strip())


def same_text(html: str, text: str) -> bool:
    return _letters(" ".join(paragraphs(html))) == _letters(text)


def is_beginning(description: str, notes: str) -> bool:
    """Whether a description is only the beginning of the notes, as generators cut it."""
    start = _CUT.sub("", _letters(plain(description)))
    return _letters(" ".join(paragraphs(notes))).startswith(start)


def shortened(text: str, longest: int = SUMMARY_BYTES) -> str:
    """At most `longest` bytes of UTF-8, cut between words."""
    if len(text.encode()) <= longest:
        return text
    cut = text.encode()[: longest - 3].decode(errors="ignore")
    return (cut.rpartition(" ")[0] or cut).rstrip() + "…"


def _letters(text: str) -> str:
    return "".join(text.split())
