"""The excerpt: the acceptance page's six paragraphs, and its limits for any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.plain import EXCERPT_NOTE
from episodes.transcripts.excerpt import (
    EXCERPT_LIMIT,
    PARAGRAPH_LIMIT,
    excerpt,
    paragraphs_of_text,
    shorten,
)
from tests.conftest import SEED


def test_the_acceptance_page_has_exactly_its_six_paragraphs():
    page = (SEED / "episode-page.txt").read_text("utf-8")
    wanted = page.split(EXCERPT_NOTE + "\n")[1].split("\nNearby episodes")[0].split("\n")
    assert len(wanted) == 6
    text = (SEED / "transcript.txt").read_text("utf-8")
    assert list(excerpt(paragraphs_of_text(text))) == wanted


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("one\n\ntwo\n \n\nthree", ("one", "two", "three")),
        ("one\r\nstill one\r\n\r\ntwo", ("one still one", "two")),
        ("one\ntwo", ("one", "two")),
        ("\n\n  \n", ()),
        ("", ()),
    ],
)
def test_blank_lines_part_plain_text(text, paragraphs):
    assert paragraphs_of_text(text) == paragraphs


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("short", 5, "short"),
        ("two words", 9, "two words"),
        ("two words", 8, "two…"),
        ("two, words", 9, "two…"),
        ("two words", 3, ""),
        ("two words", 4, "two…"),
        ("今日は新しい放送です", 6, "今日は新し…"),
        ("x" * 20, 10, ""),
        ("x" * 90, 80, "x" * 79 + "…"),
        ("e\u0301" * 90, 80, "e\u0301" * 39 + "…"),
        ("👩‍🚀" * 40, 80, "👩‍🚀" * 26 + "…"),
        ("word", 1, ""),
        ("word", 0, ""),
    ],
)
def test_what_is_too_long_ends_at_a_word_boundary(text, limit, short):
    assert shorten(text, limit) == short


def test_after_a_cut_for_the_whole_nothing_follows():
    parts = ["a" * 300 + " b"] * 3 + ["word " * 60, "tiny"]
    assert excerpt(parts)[-1].endswith("word…")
    assert excerpt([]) == ()


@given(st.lists(st.text(max_size=900), max_size=8))
def test_no_text_exceeds_the_limits(paragraphs):
    found = excerpt(paragraphs)
    assert all(0 < len(paragraph) <= PARAGRAPH_LIMIT for paragraph in found)
    assert all("\n" not in paragraph for paragraph in found)
    assert len("\n".join(found)) <= EXCERPT_LIMIT
