"""Tags into recordings of every kind: read back by mutagen, ffprobe and our own reader."""

import mutagen
import pytest

from episodes.audio import read_audio
from episodes.audio.tagging import Contents, can_tag
from episodes.audio.tagging import probe as write
from episodes.chapters.records import Chapter
from tests import ffmpeg
from tests.conftest import CORPUS

pytestmark = pytest.mark.usefixtures("readers_ready")

COVER = (CORPUS / "images/square-1400.jpg").read_bytes()
CHAPTERS = (
    Chapter(0.0, "Beginning", end=1.25),
    Chapter(1.25, "Zwei & ‘drei’", "https://example.org/two?a=1&b=2", COVER, end=2.5),
    Chapter(2.5, "", image=COVER, end=4.0, toc=False),
    Chapter(4.0, "四つ目 👩‍🚀", end=7.0),
)
CONTENTS = Contents(
    "Ampersands & “angles” 角", "Harbour Line", "Ada Harbour", 2, 17, COVER, CHAPTERS
)

FILES = [
    "cbr-128k-10s.mp3",
    "id3v24-3-chapters-cover.mp3",
    "id3v23-3-chapters-cover.mp3",
    "auphonic-chapters.mp3",
    "mutagen-id3v22-test.mp3",
    "vbr-with-xing.mp3",
    "vbr-without-header-quiet-start.mp3",
    "m4a-3-chapters-faststart.m4a",
    "m4a-3-chapters-moov-at-end.m4a",
    "auphonic-chapters.m4a",
    "nero-chapters.m4a",
    "mutagen-alac.m4a",
    "video-10s.mp4",
    "flac-10s-cover.flac",
    "vorbis-10s.ogg",
    "opus-60s-3-chapter-comments.opus",
    "mutagen-multiplexed.spx",
    "wav-pcm16-10s.wav",
    "wav-pcm24-10s.wav",
    "aiff-10s.aiff",
]


def tagged(tmp_path, source, contents=CONTENTS):
    """The copy, with `contents` for the length it has."""
    before = read_audio(source)
    copy = tmp_path / f"copy.{before.extension}"
    copy.write_bytes(source.read_bytes())
    chapters = [each for each in contents.chapters if each.start < before.duration]
    packed = tmp_path / "contents"
    packed.write_bytes(
        Contents(
            contents.title, contents.album, contents.artist, contents.season, contents.number,
            contents.cover, tuple(chapters), before.duration,
        ).pack()
    )  # fmt: skip
    assert can_tag(before.container)
    spare = tmp_path / f"spare.{before.extension}"
    options = {"container": before.container, "contents": str(packed), "spare": str(spare)}
    facts, _ = write(str(copy), options)
    return type(source)(facts["path"]), before, chapters


@pytest.mark.parametrize("name", FILES)
def test_the_copy_says_what_the_episode_says_and_sounds_the_same(tmp_path, name):
    source = CORPUS / "audio" / name
    path, before, chapters = tagged(tmp_path, source)
    after = read_audio(path)
    assert (after.tags.title, after.tags.album) == (CONTENTS.title, CONTENTS.album)
    assert (after.tags.season, after.tags.number) == (2, 17)
    assert after.cover == COVER
    assert (after.duration, after.channels, after.sample_rate, after.codec) == (
        before.duration, before.channels, before.sample_rate, before.codec
    )  # fmt: skip
    if after.container in ("mp3", "wav", "aiff"):
        expected = chapters
        assert [row.toc for row in after.chapters] == [row.toc for row in chapters]
    else:
        expected = [row for row in chapters if row.toc]
    assert [(row.start, row.title, row.url) for row in after.chapters] == [
        (row.start, row.title, row.url) for row in expected
    ]
    assert mutagen.File(path).info.length == pytest.approx(mutagen.File(source).info.length)
    seen = ffmpeg.probe(path)
    tags = {k.lower(): v for k, v in seen["format"].get("tags", {}).items()}
    tags |= {k.lower(): v for s in seen["streams"] for k, v in s.get("tags", {}).items()
             if s["codec_type"] == "audio" and after.container == "ogg"}  # fmt: skip
    if after.container != "wav":  # where ffmpeg looks for another chunk
        assert tags["title"] == CONTENTS.title
        assert tags["album"] == CONTENTS.album
    assert ffmpeg.sound_of(path) == ffmpeg.sound_of(source)
    if after.container in ("mp3", "mp4"):
        # ID3 frames have no order; the table of contents, which ffmpeg does not read, gives it.
        shown = {float(each["start_time"]): each.get("tags", {}) for each in seen["chapters"]}
        assert sorted(shown) == [row.start for row in expected]
        for row in expected:
            assert not row.title or shown[row.start]["title"] == row.title


@pytest.mark.parametrize("name", FILES)
def test_writing_again_without_chapters_takes_them_out(tmp_path, name):
    path, before, _ = tagged(tmp_path, CORPUS / "audio" / name)
    (tmp_path / "again").mkdir()
    path, _, _ = tagged(tmp_path / "again", path, Contents("Plain", "Harbour Line"))
    after = read_audio(path)
    assert after.chapters == ()
    assert after.tags.title == "Plain"
    assert (after.tags.number, after.tags.season) == (None, None)
    assert after.duration == before.duration
    assert ffmpeg.sound_of(path) == ffmpeg.sound_of(CORPUS / "audio" / name)


@pytest.mark.parametrize("alone", ["chpl", "tref"])
def test_either_kind_of_mp4_chapters_is_enough_by_itself(tmp_path, alone):
    path, _, chapters = tagged(tmp_path, CORPUS / "audio/m4a-3-chapters-faststart.m4a")
    other = b"tref" if alone == "chpl" else b"chpl"
    data = path.read_bytes()
    assert data.count(other) == 1
    path.write_bytes(data.replace(other, b"skip"))
    listed = [row for row in chapters if row.toc]
    assert [(row.start, row.title) for row in read_audio(path).chapters] == [
        (row.start, row.title) for row in listed
    ]
    assert len(ffmpeg.probe(path)["chapters"]) == len(listed)


def test_an_index_in_front_stays_in_front(tmp_path):
    path, *_ = tagged(tmp_path, CORPUS / "audio/m4a-3-chapters-faststart.m4a")
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_a_thousand_chapters(tmp_path):
    many = tuple(Chapter(n / 100, f"Chapter {n}", end=(n + 1) / 100) for n in range(900))
    for name in ("cbr-128k-10s.mp3", "m4a-3-chapters-faststart.m4a", "vorbis-10s.ogg"):
        contents = Contents("Many", "Harbour", chapters=many)
        path, *_ = tagged(tmp_path, CORPUS / "audio" / name, contents)
        after = read_audio(path)
        assert [(row.start, row.title, row.toc) for row in after.chapters] == [
            (row.start, row.title, True) for row in many
        ]


def test_a_first_chapter_that_starts_late(tmp_path):
    late = (Chapter(1.5, "Late", end=3.0), Chapter(3.0, "Later", end=10.0))
    contents = Contents("Late", "Harbour", chapters=late)
    path, *_ = tagged(tmp_path, CORPUS / "audio/m4a-3-chapters-moov-at-end.m4a", contents)
    assert [(row.start, row.title) for row in read_audio(path).chapters] == [
        (1.5, "Late"), (3.0, "Later")
    ]  # fmt: skip
