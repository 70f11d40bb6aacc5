"""The JSON Schema of `show.json`, made from the models; docs/show.schema.json is its copy."""

import json

from django.db import models

from feeds.archives import FORMAT, VERSION
from feeds.archives.catalogue import EPISODE, PERSON, SHOW, Kind, Role, fields

PATH = {"type": "string", "description": "A file's path in the archive; empty for none."}


def schema() -> dict:
    """Draft 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A podcast show, whole",
        "description": "show.json of an archive that export_show wrote. Moments are ISO 8601 with "
        "their zone, lengths of time are milliseconds, persons are named by their uid.",
        "type": "object",
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "exported_at": {"type": "string", "format": "date-time"},
            "site_url": {"type": "string", "format": "uri"},
            "feed_url": {"type": "string", "format": "uri"},
            "show": of_rows(SHOW),
            "people": {"type": "array", "items": of_rows(PERSON)},
            "episodes": {"type": "array", "items": of_rows(EPISODE)},
            "files": {"type": "array", "items": FILE},
        },
        "required": [
            "format", "version", "exported_at", "site_url", "feed_url", "show", "people",
            "episodes", "files",
        ],
        "additionalProperties": False,
    }  # fmt: skip


FILE = {
    "type": "object",
    "description": "Every other file of the archive.",
    "properties": {
        "path": {"type": "string", "minLength": 1},
        "bytes": {"type": "integer", "minimum": 0},
        "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "stored": {
            "type": "string",
            "description": "The name under which the site keeps it; empty for a file made of rows.",
        },
    },
    "required": ["path", "bytes", "sha256", "stored"],
    "additionalProperties": False,
}


def of_rows(kind: Kind) -> dict:
    properties = {field.name: of_field(field, role) for field, role in fields(kind)}
    for part in kind.parts:
        properties[part.key] = {"type": "array", "items": of_rows(part)}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def of_field(field: models.Field, role: Role) -> dict:
    about = str(field.help_text or field.verbose_name)
    if role in (Role.STORED, Role.IN_FILE):
        return PATH
    if role is Role.PERSON:
        return {"type": "string", "format": "uuid", "description": "The uid of one of `people`."}
    found = _type(field)
    if field.null and "type" in found:
        found["type"] = [found["type"], "null"]
        if "enum" in found:
            found["enum"] = [*found["enum"], None]
    return {**found, "description": about}


def _type(field: models.Field) -> dict:
    if isinstance(field, models.JSONField):
        return {}
    if isinstance(field, models.BooleanField):
        return {"type": "boolean"}
    if isinstance(field, models.DateTimeField):
        return {"type": "string", "format": "date-time"}
    if isinstance(field, models.UUIDField):
        return {"type": "string", "format": "uuid"}
    if isinstance(field, models.IntegerField):
        return {"type": "integer", "minimum": 0}
    text: dict = {"type": "string"}
    if field.choices and field.name in ("type", "status", "visibility"):
        text["enum"] = [value for value, _ in field.flatchoices]
    elif isinstance(field, models.CharField) and field.max_length:
        text["maxLength"] = field.max_length
    return text


def as_text() -> str:
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
