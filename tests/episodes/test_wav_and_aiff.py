"""WAV for more than 4 GB and AIFF-C with compressed sound: lengths by what their bytes hold."""

import struct

import pytest

from episodes.audio import read_audio
from episodes.audio.tagging import Contents
from episodes.audio.tagging import probe as write
from episodes.findings import Unreadable
from tests import ffmpeg
from tests.episodes.test_writing_tags import CHAPTERS, CONTENTS, tagged

pytestmark = pytest.mark.usefixtures("readers_ready")

RATE = 8000


def rf64(sound: bytes, promised: int | None = None, *, form=b"RF64", behind=b"", table=()) -> bytes:
    """Mono of 16 bits; `promised` is what `ds64` says of the sound."""
    promised = len(sound) if promised is None else promised
    rows = b"".join(struct.pack("<4sQ", name, size) for name, size in table)
    ds64 = struct.pack("<QQQI", 0, promised, 0, len(table)) + rows
    fmt = struct.pack("<HHIIHH", 1, 1, RATE, 2 * RATE, 2, 16)
    return (
        form + b"\xff" * 4 + b"WAVE"
        + b"ds64" + struct.pack("<I", len(ds64)) + ds64
        + b"fmt " + struct.pack("<I", len(fmt)) + fmt
        + b"data" + b"\xff" * 4 + sound + behind
    )  # fmt: skip


def read(tmp_path, data: bytes, name: str = "made"):
    path = tmp_path / name
    path.write_bytes(data)
    return read_audio(path)


def codes(facts) -> set[str]:
    return {finding.code for finding in facts.findings}


@pytest.mark.parametrize("form", [b"RF64", b"BW64"])
def test_a_wav_for_more_than_4_gb(tmp_path, form):
    facts = read(tmp_path, rf64(bytes(160_000), form=form))
    assert (facts.container, facts.codec, facts.extension) == ("wav", "pcm", "wav")
    assert (facts.duration, facts.channels, facts.sample_rate) == (10, 1, RATE)
    assert "truncated" not in codes(facts)


def test_it_breaks_off(tmp_path):
    facts = read(tmp_path, rf64(bytes(80_000), 5_000_000_000))
    assert facts.duration == 5
    assert "truncated" in codes(facts)


@pytest.mark.parametrize("unsaid", [0, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF])
def test_its_recorder_was_switched_off(tmp_path, unsaid):
    assert read(tmp_path, rf64(bytes(80_000), unsaid)).duration == 5


def test_chunks_behind_the_sound_are_not_sound(tmp_path):
    tag = b"ID3\x03\0\0\0\0\0\x12TIT2\0\0\0\x08\0\0\0Harbour"
    behind = b"id3 " + struct.pack("<I", len(tag)) + tag
    facts = read(tmp_path, rf64(bytes(80_000), behind=behind, table=[(b"bext", 1 << 40)]))
    assert (facts.duration, facts.tags.title) == (5, "Harbour")


@pytest.mark.parametrize("cut", range(12, 90, 3))
def test_half_a_head_is_refused_in_words(tmp_path, cut):
    with pytest.raises(Unreadable) as refusal:
        read(tmp_path, rf64(b"")[:cut])
    assert len(refusal.value.message) > 20


def test_tables_of_billions_are_not_walked(tmp_path):
    data = bytearray(rf64(bytes(80_000)))
    data[44:48] = b"\xff" * 4
    assert read(tmp_path, bytes(data)).duration == 5


def test_one_from_ffmpeg_takes_no_tags(tmp_path):
    path = ffmpeg.make(tmp_path / "long.wav", "-rf64", "always")
    assert read_audio(path).duration == pytest.approx(10, abs=0.01)
    before = path.read_bytes()
    (tmp_path / "contents").write_bytes(Contents("Title", "Show").pack())
    options = {"container": "wav", "contents": str(tmp_path / "contents"), "spare": ""}
    with pytest.raises(Unreadable, match="RF64"):
        write(str(path), options)
    assert path.read_bytes() == before


# AIFF-C

