"""Every file of the corpus gives the manifest's true values, or the finding it implies."""

import struct
from contextlib import suppress
from functools import partial
from unittest.mock import patch

import pytest

from episodes.audio import read_audio
from episodes.findings import Unreadable
from episodes.probing import MB, Limits, ProbeFailed, probe_in_child
from tests.conftest import CORPUS
from tests.episodes.corpus_manifest import row, rows

#: Files that are cut off: what a reader finds is told in words instead.
CUT = {
    "mutagen-52-too-short-block-size.flac": "truncated",
    "mutagen-variable-block.flac": "truncated",
    "truncated-at-240000-bytes-of-604k.mp3": "last-frame-cut",
    "mutagen-vbri.mp3": "truncated",
    "tinytag-vbr_xing_header_2channel.mp3": "truncated",
}
#: The manifest's tools read them; no podcast app does, or no sound is in them.
REFUSED = {"mutagen-silence-1.wma", "opus-in-webm.webm"}
#: Cut by their makers to an index without its sound: the index is all there is to read.
INDEX_ONLY = {"mutagen-nero-chapters.m4b", "tinytag-mp4_extended_size.m4a"}
#: A tag whose size lies: the sound is read, the tag is not.
LYING_TAG = {"id3-size-field-larger-than-file.mp3"}

READABLE = [
    each
    for each in rows("audio")
    if each["decoded"] != "-" and each["file"] not in CUT.keys() | REFUSED | INDEX_ONLY | LYING_TAG
]


pytestmark = pytest.mark.usefixtures("readers_ready")

#: Seconds of processor and bytes of address space that each file may take. The kernel ends a child
#: that takes more, which is ProbeFailed.
STRICT = Limits(cpu_seconds=2, memory=300 * MB)


def facts_of(name: str):
    with patch("episodes.audio.probe_in_child", partial(probe_in_child, limits=STRICT)):
        return read_audio(CORPUS / "audio" / name, name)


def test_the_limits_are_kept():
    """A file that would take more is ended, so the tests here measure what they say."""
    path = CORPUS / "audio/id3-size-field-larger-than-file.mp3"
    with pytest.raises(ProbeFailed, match="memory"):
        probe_in_child("episodes.audio.probing", path, limits=Limits(memory=200 * MB))


@pytest.mark.parametrize("name", sorted(each.name for each in (CORPUS / "audio").iterdir()))
def test_no_file_takes_more_than_2_seconds_and_300_mb(name):
    with suppress(Unreadable):
        facts_of(name)


@pytest.mark.parametrize("true", READABLE, ids=lambda true: true["file"])
def test_true_values(true):
    facts = facts_of(true["file"])
    assert facts.duration == pytest.approx(float(true["decoded"]), abs=0.1)
    assert facts.bytes == int(true["bytes"])
    assert facts.sample_rate == int(true["Hz/channels"].partition("/")[0])
    assert facts.channels == int(true["Hz/channels"].partition("/")[2])
    assert bool(facts.cover) == (true["picture"] == "yes")
    assert len(facts.chapters) == int(true["chapters"])


@pytest.mark.parametrize("name", sorted(CUT))
def test_what_is_cut_off_is_said(name):
    facts = facts_of(name)
    assert CUT[name] in {finding.code for finding in facts.findings}
    # The frame that is cut in two counts for some tools and not for others.
    assert facts.duration == pytest.approx(float(row("audio", name)["decoded"]), abs=0.15)


def test_a_flac_cut_in_the_middle_is_as_long_as_what_is_there(tmp_path):
    whole = (CORPUS / "audio/flac-10s-cover.flac").read_bytes()
    (tmp_path / "cut.flac").write_bytes(whole[:150_000])
    facts = read_audio(tmp_path / "cut.flac")
    assert 4 < facts.duration < 5
    assert "truncated" in {finding.code for finding in facts.findings}


