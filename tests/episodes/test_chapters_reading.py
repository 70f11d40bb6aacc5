"""Chapter files of every form, read by their content."""

import re
import time

import pytest

from episodes.chapters import Chapter, UnreadableChapters, find_chapters, read_chapters
from tests.conftest import CORPUS
from tests.episodes.corpus_manifest import rows

FORMATS = {
    "speech-151s-audacity-labels.txt": "audacity",
    "speech-151s-youtube-style.txt": "timestamps",
    "speech-151s.ffmetadata": "ffmetadata",
    "speech-151s.psc.xml": "psc",
    "speech-151s.txt": "mp4chaps",
}
# odd.json has 13 entries; three cannot be kept: a second one at 30 s, one at -5 s, one without.
KEPT = {"odd.json": 10}
REFUSED = {"broken.json": "line 1"}

TITLES = [
    "Welcome",
    "Release calendar",
    "Upload pipeline",
    "Feed cache",
    "What we learned",
    "Goodbye",
]
STARTS = [0, 19.811, 48.042, 81.259, 112.128, 140.446]


def corpus(name):
    return (CORPUS / "chapters" / name).read_bytes()


@pytest.mark.parametrize("row", rows("chapters"), ids=lambda row: row["file"])
def test_the_whole_corpus(row):
    name = row["file"]
    started = time.monotonic()
    if name in REFUSED:
        with pytest.raises(UnreadableChapters) as refusal:
            read_chapters(corpus(name))
        assert refusal.value.where.startswith(REFUSED[name])
    else:
        found = read_chapters(corpus(name))
        count = int(re.search(r"(\d+) (?:chapters|lines)", row["true values"])[1])
        assert len(found.chapters) == KEPT.get(name, count)
        assert found.format == FORMATS.get(name, "json")
        assert bool(found.findings) is (name == "odd.json")
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("name", ["speech-151s.json", *FORMATS])
def test_every_form_of_one_list_says_the_same(name):
    chapters = read_chapters(corpus(name)).chapters
    assert [chapter.title for chapter in chapters] == TITLES
    # Lists of m:ss know whole seconds only.
    slack = 1 if "youtube" in name else 0.001
    assert [chapter.start for chapter in chapters] == pytest.approx(STARTS, abs=slack)


def test_json_keeps_link_picture_end_and_silence():
    first, second, third, *_, last = read_chapters(corpus("speech-151s.json")).chapters
    assert first == Chapter(0, "Welcome", end=19.811)
    assert second.url == "https://example.com/calendar"
    assert third.image == "https://example.com/img/pipeline.jpg"
    assert last.toc is False


def test_labels_and_ffmetadata_keep_their_ends():
    for name in ("speech-151s-audacity-labels.txt", "speech-151s.ffmetadata"):
        assert [chapter.end for chapter in read_chapters(corpus(name)).chapters] == [
            *STARTS[1:],
            151,
        ]


def test_odd_entries_become_findings():
    found = read_chapters(corpus("odd.json"))
    assert [(finding.code, finding.where) for finding in found.findings] == [
        ("unsorted", "chapter 2"),
        ("same-start", "chapter 3"),
        ("bad-url", "chapter 5"),
        ("bad-image", "chapter 5"),
        ("negative-start", "chapter 6"),
        ("no-title", "chapter 7"),
        ("no-title", "chapter 8"),
        ("no-start", "chapter 9"),
        ("long-title", "chapter 10"),
        ("bad-end", "chapter 12"),
    ]
    starts = [chapter.start for chapter in found.chapters]
    assert starts == sorted(starts)
    assert 45.5 in starts
    marked = next(chapter for chapter in found.chapters if "script" in chapter.title)
    assert (marked.title, marked.url, marked.image) == ("<script>alert(1)</script>", "", "")
    assert max(len(chapter.title) for chapter in found.chapters) == 255


