"""Sentences that have what was asked for, their marks and their seconds."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes.searching.passages import find, marked, matches, pattern
from episodes.searching.query import parse
from episodes.searching.running import Running
from episodes.searching.words import comparable, fold, tokens

CUES = [
    ("Good morning. This week saw the all", 1_000),
    ("gather showdown, and it's Résumé time.", 4_200),
    ("Nothing else happened.", 6_900),
    ("今日は東京", 7_000),
    ("都に行きました。次は大阪です。", 9_000),
    ("Die Straße zum cafe\u0301 war lang. We gather again!", 12_999),
]
RUNNING = Running([text for text, _ in CUES], [start for _, start in CUES])


def shown(query, running=RUNNING, most=3):
    found = find(running, parse(query), most)
    return [
        ("".join(f"[{text}]" if hit else text for text, hit in p.segments), p.second)
        for p in found.passages
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            '"the all gather"',
            [("This week saw [the all gather] showdown, and it's Résumé time.", 1)],
        ),
        ('"ALL-GATHER"', [("This week saw the [all gather] showdown, and it's Résumé time.", 1)]),
        (
            "gather",
            [
                ("This week saw the all [gather] showdown, and it's Résumé time.", 4),
                ("We [gather] again!", 12),
            ],
        ),
        ("resume", [("This week saw the all gather showdown, and it's [Résumé] time.", 4)]),
        ("show*", [("This week saw the all gather [showdown], and it's Résumé time.", 4)]),
        ('"show"', []),
        ("it’s", [("This week saw the all gather showdown, and [it's] Résumé time.", 4)]),
        ("東京都", [("今日は[東京都]に行きました。", 7)]),
        ("京", [("今日は東[京]都に行きました。", 7)]),
        ("大阪", [("次は[大阪]です。", 9)]),
        ("STRASSE", [("Die [Straße] zum cafe\u0301 war lang.", 12)]),
        ("café", [("Die Straße zum [cafe\u0301] war lang.", 12)]),
        ("good again", [("[Good] morning.", 1), ("We gather [again]!", 12)]),
        ("gather again", [("We [gather] [again]!", 12)]),
        ("absent", []),
    ],
)
def test_sentences(query, expected):
    assert shown(query) == expected


def test_more_than_is_shown_is_counted():
    running = Running([f"Sentence {n} says merge." for n in range(10)])
    found = find(running, parse("merge"), 3)
    assert [p.segments[0][0] for p in found.passages] == [f"Sentence {n} says " for n in range(3)]
    assert found.more == 7
    assert found.passages[0].second is None


def test_a_passage_begins_with_the_first_of_its_words():
    running = Running(["one two", "three two one", "rare word two."], [1000, 2000, 3000])
    assert shown('"one" "two" "rare"', running) == [
        ("[one] [two] three [two] [one] [rare] word [two].", 1)
    ]


def test_a_sentence_without_end_is_cut_between_words():
    ((text, _),) = shown("needle", Running(["word " * 5000 + "needle " + "word " * 5000]))
    assert re.fullmatch(r"…(word ){10,30}\[needle\]( word){10,40}…", text)


def test_words_that_match_stand_side_by_side_as_one_mark():
    assert marked("all gather all", parse('"all gather all"')) == (("all gather all", True),)
    assert marked("ßß", parse("ss*")) == (("ßß", True),)
    assert marked("", parse("x")) == ()


def test_every_term_must_be_there():
    assert matches("PyTorch daily", parse("daily pyt"))
    assert not matches("PyTorch daily", parse("daily tensor"))
    assert not matches("PyTorch daily", parse("…"))


@pytest.mark.parametrize("asked", ["\ufdfa" * 200, "a-" * 100, "東a" * 100])
def test_the_longest_query_is_read_in_no_time(asked):
    def cost() -> float:
        begin = time.process_time()
        for term in parse(asked).terms:
            pattern(term)
        return time.process_time() - begin

    assert any(cost() < 0.4 for _ in range(3))  # a busy machine makes one look wrong


TEXT = st.text(st.sampled_from("ab é'-.ß東京都の。ーAが\u0301\u200d\nगि ﬁ"), max_size=30)


@settings(deadline=None)
@given(st.lists(TEXT, max_size=5), TEXT)
def test_whatever_the_text_marks_only_part_it(texts, asked):
    running = Running(texts, list(range(len(texts))))
    query = parse(asked)
    find(running, query, 3)
    for text in texts:
        assert "".join(part for part, _ in marked(text, query)) == text


@settings(deadline=None)
@given(TEXT, TEXT)
def test_marks_stand_exactly_where_an_index_finds_the_term(text, asked):
    query = parse(f'"{asked.replace(chr(34), " ")}"')
    folded = fold(text)
    for term in query.terms:
        wanted, prefix = term.tokens()
        have = tokens(folded)
        spans = (have[at : at + len(wanted)] for at in range(len(have)))
        indexed = any(
            span[:-1] == wanted[:-1]
            and (span[-1].startswith(wanted[-1]) if prefix else span[-1] == wanted[-1])
            for span in spans
            if len(span) == len(wanted)
        )
        assert indexed == bool(pattern(term).search(comparable(folded))), (have, wanted, folded)
