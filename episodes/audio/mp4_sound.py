"""How many channels AAC in MP4 has: the track's header says 2 for ever, the sound itself knows.

ISO/IEC 14496-3 §1.6: `AudioSpecificConfig`, in the `esds` atom of the sample's description. One
channel may still become two, by parametric stereo, where the description says so.
"""

from episodes.audio.atoms import children, find
from episodes.audio.source import Source

PARAMETRIC_STEREO = 29


def channels(source: Source, stbl: tuple[int, int]) -> int:
    """Of an AAC track's sample table; 0 when the description does not say."""
    config = _config(source, stbl)
    return _channels(_Bits(config)) if config else 0


def _config(source: Source, stbl: tuple[int, int]) -> bytes:
    """The AudioSpecificConfig, or b''."""
    stsd = find(source, *stbl, b"stsd")
    if stsd is None:
        return b""
    for name, at, size in children(source, stsd[0] + 8, stsd[1]):
        if name != b"mp4a":
            continue
        # QuickTime's versions 1 and 2 of the entry are longer, and may wrap the atom.
        start = at + 28 + {1: 16, 2: 36}.get(source.number(at + 8, 2), 0)
        esds = find(source, start, at + size, b"esds") or find(
            source, start, at + size, b"wave", b"esds"
        )
        return _in_descriptors(source.read(esds[0] + 4, esds[1] - esds[0])) if esds else b""
    return b""


def _in_descriptors(data: bytes) -> bytes:
    """ES (3) holds decoder configuration (4) holds what the decoder is told (5)."""
    position = 0
    for _ in range(8):
        if position + 2 > len(data):
            break
        tag, length = data[position], 0
        for _ in range(4):
            position += 1
            if position >= len(data):
                return b""
            length = length << 7 | data[position] & 127
            if data[position] < 128:
                break
        position += 1
        if tag == 5:
            return data[position : position + min(length, 64)]
        if tag == 3 and position + 3 <= len(data):
            flags = data[position + 2]
            position += 3 + (2 if flags & 128 else 0) + (2 if flags & 32 else 0)
        elif tag == 4:
            position += 13
        else:
            position += length
    return b""


class _Bits:
    """Numbers of so many bits, in order; 0 behind the end."""

    def __init__(self, data: bytes):
        self.number, self.left = int.from_bytes(data), len(data) * 8

    def take(self, count: int) -> int:
        if count > self.left:
            self.left = 0
            return 0
        self.left -= count
        return self.number >> self.left & (1 << count) - 1


def _channels(bits: _Bits) -> int:
    kind = _object_type(bits)
    _rate(bits)
    count = bits.take(4)
    if count == 1 and (kind == PARAMETRIC_STEREO or _is_parametric(bits)):
        return 2
    return {7: 8}.get(count, count if count < 7 else 0)


def _is_parametric(bits: _Bits) -> bool:
    """By the extension that older decoders do not look at (§1.6.6.1)."""
    bits.take(3)
    if bits.take(11) != 0x2B7 or _object_type(bits) != 5 or not bits.take(1):
        return False
    _rate(bits)
    return bits.take(11) == 0x548 and bool(bits.take(1))


def _object_type(bits: _Bits) -> int:
    kind = bits.take(5)
    return 32 + bits.take(6) if kind == 31 else kind


def _rate(bits: _Bits) -> None:
    if bits.take(4) == 15:
        bits.take(24)
