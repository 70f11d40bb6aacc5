"""Single values as feeds spell them: moments, flags, numbers."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero",
            "feb february februar fevrier febrero",
            "mar march märz mars marzo",
            "apr april avril abril",
            "may mai mayo",
            "jun june juni juin junio",
            "jul july juli juillet julio",
            "aug august aout août agosto",
            "sep sept september septembre septiembre",
            "oct october oktober octobre octubre okt",
            "nov november novembre noviembre",
            "dec december dezember decembre décembre diciembre dez",
        ),
        1,
    )
    for name in names.split()
}
_ZONES = {
    "": 0, "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0,
    "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360,
    "pst": -480, "pdt": -420, "cet": 60, "cest": 120, "bst": 60, "west": 60,
    "eet": 120, "eest": 180, "msk": 180, "jst": 540, "aest": 600, "aedt": 660,
}  # fmt: skip
_TIME = r"(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?"
_ZONE = r"\s*(?:\(?([A-Za-z]{1,5})\)?|(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2}))?(?:\s*\([^)]{0,40}\))?"
_RFC = re.compile(
    rf"(?:[^\W\d]{{2,12}}\.?,?\s+)?(\d{{1,2}})[\s-]+([^\W\d]{{3,12}})\.?,?[\s-]+(\d{{4}}|\d{{2}})"
    rf"(?:,?\s+{_TIME}{_ZONE})?"
)
_AMERICAN = re.compile(
    rf"(?:[^\W\d]{{2,12}}\.?,?\s+)?([^\W\d]{{3,12}})\.?\s+(\d{{1,2}}),?\s+(\d{{4}})"
    rf"(?:,?\s+{_TIME}{_ZONE})?"
)
_ISO = re.compile(rf"(\d{{4}})-?(\d{{2}})-?(\d{{2}})(?:[T\s]+{_TIME}{_ZONE})?", re.IGNORECASE)
_STRICT = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? "
    r"(?:[+-]\d{4}|GMT|UT|[ECMP][SD]T)"
)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def moment(text: str) -> datetime | None:
    """A moment in UTC from any date form of `pubDate` seen in the field, or None.

    Without a zone it is taken for UTC, without a time for midnight. Fractions of a second stay.
    """
    text = text.strip()[:100]
    if match := _RFC.fullmatch(text):
        day, month, year, *rest = match.groups()
        return _moment(_year(year), _MONTHS.get(month.lower(), 0), int(day), rest)
    if match := _ISO.fullmatch(text):
        year, month, day, *rest = match.groups()
        return _moment(int(year), int(month), int(day), rest)
    if match := _AMERICAN.fullmatch(text):
        month, day, year, *rest = match.groups()
        return _moment(int(year), _MONTHS.get(month.lower(), 0), int(day), rest)
    return None


def is_rfc2822(text: str, value: datetime) -> bool:
    """Whether every reader understands `text`, and its weekday is the right one."""
    if not _STRICT.fullmatch(text):
        return False
    if "," not in text:
        return True
    match = _RFC.fullmatch(text)
    offset = _offset(*match.groups()[-4:]) if match else None
    return offset is not None and _DAYS[(value + timedelta(minutes=offset)).weekday()] == text[:3]


def _year(text: str) -> int:
    year = int(text)
    if len(text) == 4:
        return year
    return year + (2000 if year < 70 else 1900)


def _moment(year: int, month: int, day: int, rest: list[str | None]) -> datetime | None:
    hour, minute, second, fraction, name, sign, zone_hours, zone_minutes = rest
    offset = _offset(name, sign, zone_hours, zone_minutes)
    if offset is None:
        return None
    try:
        midnight = datetime(year, month, day, tzinfo=UTC)
        # 24:00 and a leap second are moments too.
        if int(hour or 0) > 24 or int(minute or 0) > 59 or int(second or 0) > 60:
            return None
        return midnight + timedelta(
            hours=int(hour or 0),
            minutes=int(minute or 0) - offset,
            seconds=int(second or 0),
            microseconds=int((fraction or ".0")[1:7].ljust(6, "0")),
        )
    except (ValueError, OverflowError):
        return None


def _offset(name: str | None, sign: str | None, hours: str | None, minutes: str | None):
    """Minutes east of UTC, or None for what cannot be."""
    if sign:
        offset = int(hours or 0) * 60 + int(minutes or 0)
        return None if offset >= 24 * 60 else (-offset if sign == "-" else offset)
    # An unknown name of a zone is UTC, as RFC 2822 §4.3 says.
    return _ZONES.get((name or "").lower(), 0)


def flag(text: str) -> bool | None:
    """true and yes, false and no and their kin; None for anything else."""
    text = text.strip().lower()
    if text in {"true", "yes", "explicit", "1"}:
        return True
    return False if text in {"false", "no", "clean", "0"} else None


def whole(text: str, least: int = 0) -> int | None:
    """A whole number in decimal digits that a database can hold, else None."""
    text = text.strip()
    if not re.fullmatch(r"\+?[0-9]{1,18}", text):
        return None
    number = int(text)
    return number if number >= least else None


def decimal(text: str) -> Decimal | None:
    """A finite decimal number with at most 30 digits, else None."""
    text = text.strip()
    if not re.fullmatch(r"[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,340})?|\.[0-9]{1,340})", text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def seconds(text: str) -> float | None:
    """Seconds, with a fraction or as a clock (`1:02:03.5`); not negative, else None."""
    parts = text.strip().split(":")
    if not 1 <= len(parts) <= 3:
        return None
    numbers = [decimal(part) for part in parts]
    if any(number is None or number < 0 for number in numbers):
        return None
    if len(parts) == 1:
        return float(numbers[0])  # type: ignore[arg-type]
    total = Decimal(0)
    for number in numbers:
        total = total * 60 + number  # type: ignore[operator]
    return float(total)