#: Compression: the codec we name, ffmpeg's encoder or None, bytes of one second of mono.
TYPES = {
    b"ima4": ("adpcm", "adpcm_ima_qt", RATE * 34 // 64),
    b"ulaw": ("ulaw", "pcm_mulaw", RATE),
    b"alaw": ("alaw", "pcm_alaw", RATE),
    b"sowt": ("pcm", "pcm_s16le", 2 * RATE),
    b"fl32": ("pcm", "pcm_f32be", 4 * RATE),
    b"fl64": ("pcm", "pcm_f64be", 8 * RATE),
    b"in24": ("pcm", None, 3 * RATE),
    b"MAC3": ("mace", None, RATE // 3),
}


def aifc(kind: bytes, sound: bytes, frames: int, bits: int = 16, said: int | None = None) -> bytes:
    rate = b"\x40\x0b\xfa" + bytes(7)  # 8000 as a float of 80 bits
    comm = struct.pack(">hLh", 1, frames, bits) + rate + kind + b"\0\0"
    size = len(sound) + 8 if said is None else said
    chunks = (
        b"FVER" + struct.pack(">II", 4, 0xA2805140)
        + b"COMM" + struct.pack(">I", len(comm)) + comm
        + b"SSND" + struct.pack(">I", size) + bytes(8) + sound
    )  # fmt: skip
    return b"FORM" + struct.pack(">I", len(chunks) + 4) + b"AIFC" + chunks


@pytest.mark.parametrize("kind", TYPES)
def test_compressed_aiff_is_as_long_as_it_plays(tmp_path, kind):
    codec, _, second = TYPES[kind]
    sound = bytes(10 * second)
    # Samples, packets, nothing: what is counted differs from writer to writer.
    counts = [10 * RATE] if codec not in ("adpcm", "mace") else [10 * RATE, 10 * RATE // 64, 0]
    for frames in counts:
        whole = aifc(kind, sound, frames)
        facts = read(tmp_path, whole)
        assert facts.codec == codec
        assert facts.duration == pytest.approx(10, abs=0.01)
        assert "truncated" not in codes(facts)
        facts = read(tmp_path, whole[: -len(sound) // 2])
        assert facts.duration == pytest.approx(5, abs=0.01)
        assert "truncated" in codes(facts)


@pytest.mark.parametrize("kind", [kind for kind, row in TYPES.items() if row[1]])
def test_ffmpeg_hears_as_much(tmp_path, kind):
    path = ffmpeg.make(tmp_path / "made.aiff", "-ac", "2", "-c:a", TYPES[kind][1])
    facts = read_audio(path)
    assert kind in path.read_bytes()[:100]
    assert (facts.codec, facts.channels) == (TYPES[kind][0], 2)
    assert facts.duration == pytest.approx(10, abs=0.01)


def test_its_recorder_left_the_lengths_empty(tmp_path):
    assert read(tmp_path, aifc(b"sowt", bytes(160_000), 0, said=0)).duration == 10


def test_what_fills_up_a_block_is_no_sound(tmp_path):
    facts = read(tmp_path, aifc(b"sowt", bytes(160_000 + 4096), 10 * RATE))
    assert facts.duration == 10
    assert "truncated" not in codes(facts)


def test_a_compression_that_nobody_knows_is_as_long_as_it_says(tmp_path):
    facts = read(tmp_path, aifc(b"QDM2", bytes(1000), 10 * RATE))
    assert (facts.codec, facts.duration) == ("qdm2", 10)


def test_tags_into_compressed_aiff(tmp_path):
    source = ffmpeg.make(tmp_path / "source.aiff", "-c:a", "adpcm_ima_qt")
    path, before, _ = tagged(tmp_path, source, CONTENTS)
    after = read_audio(path)
    assert (after.duration, after.codec, after.tags.title) == (
        before.duration, "adpcm", CONTENTS.title,
    )  # fmt: skip
    assert len(after.chapters) == len(CHAPTERS)
    assert ffmpeg.sound_of(path) == ffmpeg.sound_of(source)
