"""Chapters written as JSON, Podlove items and lines; and judged beside their audio."""

import json

import pytest

from episodes.chapters import (
    Chapter,
    chapters_json,
    chapters_json_bytes,
    check_chapters,
    list_for_notes,
    psc_items,
    read_chapters,
)
from tests.conftest import CORPUS

CHAPTERS = (
    Chapter(0, "Welcome", end=19.811),
    Chapter(19.811, "Calendar", url="https://example.com/calendar"),
    Chapter(48, "Pipeline", image="https://example.com/p.jpg"),
    Chapter(3723.5, "Only a picture", image=b"\x89PNG", toc=False),
)


def test_json_is_the_version_1_2_document():
    assert chapters_json(CHAPTERS, title="Episode 12", author="") == {
        "version": "1.2.0",
        "title": "Episode 12",
        "chapters": [
            {"startTime": 0, "title": "Welcome", "endTime": 19.811},
            {"startTime": 19.811, "title": "Calendar", "url": "https://example.com/calendar"},
            {"startTime": 48, "title": "Pipeline", "img": "https://example.com/p.jpg"},
            {"startTime": 3723.5, "title": "Only a picture", "toc": False},
        ],
    }


def test_json_read_again_is_the_same_list():
    corpus = CORPUS / "chapters" / "speech-151s.json"
    chapters = read_chapters(corpus.read_bytes()).chapters
    again = chapters_json_bytes(chapters)
    assert read_chapters(again).chapters == chapters
    assert json.loads(again)["chapters"] == json.loads(corpus.read_text())["chapters"]


def test_podlove_items_leave_hidden_chapters_out():
    assert list(psc_items(CHAPTERS)) == [
        {"start": "00:00:00.000", "title": "Welcome"},
        {"start": "00:00:19.811", "title": "Calendar", "href": "https://example.com/calendar"},
        {"start": "00:00:48.000", "title": "Pipeline", "image": "https://example.com/p.jpg"},
    ]


def test_the_list_for_notes_is_found_again():
    text = list_for_notes(CHAPTERS)
    assert text == "0:00 Welcome\n0:20 Calendar\n0:48 Pipeline"
    assert [chapter.title for chapter in read_chapters(text.encode()).chapters] == [
        "Welcome",
        "Calendar",
        "Pipeline",
    ]


def test_good_chapters_have_no_findings():
    chapters = read_chapters((CORPUS / "chapters" / "speech-151s.json").read_bytes()).chapters
    assert check_chapters(chapters, 151.0) == ()


@pytest.mark.parametrize(
    ("chapters", "found"),
    [
        ([Chapter(1, "Late")], [("advice", "first-not-at-zero")]),
        ([Chapter(0, "A"), Chapter(0, "B")], [("error", "same-start")]),
        ([Chapter(0, "A"), Chapter(9, "B"), Chapter(5, "C")], [("error", "unsorted")]),
        ([Chapter(-1, "A")], [("error", "negative-start")]),
        ([Chapter(0, "A"), Chapter(60, "B")], [("error", "past-the-end")]),
        ([Chapter(0, "A", end=0)], [("error", "bad-end")]),
        ([Chapter(0, "A", end=61)], [("warning", "end-past-the-end")]),
        ([Chapter(0, "A", end=60.2)], []),
        ([Chapter(0, "A", url="javascript:alert(1)")], [("error", "bad-url")]),
        ([Chapter(0, "A", url="/calendar")], [("error", "bad-url")]),
        ([Chapter(0, "A", image="http://example.com/a.jpg")], [("error", "not-https")]),
        ([Chapter(0, "A", image=b"\xff\xd8")], []),
        ([Chapter(0)], [("warning", "no-title")]),
        ([Chapter(0, toc=False)], []),
        ([Chapter(0, "x" * 256)], [("warning", "long-title")]),
        ([], []),
    ],
)
def test_each_rule(chapters, found):
    findings = check_chapters(chapters, 60.0)
    assert [(finding.level, finding.code) for finding in findings] == found


def test_without_a_duration_nothing_is_past_the_end():
    assert check_chapters([Chapter(0, "A"), Chapter(9e5, "B")], None) == ()
