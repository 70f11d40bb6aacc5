"""Text as the words that are compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.searching.words import fold, parts, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", ["hello", "world"]),
        ("That's the all-gather", ["that", "s", "the", "all", "gather"]),
        ("That’s it", ["that", "s", "it"]),
        ("Résumé naïve Ångström", ["resume", "naive", "angstrom"]),
        ("Straße, SØREN, Łódź, Œuvre", ["strasse", "soren", "lodz", "oeuvre"]),
        ("re\u0301sume\u0301", ["resume"]),
        ("ΑΘΉΝΑ Ёлка", ["αθηνα", "елка"]),
        ("torch_compile v2.1", ["torch", "compile", "v2", "1"]),
        ("ＡＢＣ ｶﾞｽ ①", ["abc", "ガス", "ス", "1"]),
        ("東京都です。", ["東京", "京都", "都で", "です", "す"]),
        ("東", ["東"]),
        ("GPT4の話", ["gpt4", "の話", "話"]),
        ("が か", ["が", "か"]),
        ("서울에서", ["서울", "울에", "에서", "서"]),
        ("\u1109\u1165\u110b\u116e\u11af", ["서울", "울"]),
        ("ไทย ผู้", ["ไท", "ทย", "ย", "ผู", "ู้", "้"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("שָׁלוֹם سَلَام", ["שלום", "سلام"]),
        ("🎧 — …", []),
        ("", []),
    ],
)
def test_tokens(text, expected):
    assert tokens(fold(text)) == expected


def test_a_word_of_any_length_is_a_token_of_sixty():
    assert tokens("x" * 100_000) == ["x" * 60]


@given(st.text())
def test_tokens_are_words_of_letters_and_digits_whatever_the_text(text):
    for token in tokens(fold(text)):
        assert token
        assert len(token) <= 60
        assert not set(token) & set(" '\"*()&|!:<>\\%_\0{}^+-")
        assert parts(token) == [token]
