"""Running text: pieces that follow each other, read as one and folded as one.

A phrase may begin in one cue and end in the next, so what is compared is the whole
text, and every place in it leads back to the piece and the letter it came from.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain

from episodes.searching.words import MARKS, fold
from episodes.transcripts.scripts import glue

_CLUSTER = re.compile(rf".[{MARKS}]*", re.DOTALL)


class Running:
    """`text` is the pieces as they read, `folded` the same to compare."""

    def __init__(
        self,
        texts: Iterable[str],
        starts_ms: Sequence[int] | None = None,
        between: str | None = None,
    ):
        """`starts_ms` says of each piece when it is said; None where that is not known.

        `between` parts the pieces; None parts them as running text, in CJK by nothing.
        """
        self._texts = list(texts)
        self._starts_ms = starts_ms
        spaces = self._spaces(between)
        self._starts = _places_of(self._texts, spaces)
        self.text = "".join(chain.from_iterable(zip(spaces, self._texts, strict=True)))
        self._is_ascii = self.text.isascii()
        if self._is_ascii:
            self._folded_starts = self._starts
            self.folded = fold(self.text)
        else:
            folded = [fold(text) for text in self._texts]
            self._folded_starts = _places_of(folded, spaces)
            self.folded = "".join(chain.from_iterable(zip(spaces, folded, strict=True)))
        self._maps: dict[int, list[int]] = {}

    def _spaces(self, between: str | None) -> list[str]:
        """What stands before each piece."""
        texts = self._texts
        if between is None and not all(map(str.isascii, texts)):
            return ["", *map(glue, texts, texts[1:])][: len(texts)]
        return ["", *[" " if between is None else between] * (len(texts) - 1)][: len(texts)]

    def start_ms(self, folded_at: int) -> int | None:
        """When the piece is said that a place of the folded text belongs to."""
        return self._starts_ms[self._piece(folded_at)] if self._starts_ms else None

    def _piece(self, folded_at: int) -> int:
        return max(0, bisect_right(self._folded_starts, folded_at) - 1)

    def span(self, folded_start: int, folded_end: int) -> tuple[int, int]:
        """Where in `text` that stands which is at this place, not empty, of the folded text."""
        if self._is_ascii:
            return folded_start, folded_end
        start = self._original(folded_start, False)
        return start, max(start, self._original(folded_end - 1, True))

    def _original(self, folded_at: int, end: bool) -> int:
        index = self._piece(folded_at)
        text = self._texts[index]
        local = folded_at - self._folded_starts[index]
        if text.isascii():
            local = min(local + end, len(text))
        else:
            places = self._maps.get(index)
            if places is None:
                places = self._maps[index] = _places(text)
            local = places[min(2 * local + end, len(places) - 1)] if places else 0
        return self._starts[index] + local


def _places(text: str) -> list[int]:
    """For each letter of folded text where its like begins and ends in `text`, flat."""
    places: list[int] = []
    for match in _CLUSTER.finditer(text):
        places += match.span() * len(fold(match[0]))
    return places


def _places_of(texts: list[str], spaces: list[str]) -> list[int]:
    """Where each text begins in the whole, with these spaces before them."""
    ends = accumulate(len(space) + len(text) for space, text in zip(spaces, texts, strict=True))
    return [end - len(text) for end, text in zip(ends, texts, strict=True)]
