"""Tokens and queries as SQLite's FTS5 and PostgreSQL's full text search read them.

Tokens hold letters and digits only, so nothing in them is an operator or has to be
escaped, and PostgreSQL is given literals: its parser, which splits by the database's
locale, has no part in it.
"""

from collections.abc import Sequence

from episodes.searching.query import Query, Term

#: PostgreSQL's limits for a tsvector (its manual, §12.11), with room to spare.
VECTOR_BYTES = 900_000
LAST_POSITION = 16_383

#: It takes 255 places of a token, but ranks two tokens by every pair of their places.
MOST_POSITIONS = 32


def fts5(query: Query) -> str:
    """For the right side of MATCH. The query has a term."""
    terms = " AND ".join(map(_fts5_term, query.terms))
    words = [term for term in query.terms if len(term.parts) == 1]
    if 1 < len(words) == len(query.terms):
        # Side by side they are a better find.
        together = Term(tuple(term.parts[0] for term in words), words[-1].prefix)
        terms = f"({terms}) OR {_fts5_phrase(together)}"
    return f"{{title about spoken}} : ({terms})"


def _fts5_term(term: Term) -> str:
    phrase = _fts5_phrase(term)
    # A word that does not go on is the rarer phrase, and so weighs more.
    return f"({phrase} OR {_fts5_phrase(Term(term.parts))})" if term.unfinished else phrase


def _fts5_phrase(term: Term) -> str:
    tokens, prefix = term.tokens()
    return f'"{" ".join(tokens)}"' + ("*" if prefix else "")


def tsquery(query: Query) -> str:
    """A literal. Of a phrase it asks only that all words are there: see `phrases`."""
    return " & ".join(map(_tsquery_term, query.terms))


def _tsquery_term(term: Term) -> str:
    tokens, prefix = term.tokens()
    quoted = [f"'{token}'" for token in tokens]
    if prefix:
        quoted[-1] += ":*"
    return f"({' & '.join(quoted)})"


def better_tsqueries(query: Query) -> list[str]:
    """What ranks an entry once more: the unfinished word as one that does not go on."""
    return [_tsquery_term(Term(term.parts)) for term in query.terms if term.unfinished]


def phrases(query: Query) -> list[str]:
    """What must stand in one of the token texts, put between spaces, for each phrase.

    Positions in a tsvector end at 16,383, which a long transcript passes.
    """
    found = []
    for term in query.terms:
        tokens, prefix = term.tokens()
        if len(tokens) > 1:
            found.append(f" {' '.join(tokens)}{'' if prefix else ' '}")
    return found


def tsvector(*columns: tuple[Sequence[str], str]) -> str:
    """A literal of tokens, each list with its weight A to D; it may be cut to fit."""
    positions: dict[str, list[str]] = {}
    at = 0
    for tokens, weight in columns:
        for token in tokens:
            at = min(at + 1, LAST_POSITION)
            places = positions.setdefault(token, [])
            if not places or (len(places) < MOST_POSITIONS and at < LAST_POSITION):
                places.append(f"{at}{weight}")
        at += 50  # far apart, for words of two columns do not stand together
    whole = sum(len(token.encode()) + 4 + 2 * len(places) for token, places in positions.items())
    most = MOST_POSITIONS if whole <= VECTOR_BYTES else 1
    out, size = [], 0
    for token, places in positions.items():
        size += len(token.encode()) + 4 + 2 * min(len(places), most)
        if size > VECTOR_BYTES:
            break
        out.append(f"'{token}':{','.join(places[:most])}")
    return " ".join(out)
