"""The records that every reader and writer of chapters shares."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from episodes.findings import Finding, Unreadable, warning

LONGEST_TITLE = 255
MOST_CHAPTERS = 2_000


@dataclass(frozen=True, slots=True)
class Chapter:
    """A named stretch of the audio. Times are seconds from its beginning.

    `image` is an address, or the bytes of a picture embedded in an audio file, or empty.
    With `toc` false a chapter only changes picture and link and is in no list
    (JSON chapters 1.2).
    """

    start: float
    title: str = ""
    url: str = ""
    image: str | bytes = ""
    end: float | None = None
    toc: bool = True


@dataclass(frozen=True, slots=True)
class ChapterList:
    """Chapters by ascending start, no two at the same time.

    `format` is one of `json`, `psc`, `audacity`, `ffmetadata`, `mp4chaps`, `timestamps`.
    """

    chapters: tuple[Chapter, ...]
    findings: tuple[Finding, ...] = ()
    format: str = ""


class UnreadableChapters(Unreadable):
    """Not a list of chapters; `where` is the line, when there is one."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A chapter as somebody wrote it, before `settle` has looked at it."""

    start: float | None
    title: str = ""
    url: str = ""
    image: str | bytes = ""
    end: float | None = None
    toc: bool = True
    where: str = ""


def settle(drafts: list[Draft]) -> tuple[tuple[Chapter, ...], tuple[Finding, ...]]:
    """Drafts in order, with what cannot be kept dropped and each repair told.

    Dropped: no start, a negative start, a second chapter at the same time, anything past
    `MOST_CHAPTERS`. Cut: titles past `LONGEST_TITLE`. Emptied: addresses that are not http(s)
    and ends that are not after the start.
    """
    findings: list[Finding] = []
    kept: list[Chapter] = []
    starts: set[float] = set()
    latest = 0.0
    if len(drafts) > MOST_CHAPTERS:
        findings.append(
            warning(
                "too-many-chapters",
                f"{len(drafts)} chapters; only the first {MOST_CHAPTERS} are kept.",
            )
        )
    for draft in drafts[:MOST_CHAPTERS]:
        chapter = _settle_one(draft, findings)
        if chapter is None:
            continue
        if chapter.start in starts:
            findings.append(
                warning(
                    "same-start",
                    f"“{chapter.title}” starts when another chapter does and is left out.",
                    draft.where,
                )
            )
            continue
        if chapter.start < latest and not _has(findings, "unsorted"):
            findings.append(
                warning("unsorted", "The chapters are not in order; they are sorted.", draft.where)
            )
        starts.add(chapter.start)
        latest = max(latest, chapter.start)
        kept.append(chapter)
    return tuple(sorted(kept, key=lambda chapter: chapter.start)), tuple(findings)


def http_address(text: str) -> str:
    """`text` if it is an absolute http(s) address of sane length, else empty."""
    text = text.strip()
    if len(text) > 1000 or any(character <= " " for character in text):
        return ""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    return text if parts.scheme.lower() in ("http", "https") and parts.hostname else ""


def _settle_one(draft: Draft, findings: list[Finding]) -> Chapter | None:
    where = draft.where
    if draft.start is None:
        findings.append(warning("no-start", "A chapter without a start is left out.", where))
        return None
    if draft.start < 0:
        findings.append(
            warning("negative-start", "A chapter before the beginning is left out.", where)
        )
        return None
    title = " ".join(draft.title.split())
    if not title and draft.toc:
        findings.append(warning("no-title", "A listed chapter has no title.", where))
    if len(title) > LONGEST_TITLE:
        findings.append(
            warning(
                "long-title",
                f"A title of {len(title)} letters is cut to {LONGEST_TITLE}.",
                where,
            )
        )
        title = title[: LONGEST_TITLE - 1].rstrip() + "…"
    url, image, end = draft.url, draft.image, draft.end
    if url and not (url := http_address(url)):
        findings.append(
            warning("bad-url", "A link that is not an http(s) address is dropped.", where)
        )
    if isinstance(image, str) and image and not (image := http_address(image)):
        findings.append(
            warning("bad-image", "A picture that is not an http(s) address is dropped.", where)
        )
    if end is not None and end <= draft.start:
        findings.append(warning("bad-end", "An end that is not after the start is dropped.", where))
        end = None
    return Chapter(round(draft.start, 3), title, url, image, end, draft.toc)


def _has(findings: list[Finding], code: str) -> bool:
    return any(finding.code == code for finding in findings)