def test_a_flac_written_into_a_pipe_is_as_long_as_its_frames(tmp_path):
    """Its header says 0 samples: unknown (RFC 9639 §8.2)."""
    data = bytearray((CORPUS / "audio/flac-10s-cover.flac").read_bytes())
    data[21] &= 0xF0
    data[22:26] = bytes(4)
    (tmp_path / "piped.flac").write_bytes(data)
    facts = read_audio(tmp_path / "piped.flac")
    assert facts.duration == pytest.approx(10, abs=0.01)
    assert "truncated" not in {finding.code for finding in facts.findings}


@pytest.mark.parametrize("fact", [True, False])
def test_a_wav_with_compressed_sound_is_as_long_as_it_says(tmp_path, fact):
    """ADPCM has four bits a sample, and MP3 says 0: the length is not theirs."""
    sound = bytes(40_000)
    form = struct.pack("<HHIIHHHH", 0x11, 1, 8000, 4000, 256, 4, 2, 505)
    chunks = b"fmt " + struct.pack("<I", len(form)) + form
    if fact:
        chunks += b"fact" + struct.pack("<II", 4, 80_000)
    chunks += b"data" + struct.pack("<I", len(sound)) + sound
    whole = b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WAVE" + chunks
    (tmp_path / "adpcm.wav").write_bytes(whole)
    facts = read_audio(tmp_path / "adpcm.wav")
    assert (facts.codec, facts.duration) == ("adpcm", pytest.approx(10, abs=0.01))
    (tmp_path / "cut.wav").write_bytes(whole[:-20_000])
    facts = read_audio(tmp_path / "cut.wav")
    assert facts.duration == pytest.approx(5, abs=0.01)
    assert "truncated" in {finding.code for finding in facts.findings}


@pytest.mark.parametrize("name", ["vorbis-10s.ogg", "opus-60s-3-chapter-comments.opus"])
def test_an_ogg_that_breaks_off_is_said_and_joined_ones_count_together(tmp_path, name):
    whole = (CORPUS / "audio" / name).read_bytes()
    (tmp_path / "cut.ogg").write_bytes(whole[: len(whole) * 6 // 10])
    cut = read_audio(tmp_path / "cut.ogg")
    (tmp_path / "joined.ogg").write_bytes(whole + whole)
    joined = read_audio(tmp_path / "joined.ogg")
    true = facts_of(name).duration
    assert joined.duration == pytest.approx(2 * true, abs=0.02)
    assert cut.duration < 0.7 * true
    assert "last-frame-cut" in {finding.code for finding in cut.findings}
    assert "last-frame-cut" not in {finding.code for finding in joined.findings}


def test_an_aiff_cut_in_the_middle_is_as_long_as_what_is_there(tmp_path):
    whole = (CORPUS / "audio/aiff-10s.aiff").read_bytes()
    (tmp_path / "cut.aiff").write_bytes(whole[:200_000])
    facts = read_audio(tmp_path / "cut.aiff")
    assert facts.duration == pytest.approx(10 * (200_000 - 54) / (len(whole) - 54), abs=0.01)
    assert "truncated" in {finding.code for finding in facts.findings}


@pytest.mark.parametrize(
    "name",
    [
        each["file"]
        for each in rows("audio")
        if each["file"] in REFUSED or (each["decoded"] == "-" and each["file"] not in LYING_TAG)
    ],
)
def test_what_is_no_recording_is_refused_in_words(name):
    with pytest.raises(Unreadable) as refusal:
        facts_of(name)
    assert len(refusal.value.message) > 20


def test_the_type_comes_from_the_content():
    facts = facts_of("m4a-named.mp3")
    assert (facts.extension, facts.media_type) == ("m4a", "audio/x-m4a")
    assert "wrong-extension" in {finding.code for finding in facts.findings}


def test_tags_chapters_and_cover_of_id3():
    facts = facts_of("id3v23-3-chapters-cover.mp3")
    assert facts.tags.title
    assert [chapter.start for chapter in facts.chapters] == sorted(
        chapter.start for chapter in facts.chapters
    )
    assert facts.cover.startswith((b"\xff\xd8", b"\x89PNG"))
