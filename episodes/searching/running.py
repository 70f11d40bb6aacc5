"""Running text: pieces that follow each other, read as one and folded as one.

A phrase may begin in one cue and end in the next, so what is compared is the whole
text, and every place in it leads back to the piece and the letter it came from.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, chain, zip_longest

from episodes.searching.words import MARKS, comparable, fold
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
        self._maps: dict[int, list[int]] = {}
        space = " " if between is None else between
        self.text = space.join(self._texts)
        self._is_ascii = self.text.isascii()
        if self._is_ascii:  # most are, and what follows is ten times the work
            self.folded = fold(self.text)
            ends = accumulate(map(len, self._texts))
            starts = (end + at * len(space) for at, end in enumerate(chain([0], ends)))
            self._starts = self._folded_starts = list(starts)[: len(self._texts)]
            return
        pairs = zip(self._texts, self._texts[1:], strict=False)
        spaces = [glue(*pair) if between is None else between for pair in pairs]
        self.text, self._starts = _joined(self._texts, spaces)
        self.folded, self._folded_starts = _joined([fold(text) for text in self._texts], spaces)

    @cached_property
    def comparable(self) -> str:
        """The folded text as patterns read it, with the same places."""
        return comparable(self.folded)

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


def _joined(texts: list[str], spaces: list[str]) -> tuple[str, list[int]]:
    """The texts with a space after each but the last, and where each begins."""
    pieces, starts, at = [], [], 0
    for text, space in zip_longest(texts, spaces, fillvalue=""):
        starts.append(at)
        pieces += [text, space]
        at += len(text) + len(space)
    return "".join(pieces), starts
