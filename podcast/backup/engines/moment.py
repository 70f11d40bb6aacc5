"""What a snapshot knows about itself: rows of each table, migrations, the media it names."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from django.apps import apps
from django.db import connection, models

#: A picture as feeds want it has the editor's own beside it (episodes.ingest).
_WITH_ORIGINAL = "artwork/"


@dataclass(frozen=True, slots=True)
class Moment:
    """`query` asks the snapshot itself: it sees nothing written after it."""

    version: str
    query: Callable[[str], Iterable[tuple]]
    tables: tuple[str, ...]

    def rows(self) -> dict[str, int]:
        counted = {}
        for table in self.tables:
            ((count,),) = self.query(f"SELECT COUNT(*) FROM {_q(table)}")  # noqa: S608
            counted[table] = count
        return counted

    def migrations(self) -> list[tuple[str, str]]:
        rows = self.query("SELECT app, name FROM django_migrations")
        return sorted((app, name) for app, name in rows)

    def media(self) -> dict[str, bool]:
        """Every stored name that a row holds, and whether it has to be there.

        The original beside a picture is kept where it is, and missed by nobody.
        """
        names: dict[str, bool] = {}
        for field in file_fields():
            table = field.model._meta.db_table
            if table not in self.tables:
                continue
            column = _q(str(field.column))
            select = f"SELECT DISTINCT {column} FROM {_q(table)} WHERE {column} <> ''"  # noqa: S608
            for (name,) in self.query(select):
                names[name] = True
                if name.startswith(_WITH_ORIGINAL):
                    names.setdefault(original_of(name), False)
        return names


def file_fields() -> list[models.FileField]:
    """Every column of the site that holds the name of a stored file."""
    return [
        field
        for model in apps.get_models()
        for field in model._meta.local_concrete_fields
        if isinstance(field, models.FileField)
    ]


def original_of(name: str) -> str:
    path = PurePosixPath(name)
    return str(path.with_name(f"{path.stem}-original"))


def _q(name: str) -> str:
    return connection.ops.quote_name(name)
