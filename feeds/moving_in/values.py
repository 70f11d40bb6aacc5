"""An episode as values under the names its item has for them: what is compared with what was.

Each is of a kind that compares and hashes by content (`feeds.moving_in.differences`).
"""

from collections.abc import Iterable

from episodes.chapters import Chapter as ChapterRecord
from episodes.models import Episode, Transcript
from feeds.moving_in import rows

#: Values that are columns of the episode's row, by the name of the column.
COLUMNS = (
    "title", "summary", "notes", "season", "number", "number_display", "type", "explicit",
    "blocked", "license", "license_url", "published_at", "duration_ms",
)  # fmt: skip


def now(episode: Episode) -> dict[str, object]:
    """The same values of an episode as it is. About 15 queries."""
    values: dict[str, object] = {name: getattr(episode, name) for name in COLUMNS}
    values["status"] = episode.status
    values["audio"] = (
        (episode.audio_sha256,)
        if episode.audio
        else (episode.audio_url, episode.audio_bytes, episode.audio_type)
        if episode.audio_url
        else ()
    )
    values["artwork"] = episode.artwork.name or ""
    values["persons"] = tuple(
        (row.person.name, row.role, row.group) for row in episode.credits.select_related("person")
    )
    values["chapters"] = chapter_values(row.record() for row in episode.chapters.all())
    values["transcripts"] = tuple(sorted(episode.transcripts.values_list("language", "version")))
    for kind, (name, _, back) in rows.KINDS_OF_EPISODES.items():
        values[kind] = in_order(kind, map(back, getattr(episode, name).all()))
    return values


def in_order(kind: str, part_list: Iterable) -> tuple:
    """As they came, save for kinds whose rows have an order of their own."""
    if kind in {"soundbites", "blocks", "live_items"}:
        return tuple(sorted(part_list, key=repr))
    return tuple(part_list)


def chapter_values(chapters) -> tuple:
    """As rows hold them: by start, none twice at the same time."""
    out: dict[int, tuple] = {}
    for row in chapters:
        start, end = round(row.start * 1000), round((row.end or 0) * 1000)
        image = row.image if isinstance(row.image, str) else ""
        value = (start, end if end > start else None, row.title[:255], row.url[:1000], image)
        out.setdefault(start, (*value, row.toc))
    return tuple(out[start] for start in sorted(out))


def transcript_values(transcripts: list[Transcript], language: str) -> tuple:
    found = {row.language or language: row.make_version() for row in reversed(transcripts)}
    return tuple(sorted(found.items()))


def listed(value) -> tuple:
    if isinstance(value, tuple):
        return value
    return () if value is None else (value,)


def chapter_records(values) -> list[ChapterRecord]:
    return [
        ChapterRecord(start / 1000, title, url, image, end / 1000 if end else None, toc)
        for start, end, title, url, image, toc in values
    ]
