"""Every transcript of the corpus: cues, first start, last end, speakers; or the refusal."""

import csv
import re

import pytest

from episodes.transcripts import UnreadableTranscript, read_transcript
from tests.conftest import CORPUS

FOLDER = CORPUS / "transcripts"
ADA, BO = "Ada Harbour", "Bo Line"
SPEECH = ("0.64", "149.718", {ADA, BO})

#: name: (format, cues, first start, last end, speakers), as MANIFEST.md has them.
READ = {
    "cp1251.srt": ("srt", 2, "1.0", "5.0", {""}),
    "gb2312.srt": ("srt", 3, "27.0", "36.57", {""}),
    "header-notes-styles-regions.vtt": ("vtt", 2, "1.0", "6.0", {"Ada", ""}),
    "hostile.html": ("html", 4, "0.0", "8.407", {"Eve"}),
    "hostile.vtt": ("vtt", 3, "0.0", "6.0", {"Eve", ""}),
    "json-bom.json": ("json", 1, "0.5", "1.5", {"Ada"}),
    "json-odd.json": ("json", 7, "0.0", "12.407", {"Ada", ""}),  # 8 segments, one without words
    "namespace-example.json": ("json", 2, "0.5", "3.0", {"Darth Vader", "Luke"}),  # 5 words
    "namespace-example.srt": ("srt", 222, "0.179", "754.769", {"Travis", "Gilon", "Sarah"}),
    "namespace-example.vtt": ("vtt", 7, "0.0", "25.35", {"Sarah", "Gillian"}),
    "overlapping-unordered.vtt": ("vtt", 5, "0.0", "360001.0", {"Ada", ""}),
    "real-talkpython-000-intro.txt": ("txt", 52, "0.0", "204.149", {""}),
    "real-talkpython-000-intro.vtt": ("vtt", 52, "0.001", "203.52", {""}),
    "real-talkpython-395-youtube.vtt": ("vtt", 1855, "0.0", "4636.48", {""}),
    "real-talkpython-395.txt": ("txt", 1186, "0.0", "4390.139", {""}),
    "real-talkpython-395.vtt": ("vtt", 1216, "0.001", "4410.82", {""}),
    "rtl-voices.vtt": ("vtt", 3, "0.0", "8.0", {"سارة", "דוד", "田中"}),
    "sloppy.srt": ("srt", 6, "0.5", "13.0", {""}),  # seven times, one without words
    "speech-151s-crlf-bom.srt": ("srt", 25, *SPEECH),
    "speech-151s-utf16le-bom.srt": ("srt", 25, *SPEECH),
    "speech-151s-word-per-segment.json": ("json", 25, *SPEECH),  # 332 words
    "speech-151s.html": ("html", 25, "0.0", "148.174", {ADA, BO}),
    "speech-151s.json": ("json", 25, *SPEECH),
    "speech-151s.srt": ("srt", 25, *SPEECH),
    "speech-151s.txt": ("txt", 6, "0.0", "148.241", {ADA, BO}),
    "speech-151s.vtt": ("vtt", 25, *SPEECH),
    "srt-named.vtt": ("srt", 25, *SPEECH),
    "three-hours-5400-cues.vtt": ("vtt", 5400, "0.0", "10799.9", {ADA, BO}),
}

#: name: (code, line)
REFUSED = {
    "binary-named.vtt": ("encoding", 0),
    "empty.vtt": ("empty", 0),
    "json-broken.json": ("not-json", 1),
}

#: Words without times, or with times minutes apart.
UNTIMED = {
    "only-header.vtt": 0,
    "real-changelog-357.md": 23,
    "real-changelog-gotime-79.md": 19,
    "real-changelog-news.md": 0,
}


def read(name: str):
    return read_transcript((FOLDER / name).read_bytes(), name)


@pytest.mark.parametrize("name", READ)
def test_the_manifests_values_are_read(name):
    transcript = read(name)
    found, count, start, end, speakers = READ[name]
    assert transcript.format == found
    assert len(transcript.cues) == count
    assert transcript.cues[0].start == float(start)
    assert transcript.cues[-1].end == float(end)
    assert {cue.speaker for cue in transcript.cues} == speakers
    starts = [cue.start_ms for cue in transcript.cues]
    assert starts == sorted(starts)
    assert all(0 <= cue.start_ms <= cue.end_ms and cue.text for cue in transcript.cues)
    assert " ".join(transcript.text.split()).startswith(transcript.cues[0].text)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_line(name):
    with pytest.raises(UnreadableTranscript) as refusal:
        read(name)
    assert (refusal.value.code, refusal.value.line) == REFUSED[name]
    assert refusal.value.reason


