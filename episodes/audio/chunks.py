"""What AIFF and WAV are made of: chunks with a name and a length, in a row (EA IFF 85)."""

from collections.abc import Iterator, Mapping
from typing import Literal

from episodes.audio.source import Source

#: In files as they are there are ten.
MOST = 1000


def chunks(
    source: Source, order: Literal["big", "little"], long: Mapping[bytes, int] | None = None
) -> Iterator[tuple[bytes, int, int]]:
    """Name, place and length of each chunk, as it says itself, behind the form's twelve bytes.

    `long` has the lengths of those whose own 32 bits say that they are elsewhere.
    """
    position = 12
    for _ in range(MOST):
        head = source.read(position, 8)
        if len(head) < 8:
            return
        name, size = head[:4], int.from_bytes(head[4:], order)
        if size == 0xFFFFFFFF and long:
            size = long.get(name, size)
        yield name, position + 8, size
        position += 8 + size + (size & 1)
