"""Searching what is public: episodes that have the words, best first, and where they say them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F
from django.urls import reverse

from episodes.models import Episode, Show, Transcript
from episodes.models.search import Matches, Rank
from episodes.search_index import spoken, written
from episodes.searching.passages import Found, Passage, find, has, marked, matches
from episodes.searching.query import Query

PER_PAGE = 10

#: Beyond so many episodes nobody looks; whoever does is asked to say more.
MOST_EPISODES = 200

#: Passages shown of one transcript.
PASSAGES = 3

MOST_SHOWS = 5

type Segments = Sequence[tuple[str, bool]]


@dataclass(frozen=True, slots=True)
class Spoken:
    """What was found in one transcript, and how much more there is. `path` is its page."""

    passages: tuple[Passage, ...]
    more: int
    path: str
    language: str

    def links(self) -> list[tuple[str, Passage]]:
        """Each passage with the address that lands on its second."""
        return [
            (self.path if p.second is None else f"{self.path}#t={p.second}", p)
            for p in self.passages
        ]


@dataclass(frozen=True, slots=True)
class Hit:
    """An episode with its title marked, and the passages in its notes and transcripts."""

    episode: Episode
    title: Segments
    written: tuple[Passage, ...]
    spoken: tuple[Spoken, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Keys of episodes, best first; `is_cut` when there are more than are told."""

    keys: tuple[int, ...]
    is_cut: bool = False

    def page(self, number: int) -> tuple[int, ...]:
        return self.keys[(number - 1) * PER_PAGE : number * PER_PAGE]


def rank(query: Query, now: datetime, show: Show | None = None) -> Ranked:
    """The episodes public at `now` that have every term of the query. One query."""
    if not query.terms:
        return Ranked(())
    rows = Episode.objects.public(now)
    if show is not None:
        rows = rows.filter(show=show)
    # The entry's key and no other column: FTS5 would fetch the whole row to look at one.
    rows = rows.filter(Matches(query), search_entry__isnull=False).annotate(rank=Rank(query))
    rows = rows.order_by(F("rank").desc(), "-published_at", "-pk")
    keys = tuple(rows.values_list("pk", flat=True)[: MOST_EPISODES + 1])
    return Ranked(keys[:MOST_EPISODES], len(keys) > MOST_EPISODES)


def hits(query: Query, keys: Sequence[int], now: datetime) -> list[Hit]:
    """The episodes of one page with what was found in each. Two queries."""
    rows = Episode.objects.public(now).filter(pk__in=keys).select_related("show")
    episodes = rows.defer("notes", "custom_xml", "imported_xml", "audio_facts").in_bulk()
    transcripts: dict[int, list[Transcript]] = {key: [] for key in episodes}
    for row in Transcript.objects.filter(episode__in=episodes).defer("original"):
        transcripts[row.episode_id].append(row)
    return [_hit(query, episodes[key], transcripts[key]) for key in keys if key in episodes]


def _hit(query: Query, episode: Episode, transcripts: Sequence[Transcript]) -> Hit:
    usual = episode.show.language
    transcripts = sorted(transcripts, key=lambda row: (row.language != usual, row.pk))
    default = transcripts[0].language if transcripts else usual
    found = [
        _spoken(episode, row, find(spoken(row), query, PASSAGES), row.language == default)
        for row in transcripts
    ]
    notes = find(written(episode), query, 1)
    return Hit(
        episode=episode,
        title=marked(episode.title, query),
        written=notes.passages,
        spoken=tuple(row for row in found if row.passages),
    )


def _spoken(episode: Episode, transcript: Transcript, found: Found, is_default: bool) -> Spoken:
    path = reverse("episodes:transcript", args=[episode.show.slug, episode.slug])
    if not is_default:
        path += f"?lang={transcript.language}"
    return Spoken(found.passages, found.more, path, transcript.language)


def shows(query: Query) -> list[tuple[Show, Segments]]:
    """Public shows whose title has every term, with the title marked. One query."""
    if not query.terms:
        return []
    found = [
        show for show in Show.objects.public().only("title", "slug") if matches(show.title, query)
    ]
    return [(show, marked(show.title, query)) for show in found[:MOST_SHOWS]]


__all__ = ["Hit", "Ranked", "Spoken", "has", "hits", "rank", "shows"]
