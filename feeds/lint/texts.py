"""What rules ask of texts: markup, length, a shortened quotation."""

import re

_MARKUP = re.compile(r"<[/a-zA-Z][^<>]{0,2000}>|&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,6});")
#: Elements whose content runs or leads away; the W3C's validator warns of them in notes.
ACTIVE = re.compile(
    r"<(script|style|embed|object|iframe|form|meta|link|base|applet)\b", re.IGNORECASE
)
RELATIVE = re.compile(
    r"""<(?:a|img)\s[^<>]{0,2000}?\b(?:href|src)\s*=\s*["'](?!https?:|mailto:|tel:|#|data:)"""
    r"""([^"'<>]{1,200})["']""",
    re.IGNORECASE,
)


def has_markup(text: str) -> bool:
    """Whether a text that is shown as it is holds tags, or was escaped twice."""
    return bool(_MARKUP.search(text))


def size(text: str) -> int:
    """Bytes of UTF-8."""
    return len(text.encode("utf-8", "replace"))


def quoted(text: str, longest: int = 60) -> str:
    return f"“{text}”" if len(text) <= longest else f"“{text[: longest - 1]}…”"
