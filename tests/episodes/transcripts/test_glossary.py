"""The glossary: exact proposals, applied as chosen, in any script and in linear time."""

import time

import pytest

from episodes.transcripts.cues import Cue
from episodes.transcripts.glossary import OutdatedProposal, Term, apply, propose

ALL_GATHER = Term("all gether", "all-gather")


def test_a_misheard_word_is_proposed_shown_and_corrected():
    cues = (Cue(0, 1, "", "The all gether layout."), Cue(1, 2, "", "All gether again."))
    proposals = propose(cues, [ALL_GATHER])
    assert [(p.cue_index, p.before, p.after, p.span) for p in proposals] == [
        (0, "all gether", "all-gather", (4, 14)),
        (1, "All gether", "All-gather", (0, 10)),
    ]
    assert proposals[0].in_context(cues[0].text) == ("The ", "all gether", "all-gather", " layout.")
    assert [cue.text for cue in apply(cues, proposals)] == [
        "The all-gather layout.",
        "All-gather again.",
    ]
    assert apply(cues, proposals[1:])[0] == cues[0]


@pytest.mark.parametrize(
    ("text", "term", "corrected"),
    [
        ("pie torch and pie torches", Term("pie torch", "PyTorch"), "PyTorch and pie torches"),
        ("pytorch PyTorch PYTORCH", Term("pytorch", "PyTorch"), "PyTorch PyTorch PyTorch"),
        ("Rust rust", Term("rust", "Rust", match_case=True), "Rust Rust"),
        ("torchscript", Term("script", "Script", whole_word=False), "torchScript"),
        ("torchscript", Term("script", "Script"), "torchscript"),
        ("naive naïve", Term("naive", "naïve"), "naïve naïve"),
        ("Élan élan", Term("élan", "Elan"), "Elan Elan"),
        ("cafe\u0301 cafe", Term("cafe", "bistro"), "cafe\u0301 bistro"),
        ("今日は派意鳥地です", Term("派意鳥地", "PyTorch"), "今日はPyTorchです"),
        ("تورش بايتورش", Term("تورش", "Torch"), "Torch بايتورش"),
        ("c++ c++x", Term("c++", "C++"), "C++ C++x"),
        ("a.b axb", Term("a.b", "AB"), "AB axb"),
        ("all  gether", ALL_GATHER, "all-gather"),
        ("nothing", Term(" ", "x"), "nothing"),
        ("Harbour, Ada Harbour", Term("Harbour", "Ada Harbour"), "Ada Harbour, Ada Harbour"),
        ("PyTorch torch", Term("torch", "PyTorch torch"), "PyTorch torch"),
        ("a a", Term("a", "a a a"), "a a a a a a"),
    ],
)
def test_terms_are_found_as_words_of_their_script(text, term, corrected):
    assert apply(text, propose(text, [term])) == corrected


def test_the_longer_term_wins_and_each_place_changes_once():
    terms = [Term("gather", "GATHER"), Term("all gather", "all-gather")]
    assert apply("all gather gather", propose("all gather gather", terms)) == "all-gather GATHER"


def test_a_proposal_for_words_that_have_changed_changes_nothing():
    proposals = propose("all gether", [ALL_GATHER])
    with pytest.raises(OutdatedProposal):
        apply("another text", proposals)
    with pytest.raises(OutdatedProposal):
        apply((Cue(0, 1, "", "all gether"),), proposals)
    with pytest.raises(OutdatedProposal):
        apply("all gether", proposals * 2)


def test_time_grows_with_the_text():
    terms = [Term(f"word{n} gether", f"right{n}") for n in range(100)]

    def cost(size: int) -> float:
        text = "all gether word7 gether " * size
        best = 9.0
        for _ in range(3):
            begin = time.process_time()
            propose(text, terms)
            best = min(best, time.process_time() - begin)
        return best

    # Four times the text: linear is 4, quadratic 16. On a busy machine one look may be wrong.
    assert any(cost(8_000) < 8 * cost(2_000) + 0.01 for _ in range(4))