def test_every_file_of_the_corpus_has_its_row():
    names = {path.name for path in FOLDER.iterdir() if path.is_file()}
    assert names == set(READ) | set(REFUSED) | set(UNTIMED)


@pytest.mark.parametrize("name", UNTIMED)
def test_words_without_useful_times_are_kept_without_cues(name):
    transcript = read(name)
    assert transcript.cues == ()
    sparse = [finding for finding in transcript.findings if finding.code == "sparse-times"]
    assert bool(sparse) == bool(UNTIMED[name])
    if sparse:
        assert sparse[0].where.endswith(f"and {UNTIMED[name] - 1} more")


@pytest.mark.parametrize("name", [name for name in UNTIMED if name.endswith(".md")])
def test_markdown_labels_become_speakers_and_its_marks_go(name):
    source = (FOLDER / name).read_text("utf-8")
    labels = re.findall(r"^\*\*([^*:]+):\*\*", source, re.MULTILINE)
    speakers = set(re.findall(r"^([^\n:]{1,40}): ", read(name).text, re.MULTILINE))
    assert speakers >= set(labels) - {"Break"}
    assert not re.search(r"\*\*|\]\(http|\\\[", read(name).text)


@pytest.mark.parametrize(
    ("name", "index", "text"),
    [
        ("cp1251.srt", 0, "Доброе утро, это выпуск двенадцать."),
        ("gb2312.srt", 0, "宇宙守护神 保护我们远离邪恶"),
        ("header-notes-styles-regions.vtt", 0, "Hello there - second line"),
        ("hostile.html", 3, "Last & only safe line"),
        ("hostile.vtt", 0, "alert(1)>Hello"),
        ("hostile.vtt", 1, "a < b && c > d <script>alert(2)</script>"),
        ("hostile.vtt", 2, "unclosed"),
        ("json-odd.json", 5, "markup & text"),
        ("namespace-example.json", 0, "I am your father."),
        ("namespace-example.vtt", 2, "include in one? Welcome to Podcasting Q&A, where you learn"),
        ("rtl-voices.vtt", 1, "שלום לכולם (release 2.4)!"),
        ("sloppy.srt", 1, "short fields, number skipped"),
        ("sloppy.srt", 2, "no number"),
        ("sloppy.srt", 4, "colour and position"),
        ("real-talkpython-395-youtube.vtt", 1, "Hello, everyone."),
    ],
)
def test_words_are_plain_text(name, index, text):
    assert read(name).cues[index].text == text


def test_the_speech_is_the_same_in_every_timed_format():
    wanted = read("speech-151s.vtt").cues
    for name in ("speech-151s.srt", "speech-151s.json", "speech-151s-word-per-segment.json"):
        assert read(name).cues == wanted, name
    assert [cue.text for cue in read("speech-151s.html").cues] == [cue.text for cue in wanted]
    assert read("speech-151s.txt").text == read("speech-151s.vtt").text


def test_the_header_tells_the_language():
    assert read("header-notes-styles-regions.vtt").language == "en"
    assert read("rtl-voices.vtt").language == "ar"


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        (
            "overlapping-unordered.vtt",
            {"out-of-order", "overlap", "end-before-start", "zero-length"},
        ),
        ("cp1251.srt", {"encoding"}),
        ("sloppy.srt", {"loose-time", "empty-cue"}),
        ("speech-151s-word-per-segment.json", {"word-segments"}),
        ("only-header.vtt", {"empty"}),
        ("speech-151s.html", {"estimated", "no-end"}),
        (
            "json-odd.json",
            {
                "unusable-time",
                "markup",
                "empty-cue",
                "estimated",
                "no-end",
                "end-before-start",
                "overlap",
            },
        ),
        ("speech-151s.vtt", set()),
    ],
)
def test_what_is_odd_is_read_and_reported(name, codes):
    assert {finding.code for finding in read(name).findings} == codes


