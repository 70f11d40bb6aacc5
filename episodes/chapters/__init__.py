"""Chapters: named stretches of an episode, read from every form there is and written in three.

    found = read_chapters(data)            # a file an editor brought
    found = find_chapters(notes)           # a list of times inside the notes
    check_chapters(found.chapters, 151.0)  # what is wrong with them
    chapters_json(found.chapters)          # for podcast:chapters

Chapters inside audio files come from `episodes.audio`.
"""

from episodes.chapters import json_form, lines, podlove
from episodes.chapters.checks import check_chapters
from episodes.chapters.json_form import MEDIA_TYPE, chapters_json, chapters_json_bytes
from episodes.chapters.lines import list_for_notes
from episodes.chapters.podlove import psc_items
from episodes.chapters.records import (
    Chapter,
    ChapterList,
    UnreadableChapters,
    http_address,
    settle,
)

__all__ = [
    "MEDIA_TYPE",
    "Chapter",
    "ChapterList",
    "UnreadableChapters",
    "chapters_json",
    "chapters_json_bytes",
    "check_chapters",
    "find_chapters",
    "http_address",
    "list_for_notes",
    "psc_items",
    "read_chapters",
]

LARGEST_FILE = 2 * 1024 * 1024


def read_chapters(data: bytes) -> ChapterList:
    """The chapters in a file, whatever its name: the content tells the format.

    Reads JSON chapters, Podlove Simple Chapters, Audacity labels, mp4chaps, `m:ss title` lists
    and ffmpeg's metadata. What is odd but readable becomes a finding. Raises
    `UnreadableChapters` with the line and the reason.
    """
    if len(data) > LARGEST_FILE:
        raise UnreadableChapters("too-large", "A list of chapters may have 2 MB.")
    text = _decode(data)
    start = text.lstrip()[:1]
    if start in ("{", "["):
        # "[0:00] Welcome" is a line of a list, not JSON.
        form = lines.looks_like(text) or "json"
    else:
        form = "psc" if start == "<" else lines.looks_like(text)
    if not form:
        raise UnreadableChapters(
            "unknown-format",
            "This is no list of chapters. JSON chapters, Podlove Simple Chapters (XML), Audacity "
            "labels, ffmpeg metadata and lines such as “1:23 Title” are read.",
            "line 1",
        )
    drafts = podlove.read(data) if form == "psc" else _READERS[form](text)
    chapters, findings = settle(drafts)
    if not chapters:
        raise UnreadableChapters("no-chapters", "There is no chapter with a start in this file.")
    return ChapterList(chapters, findings, form)


def find_chapters(notes: str) -> ChapterList:
    """The list of times inside episode notes (plain text); empty when there is none.

    A list is at least three lines that start with a time, the first at 0 (Apple's rule).
    """
    chapters, findings = settle(lines.find_stamps(notes))
    return ChapterList(chapters, findings, "timestamps")


_READERS = {
    "json": json_form.read,
    "audacity": lines.read_labels,
    "mp4chaps": lines.read_stamps,
    "timestamps": lines.read_stamps,
    "ffmetadata": lines.read_ffmetadata,
}


def _decode(data: bytes) -> str:
    if not data.strip(b" \t\r\n\0"):
        raise UnreadableChapters("empty", "This file is empty.")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Labels saved by older Windows tools.
        text = data.decode("cp1252", "replace")
    if "\0" in text:
        raise UnreadableChapters("binary", "This is not a text file.")
    return text
