"""Rows as JSON, with the files they refer to handed to a `Shelf` on the way."""

import json
import uuid
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, Protocol

from django.db import models
from django.db.models import prefetch_related_objects

from episodes.models import Episode, Person, Show
from episodes.slugs import slug_from
from feeds.archives.catalogue import EPISODE, PERSON, SAME_SHOW, SHOW, Kind, Role, fields


class Shelf(Protocol):
    """Where files of an archive go. Both give the path they were put under."""

    def stored(self, path: str, name: str) -> str:
        """A file of the media, `name`."""

    def written(self, path: str, data: bytes) -> str:
        """A file made here."""


def show_document(show: Show, shelf: Shelf) -> dict:
    return row_document(SHOW, show, "", shelf)


def person_document(person: Person, shelf: Shelf) -> dict:
    name = slug_from(person.name, fallback="person")[:60]
    return row_document(PERSON, person, f"people/{name}-{str(person.uid)[:8]}/", shelf)


def episode_document(episode: Episode, shelf: Shelf) -> dict:
    return row_document(EPISODE, episode, episode_folder(episode), shelf)


def episode_folder(episode: Episode) -> str:
    return f"episodes/{episode.slug}/"


def with_parts(kind: Kind, rows: list) -> list:
    """Fetches what `row_document` reads of these rows, one query a relation."""
    prefetch_related_objects(rows, *_lookups(kind))
    return rows


def _lookups(kind: Kind) -> list[str]:
    found = []
    for part in kind.parts:
        name = accessor(part)
        if any(role is Role.PERSON for _, role in fields(part)):
            found.append(f"{name}__person")
        found += [name, *(f"{name}__{below}" for below in _lookups(part))]
    return found


def accessor(part: Kind) -> str:
    """The attribute of the owner that gives the rows of `part`."""
    field = part.model._meta.get_field(part.owner)
    return field.remote_field.get_accessor_name() or ""


def row_document(kind: Kind, row: models.Model, folder: str, shelf: Shelf) -> dict:
    """The row and what hangs on it. Its files go to `folder`: '' or with a slash at the end."""
    document: dict[str, Any] = {}
    for field, role in fields(kind):
        value = getattr(row, field.attname)
        match role:
            case Role.PERSON:
                document[field.name] = str(getattr(row, field.name).uid)
            case Role.STORED:
                document[field.name] = _stored(kind, field, value, folder, shelf)
            case Role.IN_FILE:
                document[field.name] = _in_file(kind, row, field, value, folder, shelf)
            case _:
                document[field.name] = as_json(value)
    for part in kind.parts:
        document[part.key] = [
            row_document(part, below, folder, shelf)
            for below in getattr(row, accessor(part)).all()
            if is_own(part, below, row)
        ]
    return document


def is_own(part: Kind, below: models.Model, row: models.Model) -> bool:
    same = SAME_SHOW.get(part.model)
    return same is None or getattr(below, f"{same}_id") == getattr(row, f"{same}_id")


def as_json(value: Any) -> Any:
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat()
        case uuid.UUID():
            return str(value)
    return value


def _stored(kind: Kind, field, value, folder: str, shelf: Shelf) -> str:
    if not value:
        return ""
    stored = PurePosixPath(value.name)
    # What hangs on a show or an episode has a folder of its own there.
    if kind in (SHOW, EPISODE, PERSON):
        return shelf.stored(f"{folder}{field.name}{stored.suffix}", value.name)
    return shelf.stored(f"{folder}{kind.key}/{stored.name}", value.name)


def _in_file(kind: Kind, row, field, value, folder: str, shelf: Shelf) -> str:
    """Content that is large, as a file: bytes as they are, text as UTF-8, the rest as JSON."""
    if value is None or len(value) == 0:
        return ""
    if isinstance(value, (bytes, memoryview)):
        data = bytes(value)
    elif isinstance(value, str):
        data = value.encode("utf-8", "surrogatepass")
    else:
        data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    ending = dict(kind.in_files)[field.name] or PurePosixPath(row.original_name).suffix[1:] or "bin"
    ending = "".join(c for c in ending.lower() if c.isalnum() and c.isascii())[:8] or "bin"
    transcript = getattr(row, "transcript", row)
    stem = f"transcript.{transcript.language}"
    if row is not transcript:
        stem += f".{kind.key}"
    return shelf.written(f"{folder}{stem}.{field.name}.{ending}", data)
