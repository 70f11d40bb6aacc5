"""Who speaks in a show: labels as transcripts have them, and the people they mean."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from episodes.models import Person, Show, SpeakerName, Transcript
from episodes.transcripts.paragraphs import text_paragraphs
from episodes.transcripts.speakers import LONGEST


@dataclass(frozen=True, slots=True)
class Heard:
    """A label, how many cues or paragraphs have it in how many transcripts, who it is."""

    label: str
    cues: int
    transcripts: int
    person: str = ""


def heard(show: Show) -> list[Heard]:
    """Every label in the show's transcripts, the most frequent first; and named ones unheard.

    Reads every transcript of the show, a few at a time.
    """
    cues: Counter[str] = Counter()
    transcripts: Counter[str] = Counter()
    rows = Transcript.objects.filter(episode__show=show).order_by()
    for stored, text in rows.values_list("cues", "text").iterator(chunk_size=50):
        if stored:
            labels = Counter(row[2] for row in stored if row[2])
        else:
            labels = Counter(said.speaker for said in text_paragraphs(text) if said.speaker)
        cues.update(labels)
        transcripts.update(labels.keys())
    names = SpeakerName.objects.of(show)
    for label in names:
        cues.setdefault(label, 0)
    return [
        Heard(label, count, transcripts[label], names.get(label, ""))
        for label, count in sorted(cues.items(), key=lambda item: (-item[1], item[0]))
    ]


@dataclass(frozen=True, slots=True)
class Naming:
    """What an editor asks for: `label` meant `was` ("" for nobody) and shall mean `name`."""

    label: str
    was: str
    name: str


class CannotName(ValueError):
    """Nothing was changed; the message is for the editor."""


def name_speakers(show: Show, namings: Iterable[Naming], *, may_add: bool) -> int:
    """Let labels mean people, by the people's names; "" takes a label's meaning away.

    Somebody not known yet becomes a Person if `may_add`. Returns how many labels changed.
    Raises CannotName, with nothing changed, for a label that somebody else named meanwhile.
    """
    changed = {naming.label: naming for naming in namings if naming.name != naming.was}
    asked = [naming for label, naming in changed.items() if label and len(label) <= LONGEST]
    with transaction.atomic():
        Show.objects.select_for_update().get(pk=show.pk)
        stored = {row.label: row for row in show.speaker_names.select_related("person")}
        for naming in asked:
            row = stored.get(naming.label)
            if (row.person.name if row else "") != naming.was:
                raise CannotName(
                    f"Somebody else said meanwhile who “{naming.label}” is. Nothing was saved; "
                    "what you see now is stored."
                )
        for naming in asked:
            row = stored.get(naming.label)
            if not naming.name:
                row.delete()
                continue
            row = row or SpeakerName(show=show, label=naming.label)
            row.person = person_named(show, naming.name, may_add)
            row.save()
    return len(asked)


def person_named(show: Show, name: str, may_add: bool) -> Person:
    """The person of that name: of this show if there are several, else a new one."""
    if len(name) > LONGEST:
        raise CannotName(f"“{name[:40]}…” is too long for a name.")
    found = Person.objects.filter(name=name)
    here = found.filter(Q(credits__show=show) | Q(credits__episode__show=show)).first()
    person = here or found.first()
    if person is None:
        if not may_add:
            raise CannotName(f"There is no person “{name}”, and you may not add people.")
        person = Person.objects.create(name=name)
    return person


def people_of(show: Show) -> list[str]:
    """Names to offer: who is credited on the show or its episodes, or speaks in it."""
    of_it = Q(credits__show=show) | Q(credits__episode__show=show) | Q(speaker_names__show=show)
    return list(
        Person.objects.filter(of_it)
        .order_by("name")
        .values_list("name", flat=True)
        .distinct()[:200]
    )
