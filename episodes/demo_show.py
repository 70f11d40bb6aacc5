"""The demo show: the acceptance page's show with its nine episodes, as rows and files.

Everything it needs lies in `episodes/demo/` (see the README there). Loading it
again changes nothing; removing it removes what loading made, and no more.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.core.files import File
from django.core.files.base import ContentFile
from django.db import transaction

from episodes import artwork, ingest, pictures
from episodes.chapters import Chapter as ChapterRecord
from episodes.models import Credit, Episode, Person, Show, Transcript

FOLDER = Path(__file__).parent / "demo"


@dataclass
class Loaded:
    show: Show
    created: bool
    episodes: int


def load() -> Loaded:
    """The demo show, made when it is not there yet. Episodes are matched by their GUID."""
    data = json.loads((FOLDER / "shows.json").read_text())["shows"][0]
    show = Show.objects.filter(guid=data["guid"]).first()
    created = show is None
    if show is None:
        fields = {k: v for k, v in data.items() if k not in {"episodes", "people", "links"}}
        show = Show(**fields)
        cover = artwork.placeholder(data["title"], seed=data["slug"])
        pictures.attach_artwork(show, ContentFile(cover, name="cover.png"))
        with transaction.atomic():
            show.save()
            for row in data["people"]:
                person, _ = Person.objects.get_or_create(name=row["name"])
                Credit.objects.create(person=person, show=show, role=row["role"])
    made = sum(load_episode(show, row) for row in reversed(data["episodes"]))
    return Loaded(show, created, made)


def load_episode(show: Show, data: dict) -> bool:
    """One episode with its audio, transcript and chapters; False when it is there already."""
    guid = f"demo:{data['slug']}"
    if Episode.objects.filter(show=show, guid=guid).exists():
        return False
    episode = Episode(
        show=show,
        guid=guid,
        title=data["title"],
        slug=data["slug"],
        summary=data["summary"],
        notes=data["notes"],
        number=data.get("number"),
        status=Episode.Status.PUBLISHED,
        published_at=datetime.fromisoformat(data["published_at"]),
    )
    with (FOLDER / data["audio"]).open("rb") as handle:
        upload = File(handle, name=str(FOLDER / data["audio"]))
        ingest.attach_audio(episode, upload, ingest.read_audio(upload))
    transcript = Transcript(language=show.language)
    source = FOLDER / data["transcript"]
    ingest.fill_transcript(transcript, source.read_bytes(), source.name)
    with transaction.atomic():
        episode.save()
        transcript.episode = episode
        transcript.recording = episode.audio_sha256
        transcript.save()
        ingest.attach_chapters(
            episode,
            [ChapterRecord(start=row["start"], title=row["title"]) for row in data["chapters"]],
        )
    return True


def remove() -> int:
    """Takes the demo show away with everything that hangs on it. Returns episodes removed."""
    data = json.loads((FOLDER / "shows.json").read_text())["shows"][0]
    show = Show.objects.filter(guid=data["guid"]).first()
    if show is None:
        return 0
    count = show.episodes.count()
    people = list(Person.objects.filter(credits__show=show))
    show.delete()
    for person in people:
        if not person.credits.exists():
            person.delete()
    return count
