"""FLAC (RFC 9639): how much of the sound that the header promises is really in the file.

Every frame says which one it is, so the last whole frame header tells where the sound ends.
"""

from episodes.audio.source import Source

#: A frame of the largest block, eight channels and 32 bits is smaller.
TAIL = 4 * 1024 * 1024

_BLOCK_SIZES = {1: 192} | {n: 576 << n - 2 for n in range(2, 6)}
_BLOCK_SIZES |= {n: 256 << n - 8 for n in range(8, 16)}


def samples_there(source: Source, largest_block: int) -> int | None:
    """Samples up to the end of the last frame that begins in the file; None without one.

    `largest_block` is the stream's, by which frames of a fixed size are counted.
    """
    data = source.read(max(source.size - TAIL, 0), TAIL)
    end = len(data)
    while (at := data.rfind(b"\xff", 0, end)) >= 0:
        end = at
        if data[at + 1 : at + 2] in (b"\xf8", b"\xf9"):
            found = _end_of_frame(data[at : at + 16], largest_block)
            if found is not None:
                return found
    return None


def _end_of_frame(head: bytes, largest_block: int) -> int | None:
    if len(head) < 6:
        return None
    variable = head[1] & 1
    size_code, rate_code = head[2] >> 4, head[2] & 15
    number, position = _coded_number(head, 4)
    if number is None or not size_code or rate_code == 15:
        return None
    block = _BLOCK_SIZES.get(size_code, 0)
    if size_code in (6, 7):
        width = size_code - 5
        block = int.from_bytes(head[position : position + width]) + 1
        position += width
    position += {12: 1, 13: 2, 14: 2}.get(rate_code, 0)
    # One in 256 chance sequences passes this; the reserved bits below rule out most of those.
    if len(head) <= position or _crc8(head[:position]) != head[position] or head[3] & 1:
        return None
    first = number if variable else number * largest_block
    return first + block


def _coded_number(head: bytes, at: int) -> tuple[int | None, int]:
    """UTF-8's scheme, extended to 36 bits (RFC 9639 §9.1.5)."""
    lead = head[at]
    if lead < 0x80:
        return lead, at + 1
    extra = 0
    while extra < 7 and lead << extra & 0x40:
        extra += 1
    following = head[at + 1 : at + 1 + extra]
    if not 1 <= extra <= 6 or len(following) < extra:
        return None, at
    number = lead & (0x3F >> extra)
    for byte in following:
        if byte & 0xC0 != 0x80:
            return None, at
        number = number << 6 | byte & 0x3F
    return number, at + 1 + extra


def _crc8(data: bytes) -> int:
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value << 1 ^ 0x07) & 0xFF if value & 0x80 else value << 1
    return value
