"""Tags and character references inside cues, as WebVTT defines them and SRT borrows them."""

import html
import re

from episodes.transcripts.remarks import Remarks
from episodes.transcripts.scripts import glue, joined
from episodes.transcripts.speakers import clean_speaker

#: Every repeat is bounded: a cue of "<<<<<" or "<v <v <v" costs one pass.
_TAG = re.compile(
    r"<(?:\d[\d:.]{0,20}[ ]?"
    r"|(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]{0,15})(?:\.[^\s.<>&]{0,40}){0,8}"
    r"(?:[ \t](?P<rest>[^<>]{0,300}))?/?)>"
    r"|(?P<open></?(?:v|c|font|lang)(?:\.[^\s.<>&]{1,40}){0,8}(?=[ \t]|$)[ \t]?"
    r"|<\d[\d:.]{4,20}(?=[ \t]|$)[ \t]?)"
)
_OVERRIDE = re.compile(r"\{\\[^{}]{0,100}\}")
_ATTRIBUTES = re.compile(r"\s[A-Za-z-]{1,30}=[\"'].*", re.DOTALL)
_SPACES = re.compile(r"[ \t\n\r\f\v]+")
_LONG_NUMBER = re.compile(r"&#(?:[xX][0-9a-fA-F]{9,}|[0-9]{9,});?")
_SRT_REFERENCE = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#39|#x27);")


def plain(text: str) -> str:
    """One line, single spaces; no-break spaces and direction marks stay."""
    return _SPACES.sub(" ", text).strip(" ")


def in_one_line(lines) -> str:
    """Lines of one cue as running text: joined by spaces, in CJK by nothing."""
    return joined(plain(line) for line in lines)


def unescape(text: str) -> str:
    """Character references as HTML reads them; numbers beyond Unicode are left as written."""
    if "&" not in text:
        return text
    pieces = _LONG_NUMBER.split(text)
    if len(pieces) == 1:
        return html.unescape(text)
    kept = _LONG_NUMBER.findall(text)
    out = [html.unescape(pieces[0])]
    for number, piece in zip(kept, pieces[1:], strict=True):
        out += [number, html.unescape(piece)]
    return "".join(out)


def unescape_srt(text: str) -> str:
    """SRT has no references, but converters leave these few behind."""
    return _SRT_REFERENCE.sub(lambda match: html.unescape(match[0]), text) if "&" in text else text


def without_tags(text: str) -> str:
    """Words without tags and without SubStation override codes ("{\\an8}")."""
    if "{" in text:
        text = _OVERRIDE.sub("", text)
    return _TAG.sub(_space_for_breaks, text) if "<" in text else text


def _space_for_breaks(match: re.Match) -> str:
    return " " if (match["name"] or "").lower() in ("br", "p", "div") else ""


def voices(text: str, where: object, remarks: Remarks) -> list[tuple[str, str]]:
    """A WebVTT cue's words by speaker: usually one pair, ("", words) if no voice is named.

    Words outside any voice go with the voice before them, or the first.
    """
    runs: list[list] = []
    current, at = "", 0
    pieces: list[str] = []
    for match in _TAG.finditer(text):
        pieces.append(text[at : match.start()])
        at = match.end()
        if match["open"]:
            remarks.add("unclosed-tag", where)
        elif match["name"] == "v" and not match["close"] and match["rest"]:
            name = clean_speaker(plain(unescape(_ATTRIBUTES.sub("", match["rest"]))))
            if name and name != current:
                runs.append([current, "".join(pieces)])
                current, pieces = name, []
        elif match["name"]:
            pieces.append(_space_for_breaks(match))
            if match["name"] not in _VTT_TAGS:
                remarks.add("markup", where)
    runs.append([current, "".join(pieces) + text[at:]])
    found: list[tuple[str, str]] = []
    lead = ""
    for speaker, words in runs:
        words = plain(unescape(words))
        if not words:
            continue
        if not speaker:
            lead = words
        else:
            found.append((speaker, lead + glue(lead, words) + words))
            lead = ""
    if lead:
        found.append(("", lead))
    return found


_VTT_TAGS = frozenset(("v", "c", "b", "i", "u", "ruby", "rt", "lang", "br"))
