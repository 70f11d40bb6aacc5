"""gzip unpacked a bounded piece at a time, so that no bomb goes off in memory."""

import zlib
from collections.abc import Iterator

#: Bytes of one piece at most.
PIECE = 262_144


class Damaged(Exception):
    """Completes the sentence “the compression …”."""


class Gunzip:
    """Unpacks member after member (RFC 1952 §2.2); what follows them and is none is ignored."""

    def __init__(self):
        self.member = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self.members = 0  # whole ones
        self.begun = False  # the present one gave something
        self.over = False

    def pieces(self, raw: bytes) -> Iterator[bytes]:
        """What comes of the next bytes. Raises Damaged."""
        while raw and not self.over:
            try:
                piece = self.member.decompress(raw, PIECE)
            except zlib.error:
                if self.members and not self.begun:
                    self.over = True
                    return
                raise Damaged("is broken") from None
            self.begun = self.begun or bool(piece)
            if self.member.eof:
                raw, self.begun = self.member.unused_data, False
                self.members += 1
                self.member = zlib.decompressobj(16 + zlib.MAX_WBITS)
            else:
                raw = self.member.unconsumed_tail
            if piece:
                yield piece

    def end(self) -> None:
        """No more bytes will come. Raises Damaged when some are missing."""
        if self.begun or not self.members:
            raise Damaged("has no end")
