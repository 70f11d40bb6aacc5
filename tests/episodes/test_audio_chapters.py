"""Chapters inside recordings: exact starts and titles, in every way that files have them."""

import pytest

from episodes.audio import read_audio
from tests import ffmpeg
from tests.conftest import CORPUS

pytestmark = pytest.mark.usefixtures("readers_ready")

THREE = [(0.0, "Welcome"), (19.811, "Release calendar – “frozen”"), (40.5, "アップロード")]
FOUR = [
    (0.0, "Chapter 1 - ❤️😊"),
    (3.0, "Chapter 2 - ßöÄ"),
    (6.0, "Chapter 3 - 爱"),
    (9.0, "Chapter 4"),
]
MADE = [(1250, 3500, "One"), (3500, 7007, "Zwei & ‘drei’"), (7007, 10_000, "四")]


def listed(path) -> list[tuple[float, str]]:
    return [(chapter.start, chapter.title) for chapter in read_audio(path).chapters]


@pytest.mark.parametrize(
    ("name", "chapters"),
    [
        ("m4a-3-chapters-faststart.m4a", THREE),
        ("m4a-3-chapters-moov-at-end.m4a", THREE),
        ("auphonic-chapters.m4a", FOUR),
        ("nero-chapters.m4a", FOUR),
        ("auphonic-chapters.ogg", FOUR),
        ("auphonic-chapters.opus", FOUR),
    ],
)
def test_starts_and_titles_are_exact(name, chapters):
    assert listed(CORPUS / "audio" / name) == chapters


def test_links_of_a_second_text_track_are_read():
    links = [each.url for each in read_audio(CORPUS / "audio/auphonic-chapters.m4a").chapters]
    assert links == ["https://example.com"] * 4


@pytest.mark.parametrize("name", ["auphonic-chapters.m4a", "auphonic-chapters.mp3"])
def test_pictures_of_chapters_are_read(name):
    chapters = read_audio(CORPUS / "audio" / name).chapters
    assert [each.image[:3] for each in chapters] == [b"\xff\xd8\xff"] * 4


@pytest.mark.parametrize("flags", ["disable_chpl", "+faststart", "disable_chpl+faststart"])
@pytest.mark.parametrize("ending", ["m4a", "mp4"])
def test_both_kinds_of_mp4_chapters(tmp_path, ending, flags):
    made = ffmpeg.make(
        tmp_path / f"made.{ending}",
        "-f", "lavfi", "-i", "sine=duration=10",
        "-i", str(ffmpeg.chapters_file(tmp_path, *MADE)),
        "-map_chapters", "1", "-c:a", "aac", "-movflags", flags,
    )  # fmt: skip
    assert (b"chpl" in made.read_bytes()) is ("disable_chpl" not in flags)
    expected = [(start / 1000, title) for start, _, title in MADE]
    if "disable_chpl" in flags:  # ffmpeg lets the text track begin at 0, and so do its readers
        expected[0] = (0.0, "One")
    assert listed(made) == expected


def test_neros_list_alone(tmp_path):
    data = (CORPUS / "audio/m4a-3-chapters-faststart.m4a").read_bytes()
    assert data.count(b"tref") == 1
    (tmp_path / "nero.m4a").write_bytes(data.replace(b"tref", b"skip"))
    assert listed(tmp_path / "nero.m4a") == THREE


def test_titles_in_utf_16(tmp_path):
    made = ffmpeg.make(
        tmp_path / "made.m4a",
        "-f", "lavfi", "-i", "sine=duration=10",
        "-i", str(ffmpeg.chapters_file(tmp_path, (0, 10_000, "abcdefgh"))),
        "-map_chapters", "1", "-c:a", "aac", "-movflags", "disable_chpl",
    )  # fmt: skip
    wide = b"\xfe\xff" + "Öl!".encode("utf-16-be")
    made.write_bytes(made.read_bytes().replace(b"abcdefgh", wide))
    assert listed(made) == [(0.0, "Öl!")]


def test_a_table_that_lies_costs_little(tmp_path):
    """Counts of four thousand million in the tables of a text track."""
    data = bytearray((CORPUS / "audio/m4a-3-chapters-faststart.m4a").read_bytes())
    text = data.index(b"text", data.index(b"hdlr", data.index(b"hdlr") + 4))
    for table in (b"stts", b"stsz", b"stsc"):
        at = data.index(table, text) + 8
        data[at : at + 8] = b"\xff" * 8
    (tmp_path / "lies.m4a").write_bytes(data)
    read_audio(tmp_path / "lies.m4a")


def test_what_the_table_of_contents_leaves_out_is_hidden(tmp_path):
    from mutagen.id3 import CHAP, CTOC, ID3, TIT2, CTOCFlags

    path = tmp_path / "hidden.mp3"
    path.write_bytes((CORPUS / "audio/cbr-128k-10s.mp3").read_bytes())
    tag = ID3()
    for key, start in (("a", 0), ("b", 2000), ("c", 5000)):
        title = TIT2(encoding=3, text=[key.upper()])
        tag.add(CHAP(element_id=key, start_time=start, end_time=start + 9, sub_frames=[title]))
    tag.add(
        CTOC(
            element_id="toc",
            flags=CTOCFlags.TOP_LEVEL | CTOCFlags.ORDERED,
            child_element_ids=["a", "c"],
            sub_frames=[],
        )
    )
    tag.save(path)
    assert [(row.title, row.toc) for row in read_audio(path).chapters] == [
        ("A", True), ("B", False), ("C", True)
    ]  # fmt: skip
