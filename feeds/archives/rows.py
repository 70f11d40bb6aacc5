"""JSON back into rows: every value is judged, and refused by its place in the document."""

import json
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.dateparse import parse_datetime

from episodes.models import Episode, Show
from episodes.notes import sanitise
from episodes.transcripts.cues import cues_from_rows
from feeds.addresses import is_web
from feeds.archives import ArchiveError
from feeds.archives.catalogue import SAME_SHOW, Kind, Role, fields
from feeds.custom import BadElements, check_inert

#: Fields whose validators guard the site rather than the taste of directories.
GUARDED = ("slug", "guid", "custom_xml")


class Rows:
    """What a document says, as unsaved rows: `made` in the order they have to be saved.

    Content that lies in files is read and judged here, and again by `load` when it is saved: all
    transcripts of a show are more than belongs into memory.

    `stored(path)` gives the name of a stored file, `content(path)` the bytes of a file made of
    rows; both raise ArchiveError for a path the archive does not have.
    """

    def __init__(self, stored: Callable[[str], str], content: Callable[[str], bytes]):
        self.stored, self.content = stored, content
        self.made: list[tuple[Kind, models.Model]] = []
        self.people: dict[str, models.Model] = {}
        self._waiting: dict[int, list[tuple[models.Field, str, str]]] = {}

    def load(self, row: models.Model) -> None:
        """Fill in the content that lies in files."""
        for field, path, where in self._waiting.get(id(row), ()):
            setattr(row, field.name, self._content(field, path, where))

    def unload(self, row: models.Model) -> None:
        for field, _, _ in self._waiting.get(id(row), ()):
            setattr(row, field.name, field.get_default())

    def take(self, kind: Kind, document: Any, where: str, **owners) -> models.Model:
        """The row that `document` describes, with all its parts. Raises ArchiveError."""
        if not isinstance(document, dict):
            raise ArchiveError(f"{where} is no object.")
        known = {field.name for field, _ in fields(kind)} | {part.key for part in kind.parts}
        if unknown := sorted(document.keys() - known):
            raise ArchiveError(
                f"{where}.{unknown[0]} is not known here. The archive is of a newer version: "
                "update this site, then import."
            )
        row = kind.model(**owners)
        for field, role in fields(kind):
            if field.name in document:
                place = f"{where}.{field.name}"
                value = self._value(field, role, document[field.name], place)
                if role is Role.IN_FILE:
                    waiting = self._waiting.setdefault(id(row), [])
                    waiting.append((field, document[field.name], place))
                else:
                    setattr(row, field.name, value)
        if isinstance(row, Episode):
            row.notes_html = sanitise(row.notes_html)
        self.made.append((kind, row))
        for part in kind.parts:
            below = document.get(part.key, [])
            if not isinstance(below, list):
                raise ArchiveError(f"{where}.{part.key} is no list.")
            for number, each in enumerate(below):
                own = {part.owner: row}
                if same := SAME_SHOW.get(part.model):
                    own[same] = owners[same]
                self.take(part, each, f"{where}.{part.key}[{number}]", **own)
        return row

    def _value(self, field: models.Field, role: Role, value: Any, where: str) -> Any:
        if role in (Role.STORED, Role.IN_FILE, Role.PERSON) and not isinstance(value, str):
            raise ArchiveError(f"{where} should be a path or a uid.")
        match role:
            case Role.PERSON:
                if value not in self.people:
                    raise ArchiveError(f"{where} names nobody in `people`: {value}.")
                return self.people[value]
            case Role.STORED:
                return self.stored(value) if value else ""
            case Role.IN_FILE:
                return self._content(field, value, where)
        return judged(field, value, where)

    def _content(self, field: models.Field, path: str, where: str) -> Any:
        if not path:
            return field.get_default() if not field.null else None
        data = self.content(path)
        if isinstance(field, models.BinaryField):
            return data
        try:
            text = data.decode()
            if isinstance(field, models.JSONField):
                return _shaped(field, json.loads(text), where)
        except (ValueError, RecursionError):
            raise ArchiveError(f"{path} cannot be read ({where}).") from None
        return text


