"""Text that is almost XML to text that an XML parser takes. Every pass is linear."""

import re
from html.entities import html5

from episodes.findings import Unreadable
from feeds.text import FORBIDDEN

_XML = {"amp", "lt", "gt", "quot", "apos"}
_NUMBER = re.compile(r"&#(?:[xX]0*([0-9A-Fa-f]+)|0*([0-9]+));?")
_REFERENCE = re.compile(
    r"&(?:(#(?:[xX][0-9A-Fa-f]{1,8}|[0-9]{1,8}));|([A-Za-z][A-Za-z0-9]{1,31});|)"
)
_ROOT = re.compile(r"<[A-Za-z_]")
_SPACE = " \t\r\n"
_SKIPPED = (("<!--", "-->"), ("<?", "?>"))


def split_prolog(text: str) -> tuple[str, str]:
    """What stands before the root element, and the rest.

    Raises Unreadable for a DOCTYPE that declares entities: feeds need none, and attacks do.
    """
    at = 0
    while True:
        opened = text.find("<", at)
        if opened < 0:
            return text, ""
        for start, end in _SKIPPED:
            if text.startswith(start, opened):
                closed = text.find(end, opened)
                if closed < 0:
                    return text, ""
                at = closed + len(end)
                break
        else:
            if text[opened : opened + 9].lower() == "<!doctype":
                at = _doctype_end(text, opened)
            elif _ROOT.match(text, opened):
                return text[:opened], text[opened:]
            else:
                at = opened + 1


def _doctype_end(text: str, start: int) -> int:
    closed = text.find(">", start)
    subset = text.find("[", start)
    if 0 <= subset < closed:
        end = text.find("]", subset)
        inside = text[subset : end if end > 0 else None]
        if "<!ENTITY" in inside.upper():
            raise Unreadable(
                "entities",
                "The document declares entities, which feeds do not need and attacks are made "
                "of. It is not read. Ask its publisher for a feed without a DOCTYPE.",
            )
        closed = text.find(">", end) if end > 0 else -1
    return closed + 1 if closed >= 0 else len(text)


def mended(text: str) -> str:
    """Without forbidden characters; every `&` is a reference that XML knows."""
    text = _NUMBER.sub(_number, FORBIDDEN.sub("", text))
    pieces = []
    at = 0
    while True:
        # Within CDATA and comments an ampersand is an ampersand.
        cdata, comment = text.find("<![CDATA[", at), text.find("<!--", at)
        starts = [start for start in (cdata, comment) if start >= 0]
        if not starts:
            break
        start = min(starts)
        end = text.find("]]>" if start == cdata else "-->", start)
        if end < 0:
            break
        pieces += [_REFERENCE.sub(_reference, text[at:start]), text[start : end + 3]]
        at = end + 3
    pieces.append(_REFERENCE.sub(_reference, text[at:]))
    return "".join(pieces)


def _number(match: re.Match) -> str:
    """A reference by number, unless it is to what XML forbids: that is fatal wherever it stands."""
    digits, base = (match[1], 16) if match[1] else (match[2], 10)
    number = int(digits, base) if len(digits) < 8 else 0
    # Something must stand there: what is left and right of it could be a reference together.
    forbidden = number > 0x10FFFF or FORBIDDEN.match(chr(number))
    return "\ufffd" if forbidden else match[0]


def _reference(match: re.Match) -> str:
    number, name = match.groups()
    if name:
        if name in _XML:
            return match[0]
        known = html5.get(name + ";")
        return _escaped(known) if known else "&amp;" + match[0][1:]
    return match[0] if number else "&amp;"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
