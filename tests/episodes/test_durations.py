"""Durations: written for machines and people, read from feeds."""

import xml.etree.ElementTree as ElementTree

import pytest

from episodes.durations import clock, human, iso8601, parse_duration
from tests.conftest import CORPUS


@pytest.mark.parametrize(
    ("seconds", "iso", "words", "position"),
    [
        (151.066, "PT2M31S", "2 min 31 s", "2:31"),
        (0, "PT0S", "0 s", "0:00"),
        (0.4, "PT1S", "1 s", "0:00"),
        (59.5, "PT1M", "1 min", "1:00"),
        (60, "PT1M", "1 min", "1:00"),
        (150.5, "PT2M31S", "2 min 31 s", "2:31"),
        (3600, "PT1H", "1 h", "1:00:00"),
        (3723, "PT1H2M3S", "1 h 2 min", "1:02:03"),
        (7180, "PT1H59M40S", "2 h", "1:59:40"),
        (360000, "PT100H", "100 h", "100:00:00"),
        (-3, "PT0S", "0 s", "0:00"),
    ],
)
def test_a_duration_is_written_in_three_forms(seconds, iso, words, position):
    assert (iso8601(seconds), human(seconds), clock(seconds)) == (iso, words, position)


FEED_FORMS = {
    1: 151,
    2: 151,
    3: 151,
    4: 151,
    5: 151,
    6: 151,
    7: 152,  # 2:31.5, halves up
    8: 151,
    9: 151,  # 151 sec
    10: 151,  # 2m31s
    11: 151,  # PT2M31S
    12: None,  # -5
    13: 0,
    14: None,  # empty
    15: None,  # 9:99:99
    16: None,  # three years
    17: None,  # four fields
    18: 151,  # full-width colon
    19: 151,  # Arabic digits
    20: None,  # NaN
}


def test_every_form_seen_in_feeds_is_read_or_refused():
    tree = ElementTree.parse(CORPUS / "feeds" / "odd-20-duration-forms.xml")
    found = tree.iter("{http://www.itunes.com/dtds/podcast-1.0.dtd}duration")
    assert {n: parse_duration(e.text or "") for n, e in enumerate(found, 1)} == FEED_FORMS


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1 hour 2 minutes", 3720),
        ("1h 2m", 3720),
        ("PT1H", 3600),
        ("75:00", 4500),
        (" 1:02:03\n", 3723),
        ("2:61", None),
        ("PT", None),
        ("about an hour", None),
        ("1e5", None),
        ("9" * 400, None),
    ],
)
def test_other_forms(text, seconds):
    assert parse_duration(text) == seconds