#: Where we read other than the libraries of COUNTS.tsv, and why. Words decide: whatever
#: begins with a time that can be read is a cue, and a cue without words is none.
OURS = {
    "cue-times--incorrect-delimiter.vtt": "no-times",  # "00.00.000" is no time
    "cue-times--missing-separator.vtt": "no-times",
    "cue-times--min-mid-digits.vtt": 1,  # 00:000.000, as ffprobe
    "cue-times--min-top-digits.vtt": 1,  # 000:00.000, as ffprobe
    "cue-times--minimum-spots-over-sixty.vtt": 1,  # minutes above 59, as ffprobe
    "file-layout--bom-tab-webvtt.vtt": 1,  # white space before the signature
    "file-layout--tab-after-bom-before-header.vtt": 1,
    "file-layout--bad-double-webvtt.vtt": "no-times",  # and "--->" is no arrow
    "file-layout--garbage-signature.vtt": "no-times",
    "file-layout--blank-file.vtt": "empty",
    "file-layout--blank-file-with-bom.vtt": "empty",
    "file-layout--cue-spacing.vtt": 3,  # four times, one without words
    "integration--arrows.vtt": 0,  # one time without words
    "empty.vtt": "empty",
    "invalid.vtt": 7,  # no signature, good times: as ffprobe
    "invalid_timeframe.vtt": 7,  # an end that cannot be read is estimated
    "invalid_timeframe.srt": 5,  # 00:00:11:890
    "invalid_format.sbv": "no-times",
    "invalid_format1.srt": "no-times",
    "invalid_format2.srt": "no-times",
    "invalid_format3.srt": "no-times",
    "invalid_format4.srt": "no-words",
    "missing_caption_text.srt": 4,
    "missing_caption_text.vtt": 4,
    "missing_timeframe.sbv": 4,  # words without a time go to the cue above
    "invalid_timeframe.sbv": 4,
    "missing_caption_text.sbv": 4,
    "sample.sbv": 5,
    "two_captions.sbv": 2,
}


def counted() -> list[tuple[str, str]]:
    rows = []
    for folder in ("vttjs", "webvtt-py"):
        with (FOLDER / folder / "COUNTS.tsv").open(encoding="utf-8") as file:
            rows += [
                (f"{folder}/{row[0]}", row[3]) for row in list(csv.reader(file, delimiter="\t"))[1:]
            ]
    return rows


@pytest.mark.parametrize(("path", "library"), counted())
def test_the_small_files_give_the_libraries_counts_or_better(path, library):
    name = path.split("/")[1]
    wanted = OURS.get(name, int(library.split()[-1]) if library.split()[-1].isdigit() else library)
    if isinstance(wanted, int):
        assert len(read(path).cues) == wanted
    else:
        with pytest.raises(UnreadableTranscript) as refusal:
            read(path)
        assert refusal.value.code == wanted


@pytest.mark.parametrize(
    ("name", "speaker", "text"),
    [
        ("cuetext-voice--with-annotation.vtt", "Mary", "No way!"),
        ("cuetext-voice--with-closing-span.vtt", "Joe", "Hee! Hee!"),
        ("cuetext-voice--with-two-subclasses.vtt", "Joe", "That's awesome!"),
        ("cuetext-voice--no-end-gt.vtt", "", "It's a blue apple tree!"),
        ("cuetext-voice--not-closed.vtt", "", "It's a blue apple tree!"),
        ("cuetext-timestamp--nested.vtt", "", "Hee! Hee!"),
        ("cuetext-timestamp--no-end-gt.vtt", "", "It's a blue apple tree!"),
        ("cuetext-timestamp--space-before-gt.vtt", "", "No way!"),
        ("cuetext-escape-characters--amp.vtt", "", "Some text & other stuff."),
        ("cuetext-escape-characters--gt.vtt", "", "Everyone likes the '>' sign right?"),
        ("cuetext-escape-characters--nbsp.vtt", "", "Did you know I didn't put a\xa0space here?"),
        (
            "cuetext-escape-characters--together.vtt",
            "",
            "Some text < &> < &nb\xa0 &am< \u200f&lr\u200e other stuff.",
        ),
        (
            "integration--cue-content.vtt",
            "Neil deGrasse Tyson",
            "Laughs &am& other stuff > &l<&rl\u200f\u200e Oh my! >",
        ),
    ],
)
def test_voices_tags_and_entities_are_read_as_the_standard_says(name, speaker, text):
    (cue,) = read(f"vttjs/{name}").cues
    assert (cue.speaker, cue.text) == (speaker, text)
