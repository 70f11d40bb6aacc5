"""The excerpt: a transcript's opening paragraphs, short enough for a page and its reader."""

import re
from collections.abc import Iterable

from episodes.transcripts.scripts import is_unspaced, splits_cluster

PARAGRAPH_LIMIT = 320
EXCERPT_LIMIT = 1_200
ELLIPSIS = "…"
_GOOD_LINE = 60

#: Punctuation that announces more, and so does not belong before the ellipsis.
_DANGLING = ",;:，；：、،؛"


def excerpt(paragraphs: Iterable[str]) -> tuple[str, ...]:
    """The opening paragraphs, each of at most 320 characters, 1,200 in all.

    The whole counts one newline between paragraphs. What is too long is cut at a word
    boundary and ends in "…", which counts too; after a cut for the whole nothing follows.
    Empty paragraphs are passed over, white space is one space.
    """
    chosen: list[str] = []
    left = EXCERPT_LIMIT
    for paragraph in paragraphs:
        words = " ".join(paragraph.split())
        if not words:
            continue
        room = left - bool(chosen)
        piece = shorten(words, min(PARAGRAPH_LIMIT, room))
        if piece:
            chosen.append(piece)
            left = room - len(piece)
        if not piece or (len(words) > room and room < PARAGRAPH_LIMIT):
            break
    return tuple(chosen)


def shorten(text: str, limit: int) -> str:
    """`text` in at most `limit` characters, "…" included; empty if not a word fits."""
    if len(text) <= limit:
        return text
    if limit < 2:
        return ""
    head = text[: _boundary(text, limit - 1)].rstrip().rstrip(_DANGLING).rstrip()
    return head + ELLIPSIS if head else ""


def _boundary(text: str, most: int) -> int:
    """The last place at or before `most` where a word ends; 0 if there is none.

    CJK text may end after any character. Where there is room for a good line and still no
    end in sight (an address, Thai), the word is cut between visible characters.
    """
    for at in range(most, 0, -1):
        if text[at].isspace():
            return at
        between = is_unspaced(text[at - 1]) and is_unspaced(text[at])
        if between and not splits_cluster(text, at):
            return at
    if most < _GOOD_LINE:
        return 0
    at = most
    while splits_cluster(text, at):
        at -= 1
    return at


_BREAK = re.compile(r"\n[^\S\n]*\n\s*")


def paragraphs_of_text(text: str) -> tuple[str, ...]:
    """Plain text's paragraphs: blank lines part them, single line ends are spaces.

    Text with no blank line at all has one paragraph per line.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    pieces = _BREAK.split(text)
    if len(pieces) == 1:
        pieces = text.split("\n")
    joined = (" ".join(piece.split()) for piece in pieces)
    return tuple(piece for piece in joined if piece)
