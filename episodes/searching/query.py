"""What somebody asks for: the text of a search box as a few terms, whatever it holds.

Nothing in it is an operator of an engine. Quotation marks make a phrase, an
asterisk at a word's end asks for its beginnings, and the last word of the text is
taken as a beginning too, for it may not be finished. All else is words.
"""

import re
from dataclasses import dataclass

from episodes.searching.words import LONGEST_WORD, fold, is_run, pairs, parts

#: More of a query is left aside, and said to be.
LONGEST_QUERY = 200
MOST_TERMS = 10

#: A shorter word is not taken as the beginning of others unless it is asked for, and a single
#: letter never: half of all words would be found, in a hundred times the time.
SHORTEST_BEGINNING = 3
SHORTEST_ASKED = 2

_QUOTES = dict.fromkeys(map(ord, "“”„‟«»「」『』＂"), '"')
_ASTERISKS = ("*", "＊")


@dataclass(frozen=True, slots=True)
class Term:
    """Words that stand side by side: one, or those of a phrase or of `all-gather`.

    `parts` are folded words and runs of unspaced script, never empty. With `prefix`
    the last one may go on; with `unfinished` nobody said so, and what does not go on
    is the better find.
    """

    parts: tuple[str, ...]
    prefix: bool = False
    unfinished: bool = False

    def tokens(self) -> tuple[list[str], bool]:
        """What must stand side by side in an index, and whether the last may go on."""
        found: list[str] = []
        for part in self.parts[:-1]:
            found += [*pairs(part), part[-1]] if is_run(part) else [part]
        last = self.parts[-1]
        if not is_run(last):
            return [*found, last], self.prefix
        if len(last) == 1:
            return [*found, last], True
        return [*found, *pairs(last)], False


@dataclass(frozen=True, slots=True)
class Query:
    """`text` as it was asked, trimmed and cut; `was_cut` when more was asked than is looked for."""

    text: str
    terms: tuple[Term, ...]
    was_cut: bool


def parse(text: str) -> Query:
    """Any text as a query; one without a letter or digit has no terms."""
    text = " ".join(text.translate({0: " "}).split())
    was_cut = len(text) > LONGEST_QUERY
    text = text[:LONGEST_QUERY]
    terms: list[Term] = []
    pieces = re.split('"', text.translate(_QUOTES))
    for number, piece in enumerate(pieces):
        if number % 2:
            terms += _term(piece)
        else:
            chunks = piece.split()
            for at, chunk in enumerate(chunks):
                is_last = number == len(pieces) - 1 and at == len(chunks) - 1
                terms += _term(chunk, chunk.endswith(_ASTERISKS), is_last)
    different = list(dict.fromkeys(terms))
    return Query(text, tuple(different[:MOST_TERMS]), was_cut or len(different) > MOST_TERMS)


def _term(text: str, prefix: bool = False, is_last: bool = False) -> list[Term]:
    """One term, or none where the text has no words."""
    found = tuple(part if is_run(part) else part[:LONGEST_WORD] for part in parts(fold(text)))
    if not found:
        return []
    if is_run(found[-1]):  # found wherever it stands, so it has no beginnings
        return [Term(found)]
    prefix = prefix and len(found[-1]) >= SHORTEST_ASKED
    unfinished = is_last and not prefix and len(found[-1]) >= SHORTEST_BEGINNING
    return [Term(found, prefix or unfinished, unfinished)]
