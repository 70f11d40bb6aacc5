"""Hostile and broken files: no crash but a refusal, and time that grows as the file does."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes.transcripts import UnreadableTranscript, read_transcript, write
from episodes.transcripts.excerpt import excerpt, paragraphs_of_text
from episodes.transcripts.paragraphs import text_paragraphs
from tests.conftest import CORPUS

FOLDER = CORPUS / "transcripts"
NAMES = ["x.vtt", "x.srt", "x.sbv", "x.json", "x.html", "x.txt", "x.md", ""]
SMALL = sorted(
    path for path in FOLDER.rglob("*.*") if path.suffix != ".tsv" and path.stat().st_size < 6_000
)


def read_or_refuse(data: bytes, name: str) -> None:
    """Whatever comes, it is read into sound cues that every format can be written from."""
    try:
        read = read_transcript(data, name)
    except UnreadableTranscript:
        return
    starts = [cue.start_ms for cue in read.cues]
    assert starts == sorted(starts)
    for cue in read.cues:
        assert 0 <= cue.start_ms <= cue.end_ms
        assert cue.text
        assert "\n" not in cue.text + cue.speaker
    for extension in ("vtt", "srt", "json", "html", "txt") if read.cues else ("html", "txt"):
        write(read.cues, read.text, extension)
    excerpt(paragraph.text for paragraph in text_paragraphs(read.text))


@given(st.binary(max_size=400), st.sampled_from(NAMES))
@settings(max_examples=300)
def test_random_bytes_are_read_or_refused(data, name):
    read_or_refuse(data, name)


FRAGMENTS = st.sampled_from(
    [
        "WEBVTT", "\n", "\n\n", "\r\n", "NOTE", "STYLE", "REGION", "1", "00:00:01.000", " --> ",
        "-->", "->", "00:00:02,5", "0:0:3", "<v Bo>", "</v>", "<", ">", "&", "&#99999999999;",
        "&lt;", "Ada: ", "**Ada:** ", "[00:04]", "Ada (0:05)", "{", "}", "[", "]", '"segments"',
        '"startTime"', '"start_ms"', '"lines"', "9" * 400,
        ":", ",", '"body"', "<p>", "<cite>", "<time>", "<script>", "</p>", "words",
        "今日", "\u0301", "\u200d", "\ud7ff", "\x00", "\ufeff", "NaN", "1e999", "null", " ", "\t",
    ]
)  # fmt: skip


@given(st.lists(FRAGMENTS, max_size=40).map("".join), st.sampled_from(NAMES))
@settings(max_examples=500)
def test_grammar_in_disorder_is_read_or_refused(text, name):
    read_or_refuse(text.encode("utf-8", "surrogatepass"), name)


@given(
    st.sampled_from(SMALL),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), st.binary(max_size=12)), max_size=6),
)
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_mutated_files_are_read_or_refused(path, edits):
    data = path.read_bytes()
    for place, removed, inserted in edits:
        at = int(place * len(data))
        data = data[:at] + inserted + data[at + removed :]
    read_or_refuse(data, path.name)


VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\n"
SRT = "1\n00:00:01,000 --> 00:00:02,000\n"

#: name of the file, and what is made of n characters
ATTACKS = {
    "spaces in a VTT time line": ("x.vtt", lambda n: f"{VTT}a\n\n00:01.000{' ' * n}--> x\nb"),
    "spaces in an SRT time line": ("x.srt", lambda n: f"{SRT}a\n\n00:00:01,000{' ' * n}x\nb"),
    "spaces before words": ("x.srt", lambda n: " " * n + SRT + "a"),
    "digits": ("x.srt", lambda n: SRT + "1" * n),
    "digit lines": ("x.srt", lambda n: SRT + "1\n" * (n // 2) + "a"),
    "dashes": ("x.srt", lambda n: SRT + "-" * n + ">"),
    "arrows": ("x.vtt", lambda n: VTT + "-->\n" * (n // 4)),
    "time lines": ("x.vtt", lambda n: "WEBVTT\n\n" + "00:01.000 --> 00:02.000\n" * (n // 24)),
    "settings": ("x.vtt", lambda n: VTT.rstrip() + " a:b" * (n // 4) + "\nwords"),
    "angle brackets": ("x.vtt", lambda n: VTT + "<" * n),
    "open voices": ("x.vtt", lambda n: VTT + "<v " * (n // 3)),
    "classes": ("x.vtt", lambda n: VTT + "<c" + ".a" * (n // 2)),
    "many voices": ("x.vtt", lambda n: VTT + "<v A>a<v B>b" * (n // 12)),
    "references": ("x.vtt", lambda n: VTT + "&#" + "9" * n + ";"),
    "ampersands": ("x.vtt", lambda n: VTT + "&" * n),
    "overrides": ("x.srt", lambda n: SRT + "{\\" * (n // 2)),
    "notes": ("x.vtt", lambda n: "WEBVTT\n\n" + "NOTE a\n\n" * (n // 8) + VTT[8:] + "words"),
    "labels": ("x.srt", lambda n: SRT + "A" * n + ":"),
    "words": ("x.vtt", lambda n: VTT + "words " * (n // 6)),
    "one long word": ("x.vtt", lambda n: VTT + "x" * n),
    "no text but breaks": ("x.txt", lambda n: "\n \n" * (n // 3) + "a"),
    "stars": ("x.md", lambda n: "**A:** x\n\n**B:** y\n\n" + "*a " * (n // 3)),
    "underlines": ("x.md", lambda n: "_a" * (n // 2)),
    "brackets": ("x.md", lambda n: "[" * n),
    "links": ("x.md", lambda n: "[a](" * (n // 4)),
    "backslashes": ("x.md", lambda n: "\\" * n),
    "a name without end": ("x.txt", lambda n: "Ada " * (n // 4) + "(0:01)"),
    "nested lists": ("x.json", lambda n: "[" * n),
    "segments": ("x.json", lambda n: "[0" + ',{"text":"a","start":1}' * (n // 23) + "]"),
    "open tags": ("x.html", lambda n: "<p>" * (n // 3)),
    "closing tags": ("x.html", lambda n: "<p>a" + "</p>" * (n // 4)),
    "nested elements": ("x.html", lambda n: "<p>a" + "<b>" * (n // 3)),
    "attributes": ("x.html", lambda n: "<p " + "a=b " * (n // 4) + ">a"),
    "comments": ("x.html", lambda n: "<p>a" + "<!-- " * (n // 5)),
    "cyrillic": ("x.srt", lambda n: SRT + "\u0430" * n),
}  # fmt: skip


def cost(name: str, text: str, codec: str) -> float:
    data = text.encode(codec)
    best = 9.0
    for _ in range(3):
        begin = time.process_time()
        try:
            read = read_transcript(data, name)
        except UnreadableTranscript:
            pass
        else:
            write(read.cues, read.text, "txt")
            excerpt(paragraphs_of_text(read.text))
        best = min(best, time.process_time() - begin)
    return best


@pytest.mark.parametrize("attack", ATTACKS)
def test_time_is_linear_in_the_size_of_the_file(attack):
    name, make = ATTACKS[attack]
    codec = "cp1251" if attack == "cyrillic" else "utf-8"
    # Four times the text: linear is 4, quadratic 16. On a busy machine one look may be wrong.
    for _ in range(5):
        part, whole = cost(name, make(25_000), codec), cost(name, make(100_000), codec)
        if whole < 8 * part + 0.05 and whole < 1:
            return
    pytest.fail(f"{part:.3f} s for a quarter, {whole:.3f} s for the whole")


def test_three_hours_of_cues_are_read_in_less_than_a_second():
    data = (FOLDER / "three-hours-5400-cues.vtt").read_bytes()
    begin = time.process_time()
    read_transcript(data, "three-hours-5400-cues.vtt")
    assert time.process_time() - begin < 1
