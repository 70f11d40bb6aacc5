"""Ogg (RFC 3533): where its streams end, and which follow one another in the same file.

A chained file is one stream after another, as joining files end to end makes it; players play
them all, and mutagen measures the first.
"""

from dataclasses import dataclass

from episodes.audio.source import Source

CHUNK = 1 << 20
#: Ten hours have half a million pages at most.
MOST_PAGES = 2_000_000
_BEGINS, _ENDS = 2, 4
_NO_PACKET = (1 << 64) - 1


@dataclass(slots=True)
class Stream:
    """One stream of sound: its first packet, its last position, and whether it says it is over."""

    head: bytes
    position: int = 0
    ended: bool = False

    def seconds(self) -> float:
        """By Opus' and Vorbis' own headers (RFC 7845 §5.1, Vorbis I §4.2.2); else 0."""
        if self.head.startswith(b"OpusHead"):
            skipped = int.from_bytes(self.head[10:12], "little")
            return max(self.position - skipped, 0) / 48000
        rate = int.from_bytes(self.head[12:16], "little")
        if self.head.startswith(b"\x01vorbis") and rate:
            return self.position / rate
        return 0.0


def streams(source: Source, magic: bytes) -> list[Stream]:
    """Those whose first packet begins with `magic`, in order."""
    found: list[Stream] = []
    running: dict[bytes, Stream] = {}
    position, base, data = 0, 0, b""
    for _ in range(MOST_PAGES):
        at = position - base
        if at + 27 + 255 > len(data):
            base, data, at = position, source.read(position, CHUNK), 0
        head = data[at : at + 27]
        if len(head) < 27 or head[:4] != b"OggS":
            break
        table = data[at + 27 : at + 27 + head[26]]
        end = position + 27 + head[26] + sum(table)
        if len(table) < head[26] or end > source.size:
            break
        serial = head[14:18]
        if head[5] & _BEGINS:
            packet = source.read(position + 27 + head[26], 64)
            running.pop(serial, None)
            if packet.startswith(magic):
                running[serial] = Stream(packet)
                found.append(running[serial])
        if stream := running.get(serial):
            granule = int.from_bytes(head[6:14], "little")
            if granule != _NO_PACKET:
                stream.position = max(stream.position, granule if granule < 1 << 63 else 0)
            stream.ended = stream.ended or bool(head[5] & _ENDS)
        position = end
    return found
