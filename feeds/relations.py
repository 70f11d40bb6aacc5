"""The rows that a feed reads beside shows and episodes: a query for each kind that there is."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from django.db.models import (
    Exists,
    Model,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    prefetch_related_objects,
)

from episodes.models import Chapter, Credit, Episode, Show, SpeakerName, Transcript

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
_SHOW = (*_SHARED, "recommendations", "platform_blocks", "live_streams", "seasons")


def rows(owner: Model, name: str) -> Sequence[Any]:
    """What was fetched here of the relation `owner.<name>`. Raises KeyError if nothing was.

    `owner.<name>.all()` gives the same, and builds a manager and a query each time: for a
    dozen relations of every episode that was a sixth of rendering a feed.
    """
    return owner._prefetched_objects_cache[name]  # type: ignore[attr-defined]


def with_show_relations(show: Show) -> Show:
    """Fetches what `document.channel_of` reads, one query a relation."""
    prefetch_related_objects([show], *_SHOW, _credits(), _speakers("speaker_names"))
    return show


def with_episode_relations(episodes: list[Episode]) -> list[Episode]:
    """Fetches what `document.item_of` reads; the queries do not grow with the episodes.

    One query tells which relations these shows use at all. Few use many, and to
    find nothing for thousands of episodes costs as much as to find something.
    """
    used = _used({episode.show_id for episode in episodes})
    for name in _EPISODE:
        if name not in used:
            nothing = _nothing(name)
            for episode in episodes:
                prefetched = episode.__dict__.setdefault("_prefetched_objects_cache", {})
                prefetched[name] = nothing
    special = {"chapters": _chapters(), "credits": _credits(), "transcripts": _transcripts()}
    prefetch_related_objects(
        episodes, *(special.get(name, name) for name in _EPISODE if name in used)
    )
    prefetch_related_objects(episodes, _speakers("show__speaker_names"))
    return episodes


def _speakers(lookup: str) -> Prefetch:
    return Prefetch(lookup, SpeakerName.objects.select_related("person"))


def _credits() -> Prefetch:
    # A few people are credited in many episodes: each is fetched once.
    return Prefetch("credits", Credit.objects.prefetch_related("person"))


def _chapters() -> Prefetch:
    """All chapters where a show lists them in its notes, else one to know that there are some."""
    first = Chapter.objects.filter(episode=OuterRef("episode")).order_by("pk").values("pk")[:1]
    wanted = Q(episode__show__chapters_in_notes=True) | Q(pk=Subquery(first))
    return Prefetch("chapters", Chapter.objects.filter(wanted))


def _transcripts() -> Prefetch:
    return Prefetch("transcripts", Transcript.objects.light())


def _used(shows: Iterable[int]) -> set[str]:
    """The names of the relations in which any episode of these shows has a row. One query."""
    has = []
    for name in _EPISODE:
        model, field = _related(name)
        rows = model._default_manager.filter(**{f"{field}__show": OuterRef("pk")})
        has.append(Exists(rows))
    found = Show.objects.filter(pk__in=shows).values_list(*has)
    return {name for row in found for name, used in zip(_EPISODE, row, strict=True) if used}


def _related(name: str) -> tuple[type[Model], str]:
    """The model at the other end of `Episode.<name>`, and its field that names the episode."""
    descriptor = getattr(Episode, name)
    return descriptor.rel.related_model, descriptor.field.name


@cache
def _nothing(name: str) -> QuerySet:
    """An evaluated empty result, shared by every episode that has none."""
    nothing = _related(name)[0]._default_manager.none()
    len(nothing)
    return nothing
