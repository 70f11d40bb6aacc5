"""Bounded reading: a file as ranges of bytes, never more at once than was asked for."""

import io
from typing import BinaryIO


class Source:
    """A seekable file. Reads past its end come back short; they never raise."""

    LARGEST_READ = 32 * 1024 * 1024

    def __init__(self, file: BinaryIO):
        self._file = file
        self.size = file.seek(0, io.SEEK_END)

    @classmethod
    def of(cls, data: bytes) -> "Source":
        return cls(io.BytesIO(data))

    def read(self, offset: int, count: int) -> bytes:
        """At most `LARGEST_READ` bytes from `offset`."""
        if offset < 0 or offset >= self.size or count <= 0:
            return b""
        self._file.seek(offset)
        return self._file.read(min(count, self.LARGEST_READ, self.size - offset))

    def number(self, offset: int, count: int) -> int:
        """A big-endian unsigned number; missing bytes at the end of the file count as absent."""
        return int.from_bytes(self.read(offset, count))
