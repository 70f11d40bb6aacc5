"""Attaching a transcript's file to an episode: the form, the command and imports do it here."""

from dataclasses import dataclass
from enum import StrEnum

from django.core.exceptions import ValidationError
from django.db import transaction

from episodes import correcting, ingest
from episodes.findings import Finding
from episodes.models import Episode, Transcript
from episodes.transcripts.checks import check


class Outcome(StrEnum):
    ATTACHED = "attached"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Attached:
    outcome: Outcome
    transcript: Transcript
    findings: tuple[Finding, ...] = ()


def attach_transcript(
    episode: Episode, data: bytes, name: str, *, language: str = "", replace: bool = False
) -> Attached:
    """Store the file `data` as the episode's transcript in `language`, the show's by default.

    The same bytes again change nothing. Another file takes the place of a stored one only
    with `replace`. Raises ValidationError, with nothing changed, for what cannot be read or
    may not be.
    """
    language = language or episode.show.language
    with transaction.atomic():
        # The episode's row first, as its form does, so that two writers wait and never deadlock.
        Episode.objects.select_for_update().get(pk=episode.pk)
        stored = episode.transcripts.select_for_update().filter(language__iexact=language).first()
        if stored and bytes(stored.original) == data:
            return Attached(Outcome.UNCHANGED, stored)
        if stored and not replace:
            raise ValidationError(
                "This episode has another transcript in %(language)s already. "
                "Give --replace to put this one in its place.",
                code="exists",
                params={"language": stored.language},
            )
        transcript = stored or Transcript(episode=episode, language=language)
        findings = ingest.fill_transcript(transcript, data, name)
        transcript.full_clean(exclude=["text", "original", "cues"])
        findings += save_with_corrections(transcript)
    findings += check(transcript.read_cues(), seconds_of(episode)) if transcript.cues else ()
    outcome = Outcome.REPLACED if stored else Outcome.ATTACHED
    return Attached(outcome, transcript, findings)


def save_with_corrections(transcript: Transcript) -> tuple[Finding, ...]:
    """Save a row just filled from a file; corrections that fit it are made on it again.

    Findings say how many were, and which were not.
    """
    with transaction.atomic():
        carried = correcting.carry_over(transcript) if transcript.pk else None
        transcript.save()
        if carried:
            carried.keep()
    return carried.findings if carried else ()


def seconds_of(episode: Episode) -> float | None:
    return episode.seconds if episode.duration_ms else None
