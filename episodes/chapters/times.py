"""The clock forms that chapter files use."""

import math
import re

# h:mm:ss.fff, m:ss, or plain seconds; normal play time of RFC 2326 §3.6 as Podlove has it.
CLOCK = r"(?:(?:(\d{1,4}):)?([0-9]{1,4}):)?(\d{1,9}(?:[.,]\d{1,9})?)"
_CLOCK = re.compile(CLOCK)


def parse_clock(text: str) -> float | None:
    """Seconds of `1:02:03.5`, `2:31` or `151.04`; None when it is none of these."""
    match = _CLOCK.fullmatch(text.strip())
    if not match:
        return None
    hours, minutes = int(match[1] or 0), int(match[2] or 0)
    seconds = float(match[3].replace(",", "."))
    if (match[2] and seconds >= 60) or (match[1] and minutes >= 60):
        return None
    return hours * 3600 + minutes * 60 + seconds


def parse_seconds(value: object) -> float | None:
    """A JSON value meant as seconds: a number, or text that some tools write instead."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        # An integer of a thousand digits has no float; NaN and infinity are no times.
        if isinstance(value, int) and abs(value) > 10**12:
            return None
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("-") and (positive := parse_clock(text[1:])) is not None:
            return -positive
        return parse_clock(text)
    return None


def normal_play_time(seconds: float) -> str:
    """`00:02:31.500`, the form of Podlove Simple Chapters and mp4chaps."""
    milliseconds = round(seconds * 1000)
    whole, rest = divmod(milliseconds, 1000)
    minutes, secs = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{secs:02}.{rest:03}"
