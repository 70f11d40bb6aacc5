"""Writing: each format as its readers want it, and nothing lost that it can hold."""

import json
import re
from datetime import timedelta

import pytest
import srt
import webvtt
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes.transcripts import MEDIA_TYPES, Cue, formats_for, read_transcript, write
from episodes.transcripts.formats.markup import unescape_srt, without_tags
from episodes.transcripts.speakers import split_label
from tests.conftest import CORPUS, SEED

FOLDER = CORPUS / "transcripts"
SPEECH = read_transcript((FOLDER / "speech-151s.vtt").read_bytes(), "speech-151s.vtt")


def written(cues, extension, text=""):
    return write(cues, text, extension)[0].decode()


def test_formats_come_in_the_order_apps_prefer_with_their_types():
    assert formats_for(True) == ("vtt", "srt", "json", "html", "txt")
    assert formats_for(False) == ("html", "txt")
    assert [write(SPEECH.cues, "", extension)[1] for extension in formats_for(True)] == [
        "text/vtt",
        "application/x-subrip",
        "application/json",
        "text/html",
        "text/plain",
    ]


@pytest.mark.parametrize("extension", ["vtt", "srt", "json", "doc"])
def test_a_format_that_needs_times_is_not_made_of_text(extension):
    with pytest.raises(KeyError):
        write((), "Only words.", extension)


HARD = (
    Cue(640, 1477, "Ada & <Bo>", "Tom & Jerry <script>alert(1)</script> --> end"),
    Cue(3_600_000, 3_600_000, "", "zero"),
)


def test_webvtt_escapes_and_names_voices():
    assert write(HARD, "", "vtt", language="en")[0].decode() == (
        "WEBVTT\nLanguage: en\n\n"
        "00:00:00.640 --> 00:00:01.477\n"
        "<v Ada &amp; &lt;Bo&gt;>"
        "Tom &amp; Jerry &lt;script&gt;alert(1)&lt;/script&gt; --&gt; end\n\n"
        "01:00:00.000 --> 01:00:00.001\nzero\n"
    )


def test_srt_has_counters_commas_and_names():
    assert written(SPEECH.cues[:1], "srt") == (
        "1\n00:00:00,640 --> 00:00:01,477\nAda Harbour: Good morning.\n"
    )


def test_json_is_the_namespaces():
    assert json.loads(written(SPEECH.cues[:1] + HARD[1:], "json")) == {
        "version": "1.0.0",
        "segments": [
            {
                "speaker": "Ada Harbour",
                "startTime": 0.64,
                "endTime": 1.477,
                "body": "Good morning.",
            },
            {"startTime": 3600.0, "endTime": 3600.0, "body": "zero"},
        ],
    }


def test_html_is_a_fragment_of_cite_time_and_p():
    lines = written(SPEECH.cues, "html").splitlines()
    assert lines[:3] == [
        "<cite>Ada Harbour:</cite>",
        "<time>0:00</time>",
        "<p>Good morning. This is the Harbour Line developer briefing, episode twelve, recorded "
        "for the build team. Today we cover four things: the release calendar, the upload "
        "pipeline, the feed cache, and what we learned from last week.</p>",
    ]
    assert len(lines) == 18
    assert "<script>" not in written(HARD, "html")


def test_text_is_paragraphs_headed_by_name_and_time():
    corpus = (FOLDER / "speech-151s.txt").read_text("utf-8")
    ours = re.sub(r"\((\d):(\d\d)\)", r"(00:0\1:\2)", written(SPEECH.cues, "txt"))
    assert ours.split() == corpus.split()


def test_text_without_times_is_html_and_text():
    seed = (SEED / "transcript.txt").read_text("utf-8")
    read = read_transcript(seed.encode(), "transcript.txt")
    assert read.cues == ()
    assert written((), "txt", read.text).split() == seed.split()
    assert written((), "html", read.text).count("<p>") == 7
    talk = "Ada: Good morning.\n\nBo: Good & bright.\n\nStill Bo speaks."
    assert written((), "html", talk) == (
        "<cite>Ada:</cite>\n<p>Good morning.</p>\n<cite>Bo:</cite>\n<p>Good &amp; bright.</p>\n"
        "<cite>Bo:</cite>\n<p>Still Bo speaks.</p>\n"
    )


def test_the_libraries_read_what_we_write():
    captions = webvtt.from_string(written(SPEECH.cues, "vtt"), strict=True).captions
    assert [caption.voice for caption in captions] == [cue.speaker for cue in SPEECH.cues]
    assert [caption.text.replace("\n", " ") for caption in captions] == [
        cue.text for cue in SPEECH.cues
    ]
    cards = list(srt.parse(written(SPEECH.cues, "srt")))
    assert [card.index for card in cards] == list(range(1, 26))
    assert [card.start for card in cards] == [
        timedelta(milliseconds=cue.start_ms) for cue in SPEECH.cues
    ]
    assert [card.content.replace("\n", " ") for card in cards] == [
        f"{cue.speaker}: {cue.text}" for cue in SPEECH.cues
    ]


