"""An episode's page as concise plain text, for crawlers, terminals and language models."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

EXCERPT_NOTE = (
    "This excerpt keeps the crawler page concise. "
    "Listen to the episode or use the RSS feed for the full update."
)


def rfc3339(moment: datetime) -> str:
    """UTC to the second, for example 2026-10-05T13:00:40Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def episode_text(
    *,
    show: str,
    title: str,
    summary: str,
    duration: str,
    overview: Sequence[str],
    published: datetime,
    excerpt: Sequence[str],
    nearby: Iterable[str],
) -> str:
    """The page's parts in their order, one line each; empty parts are left out.

    `duration` is ISO 8601; `overview` and `excerpt` are paragraphs, `nearby` titles.
    """
    lines = [f"{show}: {title}"]
    if summary:
        lines.append(" ".join(summary.split()))
    if duration:
        lines.append(f"Duration: {duration}")
    lines += ["Episode overview", *overview, f"- Show: {show}"]
    lines.append(f"- Published: {rfc3339(published)}")
    if duration:
        lines.append(f"- Audio duration: {duration}")
    if excerpt:
        lines += ["Transcript excerpt", EXCERPT_NOTE, *excerpt]
    titles = [f"- {title}" for title in nearby]
    if titles:
        lines += [f"Nearby episodes from {show}", *titles]
    return "\n".join(lines) + "\n"
