"""Where a query's words stand in a text: the sentences that have them, and their marks."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from episodes.searching.query import Query, Term
from episodes.searching.running import Running
from episodes.searching.words import LONGEST_WORD, RUNS_FROM, comparable, is_run

#: Of one term so many places in a text are looked at.
MOST_PLACES = 500

#: A sentence is shown with at most so many characters around what was found.
BEFORE, AFTER = 110, 170
ELLIPSIS = "…"

#: In `comparable` text, any character of a word.
_LETTER = rf"[^ {RUNS_FROM}-\U0010ffff]"
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
    """The first passages in the order of the text, and how much more there is after them."""

    passages: tuple[Passage, ...] = ()
    more: int = 0


#: Start and end in the folded text, and the number of the term.
type Place = tuple[int, int, int]


@dataclass(slots=True)
class _Sentence:
    """`start` and `end` in the text, `first` where in the folded text the first find begins."""

    start: int
    end: int
    first: int
    terms: set[int]


def find(running: Running, query: Query, most: int) -> Found:
    """The sentences that have all terms, or if none does those that have the most of them."""
    places = _places(running, query)
    if not places:
        return Found()
    if len(query.terms) == 1:
        return _find_one(running, query, places, most)
    counts = Counter(number for _, _, number in places)
    sentences: list[_Sentence] = []
    if len(counts) == len(query.terms):
        # Those that have all have the rarest: the others' sentences are not looked at.
        rarest = min(counts, key=lambda number: counts[number])
        seeds = [place for place in places if place[2] == rarest]
        sentences = _with_others(running, _sentences(running, seeds), places)
    best = max((len(sentence.terms) for sentence in sentences), default=0)
    if best < len(query.terms):
        sentences = _sentences(running, places)
        best = max((len(sentence.terms) for sentence in sentences), default=0)
    chosen = [sentence for sentence in sentences if len(sentence.terms) == best]
    shown = tuple(_passage(running, sentence, query) for sentence in chosen[:most])
    return Found(shown, len(chosen) - len(shown))


def _find_one(running: Running, query: Query, places: list[Place], most: int) -> Found:
    """For a single term: the first sentences, and how often it is said after them."""
    sentences: list[_Sentence] = []
    rest = places
    while rest and len(sentences) < most:
        floor = sentences[-1].end if sentences else 0
        sentences.append(_sentence(running, rest[0], floor))
        end = sentences[-1].end
        rest = [place for place in rest[1:] if running.span(*place[:2])[1] > end]
    return Found(tuple(_passage(running, row, query) for row in sentences), len(rest))


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
    return bool(query.terms) and all(
        pattern(term).search(running.comparable) for term in query.terms
    )


@lru_cache(maxsize=256)
def pattern(term: Term) -> re.Pattern:
    """Finds the term in `comparable` text, exactly where an index has its tokens side by side."""
    out = ""
    last = len(term.parts) - 1
    for index, part in enumerate(term.parts):
        run = is_run(part)
        if index:
            out += " +" if run == is_run(term.parts[index - 1]) else " *"
        out += comparable(part)
        if not run:
            goes_on = (index == last and term.prefix) or len(part) == LONGEST_WORD
            # The word first, for `re` looks for plain letters fast; then what was before it.
            out += f"(?<!{_LETTER}{part})"
            out += f"{_LETTER}*" if goes_on else f"(?!{_LETTER})"
    return re.compile(out)


def _places(running: Running, query: Query) -> list[Place]:
    places = [
        (*match.span(), number)
        for number, term in enumerate(query.terms)
        for match in islice(pattern(term).finditer(running.comparable), MOST_PLACES)
    ]
    return sorted(places)


def _sentences(running: Running, places: Iterable[Place]) -> list[_Sentence]:
    sentences: list[_Sentence] = []
    for place in places:
        floor = sentences[-1].end if sentences else 0
        if not sentences or running.span(*place[:2])[1] > floor:
            sentences.append(_sentence(running, place, floor))
        sentences[-1].terms.add(place[2])
    return sentences


def _sentence(running: Running, place: Place, floor: int) -> _Sentence:
    """The sentence around a place, beginning no earlier than the last one's end."""
    begin, stop = running.span(*place[:2])
    low, high = _around(running.text, begin, stop)
    return _Sentence(max(low, min(floor, begin)), high, place[0], {place[2]})


def _with_others(
    running: Running, sentences: list[_Sentence], places: list[Place]
) -> list[_Sentence]:
    """The sentences, knowing of every term in them and where the first of all begins."""
    waiting = iter(sentences)
    sentence = next(waiting, None)
    entered = False
    for place in places:
        begin, stop = running.span(*place[:2])
        while sentence and begin >= sentence.end:
            sentence, entered = next(waiting, None), False
        if sentence is None:
            break
        if begin >= sentence.start and stop <= sentence.end:
            if not entered:
                sentence.first, entered = place[0], True
            sentence.terms.add(place[2])
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
