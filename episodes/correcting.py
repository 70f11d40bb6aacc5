"""Correcting a transcript: each change is kept beside the file and can be taken back.

Every write here locks the episode's row first, then the transcript's, in the order the
episode's form does, so that two editors wait for each other and nobody's words are lost.
"""

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from episodes import durations
from episodes.findings import Finding, advice, warning
from episodes.models import Episode, Transcript, TranscriptCorrection
from episodes.transcripts.corrections import Correction, DoesNotFit, make, replay
from episodes.transcripts.cues import Cue

NO_WORDS = "A transcript needs words. To take it away altogether, delete it in the episode's form."


class CannotCorrect(ValueError):
    """Nothing was changed; the message is for the editor."""


@contextmanager
def held(transcript: Transcript) -> Iterator[Transcript]:
    """The row as it is stored now, which nobody else writes until the block ends.

    Raises CannotCorrect when it was deleted.
    """
    with transaction.atomic():
        Episode.objects.select_for_update().filter(pk=transcript.episode_id).first()
        row = Transcript.objects.select_for_update().filter(pk=transcript.pk).first()
        if row is None:
            raise CannotCorrect("Somebody deleted this transcript meanwhile.")
        yield row


def correct(
    transcript: Transcript,
    plan: Callable[[tuple[Cue, ...]], Sequence[Correction]],
    run: uuid.UUID | None = None,
) -> int:
    """Make the corrections that `plan` asks for of the stored cues, all or none.

    They are made in order, each on what the one before left. The transcript has another
    version then, and its show another revision. Returns how many were made; what `plan`
    raises passes through.
    """
    with held(transcript) as row:
        lines = row.lines()
        corrections = list(plan(lines))
        if not corrections:
            return 0
        for correction in corrections:
            lines = make(lines, correction.change)
        store(row, lines)
        TranscriptCorrection.objects.bulk_create(
            [
                TranscriptCorrection(transcript=row, note=correction.note[:255], run=run).hold(
                    correction.change
                )
                for correction in corrections
            ]
        )
    return len(corrections)


def store(row: Transcript, lines: Sequence[Cue]) -> None:
    if not lines:
        raise CannotCorrect(NO_WORDS)
    row.set_lines(lines)
    row.save(update_fields=["cues", "text", "has_speakers", "has_cues", "version", "updated_at"])


def undo(correction: TranscriptCorrection) -> None:
    """Take one correction back. Raises CannotCorrect if its place was changed since."""
    with held(correction.transcript) as row:
        correction.refresh_from_db(fields=["undone_at", "lost_at", "place", "before", "after"])
        if correction.undone_at:
            raise CannotCorrect("This correction was taken back already.")
        if not correction.lost_at:
            try:
                store(row, make(row.lines(), correction.change.reversed()))
            except DoesNotFit:
                raise CannotCorrect(
                    "The same place was changed again since. Take the later correction back first."
                ) from None
        correction.undone_at = timezone.now()
        correction.save(update_fields=["undone_at"])


def carry_over(transcript: Transcript) -> "CarriedOver":
    """Make the corrections that stand on the row's new file; the row is the caller's to save.

    The row holds what was just read from the file. Afterwards `keep()` what comes back.
    """
    rows = list(transcript.corrections.filter(undone_at=None).order_by("pk"))
    if not rows:
        return CarriedOver((), ())
    replayed = replay(transcript.lines(), [row.change for row in rows])
    lost = []
    for row, change in zip(rows, replayed.changes, strict=True):
        if change is None:
            row.lost_at = row.lost_at or timezone.now()
            lost.append(row)
        else:
            row.lost_at = None
            row.hold(change)
    if replayed.cues:
        transcript.set_lines(replayed.cues)
    findings = [_lost(row) for row in lost]
    if kept := len(rows) - len(lost):
        message = f"Of the corrections made before, {kept} stand in the new file too."
        findings.insert(0, advice("corrections-kept", message))
    return CarriedOver(tuple(rows), tuple(findings))


@dataclass(frozen=True, slots=True)
class CarriedOver:
    rows: tuple[TranscriptCorrection, ...]
    findings: tuple[Finding, ...]

    def keep(self) -> None:
        """Store where the corrections are now. Call it once the transcript is saved."""
        TranscriptCorrection.objects.bulk_update(
            self.rows, ["place", "before", "after", "lost_at"], batch_size=200
        )


def _lost(row: TranscriptCorrection) -> Finding:
    cues = row.change.before or row.change.after
    words = " ".join(cue.text for cue in row.change.before)
    short = words if len(words) <= 80 else f"{words[:79]}…"
    where = durations.clock(cues[0].start) if cues and cues[0].end_ms else ""
    return warning(
        "correction-lost",
        f"A correction made before does not fit the new file, which has not “{short}”.",
        where,
    )
