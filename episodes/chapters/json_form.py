"""JSON chapters 1.2, the file behind `podcast:chapters`."""

import json
from collections.abc import Iterable

from episodes.chapters.records import Chapter, Draft, UnreadableChapters
from episodes.chapters.times import parse_seconds

MEDIA_TYPE = "application/json+chapters"


def read(text: str) -> list[Draft]:
    """Chapters of the object the specification asks for, or of a bare list of them."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        reason = error.msg.lower().removesuffix(" at")
        raise UnreadableChapters(
            "bad-json",
            f"This JSON cannot be read: {reason}. The file may have been cut off.",
            f"line {error.lineno}, column {error.colno}",
        ) from None
    except RecursionError:
        raise UnreadableChapters("bad-json", "This JSON is nested far too deep.") from None
    except ValueError:  # a number of thousands of digits
        raise UnreadableChapters("bad-json", "This JSON has a number that is no time.") from None
    entries = document.get("chapters") if isinstance(document, dict) else document
    if not isinstance(entries, list):
        raise UnreadableChapters(
            "no-chapters", "This JSON has no list named “chapters” (JSON chapters 1.2)."
        )
    return [
        _draft(entry, f"chapter {number}")
        for number, entry in enumerate(entries, 1)
        if isinstance(entry, dict)
    ]


def chapters_json(chapters: Iterable[Chapter], **about: str) -> dict:
    """The document, ready for `json.dumps`.

    `about` is any of `author`, `title`, `podcastName`, `description`, `fileName`; empty ones
    are left out. A picture that is bytes has no address here and is left out too.
    """
    document: dict = {"version": "1.2.0"}
    document.update({name: value for name, value in about.items() if value})
    document["chapters"] = [_entry(chapter) for chapter in chapters]
    return document


def chapters_json_bytes(chapters: Iterable[Chapter], **about: str) -> bytes:
    return json.dumps(chapters_json(chapters, **about), ensure_ascii=False, indent=1).encode()


def _draft(entry: dict, where: str) -> Draft:
    def text(name: str) -> str:
        value = entry.get(name)
        return value if isinstance(value, str) else ""

    return Draft(
        start=parse_seconds(entry.get("startTime")),
        title=text("title"),
        url=text("url"),
        image=text("img"),
        end=parse_seconds(entry.get("endTime")),
        toc=entry.get("toc") is not False,
        where=where,
    )


def _entry(chapter: Chapter) -> dict:
    entry: dict = {"startTime": _number(chapter.start)}
    if chapter.title:
        entry["title"] = chapter.title
    if chapter.image and isinstance(chapter.image, str):
        entry["img"] = chapter.image
    if chapter.url:
        entry["url"] = chapter.url
    if chapter.end is not None:
        entry["endTime"] = _number(chapter.end)
    if not chapter.toc:
        entry["toc"] = False
    return entry


def _number(seconds: float) -> int | float:
    rounded = round(seconds, 3)
    return int(rounded) if rounded == int(rounded) else rounded
