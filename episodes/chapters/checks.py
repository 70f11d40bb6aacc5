"""What is wrong with a list of chapters, beside the audio it belongs to."""

from collections.abc import Iterable

from episodes.chapters.records import LONGEST_TITLE, Chapter, http_address
from episodes.durations import clock
from episodes.findings import Finding, advice, error, warning


def check_chapters(chapters: Iterable[Chapter], duration: float | None) -> tuple[Finding, ...]:
    """The rules of JSON chapters 1.2 and of the apps that read them.

    `duration` in seconds, or None when it is not known. Chapters are judged in the order given.
    """
    chapters = list(chapters)
    findings: list[Finding] = []
    if chapters and min(chapter.start for chapter in chapters) > 0:
        findings.append(advice("first-not-at-zero", "The first chapter should start at 0:00."))
    previous: float | None = None
    for chapter in chapters:
        where = f"{clock(max(chapter.start, 0))} {chapter.title}".strip()
        findings.extend(_judge(chapter, duration, where))
        if previous is not None and chapter.start == previous:
            findings.append(error("same-start", "Two chapters start at the same time.", where))
        elif previous is not None and chapter.start < previous:
            findings.append(error("unsorted", "This chapter starts before the last one.", where))
        previous = chapter.start
    return tuple(findings)


def _judge(chapter: Chapter, duration: float | None, where: str) -> Iterable[Finding]:
    if chapter.start < 0:
        yield error("negative-start", "This chapter starts before the beginning.", where)
    if duration is not None and chapter.start >= duration:
        yield error(
            "past-the-end",
            f"This chapter starts after the end of the audio ({clock(duration)}).",
            where,
        )
    if chapter.end is not None and chapter.end <= chapter.start:
        yield error("bad-end", "This chapter ends before it starts.", where)
    # Half a second of slack: tools round the last end up.
    if duration is not None and chapter.end is not None and chapter.end > duration + 0.5:
        yield warning("end-past-the-end", "This chapter ends after the audio does.", where)
    for address, what in ((chapter.url, "link"), (chapter.image, "picture")):
        if not address or isinstance(address, bytes):
            continue
        if not http_address(address):
            yield error("bad-url", f"The {what} is not an absolute http(s) address.", where)
        elif not address.lower().startswith("https://"):
            yield error("not-https", f"The {what} must be an https address.", where)
    if not chapter.title and chapter.toc:
        yield warning("no-title", "Give this chapter a title, or hide it from the list.", where)
    if len(chapter.title) > LONGEST_TITLE:
        yield warning("long-title", f"Titles may have {LONGEST_TITLE} letters.", where)
