"""Plain factories: `make_show()`, `make_episode(**changes)`. No magic, real files where wanted."""

from datetime import UTC, datetime, timedelta
from itertools import count

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from episodes.models import Chapter, Credit, Episode, Person, Show, Transcript

_numbers = count(1)

#: A fixed moment that most tests talk about.
NOON = datetime(2026, 3, 5, 12, 0, 0, tzinfo=UTC)


def make_show(**changes) -> Show:
    number = next(_numbers)
    fields = {
        "title": f"Show {number}",
        "description": "A show about things.",
        "author": "Ada Harbour",
    }
    return Show.objects.create(**fields | changes)


def make_episode(show: Show | None = None, *, live: bool = True, **changes) -> Episode:
    """A published episode an hour old, with the facts of a small MP3; no file behind it."""
    number = next(_numbers)
    show = show or make_show()
    fields = {
        "show": show,
        "title": f"Episode {number}",
        "summary": f"What happened in {number}.",
        "notes": f"We talk about **{number}**.",
        "audio": f"audio/{number}.mp3",
        "audio_bytes": 1000 + number,
        "audio_type": "audio/mpeg",
        "audio_extension": "mp3",
        "audio_sha256": f"{number:064x}"[::-1],
        "duration_ms": 61_000,
        "status": Episode.Status.PUBLISHED if live else Episode.Status.DRAFT,
        "published_at": timezone.now() - timedelta(hours=1) if live else None,
    }
    return Episode.objects.create(**fields | changes)


def make_audio_episode(show: Show | None = None, data: bytes = b"x" * 5000, **changes) -> Episode:
    """An episode whose file exists in the storage, with these bytes."""
    episode = make_episode(show, **changes)
    name = f"audio/{episode.uid}/{episode.audio_sha256}.mp3"
    default_storage.save(name, ContentFile(data))
    episode.audio.name = name
    episode.audio_bytes = len(data)
    episode.save()
    return episode


def make_transcript(episode: Episode, text="Hello there.\n\nGeneral remarks.", **changes):
    fields = {"episode": episode, "language": "en", "format": "txt", "text": text}
    return Transcript.objects.create(**fields | changes)


def make_chapter(episode: Episode, start_ms: int = 0, title: str = "Beginning", **changes):
    return Chapter.objects.create(episode=episode, start_ms=start_ms, title=title, **changes)


def make_host(show: Show, name: str = "Ada Harbour") -> Credit:
    person, _ = Person.objects.get_or_create(name=name)
    return Credit.objects.create(person=person, show=show)
