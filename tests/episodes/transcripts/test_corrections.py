"""Corrections: made, taken back, and made again on another file."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.transcripts import mending
from episodes.transcripts.corrections import Change, DoesNotFit, make, replay
from episodes.transcripts.cues import Cue

CUES = (
    Cue(0, 2000, "A", "Hello there."),
    Cue(2500, 4500, "B", "The all gether is quick."),
    Cue(5000, 6000, "A", "Yeah."),
    Cue(6000, 7000, "B", "Good."),
    Cue(60_000, 61_000, "A", "Yeah."),
)
WORDS = Change(1, (CUES[1],), (replace(CUES[1], text="The all-gather is quick."),))
JOINED = Change(2, CUES[2:4], (Cue(5000, 7000, "A", "Yeah. Good."),))
GONE = Change(0, (CUES[0],), ())


def later(cues, ms, **changes):
    return tuple(
        replace(cue, start_ms=cue.start_ms + ms, end_ms=cue.end_ms + ms, **changes) for cue in cues
    )


@pytest.mark.parametrize("change", [WORDS, JOINED, GONE])
def test_a_change_is_made_and_taken_back(change):
    made = make(CUES, change)
    assert made != CUES
    assert make(made, change.reversed()) == CUES


def test_what_was_changed_since_is_not_taken_back():
    made = make(CUES, WORDS)
    again = make(made, Change(1, (made[1],), (replace(made[1], text="Other words."),)))
    with pytest.raises(DoesNotFit):
        make(again, WORDS.reversed())


def test_places_move_when_cues_come_and_go():
    made = make(make(CUES, GONE), WORDS)
    assert made[0].text == "The all-gather is quick."
    assert make(make(made, GONE.reversed()), WORDS.reversed()) == CUES


def test_another_file_with_other_times_is_corrected_the_same():
    replayed = replay(later(CUES, 1300), [WORDS, JOINED, GONE])
    assert replayed.cues == later(make(make(make(CUES, WORDS), JOINED), GONE), 1300)
    assert None not in replayed.changes
    back = replayed.cues
    for change in reversed(replayed.changes):
        back = make(back, change.reversed())
    assert back == later(CUES, 1300)


def test_long_words_that_occur_once_are_found_anywhere_and_short_ones_only_nearby():
    moved = later(CUES, 40_000)
    assert replay(moved, [WORDS]).cues[1].text == "The all-gather is quick."
    yes = Change(2, (CUES[2],), (replace(CUES[2], text="Yes."),))
    assert replay(moved, [yes]).changes == (None,)
    assert replay(later(CUES, 900), [yes]).cues[2].text == "Yes."


def test_what_is_right_already_counts_as_made():
    done = later(make(CUES, WORDS), 100)
    replayed = replay(done, [WORDS])
    assert replayed.cues == done
    (change,) = replayed.changes
    assert make(done, change.reversed())[1].text == "The all gether is quick."


def test_what_is_not_there_is_lost_and_the_rest_is_made():
    other = (CUES[0], replace(CUES[1], text="Something else was said."), *CUES[2:])
    replayed = replay(other, [WORDS, JOINED])
    assert replayed.changes[0] is None
    assert replayed.cues == make(other, JOINED)


def test_other_labels_of_speakers_stay_where_only_words_were_changed():
    other = later(CUES, 0, speaker="SPEAKER_07")
    replayed = replay(other, [WORDS])
    assert (replayed.cues[1].speaker, replayed.cues[1].text) == (
        "SPEAKER_07",
        "The all-gather is quick.",
    )
    named = Change(1, (CUES[1],), (replace(CUES[1], speaker="Bo"),))
    assert replay(other, [named]).changes == (None,)
    assert replay(later(CUES, 10), [named]).cues[1].speaker == "Bo"


def test_text_without_times_is_found_by_its_place():
    text = tuple(Cue(0, 0, "", words) for words in ("Yes.", "No.", "So.", "Yes."))
    change = Change(3, (text[3],), (Cue(0, 0, "", "Yes!"),))
    assert [cue.text for cue in make(text, change)] == ["Yes.", "No.", "So.", "Yes!"]
    longer = (Cue(0, 0, "", "New."), *text)
    assert [cue.text for cue in replay(longer, [change]).cues] == [
        "New.", "Yes.", "No.", "So.", "Yes!",
    ]  # fmt: skip
    assert replay(tuple(Cue(0, 0, "", f"{n}") for n in range(20)) + text, [change]).changes == (
        None,
    )


ACTS = {
    "text": lambda cues, at, words: mending.replace_text(cues, at, words),
    "speaker": lambda cues, at, words: mending.set_speaker(cues, at, "C"),
    "join": lambda cues, at, words: mending.join(cues, at),
    "split": lambda cues, at, words: mending.split(cues, at, 4),
    "gone": lambda cues, at, words: mending.replace_text(cues, at, ""),
}


@st.composite
def sessions(draw):
    """Cues, the changes of an editor's session, and what they came to."""
    words = st.sampled_from(["one", "two", "three four", "five six seven", "eight"])
    cues = tuple(
        Cue(number * 1000, number * 1000 + 900, draw(st.sampled_from("AB")), draw(words))
        for number in range(draw(st.integers(2, 6)))
    )
    first, changes = cues, []
    for _ in range(draw(st.integers(1, 6))):
        index = draw(st.integers(0, len(cues) - 1))
        act = draw(st.sampled_from(sorted(ACTS)))
        try:
            after = ACTS[act](cues, index, draw(words))
        except mending.CannotMend:
            continue
        if not after:
            continue
        old = 2 if act == "join" else 1
        new = old + len(after) - len(cues)
        changes.append(Change(index, cues[index : index + old], after[index : index + new]))
        cues = after
    return first, changes, cues


@given(sessions())
def test_a_session_is_replayed_and_taken_back(session):
    first, changes, last = session
    replayed = replay(first, changes)
    assert replayed.cues == last
    assert None not in replayed.changes
    back = last
    for change in reversed(changes):
        back = make(back, change.reversed())
    assert back == first
