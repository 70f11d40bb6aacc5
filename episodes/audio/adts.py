"""Raw AAC (ADTS, ISO/IEC 13818-7 §6.2): its frames carry their lengths and nothing else."""

import re

from episodes.audio.facts import Sound
from episodes.audio.source import Source
from episodes.findings import warning

CHUNK = 1 << 20
MOST_FRAMES = 4_000_000
FARTHEST_START = 1 << 20
CHAIN = 4

_RATES = (96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350)
_CANDIDATE = re.compile(rb"\xff[\xf0\xf1\xf8\xf9]", re.DOTALL)


def read(source: Source, start: int) -> Sound | None:
    """Walk the frames from `start` on; None when there is no chain of them."""
    first = _find_first_frame(source, start)
    if first is None:
        return None
    head = source.read(first, 7)
    rate, channels = _RATES[head[2] >> 2 & 15], (head[2] & 1) << 2 | head[3] >> 6
    samples, sound, junk, frames = 0, 0, 0, 0
    position, base, data = first, first, b""
    findings = []
    while position + 7 <= source.size and frames < MOST_FRAMES:
        at = position - base
        if at + 7 > len(data):
            base, data, at = position, source.read(position, CHUNK), 0
        if data[at] != 0xFF or data[at + 1] & 0xF6 != 0xF0:
            found = _find_first_frame(source, position + 1)
            if found is None:
                break
            junk += found - position
            position = found
            base, data = position, b""
            continue
        length = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
        if length < 7 or position + length > source.size:
            findings.append(warning("last-frame-cut", "The end of the file is cut off."))
            break
        samples += 1024 * ((data[at + 6] & 3) + 1)
        sound += length
        frames += 1
        position += length
    if junk > 4:
        findings.append(warning("junk-inside", f"{junk:,} bytes between the frames are no sound."))
    if frames >= MOST_FRAMES and position < source.size:
        samples = samples * (source.size - first) // sound
        findings.append(
            warning("reckoned", "Too long to be counted; the length is reckoned from its bytes.")
        )
    # Channel configuration 7 is 7.1; 0 means that the sound itself tells.
    channels = 8 if channels == 7 else channels
    return Sound("aac", "aac", samples / rate, channels, rate, sound, findings=findings)


def _find_first_frame(source: Source, start: int) -> int | None:
    data = source.read(start, FARTHEST_START)
    for number, match in enumerate(_CANDIDATE.finditer(data)):
        if number > 20_000:
            break
        if _is_chain(source, start + match.start()):
            return start + match.start()
    return None


def _is_chain(source: Source, position: int) -> bool:
    family = None
    for count in range(CHAIN):
        head = source.read(position, 7)
        if len(head) < 7:
            return count >= 2
        if head[0] != 0xFF or head[1] & 0xF6 != 0xF0 or head[2] >> 2 & 15 >= len(_RATES):
            return False
        if family is not None and (head[1], head[2]) != family:
            return False
        family = (head[1], head[2])
        length = (head[3] & 3) << 11 | head[4] << 3 | head[5] >> 5
        if length < 7:
            return False
        position += length
    return True
