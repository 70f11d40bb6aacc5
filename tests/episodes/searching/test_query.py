"""What somebody types, as terms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.searching.query import LONGEST_QUERY, MOST_TERMS, Term, parse


def terms(text):
    return [
        " ".join(term.parts) + ("*" if term.prefix else "") + ("?" if term.unfinished else "")
        for term in parse(text).terms
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gath", ["gath*?"]),
        ("all gather", ["all", "gather*?"]),
        ('"all gather"', ["all gather"]),
        ("“all gather” now", ["all gather", "now*?"]),
        ("«tout» „alles“", ["tout", "alles"]),
        ('"never closed', ["never closed"]),
        ("merg* request", ["merg*", "request*?"]),
        ("at", ["at"]),
        ("all-gather", ["all gather*?"]),
        ("it's", ["it s"]),
        ("東京 大阪", ["東京", "大阪"]),
        ("Merge merge MERGE", ["merge", "merge*?"]),
        ("NEAR(a b) OR NOT title:x", ["near a", "b", "or", "not", "title x"]),
        ("a & b | !cat:* <-> d", ["a", "b", "cat*", "d"]),
        ("c* ca* d*", ["c", "ca*", "d"]),
        ("%_\\' \" * ^ { } \0", []),
        ("", []),
    ],
)
def test_terms(text, expected):
    assert terms(text) == expected


def test_a_long_query_is_cut_and_says_so():
    query = parse("word " * 3000)
    assert query.was_cut
    assert len(query.text) <= LONGEST_QUERY
    many = parse(" ".join(f"w{n}" for n in range(40)))
    assert many.was_cut
    assert len(many.terms) == MOST_TERMS
    assert not parse("three small words").was_cut


def test_a_single_character_of_an_unspaced_script_begins_a_pair():
    assert Term(("東",)).tokens() == (["東"], True)
    assert Term(("東京都",)).tokens() == (["東京", "京都"], False)
    assert Term(("東京", "gpt")).tokens() == (["東京", "京", "gpt"], False)


@given(st.text())
def test_any_text_is_a_query(text):
    query = parse(text)
    assert len(query.terms) <= MOST_TERMS
    assert all(term.parts for term in query.terms)