@pytest.mark.parametrize(
    ("data", "titles"),
    [
        (b"\xef\xbb\xbf0:00 Start\r\n1:00 End\r\n", ["Start", "End"]),
        ("0:00 Début\n1:00 Fin\n".encode("utf-16"), ["Début", "Fin"]),
        (b"0.0\t5.0\tCaf\xe9\n", ["Café"]),
        (b"- 00:00 - One\n- 1:02:03 \xe2\x80\x93 Two", ["One", "Two"]),
        (b"[0:00] One\n(1:00) Two", ["One", "Two"]),
        (b"00:00:00.000 One <https://example.com/1>\n", ["One"]),
        (b";FFMETADATA1\n[CHAPTER]\nSTART=0\nEND=1\ntitle=a\\=b\\;c\n", ["a=b;c"]),
        (b'<p:chapters xmlns:p="http://podlove.org/simple-chapters/">'
         b'<p:chapter start="1:30" title="x" href="https://e.org/"/></p:chapters>', ["x"]),
    ],
)  # fmt: skip
def test_other_spellings(data, titles):
    assert [chapter.title for chapter in read_chapters(data).chapters] == titles


@pytest.mark.parametrize(
    ("data", "code", "where"),
    [
        (b"", "empty", ""),
        (b" \n\n", "empty", ""),
        (b"Dear editor,\nhere they are", "unknown-format", "line 1"),
        (b"0:00 One\nthen more", "bad-line", "line 2"),
        (b"0\t1\tOne\nTwo", "bad-label", "line 2"),
        (b'{"version": "1.2.0"}', "no-chapters", ""),
        (b'{"chapters": [{"title": "no time"}]}', "no-chapters", ""),
        (b"[" * 100_000, "bad-json", ""),
        (b'[{"startTime": ' + b"9" * 5000 + b"}]", "bad-json", ""),
        (b"<psc:chapters", "bad-xml", "line 1"),
        (b"<html><body>404</body></html>", "no-chapters", ""),
        (bytes(range(256)) * 8, "binary", ""),
        (b"0:00 One\n" * 300_000, "too-large", ""),
    ],
)
def test_what_is_no_list_is_refused_with_line_and_reason(data, code, where):
    with pytest.raises(UnreadableChapters) as refusal:
        read_chapters(data)
    assert refusal.value.code == code
    assert refusal.value.where.startswith(where)


def test_entities_are_never_expanded_or_fetched(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hush")
    bomb = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
    for declared in (f'<!ENTITY e9 SYSTEM "file://{secret}">', f'<!ENTITY e0 "x">{bomb}'):
        data = (
            f"<!DOCTYPE c [{declared}]><chapters>"
            '<chapter start="0" title="safe"/><chapter start="1">&e9;</chapter></chapters>'
        ).encode()
        try:
            found = read_chapters(data)
        except UnreadableChapters:
            continue
        assert "hush" not in "".join(chapter.title for chapter in found.chapters)


def test_thousands_of_chapters_are_cut_in_linear_time():
    started = time.monotonic()
    text = "\n".join(f"{n // 60}:{n % 60:02} Part {n}" for n in range(60_000))
    found = read_chapters(text.encode())
    assert len(found.chapters) == 2000
    assert [finding.code for finding in found.findings] == ["too-many-chapters"]
    assert time.monotonic() - started < 2


NOTES = """We talk about feeds.

0:00 Welcome
0:19 Release calendar (see https://example.com)
1:02:03 Goodbye

Call us at 10:30 on Monday."""


def test_a_list_inside_notes_is_found():
    assert [(c.start, c.title) for c in find_chapters(NOTES).chapters] == [
        (0, "Welcome"),
        (19, "Release calendar (see https://example.com)"),
        (3723, "Goodbye"),
    ]


@pytest.mark.parametrize(
    "notes", ["", "0:00 One\n1:00 Two", "1:00 One\n2:00 Two\n3:00 Three", "At 0:00 we start."]
)
def test_notes_without_a_list_have_no_chapters(notes):
    assert find_chapters(notes).chapters == ()
