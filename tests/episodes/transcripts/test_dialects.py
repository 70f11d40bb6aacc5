"""Dialects the corpus has no file of: how transcribers, editors and machines write."""

import json

import pytest

from episodes.transcripts import Cue, UnreadableTranscript, read_transcript
from episodes.transcripts.checks import check
from episodes.transcripts.cues import cues_from_rows, cues_to_rows


def read(text: str, name: str = ""):
    return read_transcript(text.encode(), name)


def told(text: str, name: str = "") -> list[tuple[float, str, str]]:
    return [(cue.start, cue.speaker, cue.text) for cue in read(text, name).cues]


@pytest.mark.parametrize(
    ("text", "cues"),
    [
        ("[00:01] One.\n[00:05] Two.", [(1, "", "One."), (5, "", "Two.")]),
        ("(0:01) One.\n\n(1:00:05.5) Two.", [(1, "", "One."), (3605.5, "", "Two.")]),
        ("00:01 Ada: One.\n00:05 Bo: Two.", [(1, "Ada", "One."), (5, "Bo", "Two.")]),
        (
            "Ada (0:01)\nOne.\nMore.\n\nBo (0:05)\nTwo.",
            [(1, "Ada", "One. More."), (5, "Bo", "Two.")],
        ),
        ("Ada 00:00:01\nOne.\n\nBo 00:00:05\nTwo.", [(1, "Ada", "One."), (5, "Bo", "Two.")]),
        (
            "**Ada:** \\[00:01\\] One.\n\n**Bo**: [00:05] Two.",
            [(1, "Ada", "One."), (5, "Bo", "Two.")],
        ),
        (
            "[0:01] One.\n[0:01] Two.\n[0:05] Three.",
            [(1, "", "One."), (3, "", "Two."), (5, "", "Three.")],
        ),
        (
            "<p><time>0:01</time> One.</p><p><time>0:05</time> Two.</p>",
            [(1, "", "One."), (5, "", "Two.")],
        ),
        (
            "<cite>Ada:</cite> <time>0:01</time> <p>One &lt;2&gt;.<br>Yes.</p>",
            [(1, "Ada", "One <2>. Yes.")],
        ),
    ],
)
def test_timed_text_is_read(text, cues):
    assert told(text) == cues


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ada: One.\n\nBo: Two.", "Ada: One.\n\nBo: Two."),
        (
            "**Ada:** One *really* [good](https://example.com) `show`.\n\n**Bo:** 2 \\* 3",
            "Ada: One really good show.\n\nBo: 2 * 3",
        ),
        ("Note: one.\n\nTwo.", "Note: one.\n\nTwo."),
        ("A meeting at 12:30 sharp.\n\nEnd.", "A meeting at 12:30 sharp.\n\nEnd."),
        ("<h1>Show</h1><p>One.</p><script>evil()</script>", "Show\n\nOne."),
    ],
)
def test_text_without_times_keeps_its_words_and_names(text, words):
    found = read(text)
    assert found.cues == ()
    assert found.text == words


ONE, TWO = "1\n00:00:01,000 --> 00:00:02,000\n", "\n\n2\n00:00:03,000 --> 00:00:04,000\n"


@pytest.mark.parametrize(
    ("text", "cues"),
    [
        ("00:00:01,0 --> 00:00:02,0\nOne.", [(1, "", "One.")]),
        ("1\n00:00:01,000 → 00:00:02,000\nOne.", [(1, "", "One.")]),
        ("1\n00:00:01,000 -> 00:00:02,000\nOne.", [(1, "", "One.")]),
        ("1\n00：00：01，500 --> 00：00：02，000\n一。", [(1.5, "", "一。")]),
        ("1\n01:02 --> 01:03\nOne.", [(62, "", "One.")]),
        (ONE + "<i>One</i>\n\nmore &amp; more", [(1, "", "One more & more")]),
        (ONE + "1984" + TWO + "Two.", [(1, "", "1984"), (3, "", "Two.")]),
        (ONE + "Ada: One" + TWO + "and on.", [(1, "Ada", "One"), (3, "Ada", "and on.")]),
        (ONE + "One: two" + TWO + "http://a: x", [(1, "One", "two"), (3, "One", "http://a: x")]),
    ],
)
def test_srt_dialects_are_read(text, cues):
    assert told(text) == cues
    assert read(text).format == "srt"


def test_two_voices_in_a_cue_become_two_cues():
    found = read("WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ada>Hello.</v> <v Bo>Hi you.\n")
    assert [(c.start, c.end, c.speaker, c.text) for c in found.cues] == [
        (0.0, 1.846, "Ada", "Hello."),
        (1.846, 4.0, "Bo", "Hi you."),
    ]
    assert [finding.code for finding in found.findings] == ["several-voices"]


