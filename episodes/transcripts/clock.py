"""Times as transcripts write them, in whole milliseconds."""

import re

#: Nothing is later: what claims to be is a unit mistaken, and counts as no time at all.
LATEST_MS = 1000 * 3_600_000

#: Hours may be missing; full-width and Arabic digits and colons occur in Asian files.
_CLOCK = re.compile(
    r"(?:(\d{1,6})[:：])?(\d{1,6})[:：](\d{1,6})(?:[.,．，。](\d{1,9})|[:：](\d{3})(?!\d))?"
)
_STRICT = re.compile(r"(?:[0-9]{2,}:)?[0-5][0-9]:[0-5][0-9][.,][0-9]{3}")


def parse_clock(text: str) -> int | None:
    """Milliseconds of `h:mm:ss.fff`, hours and fraction optional; None for anything else.

    Fractions are decimal: ",5" is half a second. Fields may be shorter or larger than
    clocks allow (75:00 is an hour and a quarter).
    """
    match = _CLOCK.fullmatch(text.strip())
    return _milliseconds(match) if match else None


def clock_at_start(text: str) -> tuple[int | None, str]:
    """The time `text` begins with, and what follows it; (None, text) if there is none."""
    match = _CLOCK.match(text)
    if match is None:
        return None, text
    return _milliseconds(match), text[match.end() :]


def _milliseconds(match: re.Match) -> int | None:
    hours, minutes, seconds, fraction, after_colon = match.groups()
    whole = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
    part = fraction or after_colon or ""
    thousandths = int(part.ljust(4, "0")[:4]) if part else 0
    found = whole * 1000 + (thousandths + 5) // 10
    return found if found <= LATEST_MS else None


def seconds_to_ms(value: object) -> int | None:
    """Milliseconds of a number of seconds, or of its text; None if it is no usable time."""
    if isinstance(value, str):
        if ":" in value:
            return parse_clock(value)
        try:
            value = float(value[:40])
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 <= value <= LATEST_MS / 1000:  # NaN is not either
        return None
    return round(value * 1000)


def is_strict(text: str) -> bool:
    """Whether it is written exactly as WebVTT and SRT want it."""
    return _STRICT.fullmatch(text) is not None


def time_line(line: str) -> tuple[int, int | None, bool] | None:
    """Start, end and whether both are written to the rule; None if it is no time line.

    The end is None where it cannot be read. Arrows of one or two dashes with spaces in
    them and "→" are taken. Costs one pass over the line, however long.
    """
    if "→" in line:
        line = line.replace("→", "-->")
    head, arrow, rest = line.partition(">")
    if not arrow:
        return None
    left = head.rstrip("- \t–")
    gap = head[len(left) :]
    left = left.strip(" \t")
    if gap.count("-") + gap.count("–") not in (1, 2) or len(left) > 40:
        return None
    start = parse_clock(left)
    if start is None:
        return None
    rest = rest.lstrip(" \t")
    end, after = clock_at_start(rest)
    written = rest[: len(rest) - len(after)]
    if after[:1].isalnum() and not is_strict(written):
        end = None
    exact = gap == " --" and is_strict(left) and is_strict(written)
    return start, end, exact and after[:1] in ("", " ", "\t")


def stamp(ms: int, decimal: str = ".") -> str:
    """`HH:MM:SS.mmm`, as WebVTT wants it; SRT's decimal is a comma."""
    seconds, thousandths = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{decimal}{thousandths:03}"
