"""MPEG audio (MP3, MP2): every frame counted, because headers guess, lie or are missing.

A walk over the frame headers costs about a quarter of a microsecond per frame, a third of a
second for ten hours. Frame layout: ISO/IEC 11172-3 §2.4 and 13818-3; the Xing, Info, LAME and
VBRI headers have no standard and are read as encoders write them.
"""

import functools
import re
from dataclasses import dataclass

from episodes.audio.facts import Sound
from episodes.audio.source import Source
from episodes.durations import clock
from episodes.findings import Finding, error, warning

CHUNK = 1 << 20
# Forty hours at 44.1 kHz. Beyond it the rest is reckoned from the bytes.
MOST_FRAMES = 6_000_000
FARTHEST_START = 16 << 20
# Two consistent headers happen by chance in a picture; a chain of this many does not.
CHAIN = 4

_BITRATES = {
    (1, 2): (0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    (1, 3): (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (2, 2): (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (2, 3): (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
_RATES = (44100, 48000, 32000)
# Layers II and III of MPEG 1, 2 and 2.5; the reserved version 01 is left out.
_CANDIDATE = re.compile(rb"\xff[\xe2-\xe5\xf2-\xf5\xfa-\xfd][\x10-\xef]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Header:
    version: float  # 1, 2 or 2.5
    layer: int
    rate: int
    channels: int
    length: int  # bytes of the frame
    samples: int
    # Offset of the Xing header inside the frame: after the side information.
    side: int

    @property
    def family(self) -> tuple:
        return (self.version, self.layer, self.rate)


def parse_header(data: bytes) -> Header | None:
    if len(data) < 4 or data[0] != 0xFF or data[1] & 0xE0 != 0xE0:
        return None
    return _parse(data[1], data[2], data[3] >> 6)


def find_first_frame(source: Source, start: int) -> int | None:
    """Where a chain of frames begins at or after `start`, looking `FARTHEST_START` far."""
    return _find_chain(source, start, min(source.size, start + FARTHEST_START), _Budget(400_000))


def read(source: Source, start: int) -> Sound | None:
    """Walk the frames from `start` on; None when there is no chain of them."""
    first = find_first_frame(source, start)
    if first is None:
        return None
    header = parse_header(source.read(first, 4))
    assert header is not None  # a chain begins with one
    promise = _read_promise(source.read(first, max(header.length, 256)), header)
    body = first + header.length if promise else first
    walk = _walk(source, body, _end_of_sound(source, body))
    findings = list(_judge(walk, promise, header, source.size))
    samples_off = promise.padding if promise and not _has(findings, "truncated") else 0
    seconds = max(walk.seconds - samples_off / header.rate, 0.0)
    if start and first - start > 4096:
        findings.append(_junk(first - start))
    elif not start and first:
        findings.append(_junk(first))
    return Sound(
        container="mp3",
        codec=f"mp{header.layer}",
        duration=seconds,
        channels=header.channels,
        sample_rate=header.rate,
        sound_bytes=walk.bytes,
        findings=findings,
    )


@functools.cache
def _parse(second: int, third: int, mode: int) -> Header | None:
    version = {3: 1, 2: 2, 0: 2.5}.get(second >> 3 & 3)
    layer = 4 - (second >> 1 & 3)
    bitrate, rate = third >> 4, third >> 2 & 3
    if version is None or layer not in (2, 3) or bitrate in (0, 15) or rate == 3:
        return None
    kbit = _BITRATES[1 if version == 1 else 2, layer][bitrate]
    hertz = _RATES[rate] // (1 if version == 1 else 2 if version == 2 else 4)
    samples = 576 if layer == 3 and version != 1 else 1152
    length = samples // 8 * kbit * 1000 // hertz + (third >> 1 & 1)
    mono = mode == 3
    side = (17 if mono else 32) if version == 1 else (9 if mono else 17)
    return Header(version, layer, hertz, 1 if mono else 2, length, samples, 4 + side)


@dataclass(slots=True)
class _Budget:
    """Steps left; a file of nothing but false starts runs out of them instead of time."""

    steps: int

    def spend(self) -> bool:
        self.steps -= 1
        return self.steps >= 0


@dataclass(slots=True)
class _Walk:
    seconds: float = 0.0
    frames: int = 0
    bytes: int = 0
    lengths: int = 0  # how many different frame lengths, padding aside: 1 is constant bit rate
    families: int = 1
    junk: int = 0
    cut: bool = False  # the last frame is not whole
    reckoned: bool = False


@dataclass(frozen=True, slots=True)
class _Promise:
    kind: str
    frames: int
    padding: int  # samples the encoder added at both ends


def _find_chain(source: Source, start: int, stop: int, budget: _Budget) -> int | None:
    position = start
    while position < stop:
        data = source.read(position, min(CHUNK, stop - position))
        for match in _CANDIDATE.finditer(data):
            if not budget.spend():
                return None
            if _is_chain(source, position + match.start()):
                return position + match.start()
        # A header may lie across two chunks.
        if len(data) < CHUNK:
            return None
        position += len(data) - 3
    return None


def _is_chain(source: Source, position: int) -> bool:
    family = None
    for count in range(CHAIN):
        header = parse_header(source.read(position, 4))
        if header is None or (family and header.family != family):
            # A very short file: two whole frames and then the end or a tag.
            return count >= 2 and (
                position >= source.size - 4 or source.read(position, 3) in (b"TAG", b"APE")
            )
        family = header.family
        position += header.length
    # The last header of the chain may announce a frame that is cut off.
    return True


def _walk(source: Source, position: int, end: int) -> _Walk:
    walk = _Walk()
    budget = _Budget(200_000)
    family: tuple | None = None
    lengths: dict[bytes, int] = {}
    seconds_per_frame = 0.0
    seen: set[bytes] = set()
    base, data = position, b""
    while position + 4 <= end and walk.frames < MOST_FRAMES:
        at = position - base
        if at < 0 or at + 3 > len(data):
            base, data, at = position, source.read(position, CHUNK), 0
        head = data[at : at + 3]
        length = lengths.get(head)
        if length is None:
            header = parse_header(data[at : at + 4].ljust(4, b"\0"))
            if header is None or not (header.family == family or _is_chain(source, position)):
                found = _find_chain(source, position + 1, end, budget)
                if found is None:
                    break
                walk.junk += found - position
                position = found
                continue
            if header.family != family:
                walk.families += family is not None
                family, lengths, seconds_per_frame = header.family, {}, header.samples / header.rate
            length = lengths[head] = header.length
            seen.add(bytes((head[2] & 0xFC,)))
        if position + length > end:
            walk.cut = True
            break
        walk.frames += 1
        walk.seconds += seconds_per_frame
        walk.bytes += length
        position += length
    walk.lengths = len({value[0] >> 4 for value in seen})
    if walk.frames >= MOST_FRAMES and position < end:
        walk.seconds *= 1 + (end - position) / max(walk.bytes, 1)
        walk.reckoned = True
    return walk


def _end_of_sound(source: Source, start: int) -> int:
    """Where trailing tags begin: ID3v1, APEv2 and Lyrics3, in any combination."""
    end = source.size
    for _ in range(4):
        tail = source.read(max(end - 160, start), min(160, end - start))
        if tail[-128:-125] == b"TAG":
            end -= 128
        elif tail[-32:-24] == b"APETAGEX":
            size = int.from_bytes(tail[-20:-16], "little") + 32 * (tail[-9] >> 7)
            end = max(end - size, start)
        elif tail[-9:] == b"LYRICS200" and tail[-15:-9].isdigit():
            end = max(end - int(tail[-15:-9]) - 15, start)
        elif tail[-9:] == b"LYRICSEND":
            before = source.read(max(end - 5200, start), 5200)
            found = before.rfind(b"LYRICSBEGIN")
            end = end - len(before) + found if found >= 0 else end - 9
        else:
            break
    return end


def _read_promise(frame: bytes, header: Header) -> _Promise | None:
    """The length header in the first frame, if there is one: it is no sound itself."""
    # Some encoders leave the place of the side information wrong; both are known.
    for side in dict.fromkeys((header.side, 36, 21, 13)):
        if frame[side : side + 4] in (b"Xing", b"Info"):
            return _read_xing(frame, side)
    if frame[36:40] == b"VBRI":
        return _Promise("VBRI", int.from_bytes(frame[50:54]), 0)
    return None


def _read_xing(frame: bytes, side: int) -> _Promise:
    flags = int.from_bytes(frame[side + 4 : side + 8])
    frames = int.from_bytes(frame[side + 8 : side + 12]) if flags & 1 else 0
    # The LAME extension follows the fields that are there.
    lame = side + 8 + 4 * (flags & 1) + 2 * (flags & 2) + 25 * (flags & 4) + (flags & 8) // 2
    padding = 0
    if re.fullmatch(rb"(?:LAME|Lavc|Lavf|GOGO|L3\.9)", frame[lame : lame + 4]):
        both = int.from_bytes(frame[lame + 21 : lame + 24])
        padding = (both >> 12) + (both & 0xFFF)
    return _Promise(frame[side : side + 4].decode(), frames, padding)


def _judge(walk: _Walk, promise: _Promise | None, header: Header, size: int):
    promised = promise.frames * header.samples / header.rate if promise else 0.0
    # A frame more or less is how encoders count, not damage.
    if promise and promise.frames > walk.frames + 2:
        yield error(
            "truncated",
            f"The file is cut off: its header promises {clock(promised)}, "
            f"{clock(walk.seconds)} is there. Upload it again.",
        )
    elif promise and promise.frames < walk.frames - 2:
        yield warning(
            "wrong-length-header",
            f"The file's own header says {clock(promised)}; it plays {clock(walk.seconds)}. Some "
            "apps will show the wrong length. Export it again.",
        )
    if walk.cut and not (promise and promise.frames > walk.frames + 2):
        yield warning(
            "last-frame-cut",
            "The file ends in the middle of a frame: its end may be missing. Listen to the end.",
        )
    if not promise and walk.lengths > 1:
        yield warning(
            "no-length-header",
            "A variable bit rate without a Xing or VBRI header: apps guess its length and jump to "
            "wrong places. Export it again, or with a constant bit rate.",
        )
    if walk.families > 1:
        yield warning(
            "mixed-rates", "Parts of this file have different sampling rates; some apps stop there."
        )
    if walk.junk > 4:
        yield warning("junk-inside", f"{walk.junk:,} bytes between the frames are no sound.")
    if walk.reckoned:
        yield warning("reckoned", "Too long to be counted; the length is reckoned from its bytes.")


def _junk(count: int) -> Finding:
    return warning("junk-before", f"{count:,} bytes before the sound are neither sound nor a tag.")


def _has(findings: list[Finding], code: str) -> bool:
    return any(finding.code == code for finding in findings)
