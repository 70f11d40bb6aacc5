"""MP4 in fragments, from ffmpeg and made by hand: exact lengths, and no harm from what lies."""

import subprocess
from contextlib import suppress

import pytest

from episodes.audio import probing as job
from episodes.audio import read_audio
from episodes.audio.tagging import Contents, can_tag
from episodes.audio.tagging import probe as write
from episodes.findings import Level, Unreadable
from episodes.probing import MB, Limits, probe_in_child
from tests import ffmpeg

pytestmark = pytest.mark.usefixtures("readers_ready")

RATE = 44100


def box(name: bytes, *contents: bytes) -> bytes:
    inner = b"".join(contents)
    return (len(inner) + 8).to_bytes(4) + name + inner


def numbers(*values: int) -> bytes:
    return b"".join(value.to_bytes(4, signed=value < 0) for value in values)


def index(duration: int = 1024, size: int = 100, scale: int = RATE) -> bytes:
    """`ftyp` and a `moov` without samples, for one track of sound with these defaults."""
    entry = box(
        b"mp4a",
        bytes(6)
        + b"\0\1"
        + bytes(8)
        + b"\0\2\0\x10"
        + bytes(4)
        + (RATE << 16).to_bytes(4)
        + box(b"btrt", bytes(12)),
    )
    table = box(
        b"stbl",
        box(b"stsd", numbers(0, 1), entry),
        box(b"stts", numbers(0, 0)),
        box(b"stsc", numbers(0, 0)),
        box(b"stsz", numbers(0, 0, 0)),
        box(b"stco", numbers(0, 0)),
    )
    media = box(
        b"mdia",
        box(b"mdhd", numbers(0, 0, 0, scale, 0, 0)),
        box(b"hdlr", numbers(0, 0) + b"soun" + bytes(13)),
        box(b"minf", table),
    )
    track = box(b"trak", box(b"tkhd", numbers(3, 0, 0, 1) + bytes(68)), media)
    extends = box(b"mvex", box(b"trex", numbers(0, 1, 1, duration, size, 0)))
    head = box(b"mvhd", numbers(0, 0, 0, 1000, 0) + bytes(80))
    return box(b"ftyp", b"iso5" + bytes(4) + b"iso5") + box(b"moov", head, track, extends)


def fragment(*runs: bytes, head: bytes = numbers(0x20000, 1)) -> bytes:
    return box(b"moof", box(b"mfhd", numbers(0, 1)), box(b"traf", box(b"tfhd", head), *runs))


def run(count: int, flags: int = 0, *rows: int) -> bytes:
    return box(b"trun", numbers(flags, count, *rows))


def read(tmp_path, data: bytes):
    path = tmp_path / "made.mp4"
    path.write_bytes(data)
    return read_audio(path)


def codes(facts) -> set[str]:
    return {finding.code for finding in facts.findings}


def decoded(path) -> float:
    """Seconds of sound, by another decoder than ours."""
    ffmpeg.needed()
    done = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:a", "-f", "s16le", "-ac", "1", "-"],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    return len(done.stdout) / 2 / RATE


