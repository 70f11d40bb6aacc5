"""Conditional requests against RFC 9110 §13."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.preconditions import etags, evaluate, http_date, matches_strongly, matches_weakly

OURS = 1_000_000_000  # Sun, 09 Sep 2001 01:46:40 GMT
SAME = "Sun, 09 Sep 2001 01:46:40 GMT"
EARLIER = "Sun, 09 Sep 2001 01:46:39 GMT"
LATER = "Sun, 09 Sep 2001 01:46:41 GMT"


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        ('"a"', ['"a"']),
        ('W/"a"', ['W/"a"']),
        ('"a", W/"b" ,"c"', ['"a"', 'W/"b"', '"c"']),
        ('"a,b"', ['"a,b"']),
        ('""', ['""']),
        (" * ", ["*"]),
        ("a", []),
        ("", []),
        ('"a', []),
        ('w/"a"', ['"a"']),  # the mark is case-sensitive; the tag inside still counts
    ],
)
def test_lists_of_tags(header, tags):
    assert etags(header) == tags


@pytest.mark.parametrize(
    ("header", "etag", "weakly", "strongly"),
    [
        ('"a"', '"a"', True, True),
        ('W/"a"', '"a"', True, False),
        ('"a"', 'W/"a"', True, False),
        ('W/"a"', 'W/"a"', True, False),
        ('"b", "a"', '"a"', True, True),
        ('"b"', '"a"', False, False),
        ("*", '"a"', True, True),
        ("*", None, True, True),
        ('"a"', None, False, False),
        ("a", '"a"', False, False),
    ],
)
def test_comparison(header, etag, weakly, strongly):
    assert matches_weakly(header, etag) is weakly
    assert matches_strongly(header, etag) is strongly


@pytest.mark.parametrize(
    ("header", "etag", "weakly"),
    [
        ('"a-gzip"', '"a"', True),
        ('W/"a-gzip"', 'W/"a"', True),
        ('W/"a-br"', '"a"', True),
        ('"a-zstd"', 'W/"a"', True),
        ('"a--gzip"', '"a"', True),
        ('"a;gzip"', '"a"', True),
        ('"a;br"', '"a"', True),
        ('"b-gzip", W/"a-gzip"', 'W/"a"', True),
        ('"-gzip"', '""', True),
        ('"b-gzip"', '"a"', False),
        ('"a-gzip-gzip"', '"a"', False),  # one proxy's mark, not whatever anyone adds
        ('"a-gzip-br"', '"a"', False),
        ('"agzip"', '"a"', False),
        ('"a-GZIP"', '"a"', False),
        ('"a-gzip2"', '"a"', False),
        ('"a-640"', '"a"', False),
        ('"a-webp"', '"a"', False),
        ('"a---gzip"', '"a"', False),
        ('"a"', '"a-gzip"', False),  # nothing is taken from what is ours
        ('"a-br"', '"a-gzip"', False),
        ('"a-gzip"', '"a-gzip"', True),
        ("a-gzip", '"a"', False),
        ('"a-gzip"', None, False),
    ],
)
def test_the_mark_of_a_compressing_proxy_is_taken_away(header, etag, weakly):
    assert matches_weakly(header, etag) is weakly
    assert matches_strongly(header, etag) is (header == etag)


CHARACTERS = st.characters(codec="latin-1", exclude_characters='"', exclude_categories=["C"])
TAGS = st.text(CHARACTERS.filter(str.strip), max_size=12)
MARKS = st.sampled_from(
    [before + coding for before in ("-", "--", ";") for coding in ("gzip", "br", "zstd", "deflate")]
)
WEAK = st.sampled_from(["", "W/"])


#: As we make them: what ends in a hyphen and is marked `-gzip` could also be marked `--gzip`.
TAGS_OF_OURS = TAGS.filter(lambda tag: not tag.endswith("-"))


@given(TAGS_OF_OURS, MARKS, WEAK, WEAK, st.lists(TAGS, max_size=3))
def test_every_mark_on_every_tag_of_ours_is_seen_through(tag, mark, theirs, ours, others):
    listed = ", ".join([*(f'"{other}"' for other in others), f'{theirs}"{tag}{mark}"'])
    assert matches_weakly(listed, f'{ours}"{tag}"')


@given(TAGS, TAGS, st.one_of(st.just(""), MARKS), WEAK)
def test_two_editions_are_never_taken_for_one(one, other, mark, weak):
    """As long as no tag of ours ends with a mark, which the makers of tags see to."""
    hexes = one.encode("latin-1").hex(), other.encode("latin-1").hex()
    matched = matches_weakly(f'{weak}"{hexes[0]}{mark}"', f'W/"{hexes[1]}"')
    assert matched is (one == other)


@pytest.mark.parametrize(
    ("headers", "method", "status"),
    [
        ({}, "GET", 200),
        ({"if-none-match": '"a"'}, "GET", 304),
        ({"if-none-match": '"a"'}, "HEAD", 304),
        ({"if-none-match": '"a"'}, "PUT", 412),
        ({"if-none-match": '"b"'}, "GET", 200),
        ({"if-none-match": '"b"', "if-modified-since": LATER}, "GET", 200),
        ({"if-none-match": "", "if-modified-since": LATER}, "GET", 200),
        ({"if-modified-since": SAME}, "GET", 304),
        ({"if-modified-since": LATER}, "GET", 304),
        ({"if-modified-since": EARLIER}, "GET", 200),
        ({"if-modified-since": SAME}, "POST", 200),
        ({"if-modified-since": "rubbish"}, "GET", 200),
        ({"if-modified-since": f"{SAME}, {SAME}"}, "GET", 200),
        ({"if-match": '"a"'}, "GET", 200),
        ({"if-match": '"b"'}, "GET", 412),
        ({"if-match": "*"}, "GET", 200),
        ({"if-match": 'W/"a"'}, "GET", 412),
        ({"if-match": '"a"', "if-unmodified-since": EARLIER}, "GET", 200),
        ({"if-unmodified-since": EARLIER}, "GET", 412),
        ({"if-unmodified-since": SAME}, "GET", 200),
        ({"if-unmodified-since": "rubbish"}, "GET", 200),
        ({"if-match": '"a"', "if-none-match": '"a"'}, "GET", 304),
        ({"if-match": '"b"', "if-none-match": '"a"'}, "GET", 412),
    ],
)
def test_order_of_evaluation(headers, method, status):
    assert evaluate(headers, method, '"a"', OURS) == status


def test_without_validators_only_the_wildcard_matches():
    assert evaluate({"if-modified-since": LATER}, "GET", None, None) == 200
    assert evaluate({"if-none-match": "*"}, "GET", None, None) == 304


@pytest.mark.parametrize(
    "text", [SAME, "Sunday, 09-Sep-01 01:46:40 GMT", "Sun Sep  9 01:46:40 2001"]
)
def test_three_forms_of_date(text):
    assert http_date(text) == OURS


@pytest.mark.parametrize("text", [None, "", "0", "x" * 9000, SAME + ", " + SAME, "2001-09-09"])
def test_what_is_not_a_date(text):
    assert http_date(text) is None
