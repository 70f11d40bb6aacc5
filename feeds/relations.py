"""The rows that a feed reads beside shows and episodes: a query for each kind that there is.

`prefetch_related` would do, and makes a query object for every relation of every episode, with
rows or without: for a long feed that took longer than writing it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, Model, OuterRef, QuerySet

from episodes.models import Chapter, Credit, Episode, Person, Show, SpeakerName, Transcript

_SHARED = (
    "funding_set",
    "location_set",
    "textrecord_set",
    "socialinteraction_set",
    "extraimage_set",
    "valuepayment_set",
    "chat_set",
)
_EPISODE = (
    "chapters",
    "credits",
    "transcripts",
    "soundbites",
    "alternate_enclosures",
    "content_links",
    *_SHARED,
)
_SHOW = (
    "credits",
    "speaker_names",
    "recommendations",
    "platform_blocks",
    "live_streams",
    "seasons",
    *_SHARED,
)

_KEPT = "_rows_of_a_feed"


class Part(NamedTuple):
    """What a `Credit` says; a few people have parts in many episodes, and each is read once."""

    person: Person
    role: str
    group: str


def rows(owner: Model, name: str) -> Sequence[Any]:
    """What was fetched here of the relation `owner.<name>`. Raises KeyError if nothing was.

    Of `credits` that is `Part`s. Of an episode's `chapters` it is the rows where a show lists
    them in its notes, else one True where there are any.
    """
    return owner.__dict__[_KEPT].get(name, ())


def with_show_relations(show: Show) -> Show:
    """Fetches what `document.channel_of` reads, one query a relation."""
    _fetch([show], _SHOW)
    return show


def with_episode_relations(episodes: list[Episode], used: set[str]) -> list[Episode]:
    """Fetches what `document.item_of` reads; the queries do not grow with the episodes.

    `used` are the relations that `used_by` found for their shows: few use many. The names
    of speakers are fetched for shows of which nothing was.
    """
    shows = [episode.show for episode in episodes if _KEPT not in episode.show.__dict__]
    _fetch(shows, ["speaker_names"])
    _fetch(episodes, [name for name in _EPISODE if name in used])
    return episodes


def used_by(shows: Iterable[int]) -> set[str]:
    """The names of the relations in which any episode of these shows has a row. One query."""
    has = []
    for name in _EPISODE:
        model, field = _related(Episode, name)
        has.append(Exists(model._default_manager.filter(**{f"{field}__show": OuterRef("pk")})))
    found = Show.objects.filter(pk__in=shows).values_list(*has)
    return {name for row in found for name, used in zip(_EPISODE, row, strict=True) if used}


def _fetch(owners: Sequence[Model], names: Sequence[str]) -> None:
    """Gives each of `owners`, all of one model, its rows of these relations."""
    kept: dict[int, dict[str, list[Model]]] = {owner.pk: {} for owner in owners}
    for name in names if owners else ():
        model, field = _related(type(owners[0]), name)
        for key, row in _pairs(model, field, kept, owners):
            kept[key].setdefault(name, []).append(row)
    for owner in owners:
        owner.__dict__[_KEPT] = kept[owner.pk]


def _pairs(
    model: type[Model], field: str, keys: Iterable[int], owners: Sequence[Any]
) -> Iterator[tuple[int, Any]]:
    """The key of its owner with each row, in the order of the rows."""
    column, found = f"{field}_id", _wanted(model).filter(**{f"{field}__in": keys})
    if model is Credit:
        parts = list(found.values_list(column, "person", "role", "group"))
        people = Person.objects.in_bulk({person for _, person, _, _ in parts})
        for key, person, role, group in parts:
            if person in people:  # not deleted in between
                yield key, Part(people[person], role, group)
    elif model is Chapter and not any(episode.show.chapters_in_notes for episode in owners):
        for key in found.order_by().values_list(column, flat=True).distinct():
            yield key, True
    else:
        for row in found:
            yield getattr(row, column), row


def _wanted(model: type[Model]) -> QuerySet:
    if model is Transcript:
        return Transcript.objects.light()
    if model is SpeakerName:
        return SpeakerName.objects.select_related("person")
    return model._default_manager.all()


def _related(owner: type[Model], name: str) -> tuple[type[Model], str]:
    """The model at the other end of `<owner>.<name>`, and its field that names the owner."""
    descriptor = getattr(owner, name)
    return descriptor.rel.related_model, descriptor.field.name