def judged(field: models.Field, value: Any, where: str) -> Any:
    """`value` as Python has it. Raises ArchiveError with the place and the reason."""
    if value is None:
        if not field.null:
            raise ArchiveError(f"{where} may not be null.")
        return None
    if isinstance(field, models.JSONField):
        return _shaped(field, value, where)
    expected = _expected(field)
    if type(value) is not expected:
        raise ArchiveError(f"{where} should be {_NAMES[expected]}, and is {value!r:.60}.")
    if isinstance(field, models.DateTimeField):
        return _moment(value, where)
    if isinstance(field, models.UUIDField):
        try:
            return uuid.UUID(value)
        except ValueError:
            raise ArchiveError(f"{where} is no UUID: {value!r:.60}.") from None
    if isinstance(value, int) and not isinstance(value, bool) and not 0 <= value < 2**63:
        raise ArchiveError(f"{where} is out of range: {value}.")
    if isinstance(value, str):
        _judge_text(field, value, where)
    return value


def _judge_text(field: models.Field, value: str, where: str) -> None:
    if field.max_length and isinstance(field, models.CharField) and len(value) > field.max_length:
        raise ArchiveError(f"{where} has {len(value)} characters; at most {field.max_length} go.")
    if "\0" in value:
        raise ArchiveError(f"{where} holds a NUL character.")
    if isinstance(field, models.URLField) and value and not is_web(value):
        raise ArchiveError(f"{where} is no web address: {value!r:.60}.")
    if field.choices and field.name in ("type", "status", "visibility"):
        allowed = [choice for choice, _ in field.flatchoices]
        if value not in allowed:
            raise ArchiveError(f"{where} is {value!r:.40}, and should be one of {allowed}.")
    if field.name == "imported_xml":
        try:
            check_inert(value)
        except BadElements as error:
            raise ArchiveError(f"{where}: {error}") from None
    if field.name in GUARDED and value and field.model in (Show, Episode):
        try:
            field.run_validators(value)
        except ValidationError as error:
            raise ArchiveError(f"{where}: {' '.join(error.messages)}") from None


def _moment(value: str, where: str) -> datetime:
    try:
        moment = parse_datetime(value)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise ArchiveError(f"{where} is no moment with a zone: {value!r:.60}.")
    return moment


def _shaped(field: models.Field, value: Any, where: str) -> Any:
    """JSON columns have a shape that pages and feeds rely on."""
    try:
        if field.name == "cues" and value is not None:
            if not all(_is_cue(cue) for cue in value):
                raise TypeError("a cue is [start, end, speaker, text]")
            cues_from_rows(value)
        elif field.name == "sources" and not all(isinstance(uri, str) for uri in value):
            raise TypeError("a list of addresses is expected")
        elif field.name == "recipients" and not all(isinstance(each, dict) for each in value):
            raise TypeError("a list of objects is expected")
    except (TypeError, ValueError) as error:
        raise ArchiveError(f"{where} has another shape: {error}.") from None
    if not isinstance(value, type(field.get_default())) and field.get_default() is not None:
        raise ArchiveError(f"{where} should be a {type(field.get_default()).__name__}.")
    return value


def _is_cue(cue: Any) -> bool:
    return (
        isinstance(cue, list)
        and len(cue) == 4
        and all(isinstance(moment, int) for moment in cue[:2])
        and all(isinstance(text, str) for text in cue[2:])
    )


_NAMES = {bool: "true or false", int: "a whole number", str: "text"}


def _expected(field: models.Field) -> Any:
    if isinstance(field, models.BooleanField):
        return bool
    return int if isinstance(field, models.IntegerField) else str
