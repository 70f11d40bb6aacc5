"""How writing systems join and break words: what tells spaces, CJK and clusters apart."""

import unicodedata

#: Blocks whose text runs without spaces between words: kana, bopomofo, Han and its
#: punctuation and full-width forms. Hangul is not among them: Korean writes spaces.
_UNSPACED = (
    (0x2E80, 0x30FF),
    (0x3100, 0x312F),
    (0x31A0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFF65),
    (0xFF66, 0xFF9F),
    (0x20000, 0x3FFFF),
)

_JOINERS = "\u200d\ufe0e\ufe0f\u20e3"


def is_unspaced(character: str) -> bool:
    """Whether the character belongs to a script that writes no spaces between words."""
    code = ord(character)
    return code >= 0x2E80 and any(low <= code <= high for low, high in _UNSPACED)


def continues_cluster(character: str) -> bool:
    """Whether it belongs to what stands before it (Unicode UAX #29, the common cases)."""
    return (
        character in _JOINERS
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= character <= "\U000e007f"  # tags of flags
        or unicodedata.category(character) in ("Mn", "Mc", "Me")
    )


def splits_cluster(text: str, at: int) -> bool:
    """Whether cutting before `text[at]` would tear one visible character apart."""
    if not 0 < at < len(text):
        return False
    before = text[at - 1]
    regional = "\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= text[at] <= "\U0001f1ff"
    return before == "\u200d" or regional or continues_cluster(text[at])


def glue(before: str, after: str) -> str:
    """What belongs between two pieces of running text: a space, or nothing in CJK."""
    if not before or not after or before[-1] == " " or after[0] == " ":
        return ""
    return "" if is_unspaced(before[-1]) and is_unspaced(after[0]) else " "


def joined(pieces) -> str:
    """Pieces of running text as one, in order, with linear cost."""
    out: list[str] = []
    last = ""
    for piece in pieces:
        if piece:
            out += [glue(last, piece), piece]
            last = piece
    return "".join(out)


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most `width` characters, longer only for a longer word.

    Joining them again with `joined` gives `text`, provided its spaces are single.
    """
    lines: list[str] = []
    begin = 0
    last_break = 0
    for at in range(1, len(text)):
        if at - begin > width and last_break > begin:
            lines.append(text[begin:last_break].rstrip(" "))
            begin = last_break
        if _may_break(text, at):
            last_break = at
    if len(text) - begin > width and last_break > begin:
        lines.append(text[begin:last_break].rstrip(" "))
        begin = last_break
    lines.append(text[begin:])
    return lines


def _may_break(text: str, at: int) -> bool:
    """Whether a line may end before `text[at]`, so that joining restores what was there."""
    before, after = text[at - 1], text[at]
    if before == " ":
        return at > 1 and not (is_unspaced(text[at - 2]) and is_unspaced(after)) and after != " "
    return is_unspaced(before) and is_unspaced(after) and not splits_cluster(text, at)
