"""Notes shortened to what Apple takes: whole blocks, closed tags, a link to the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from feeds.descriptions import LONGEST, shorten

PAGE = "https://podcast.example.org/show/episode/"
LINK = f'<p><a href="{PAGE}">Read on</a></p>'


def size(text):
    return len(text.encode("utf-8", "replace"))


@pytest.mark.parametrize("notes", ["", "<p>Hello</p>", "<p>" + "a" * (LONGEST - 7) + "</p>"])
def test_what_fits_is_unchanged(notes):
    assert shorten(notes, PAGE) == notes


def test_blocks_are_kept_whole():
    block = "<p>" + "word " * 100 + "end.</p>"
    short = shorten(block * 20, PAGE)
    assert short == block * 7 + LINK
    assert LONGEST - size(block) < size(short) <= LONGEST


def test_a_long_list_ends_between_two_of_its_lines():
    notes = "<p>Links</p><ul>" + "".join(f"<li>Link {n:04}</li>" for n in range(1000)) + "</ul>"
    short = shorten(notes, PAGE)
    body, _, link = short.rpartition("</ul>")
    assert body.endswith("</li>")
    assert link == LINK
    assert size(short) > LONGEST - 40


def test_bytes_count_and_not_characters():
    notes = "".join(f"<p>{'開' * 300}</p>" for _ in range(10))
    assert len(notes) < LONGEST < size(notes)
    assert size(shorten(notes, PAGE)) <= LONGEST
    assert shorten(notes, PAGE).count("開") == 300 * 4


def test_one_long_paragraph_is_cut_between_words():
    short = shorten("<p>" + "Fish &amp; <b>chips</b> " * 1000 + "</p>", PAGE)
    assert short.endswith("…</p>" + LINK)
    text = html.fromstring(f"<div>{short}</div>").text_content()
    assert set(text.removesuffix("…Read on").split()) == {"Fish", "&", "chips"}


def test_a_paragraph_without_spaces_still_says_something():
    assert shorten("<p>" + "開" * 3000 + "</p>", PAGE).count("開") > 1200


def test_text_outside_any_element_counts_as_a_block():
    short = shorten("Intro &lt;b&gt;<p>" + "x" * 5000 + "</p>", PAGE)
    assert short == "Intro &lt;b&gt;" + LINK


@given(st.text(alphabet=st.characters(), max_size=60), st.sampled_from(["p", "ul", "div", "b"]))
def test_any_text_gives_closed_html_within_the_limit(text, tag):
    notes = f"<{tag}>{text}</{tag}>" * 3
    short = shorten(notes, PAGE, longest=120)
    assert size(short) <= 120
    if short != notes:
        assert short.endswith(LINK)
        parsed = html.fragments_fromstring(short)
        assert parsed[-1].text_content() == "Read on"
