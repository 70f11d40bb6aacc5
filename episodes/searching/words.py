"""Text as the words that are compared: case, accents and width folded, CJK in pairs.

Text that is indexed and text that is asked for go through the same functions, and
what comes out has letters, digits and single spaces only, so that every engine
splits it alike.
"""

import re
import unicodedata

#: A longer word is compared by its beginning.
LONGEST_WORD = 60

#: Letters of scripts that write no spaces between words (Han, kana, bopomofo, Thai, Lao,
#: Khmer, Burmese), or glue particles to them (Hangul). As the inside of a character class.
UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ecd\u1000-\u103f\u1050-\u108f"
    "\u1780-\u17d3\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUN = re.compile(rf"[{UNSPACED}]")


def _class_of_marks() -> str:
    """Combining marks as ranges; `re` has no class for them, and they belong to words."""
    ranges: list[list[int]] = []
    for code in range(0x300, 0xFF00):
        if unicodedata.category(chr(code))[0] == "M" and not _RUN.match(chr(code)):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)


MARKS = _class_of_marks()
#: A letter, a digit or a mark.
_LETTER = re.compile(rf"[^\W_{UNSPACED}]|[{MARKS}]")
_PARTS = re.compile(rf"[{UNSPACED}]+|(?:{_LETTER.pattern})+")
_ASCII_PARTS = re.compile(r"[a-z0-9]+")

#: Accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic: people leave them
#: out. The marks of other scripts (Japanese voicing, Indic vowels) make another word.
_LEFT_OUT = dict.fromkeys(
    [
        *range(0x300, 0x370), *range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7,
        0x640, *range(0x64B, 0x660), 0x670, *range(0x1AB0, 0x1B00), *range(0x1DC0, 0x1E00),
        0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF,
    ]
)  # fmt: skip
_FOLDED = _LEFT_OUT | str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"}
)


def fold(text: str) -> str:
    """`text` in one case and width, without accents; punctuation and spaces stay."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKD", text).casefold().translate(_FOLDED)
    return unicodedata.normalize("NFKC", text)


def parts(folded: str) -> list[str]:
    """The words of folded text, and its unbroken runs of unspaced script, in order."""
    if folded.isascii():
        return _ASCII_PARTS.findall(folded)
    return [match[0] for match in _PARTS.finditer(folded)]


#: Characters of runs are compared as ones from here on, where no text has any letter.
RUNS_FROM = "\U000e0000"


class _Shapes(dict[int, int]):
    """For `str.translate`: what each character of folded text is compared as."""

    def __missing__(self, code: int) -> int:
        if _RUN.match(chr(code)):
            self[code] = code ^ (0x100000 if code < 0x10000 else 0xC0000)
        else:
            self[code] = code if _LETTER.match(chr(code)) else ord(" ")
        return self[code]


_SHAPES = _Shapes()


def comparable(folded: str) -> str:
    """Folded text, character for character, as words (plain), runs (`RUNS_FROM`) and spaces.

    An expression for it tells the three apart by two characters, and is made in no time; one
    with all the ranges of letters and marks took 10 ms for each word of a query.
    """
    return folded.translate(_SHAPES)


def is_run(part: str) -> bool:
    """Whether one of `parts` is a run of unspaced script rather than a word."""
    return _RUN.match(part) is not None


def tokens(folded: str) -> list[str]:
    """What an index holds for folded text, in order.

    A word is one token. A run gives a pair of characters for each of its
    characters, and the last one alone, so that a token begins at every character.
    """
    found: list[str] = []
    for part in parts(folded):
        if is_run(part):
            found += pairs(part)
            found.append(part[-1])
        else:
            found.append(part[:LONGEST_WORD])
    return found


def pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]
