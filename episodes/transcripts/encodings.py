"""Bytes to text: which encoding an old subtitle editor used, by how its words would look.

General detectors answer with Mac and Baltic code pages for two lines of Russian or German;
transcripts come in few encodings, and the choice among those few is safe.
"""

import codecs
import re
from collections.abc import Callable

from episodes.transcripts.cues import UnreadableTranscript

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

#: What never belongs into a text: control characters, and what XML 1.0 §2.2 forbids.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")

_SAMPLE = 65_536


def decode(data: bytes) -> tuple[str, str, bool]:
    """The text with "\\n" line ends, its codec, and whether some bytes made no sense.

    Raises UnreadableTranscript for what is not text.
    """
    text, codec = _decoded(data)
    damaged = "\ufffd" in text
    forbidden = len(_FORBIDDEN.findall(text[:_SAMPLE]))
    if forbidden > 2 + len(text[:_SAMPLE]) // 25:
        raise UnreadableTranscript(
            "binary", "This is not a text file: it holds binary data. Send the transcript itself."
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return without_forbidden(text), codec, damaged


def without_forbidden(text: str) -> str:
    return _FORBIDDEN.sub("", text)


def _decoded(data: bytes) -> tuple[str, str]:
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace"), codec
    wide = _without_mark(data[:2000])
    if wide:
        return data.decode(wide, "replace"), wide
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if broken * 20 < _beyond_ascii(text) - broken:
        return text, "utf-8"
    codec = _legacy(data)
    return data.decode(codec, "replace"), codec


def _beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _without_mark(head: bytes) -> str:
    """UTF-16 without a mark: every other byte of its line ends, digits and spaces is zero."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > len(head) // 5 and even < odd // 10 + 1:
        return "utf-16-le"
    if even > len(head) // 5 and odd < even // 10 + 1:
        return "utf-16-be"
    return ""


def _legacy(data: bytes) -> str:
    """The legacy encoding whose reading looks most like somebody's language."""
    sample = data[:_SAMPLE]
    scores = {codec: _score(sample, codec) for codec in _USUAL}
    best = max(scores, key=lambda codec: scores[codec])
    if scores[best] < 0.4:
        raise UnreadableTranscript(
            "encoding",
            "The encoding of this file cannot be made out. Save it as UTF-8 and send it again.",
        )
    return best


def _score(sample: bytes, codec: str) -> float:
    """The share of characters beyond ASCII that are everyday ones where they stand.

    In Latin script accented letters stand alone among plain ones; in other scripts no
    letter touches a Latin one; and nowhere does a capital follow a small letter often.
    """
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        text = decoder.decode(sample, final=len(sample) < _SAMPLE)
    except UnicodeDecodeError:
        return 0
    foreign = [character for character in text if character > "\x7f"]
    if not foreign:
        return 0
    odd = 2 * len(_CAPITAL_INSIDE.findall(text))
    if codec in _LATIN:
        odd += sum(map(len, _ADJACENT.findall(text)))
    else:
        odd += len(_BESIDE_LATIN.findall(text))
    return (sum(map(_USUAL[codec], foreign)) - odd) / len(foreign)


_LATIN = ("cp1252", "cp1250", "cp1254")
_CAPITAL_INSIDE = re.compile(r"[a-zß-öø-ÿа-яёα-ω][À-ÖØ-ÞА-ЯЁΑ-Ω]")
_ADJACENT = re.compile(r"[^\W\d_\x00-\x7f]{2,}")
_BESIDE_LATIN = re.compile(r"[A-Za-z](?=[^\W\d_\x00-\x7f])|(?<=[^\W\d_\x00-\x7f])[A-Za-z]")


def _among(letters: str) -> Callable[[str], bool]:
    known = frozenset(letters + letters.upper() + "–—…“”„‘’«»·№\xa0")
    return known.__contains__


def _lead(codec: str, low: int, high: int) -> Callable[[str], bool]:
    """Whether the character's first byte in a double-byte codec lies in the everyday rows."""

    def usual(character: str) -> bool:
        try:
            return low <= character.encode(codec)[0] <= high
        except UnicodeEncodeError:
            return False

    return usual


_CHINESE = _lead("gb2312", 0xB0, 0xD7)  # GB 2312 level 1, ordered by pronunciation
_TAIWANESE = _lead("big5", 0xA4, 0xC6)  # Big5 level 1


def _korean(character: str) -> bool:
    return "가" <= character <= "힣"


def _japanese(codec: str, low: int, high: int) -> Callable[[str], bool]:
    """Kana, and kanji of JIS level 1."""
    everyday = _lead(codec, low, high)
    return lambda character: "、" <= character <= "ヿ" or everyday(character)


_SHIFT_JIS = _japanese("cp932", 0x88, 0x97)
_EUC_JP = _japanese("euc_jp", 0xB0, 0xCF)


#: Everyday characters by codec, likelier encodings first: the first of equals is taken.
_USUAL: dict[str, Callable[[str], bool]] = {
    "cp1252": _among("éèàùçêâîôûëïüöäßñíóáúìòåøæãõœ¿¡€"),
    "cp1255": _among("יוהלאמרתבשנחדעקפגצטזכסםןךףץ"),
    "cp1251": _among("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґ"),
    "cp949": _korean,
    "gb18030": lambda c: _CHINESE(c) or c in "，。！？、：；“”‘’《》（）\u3000…",
    "big5": lambda c: _TAIWANESE(c) or c in "，。！？、：；「」『』《》（）\u3000…",
    "cp932": lambda c: _SHIFT_JIS(c) or c in "！？。\u3000",
    "euc_jp": lambda c: _EUC_JP(c) or c in "！？。\u3000",
    "koi8_r": _among("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
    "cp1254": _among("ışğçöüİâî"),
    "cp1250": _among("ěščřžýáíéúůťďňąęłóśżźćńőűöüäôľĺŕăâîşţ"),
    "cp1253": _among("αοιεστνηρπκμλυδγωχθφβξζψςάέήίόύώ"),
    "cp1256": _among("اليمونترببدعسفقحكجخصطثشضزغذظءأإةىئؤآ،؟"),
}