KINDS = {
    "recorder": ("-movflags", "frag_keyframe+empty_moov", "-frag_duration", "1000000"),
    "one fragment": ("-movflags", "frag_keyframe+empty_moov"),
    "each frame": ("-movflags", "frag_every_frame+empty_moov"),
    "first in the index": ("-movflags", "frag_keyframe", "-frag_duration", "2000000"),
    "DASH": ("-movflags", "dash+global_sidx", "-frag_duration", "1000000"),
    "CMAF": ("-movflags", "cmaf", "-frag_duration", "1000000"),
    "offsets from the start of the file": ("-movflags", "frag_keyframe+empty_moov+frag_discont"),
    "ALAC": ("-c:a", "alac", "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "1000000"),
    "FLAC": ("-c:a", "flac", "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "1000000"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_its_length_is_that_of_what_is_decoded(tmp_path, kind):
    path = ffmpeg.make(tmp_path / "fragments.mp4", "-ac", "2", "-strict", "-2", *KINDS[kind])
    facts = read_audio(path)
    assert facts.duration == pytest.approx(decoded(path), abs=0.1)
    assert (facts.container, facts.channels, facts.sample_rate) == ("mp4", 2, RATE)
    assert facts.media_type == "audio/x-m4a"
    assert facts.codec == {"ALAC": "alac", "FLAC": "flac"}.get(kind, "aac")
    levels = {each.code: each.level for each in facts.findings}
    assert levels["fragmented"] == (Level.ADVICE if kind == "DASH" else Level.WARNING)
    assert "truncated" not in levels


def test_a_film_in_fragments_is_a_film(tmp_path):
    path = ffmpeg.make(
        tmp_path / "film.mp4", "-f", "lavfi", "-i", "sine=duration=4", "-f", "lavfi", "-i",
        "testsrc=duration=4:size=64x64:rate=10", "-bf", "0",
        "-movflags", "frag_keyframe+empty_moov",
    )  # fmt: skip
    facts = read_audio(path)
    assert (facts.media_type, facts.extension) == ("video/mp4", "mp4")
    assert facts.duration == pytest.approx(4, abs=0.1)


@pytest.mark.parametrize("kind", ["recorder", "one fragment", "each frame", "DASH"])
def test_one_that_breaks_off_is_as_long_as_what_is_there(tmp_path, kind):
    whole = ffmpeg.make(tmp_path / "whole.mp4", *KINDS[kind])
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 6 // 10])
    facts = read_audio(cut)
    assert facts.duration == pytest.approx(6, abs=0.4)
    assert "truncated" in codes(facts)


def test_each_place_where_a_duration_may_stand(tmp_path):
    """§8.8: the run's own before the fragment's, and that before the file's."""
    sound = box(b"mdat", bytes(4000))
    of_file = fragment(run(10))
    of_fragment = fragment(run(10), head=numbers(0x20008, 1, 2048))
    of_run = fragment(run(2, 0x300, 500, 100, 700, 100), head=numbers(0x20018, 1, 9, 9))
    facts = read(tmp_path, index() + b"".join(f + sound for f in (of_file, of_fragment, of_run)))
    assert round(facts.duration * RATE) == 10 * 1024 + 10 * 2048 + 1200
    assert "truncated" not in codes(facts)


def test_only_samples_that_are_there_count(tmp_path):
    rows = [value for n in range(1, 101) for value in (1000, n * 10)]
    moof = fragment(run(100, 0x301, 0, *rows))
    moof = fragment(run(100, 0x301, len(moof) + 8, *rows))
    data = index() + moof + box(b"mdat", bytes(50500))
    assert round(read(tmp_path, data).duration * RATE) == 100_000
    facts = read(tmp_path, data[: -50500 + 10 * (1 + 2 + 3 + 4) + 5])
    assert round(facts.duration * RATE) == 4000
    assert "truncated" in codes(facts)


def test_an_index_that_announces_more_is_heard(tmp_path):
    """Cut between two fragments, nothing else tells."""
    piece = fragment(run(43)) + box(b"mdat", bytes(4300))
    rows = b"".join(numbers(len(piece), 43 * 1024, 0) for _ in range(10))
    sidx = box(b"sidx", numbers(0, 1, RATE, 0, 0) + b"\0\0\0\x0a" + rows)
    assert "truncated" not in codes(read(tmp_path, index() + sidx + 10 * piece))
    facts = read(tmp_path, index() + sidx + 6 * piece)
    assert facts.duration == pytest.approx(6 * 43 * 1024 / RATE)
    found = {each.code: each.message for each in facts.findings}
    assert "promises 0:10" in found["truncated"]


@pytest.mark.parametrize("size", [0, 1, 0xFFFFFFFF])
@pytest.mark.parametrize("flags", [0, 0x100, 0x300, 0xF01])
def test_counts_of_billions_are_believed_as_far_as_there_are_bytes(tmp_path, size, flags):
    sound = box(b"mdat", bytes(50_000))
    data = index(size=size) + 300 * (fragment(run(0xFFFFFFFF, flags, 1024, 9, 9, 9)) + sound)
    try:
        facts = read(tmp_path, data)
    except Unreadable as refusal:
        assert refusal.code in ("no-sound", "too-long")  # noqa: PT017
    else:
        assert facts.bitrate > 1
        assert "truncated" in codes(facts)


MANY = 400_000
FLOODS = {
    "fragments": lambda: 130_000 * (fragment(run(1, 0x200, 5)) + box(b"mdat", bytes(5))),
    "empty fragments": lambda: 2_000_000 * box(b"moof"),
    "boxes": lambda: 3 * fragment(*[run(0)] * MANY),
    "runs": lambda: 3 * fragment(*[run(1, 0x200, 1)] * MANY),
    "rows": lambda: 10 * fragment(run(MANY, 0x200) + bytes(4) * MANY),
    "rows past the end": lambda: (
        30 * fragment(box(b"trun", numbers(0x200, MANY), b"\x7f" * 1600000))
    ),
    "indexes": lambda: (
        100_000 * box(b"sidx", numbers(0, 1, RATE, 0, 0) + b"\0\0\xff\xff" + bytes(600))
    ),
}


@pytest.mark.parametrize("kind", FLOODS)
def test_floods_take_little_time_and_memory(tmp_path, kind):
    path = tmp_path / "flood.mp4"
    path.write_bytes(index() + FLOODS[kind]() + fragment(run(9)) + box(b"mdat", bytes(900)))
    # The kernel ends what takes more: ProbeFailed. Seconds of processor, on whatever machine.
    limits = Limits(memory=300 * MB, cpu_seconds=4)
    with suppress(Unreadable):
        probe_in_child("episodes.audio.probing", path, limits=limits, options={})


def test_runs_that_share_their_bytes_do_not_multiply_them(tmp_path):
    shared = fragment(*[run(1000, 0x1, -100_000) for _ in range(1000)], head=numbers(0, 1))
    data = index() + box(b"mdat", bytes(200_000)) + shared
    facts = read(tmp_path, data)
    assert facts.duration <= len(data) / 100 * 1024 / RATE


@pytest.mark.parametrize("duration", [0, 0xFFFFFFFF])
def test_durations_that_no_recording_has_are_refused(tmp_path, duration):
    data = index(duration=duration, scale=1) + fragment(run(900)) + box(b"mdat", bytes(90_000))
    with pytest.raises(Unreadable, match=r"thousand hours|no sound"):
        read(tmp_path, data)


def test_boxes_that_lie_about_their_size(tmp_path):
    whole = fragment(run(10)) + box(b"mdat", bytes(1000))
    for at in range(0, len(whole) - 1000, 4):
        for value in (0, 1, 7, 0x7FFFFFFF, 0xFFFFFFFF):
            damaged = bytearray(whole)
            damaged[at : at + 4] = numbers(value) if value < 1 << 31 else b"\xff" * 4
            path = tmp_path / "damaged.mp4"
            path.write_bytes(index() + whole + damaged + whole)
            try:
                facts, _ = job.probe(str(path), {})
            except Unreadable:
                continue
            assert facts["duration"] > 0


def test_very_many_fragments_are_reckoned(tmp_path):
    piece = fragment(run(1, 0x200, 5)) + box(b"mdat", bytes(5))
    facts = read(tmp_path, index() + 150_000 * piece)
    assert facts.duration == pytest.approx(150_000 * 1024 / RATE, rel=0.001)
    assert "reckoned" in codes(facts)


def test_no_tags_are_written_into_it(tmp_path):
    path = ffmpeg.make(tmp_path / "fragments.mp4", *KINDS["recorder"])
    before = path.read_bytes()
    packed = tmp_path / "contents"
    packed.write_bytes(Contents("Title", "Show").pack())
    options = {"container": "mp4", "contents": str(packed), "spare": str(tmp_path / "spare")}
    assert can_tag("mp4")
    with pytest.raises(Unreadable, match="in fragments"):
        write(str(path), options)
    assert path.read_bytes() == before


def test_a_piece_of_a_stream_alone_is_refused_in_words(tmp_path):
    with pytest.raises(Unreadable, match="index"):
        read(tmp_path, box(b"styp", b"msdh" + bytes(4)) + fragment(run(9)) + box(b"mdat", b"\0"))
