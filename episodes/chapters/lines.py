"""Chapters as lines of text: labels, mp4chaps, timestamp lists and ffmpeg's metadata."""

import re
from collections.abc import Iterable

from episodes.chapters.records import Chapter, Draft, UnreadableChapters
from episodes.chapters.times import CLOCK, parse_clock, parse_seconds
from episodes.durations import clock

FEWEST_IN_NOTES = 3

_LABEL = re.compile(r"(-?[\d.,]+)\t(-?[\d.,]+)(?:\t(.*))?")
_STAMP = re.compile(
    # An optional bullet or bracket, the time, a separator, the title.
    rf"\s*(?:[-*•–—]\s+|\d{{1,3}}[.)]\s+)?[(\[]?(?P<time>(?=\d{{1,4}}:){CLOCK})[)\]]?"
    r"(?:\s*[-–—:|•]\s*|\s+)(?P<title>\S.*)"
)
_MP4CHAPS = re.compile(r"\d{2,}:\d\d:\d\d\.\d{1,3}\s")
_LINK = re.compile(r"<(https?://[^>\s]+)>\s*$")


def read_labels(text: str) -> list[Draft]:
    """Audacity: start, end and title between tabs; a label without length has no end."""
    drafts = []
    for number, line in enumerate(text.splitlines(), 1):
        # A line that starts with a backslash is the frequency range of the one before.
        if not line.strip() or line.startswith("\\"):
            continue
        match = _LABEL.fullmatch(line)
        if not match:
            raise UnreadableChapters(
                "bad-label",
                "This line is no label: start, end and title in seconds, with tabs between.",
                f"line {number}",
            )
        start, end = parse_seconds(match[1]), parse_seconds(match[2])
        drafts.append(
            Draft(start, match[3] or "", end=None if end == start else end, where=f"line {number}")
        )
    return drafts


def read_stamps(text: str) -> list[Draft]:
    """`00:00:19.811 Title` (mp4chaps) or `0:19 Title`; mp4chaps may end in `<https://…>`."""
    drafts = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        draft = _stamp(line, number)
        if draft is None:
            raise UnreadableChapters(
                "bad-line", "This line does not start with a time such as 1:23.", f"line {number}"
            )
        drafts.append(draft)
    return drafts


def find_stamps(text: str) -> list[Draft]:
    """A list of times inside episode notes, or nothing.

    Apple's rule for lists in a description: at least three lines, the first at 0, ascending.
    Other lines may stand around and between them.
    """
    drafts: list[Draft] = []
    for number, line in enumerate(text.splitlines(), 1):
        draft = _stamp(line, number)
        if draft is None or draft.start is None:
            continue
        if drafts and draft.start <= (drafts[-1].start or 0):
            continue
        if not drafts and draft.start > 0:
            continue
        drafts.append(draft)
    return drafts if len(drafts) >= FEWEST_IN_NOTES else []


def read_ffmetadata(text: str) -> list[Draft]:
    """The [CHAPTER] sections of ffmpeg's metadata; its escapes are undone."""
    drafts: list[Draft] = []
    section: dict[str, str] | None = None
    line_of = 0
    # A backslash before the line end continues the value.
    for number, line in enumerate([*text.replace("\\\n", " ").splitlines(), "[END]"], 1):
        if line.startswith("["):
            if section is not None:
                drafts.append(_from_section(section, line_of))
            section = {} if line.strip().upper() == "[CHAPTER]" else None
            line_of = number
        elif section is not None and "=" in line and line[:1] not in ";#":
            name, value = re.split(r"(?<!\\)=", line, maxsplit=1) if "=" in line else (line, "")
            section[name.strip().lower()] = re.sub(r"\\(.)", r"\1", value)
    return drafts


def looks_like(text: str) -> str:
    """The name of the line format, or empty; decided by the first line that says something."""
    if text.lstrip().startswith(";FFMETADATA"):
        return "ffmetadata"
    first = next((line for line in text.splitlines() if line.strip()), "")
    if _LABEL.fullmatch(first):
        return "audacity"
    if _MP4CHAPS.match(first):
        return "mp4chaps"
    return "timestamps" if _STAMP.fullmatch(first) else ""


def list_for_notes(chapters: Iterable[Chapter]) -> str:
    """`0:19 Title` lines, which Apple and Spotify read from a description."""
    return "\n".join(
        f"{clock(chapter.start)} {chapter.title}"
        for chapter in chapters
        if chapter.toc and chapter.title
    )


def _stamp(line: str, number: int) -> Draft | None:
    match = _STAMP.fullmatch(line[:2000])
    if not match:
        return None
    title, url = match["title"].strip(), ""
    if link := _LINK.search(title):
        title, url = title[: link.start()].strip(), link[1]
    return Draft(parse_clock(match["time"]), title, url, where=f"line {number}")


def _from_section(section: dict[str, str], line: int) -> Draft:
    numerator, _, denominator = section.get("timebase", "1/1000000000").partition("/")

    def seconds(name: str) -> float | None:
        try:
            return int(section[name]) * int(numerator) / int(denominator or 1)
        except (KeyError, ValueError, ZeroDivisionError, OverflowError):
            return None

    return Draft(
        seconds("start"), section.get("title", ""), end=seconds("end"), where=f"line {line}"
    )
