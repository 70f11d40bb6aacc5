"""SearchEntry: an episode's words as the database's own full text search holds them.

On SQLite the table is an FTS5 one, on PostgreSQL an ordinary one with a tsvector
(episodes/migrations/0002_search.py makes both). The words in it are folded and
parted by episodes.searching, so both engines find the same; what differs is how
they rank.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection, models
from django.db.models import F, FloatField, Func, Lookup

from episodes.models.episode import Episode
from episodes.searching.engines import better_tsqueries, fts5, phrases, tsquery, tsvector
from episodes.searching.query import Query

#: How much a find in the title, and in summary or notes, weighs against a spoken one.
TITLE_WEIGHT, ABOUT_WEIGHT, SPOKEN_WEIGHT = 10.0, 4.0, 1.0


class Vector(models.Field):
    """A tsvector, which PostgreSQL makes and searches; always empty on SQLite.

    Django's own SearchVectorField would do, but loads PostgreSQL's driver into every
    process on SQLite as well: a seventh of its memory, a quarter of its start.
    """

    def db_type(self, connection: Any) -> str:
        return "tsvector"


class SearchEntry(models.Model):
    """One row per episode, whether it is public or not: whoever searches filters.

    `title`, `about` (summary and notes) and `spoken` (every transcript) are tokens
    parted by spaces. `digest` tells whether the texts they came from have changed.
    """

    episode = models.OneToOneField(
        Episode, models.CASCADE, primary_key=True, db_column="rowid", related_name="search_entry"
    )
    title = models.TextField()
    about = models.TextField()
    spoken = models.TextField()
    digest = models.CharField(max_length=16)
    vector = Vector(null=True)

    class Meta:
        verbose_name_plural = "search entries"

    def __str__(self):
        return f"words of episode {self.pk}"

    @classmethod
    def of(
        cls,
        episode_id: int,
        title: Sequence[str],
        about: Sequence[str],
        spoken: Sequence[str],
        digest: str,
    ) -> "SearchEntry":
        """An unsaved row of these tokens."""
        vector = None
        if connection.vendor == "postgresql":
            vector = tsvector((title, "A"), (about, "B"), (spoken, "D"))
        return cls(
            episode_id=episode_id,
            title=" ".join(title),
            about=" ".join(about),
            spoken=" ".join(spoken),
            digest=digest,
            vector=vector,
        )


class Matches(Lookup):
    """Whether an episode's search entry has every term of a query that has some.

    A lookup, since any other condition would be written `… = True`, which keeps FTS5
    from using its index. For `Episode` rows that are joined to their entries.
    """

    lookup_name = "matches"

    def __init__(self, query: Query):
        super().__init__(F("search_entry__digest"), query.text)
        self.query = query

    def as_sqlite(self, compiler, connection, **context) -> tuple[str, tuple]:
        return f'{_entry(self.lhs)}."{SearchEntry._meta.db_table}" MATCH %s', (fts5(self.query),)

    def as_postgresql(self, compiler, connection, **context) -> tuple[str, tuple]:
        entry = _entry(self.lhs)
        conditions, params = [f"{entry}.vector @@ %s::tsquery"], [tsquery(self.query)]
        columns = [f"strpos(' ' || {entry}.{name} || ' ', %s) > 0" for name in _COLUMNS]
        for phrase in phrases(self.query):
            conditions.append(f"({' OR '.join(columns)})")
            params += [phrase] * len(columns)
        return f"({' AND '.join(conditions)})", tuple(params)


_COLUMNS = ("title", "about", "spoken")


class Rank(Func):
    """How well the search entry fits, the better the higher; only beside `Matches`."""

    output_field = FloatField()

    def __init__(self, query: Query):
        super().__init__("search_entry__digest")
        self.query = query

    def as_sqlite(self, compiler, connection, **context) -> tuple[str, tuple]:
        entry = _entry(self.source_expressions[0])
        weights = f"0.0, {TITLE_WEIGHT}, {ABOUT_WEIGHT}, {SPOKEN_WEIGHT}"
        # FTS5 calls the best the least.
        return f'-bm25({entry}."{SearchEntry._meta.db_table}", {weights})', ()

    def as_postgresql(self, compiler, connection, **context) -> tuple[str, tuple]:
        entry = _entry(self.source_expressions[0])
        best = TITLE_WEIGHT
        weights = f"{{{SPOKEN_WEIGHT / best}, 0, {ABOUT_WEIGHT / best}, 1}}"
        queries = [tsquery(self.query), *better_tsqueries(self.query)]
        # 1: divided by the logarithm of the length.
        ranks = [f"ts_rank('{weights}', {entry}.vector, %s::tsquery, 1)"] * len(queries)
        return f"({' + '.join(ranks)})", tuple(queries)


def _entry(column: Any) -> str:
    """The entry's table as this query calls it."""
    return f'"{column.alias}"'
