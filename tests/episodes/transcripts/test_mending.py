"""Mending: text, speakers, joining and splitting, and what does not go."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.transcripts.cues import Cue
from episodes.transcripts.mending import (
    CannotMend,
    join,
    rename_speaker,
    replace_text,
    set_speaker,
    split,
)

CUES = (
    Cue(0, 2000, "Ada", "Hello there."),
    Cue(2500, 4500, "Bo", "Good morning to you."),
    Cue(5000, 6000, "Ada", "Bye."),
)


def test_words_are_replaced_as_plain_text_in_one_line():
    mended = replace_text(CUES, 1, " Good\nevening\x00  to you. ")
    assert mended[1] == Cue(2500, 4500, "Bo", "Good evening to you.")
    assert (mended[0], mended[2]) == (CUES[0], CUES[2])
    assert CUES[1].text == "Good morning to you."


def test_a_cue_left_without_words_goes():
    assert replace_text(CUES, 1, "  ") == (CUES[0], CUES[2])


def test_speakers_are_renamed_everywhere_or_in_one_cue():
    assert [cue.speaker for cue in rename_speaker(CUES, "Ada", "Ada Harbour")] == [
        "Ada Harbour",
        "Bo",
        "Ada Harbour",
    ]
    assert [cue.speaker for cue in set_speaker(CUES, 2, "Bo: ")] == ["Ada", "Bo", "Bo"]


def test_two_cues_become_one():
    assert join(CUES, 0) == (Cue(0, 4500, "Ada", "Hello there. Good morning to you."), CUES[2])
    cjk = (Cue(0, 1000, "", "今日は"), Cue(1000, 2000, "", "新しい"))
    assert join(cjk, 0) == (Cue(0, 2000, "", "今日は新しい"),)


def test_one_cue_becomes_two_with_its_time_divided():
    mended = split(CUES, 1, 13)
    assert mended[1:3] == (
        Cue(2500, 3800, "Bo", "Good morning"),
        Cue(3800, 4500, "Bo", "to you."),
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda: join(CUES, 2), "last cue"),
        (lambda: split(CUES, 0, 0), "need words"),
        (lambda: split(CUES, 0, 12), "need words"),
        (lambda: split(CUES, 0, 99), "cannot be split here"),
        (lambda: split((Cue(0, 1, "", "e\u0301a"),), 0, 1), "cannot be split here"),
        (lambda: replace_text(CUES, 3, "x"), "not there any more"),
        (lambda: replace_text(CUES, -1, "x"), "not there any more"),
    ],
)
def test_what_does_not_go_says_why(change, words):
    with pytest.raises(CannotMend, match=words):
        change()


@given(st.integers(1, 30), st.integers(0, 10_000))
def test_joining_undoes_splitting(at, length):
    cue = Cue(100, 100 + length, "Ada", "one two three four five six seven")
    try:
        parts = split((cue,), 0, at)
    except CannotMend:
        return
    (whole,) = join(parts, 0)
    assert (whole.start_ms, whole.end_ms) == (cue.start_ms, cue.end_ms)
    assert whole.text.replace(" ", "") == cue.text.replace(" ", "")
