"""Where a query's words stand in a text: the sentences that have them, and their marks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from episodes.searching.query import Query, Term
from episodes.searching.running import Running
from episodes.searching.words import LETTER, LONGEST_WORD, MARKS, is_run

#: Of one term so many places in a text are looked at.
MOST_PLACES = 500

#: A sentence is shown with at most so many characters around what was found.
BEFORE, AFTER = 110, 170
ELLIPSIS = "…"

_WORD_ENDS = rf"(?!{LETTER}|[{MARKS}])"
_WORD_GOES_ON = rf"(?:{LETTER}|[{MARKS}])*"
_BETWEEN = r"[\W_]+"
_SENTENCE_END = re.compile(r"[.!?…۔।]['\"”’»)\]]*\s+|[。！？｡]['\"”’」』）]*|\n")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence; `segments` are its text in order, each with whether it is what was asked for.

    `start_ms` is when the cue begins in which the first find begins.
    """

    segments: tuple[tuple[str, bool], ...]
    start_ms: int | None = None

    @property
    def second(self) -> int | None:
        """The whole second to start listening at; None where times are not known."""
        return None if self.start_ms is None else self.start_ms // 1000


@dataclass(frozen=True, slots=True)
class Found:
    """The first passages in the order of the text, and how many there are in all."""

    passages: tuple[Passage, ...] = ()
    total: int = 0

    @property
    def more(self) -> int:
        return self.total - len(self.passages)


@dataclass(slots=True)
class _Sentence:
    start: int
    end: int
    first: int
    terms: set[int] = field(default_factory=set)


def find(running: Running, query: Query, most: int) -> Found:
    """The sentences that have all terms, or if none does those that have the most of them."""
    sentences = _sentences(running, query)
    if not sentences:
        return Found()
    best = max(len(sentence.terms) for sentence in sentences)
    chosen = [sentence for sentence in sentences if len(sentence.terms) == best]
    return Found(
        tuple(_passage(running, sentence, query) for sentence in chosen[:most]), len(chosen)
    )


def marked(text: str, query: Query) -> tuple[tuple[str, bool], ...]:
    """The whole of `text` in segments; one unmarked segment when nothing is found."""
    running = Running([text])
    segments: list[tuple[str, bool]] = []
    at = 0
    for start, end, _ in _places(running, query):
        start, end = running.span(start, end)
        start = max(start, at)
        if end <= start:
            continue
        if start > at:
            segments.append((text[at:start], False))
        elif segments and segments[-1][1]:
            start = at - len(segments.pop()[0])
        segments.append((text[start:end], True))
        at = end
    if at < len(text):
        segments.append((text[at:], False))
    return tuple(segments)


def has(text_segments: Sequence[tuple[str, bool]]) -> bool:
    """Whether anything in `marked` text is marked."""
    return any(hit for _, hit in text_segments)


def matches(text: str, query: Query) -> bool:
    """Whether every term stands in `text`."""
    running = Running([text])
    return bool(query.terms) and all(pattern(term).search(running.folded) for term in query.terms)


@lru_cache(maxsize=256)
def pattern(term: Term) -> re.Pattern:
    """Finds the term in folded text, exactly where an index has its tokens side by side."""
    out = ""
    last = len(term.parts) - 1
    for index, part in enumerate(term.parts):
        run = is_run(part)
        if index:
            out += _BETWEEN if run == is_run(term.parts[index - 1]) else f"(?:{_BETWEEN})?"
        out += part
        if not run:
            goes_on = (index == last and term.prefix) or len(part) == LONGEST_WORD
            out += f"(?<!{LETTER}{part})" + ("" if part.isascii() else f"(?<![{MARKS}]{part})")
            out += _WORD_GOES_ON if goes_on else _WORD_ENDS
    return re.compile(out)


def _places(running: Running, query: Query) -> list[tuple[int, int, int]]:
    """Start, end and number of the term, in the order of the folded text."""
    places = [
        (*match.span(), number)
        for number, term in enumerate(query.terms)
        for match in islice(pattern(term).finditer(running.folded), MOST_PLACES)
    ]
    return sorted(places)


def _sentences(running: Running, query: Query) -> list[_Sentence]:
    sentences: list[_Sentence] = []
    for start, end, number in _places(running, query):
        begin, stop = running.span(start, end)
        if not sentences or stop > sentences[-1].end:
            floor = sentences[-1].end if sentences else 0
            low, high = _around(running.text, begin, stop)
            sentences.append(_Sentence(max(low, min(floor, begin)), high, start))
        sentences[-1].terms.add(number)
    return sentences


def _around(text: str, begin: int, stop: int) -> tuple[int, int]:
    """The sentence around a place, cut between words where it is long."""
    low = max(0, begin - BEFORE)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, low, begin)]
    if ends:
        low = ends[-1]
    elif low:
        space = text.find(" ", low, begin)
        low = space + 1 if space >= 0 else low
    match = _SENTENCE_END.search(text, max(begin, stop - 1), stop + AFTER)
    if match:
        return low, match.end()
    high = min(len(text), stop + AFTER)
    if high < len(text):
        space = text.rfind(" ", stop, high)
        high = space if space >= 0 else high
    return low, high


def _passage(running: Running, sentence: _Sentence, query: Query) -> Passage:
    text = running.text[sentence.start : sentence.end]
    lead = len(text) - len(text.lstrip())
    text = text.strip()
    segments = list(marked(text, query))
    before = running.text[: sentence.start + lead].rstrip()
    if before and not _SENTENCE_END.search(before[-3:] + " "):
        segments.insert(0, (ELLIPSIS, False))
    after = running.text[sentence.end :].lstrip()
    if after and not _SENTENCE_END.search(text[-3:] + " "):
        segments.append((ELLIPSIS, False))
    return Passage(tuple(segments), running.start_ms(sentence.first))
