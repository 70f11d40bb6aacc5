"""Do transcript and chapters fit the recording? A replaced one leaves doubt, an editor ends it."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from episodes.models import Chapter, Episode, Transcript


@dataclass(frozen=True, slots=True)
class InDoubt:
    """What was made for an earlier recording: languages of transcripts, number of chapters."""

    transcripts: tuple[str, ...]
    chapters: int

    def __bool__(self) -> bool:
        return bool(self.transcripts or self.chapters)

    def __str__(self) -> str:
        parts = []
        if self.transcripts:
            plural = "s" if len(self.transcripts) > 1 else ""
            parts.append(f"the transcript{plural} ({', '.join(self.transcripts)})")
        if self.chapters:
            parts.append("1 chapter" if self.chapters == 1 else f"{self.chapters} chapters")
        return " and ".join(parts)


def in_doubt(episode: Episode) -> InDoubt:
    """Two queries."""
    transcripts = Transcript.objects.filter(episode=episode).for_earlier_recording()
    return InDoubt(
        tuple(transcripts.values_list("language", flat=True)),
        Chapter.objects.filter(episode=episode).for_earlier_recording().count(),
    )


def episodes_in_doubt(episodes: QuerySet) -> QuerySet:
    """Those of `episodes` with something made for an earlier recording."""
    return episodes.filter(
        Q(Exists(Transcript.objects.for_earlier_recording().filter(episode=OuterRef("pk"))))
        | Q(Exists(Chapter.objects.for_earlier_recording().filter(episode=OuterRef("pk"))))
    )


def still_fits(episode: Episode) -> int:
    """An editor's word that everything fits the present recording. Returns how many rows did not.

    Rows of which nobody knows what they were made for are left as they are.
    """
    count = 0
    with transaction.atomic():
        for model in (Transcript, Chapter):
            rows = model.objects.filter(episode=episode).for_earlier_recording()
            count += rows.fit(episode.audio_sha256)
    return count


def carry_over(episode: Episode, before: str) -> None:
    """What was made for the recording `before` was made for the present one: the same sound."""
    for model in (Transcript, Chapter):
        model.objects.filter(episode=episode, recording=before).fit(episode.audio_sha256)
