"""The show's glossary on its transcripts: what it would correct, doing it, and taking it back."""

import hashlib
import uuid
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import models
from django.utils import timezone

from episodes.correcting import correct, held, store
from episodes.models import Show, Transcript, TranscriptCorrection
from episodes.transcripts import Cue
from episodes.transcripts.corrections import Change, Correction, DoesNotFit, make
from episodes.transcripts.glossary import Proposal, Term, apply, propose


@dataclass(frozen=True, slots=True)
class Offer:
    """A correction the glossary proposes. `key` names it while the cue is as it is."""

    key: str
    cue: Cue
    proposal: Proposal

    @property
    def context(self) -> tuple[str, str, str, str]:
        """Before, wrong, right, after."""
        return self.proposal.in_context(self.cue.text)

    @property
    def memory(self) -> list:
        """How it is remembered that an editor declined it."""
        return [self.cue.start_ms, self.proposal.before, self.proposal.after]


def terms_of(show: Show) -> tuple[Term, ...]:
    return tuple(Term(row.wrong, row.right, row.match_case) for row in show.glossary.all())


def offers(transcript: Transcript, terms: Sequence[Term]) -> list[Offer]:
    """What the terms would correct here, in the order of the words, without what was declined."""
    lines = transcript.lines()
    declined = transcript.declined or []
    found = []
    for proposal in propose(lines, terms):
        index = proposal.cue_index or 0
        offer = Offer(_key(transcript, index, lines[index], proposal), lines[index], proposal)
        if offer.memory not in declined:
            found.append(offer)
    return found


def offers_of_show(show: Show) -> Iterator[tuple[Transcript, list[Offer]]]:
    """Transcripts of the show that the glossary would correct, the newest episode first."""
    terms = terms_of(show)
    if not terms:
        return
    rows = Transcript.objects.filter(episode__show=show).select_related("episode")
    newest = rows.defer("original").order_by("-episode__published_at", "-episode_id", "pk")
    for transcript in newest.iterator(chunk_size=50):
        found = offers(transcript, terms)
        for name in ("cues", "text"):  # fetched again when asked for: a show has thousands
            transcript.__dict__.pop(name, None)
        if found:
            yield transcript, found


@dataclass(frozen=True, slots=True)
class Settled:
    """`made` corrections, in how many cues; `declined`; `gone`: keys that fit nothing now."""

    made: int = 0
    declined: int = 0
    gone: int = 0

    def __add__(self, other: "Settled") -> "Settled":
        return Settled(
            self.made + other.made, self.declined + other.declined, self.gone + other.gone
        )


def settle(
    transcript: Transcript,
    terms: Sequence[Term],
    run: uuid.UUID,
    take: Collection[str],
    decline: Collection[str] = (),
) -> Settled:
    """Make the offers named in `take`; never make those in `decline` again.

    Offers are sought anew in what is stored, so that nothing is corrected that is not there.
    """
    with held(transcript) as row:
        now = {offer.key: offer for offer in offers(row, terms)}
        taken = [now[key] for key in take if key in now]
        refused = [now[key] for key in decline if key in now and key not in take]
        if taken:
            correct(row, lambda lines: _corrections(lines, taken), run)
        if refused:
            declined = (row.declined or []) + [offer.memory for offer in refused]
            # Nothing the public sees: the plain QuerySet moves no revision.
            models.QuerySet(Transcript).filter(pk=row.pk).update(declined=declined)
    gone = len(set(take) | set(decline)) - len(taken) - len(refused)
    return Settled(len(taken), len(refused), gone)


def _corrections(lines: Sequence[Cue], taken: Iterable[Offer]) -> list[Correction]:
    """One for each cue, however many words of it are corrected."""
    by_cue: dict[int, list[Proposal]] = {}
    for offer in taken:
        by_cue.setdefault(offer.proposal.cue_index or 0, []).append(offer.proposal)
    made = []
    for index, proposals in sorted(by_cue.items()):
        cue = lines[index]
        (after,) = apply([cue], [replace(proposal, cue_index=0) for proposal in proposals])
        words = ", ".join(f"{p.before} → {p.after}" for p in proposals)
        made.append(Correction(Change(index, (cue,), (after,)), words))
    return made


def _key(transcript: Transcript, index: int, cue: Cue, proposal: Proposal) -> str:
    text = repr((cue.start_ms, cue.text, proposal.span, proposal.after))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{transcript.pk}-{index}-{proposal.span[0]}-{digest}"


# Runs


@dataclass(frozen=True, slots=True)
class Run:
    run: uuid.UUID | None
    made_at: object
    cues: int
    transcripts: int
    standing: int  # of them not taken back


def runs_of(show: Show) -> list[Run]:
    """What the glossary has done in this show, the newest run first, fifty at most."""
    rows = (
        TranscriptCorrection.objects.filter(transcript__episode__show=show, run__isnull=False)
        .values("run")
        .annotate(
            made_at=models.Min("created_at"),
            cues=models.Count("pk"),
            transcripts=models.Count("transcript", distinct=True),
            standing=models.Count("pk", filter=models.Q(undone_at=None)),
        )
        .order_by("-made_at")[:50]
    )
    return [Run(**row) for row in rows]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """`left` are corrections whose place was changed again since; they stand."""

    count: int
    left: tuple[TranscriptCorrection, ...]


def undo_run(show: Show, run: uuid.UUID) -> TakenBack:
    """Take back what a run corrected, transcript by transcript."""
    rows = TranscriptCorrection.objects.filter(
        run=run, undone_at=None, transcript__episode__show=show
    )
    count, left = 0, []
    pks = rows.order_by("transcript").values_list("transcript", flat=True).distinct()
    for transcript in Transcript.objects.filter(pk__in=list(pks)).defer("original", "cues", "text"):
        with held(transcript) as row:
            lines, back = row.lines(), []
            for correction in rows.filter(transcript=row).order_by("-pk"):
                try:
                    if not correction.lost_at:
                        lines = make(lines, correction.change.reversed())
                    back.append(correction.pk)
                except DoesNotFit:
                    correction.transcript = row
                    left.append(correction)
            if back:
                store(row, lines)
                TranscriptCorrection.objects.filter(pk__in=back).update(undone_at=timezone.now())
                count += len(back)
    return TakenBack(count, tuple(left))
