"""Durations: how long a recording is, as machines and as people write it.

Everything is rounded to the nearest whole second, halves up.
"""

import math
import re
import unicodedata

LONGEST = 1_000 * 3600
"""Seconds. A duration beyond a thousand hours is a mistake, not a recording."""


def iso8601(seconds: float) -> str:
    """`PT2M31S`, the form of schema.org and of HTML's datetime attribute.

    A sound shorter than half a second still lasts `PT1S`: zero would mean that there is none.
    """
    hours, minutes, rest = _split(_lasting(seconds))
    parts = [f"{n}{unit}" for n, unit in ((hours, "H"), (minutes, "M"), (rest, "S")) if n]
    return "PT" + ("".join(parts) or "0S")


def human(seconds: float) -> str:
    """`2 min 31 s`, and from an hour on `1 h 2 min`, where seconds no longer matter."""
    whole = _lasting(seconds)
    hours, minutes, rest = _split(whole)
    if hours:
        # 1:59:40 is two hours to a reader, not "1 h 60 min".
        hours, minutes = divmod((whole + 30) // 60, 60)
        rest = 0
    parts = [f"{n} {unit}" for n, unit in ((hours, "h"), (minutes, "min"), (rest, "s")) if n]
    return " ".join(parts) or "0 s"


def clock(seconds: float) -> str:
    """`2:31` or `1:02:03`: a position in the audio, or a length beside a player."""
    hours, minutes, rest = _split(_nearest(seconds))
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def parse_duration(text: str) -> int | None:
    """Seconds from any form of `itunes:duration` seen in the wild, or None for nonsense.

    Reads `151`, `151.04`, `2:31`, `1:02:03`, `151 sec`, `2m31s` and `PT2M31S`, in any script's
    digits. Negative, empty, beyond `LONGEST`, and fields over 59 that are not the first
    (`9:99:99`) are nonsense.
    """
    # NFKC turns the full-width colon of East Asian keyboards into the plain one.
    form = unicodedata.normalize("NFKC", text[:64]).strip()
    seconds = _from_clock(form)
    if seconds is None:
        seconds = _from_units(form)
    if seconds is None or seconds > LONGEST:
        return None
    return _nearest(seconds)


_CLOCK = re.compile(r"(?:(?:(\d{1,9}):)?(\d{1,9}):)?(\d{1,9}(?:[.,]\d{1,9})?)")
_UNITS = re.compile(
    r"(?:P?T)?\s*"
    r"(?:(\d{1,9})\s*(?:hours?|hrs?|h)\.?\s*)?"
    r"(?:(\d{1,9})\s*(?:minutes?|mins?|m)\.?\s*)?"
    r"(?:(\d{1,9}(?:[.,]\d{1,9})?)\s*(?:seconds?|secs?|s)\.?)?",
    re.IGNORECASE,
)


def _from_clock(form: str) -> float | None:
    match = _CLOCK.fullmatch(form)
    if not match:
        return None
    hours, minutes, seconds = (_number(field) for field in match.groups())
    if (match[2] and seconds >= 60) or (match[1] and minutes >= 60):
        return None
    return hours * 3600 + minutes * 60 + seconds


def _from_units(form: str) -> float | None:
    match = _UNITS.fullmatch(form)
    if not match or not any(match.groups()):
        return None
    hours, minutes, seconds = (_number(field) for field in match.groups())
    return hours * 3600 + minutes * 60 + seconds


def _number(field: str | None) -> float:
    return float(field.replace(",", ".")) if field else 0


def _nearest(seconds: float) -> int:
    # Not round(): that takes 150.5 down and 151.5 up.
    return math.floor(max(seconds, 0) + 0.5)


def _lasting(seconds: float) -> int:
    return max(_nearest(seconds), 1) if seconds > 0 else 0


def _split(whole: int) -> tuple[int, int, int]:
    minutes, seconds = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return hours, minutes, seconds