def test_names_before_words_count_in_webvtt_without_voices():
    text = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\nAda Harbour: Hello.\n\n00:03.000 --> 00:04.000\nYes.\n"
    )
    assert told(text) == [(1, "Ada Harbour", "Hello."), (3, "Ada Harbour", "Yes.")]


PODLOVE = [
    {
        "start": "00:00:01.500",
        "start_ms": 1500,
        "end": "00:00:02.000",
        "end_ms": 2000,
        "speaker": "7",
        "voice": "Ada",
        "text": "Hello there.",
    }
]
GROUPED = [
    {
        "speaker": "7",
        "voice": "Ada",
        "items": [{"start": "00:00:01.500", "end": "00:00:02.000", "text": "Hello there."}],
    }
]
PUBLISHED = {"transcripts": PODLOVE}
MILLISECONDS = {"transcripts": [{"start_ms": 1500, "end_ms": 2000, "text": "Hello there."}]}
DOTE = {
    "lines": [
        {
            "startTime": "00:00:01,500",
            "endTime": "00:00:02,000",
            "speakerDesignation": "Ada",
            "text": "Hello there.",
        }
    ]
}
WHISPER = {
    "language": "en",
    "segments": [{"id": 0, "start": 1.5, "end": 2.0, "text": " Hello there.", "words": []}],
}


@pytest.mark.parametrize(
    ("data", "speaker", "language"),
    [
        (PODLOVE, "Ada", ""),
        (GROUPED, "Ada", ""),
        (PUBLISHED, "Ada", ""),
        (MILLISECONDS, "", ""),
        (DOTE, "Ada", ""),
        (WHISPER, "", "en"),
    ],
)
def test_json_of_other_tools_is_read(data, speaker, language):
    found = read(json.dumps(data))
    assert found.cues == (Cue(1500, 2000, speaker, "Hello there."),)
    assert found.language == language


def test_cjk_words_are_joined_without_spaces():
    words = ["今日", "は", "新しい", "放送", "です。", "どうぞ。"]
    segments = [{"startTime": n, "endTime": n + 1, "body": word} for n, word in enumerate(words)]
    found = read(json.dumps({"version": "1.0.0", "segments": segments}))
    assert [cue.text for cue in found.cues] == ["今日は新しい放送です。", "どうぞ。"]


@pytest.mark.parametrize(
    ("text", "name", "code", "line"),
    [
        ("", "", "empty", 0),
        (" \n\t\n", "x.vtt", "empty", 0),
        ("WEBVTT\n\nwords and no time", "", "no-times", 3),
        ("WEBVTT\n\n00:01 -- 00:02\nwords", "x.vtt", "no-times", 3),
        ("Just words.", "x.srt", "no-times", 1),
        ("1\n00:00:01,000 --> 00:00:02,000\n", "", "no-words", 2),
        ('{"a": 1}', "", "no-segments", 0),
        ("[1, 2]", "x.json", "no-segments", 0),
        ('{\n"segments": [\n}', "", "not-json", 3),
        ("<p></p>", "", "no-words", 0),
    ],
)
def test_a_refusal_names_the_line_and_the_reason(text, name, code, line):
    with pytest.raises(UnreadableTranscript) as refusal:
        read(text, name)
    assert (refusal.value.code, refusal.value.line) == (code, line)
    assert refusal.value.where == (f"line {line}" if line else "")
    assert refusal.value.message.endswith((".", "here"))


def test_words_that_are_left_out_are_reported_with_their_line():
    vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nOne.\n\nlost\n\n00:1d.000 --> 00:04.000\nlost too\n"
    found = {finding.code: finding.where for finding in read(vtt).findings}
    assert found == {"stray-text": "line 6", "bad-time": "line 8"}
    srt = "1\n00:00:01,000 --> 00:00:02,000\nOne.\n\n2\n0a:00:03,000 --> 00:00:04,000\nlost\n"
    assert [f.where for f in read(srt).findings if f.code == "bad-time"] == ["line 6"]


def test_the_audio_shows_what_is_past_its_end():
    cues = (Cue(0, 5000, "Ada", "One."), Cue(4000, 12_001, "Ada", "Two."))
    assert {finding.code: finding.where for finding in check(cues, 10)} == {
        "past-end": "cue 2",
        "overlap": "cue 2",
    }
    assert check(cues[:1], 3) == ()
    assert check(cues[:1], None) == ()
    assert [finding.code for finding in check((Cue(0, 1, "", "x"),), None)] == ["no-speakers"]
    assert [finding.code for finding in check((), 10)] == ["empty"]


def test_cues_go_through_a_json_column():
    cues = (Cue(640, 1477, "سارة", "صباح"), Cue(2000, 2000, "", "x"))
    assert cues_from_rows(json.loads(json.dumps(cues_to_rows(cues)))) == cues