@pytest.mark.parametrize(("extension", "width"), [("vtt", 65), ("srt", 32)])
def test_lines_are_short(extension, width):
    text = re.sub(r"<v [^>]+>", "", written(SPEECH.cues, extension))
    assert max(map(len, text.splitlines())) <= width


# Round trips

WORDS = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cn")), min_size=1, max_size=120
).map(lambda text: " ".join(part for part in text.split(" ") if part).strip())
TEXTS = WORDS.filter(lambda text: bool(text) and "\x85" not in text)
NAMES = st.sampled_from(["", "Ada Harbour", "Bo & <3", "سارة", "田中", "Dr. O'Neil", "Speaker 1"])
PLAIN_NAMES = st.sampled_from(["Ada Harbour", "سارة", "田中", "Dr. O'Neil", "Speaker 1"])


@st.composite
def cue_lists(draw, texts=TEXTS, names=NAMES):
    cues, at = [], 0
    for text in draw(st.lists(texts, min_size=1, max_size=6)):
        at += draw(st.integers(0, 90_000_000))
        length = draw(st.integers(1, 100_000))
        cues.append(Cue(at, at + length, draw(names).replace("<", "").replace(">", ""), text))
    return tuple(cues)


@given(cue_lists())
@settings(max_examples=150)
def test_webvtt_round_trips(cues):
    assume_unlabelled = all(not split_label(cue.text)[0] for cue in cues)
    if assume_unlabelled or any(cue.speaker for cue in cues):
        assert read_transcript(write(cues, "", "vtt")[0]).cues == cues


def holds_in_srt(text: str) -> bool:
    """SRT has no escapes: what looks like a tag, a reference, a time or a counter is one."""
    return (
        without_tags(text) == text
        and unescape_srt(text) == text
        and "->" not in text.replace(" ", "")
        and "→" not in text
        and "–>" not in text
        and not text.strip().isdigit()
    )


@given(cue_lists(TEXTS.filter(holds_in_srt), PLAIN_NAMES))
@settings(max_examples=150)
def test_srt_round_trips(cues):
    assert read_transcript(write(cues, "", "srt")[0]).cues == cues


@given(
    cue_lists(TEXTS.filter(lambda text: "<" not in text and "&" not in text).map("a b ".__add__))
)
@settings(max_examples=150)
def test_json_round_trips(cues):
    unlabelled = all(not split_label(cue.text)[0] for cue in cues)
    if unlabelled or any(cue.speaker for cue in cues):
        assert read_transcript(write(cues, "", "json")[0]).cues == cues


@given(cue_lists(names=PLAIN_NAMES))
@settings(max_examples=100)
def test_html_keeps_every_word_and_who_says_it(cues):
    again = read_transcript(write(cues, "", "html")[0])
    assert spoken_by(again.cues) == spoken_by(cues)


PROSE = st.lists(
    st.sampled_from(("Good", "morning", "this", "is", "our", "12", "show.")), min_size=2
)


@given(cue_lists(PROSE.map(" ".join), PLAIN_NAMES))
@settings(max_examples=100)
def test_text_keeps_every_word_and_who_says_it(cues):
    again = read_transcript(write(cues, "", "txt")[0])
    assert spoken_by(again.cues) == spoken_by(cues)


def spoken_by(cues) -> list[tuple[str, str]]:
    """Who says what, whatever the cues: words without spaces."""
    runs: list[list[str]] = []
    for cue in cues:
        words = "".join(cue.text.split())
        if runs and runs[-1][0] == cue.speaker:
            runs[-1][1] += words
        else:
            runs.append([cue.speaker, words])
    return [(speaker, words) for speaker, words in runs]


@pytest.mark.parametrize(
    "name", ["three-hours-5400-cues.vtt", "namespace-example.srt", "rtl-voices.vtt"]
)
@pytest.mark.parametrize("extension", ["vtt", "srt", "json"])
def test_real_files_round_trip(name, extension):
    cues = read_transcript((FOLDER / name).read_bytes(), name).cues
    assert read_transcript(write(cues, "", extension)[0]).cues == cues


def test_every_type_has_its_writer():
    for extension in MEDIA_TYPES:
        data, media_type = write(HARD, "", extension)
        assert data.endswith(b"\n")
        assert media_type == MEDIA_TYPES[extension]
