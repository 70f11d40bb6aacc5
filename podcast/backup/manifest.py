"""The manifest: everything that belongs to one backup, with hashes, and a hash of itself."""

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from pathlib import PurePosixPath

from podcast.backup.errors import BackupError, Damaged

FORMAT = "podcast-backup"
VERSION = 1

#: In UTC and sortable, for example 20260305T120000Z. Nothing else is ever used as a path.
NAME = re.compile(r"\d{8}T\d{6}Z")

_HASH = re.compile(r"[0-9a-f]{64}")
_PART = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9]+)?")


@dataclass(frozen=True, slots=True)
class Part:
    """A file of the backup's own folder: the database or the key."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class MediaFile:
    """`name` is where the site looks for it; `modified` (seconds) tells an untouched file."""

    name: str
    bytes: int
    sha256: str
    modified: float


@dataclass(frozen=True, slots=True)
class Manifest:
    """`rows` counts each table, `missing` names media that the site itself had lost."""

    name: str
    made_at: str
    site_url: str
    engine: str
    engine_version: str
    migrations: list[tuple[str, str]]
    rows: dict[str, int]
    database: Part
    secret_key: Part | None = None
    media: list[MediaFile] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def parts(self) -> list[Part]:
        return [self.database, *([self.secret_key] if self.secret_key else [])]

    def to_bytes(self) -> bytes:
        body = {"format": FORMAT, "version": VERSION, **asdict(self)}
        return _encode(body | {"sha256": _digest(body)})


def read_manifest(data: bytes, name: str) -> Manifest:
    """Raises Damaged, or BackupError when it is of a newer kind than this code knows."""
    try:
        body = json.loads(data)
        digest = body.pop("sha256")
        if _digest(body) != digest:
            raise ValueError("its hash is another")
        if body.pop("format") != FORMAT:
            raise ValueError("it is not a manifest of ours")
        version = body.pop("version")
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise Damaged(f"The manifest of {name} is damaged: {error}.") from None
    if version != VERSION:
        raise BackupError(
            f"The backup {name} is of format {version}, and this version reads {VERSION}. "
            "Restore it with the version that made it, or a newer one."
        )
    try:
        body["migrations"] = [tuple(row) for row in body["migrations"]]
        body["database"] = Part(**body["database"])
        body["secret_key"] = Part(**body["secret_key"]) if body["secret_key"] else None
        body["media"] = [MediaFile(**row) for row in body["media"]]
        manifest = Manifest(**body)
        _check(manifest, name)
    except (ValueError, KeyError, TypeError) as error:
        raise Damaged(f"The manifest of {name} is damaged: {error}.") from None
    return manifest


def _check(manifest: Manifest, name: str) -> None:
    """Names become paths: whatever leads out of its folder is refused."""
    if manifest.name != name:
        raise ValueError(f"it says it is {manifest.name}")
    for part in manifest.parts():
        if not _PART.fullmatch(part.name):
            raise ValueError(f"it names a file {part.name!r}")
    for file in manifest.media:
        path = PurePosixPath(file.name)
        if not file.name or path.is_absolute() or ".." in path.parts or "\\" in file.name:
            raise ValueError(f"it names a file {file.name!r}")
    rows: list[Part | MediaFile] = [*manifest.parts(), *manifest.media]
    for row in rows:
        if not _HASH.fullmatch(row.sha256):
            raise ValueError(f"the hash of {row.name} is no SHA-256")


def _encode(body: dict) -> bytes:
    return json.dumps(body, ensure_ascii=False, indent=1, sort_keys=True).encode()


def _digest(body: dict) -> str:
    return hashlib.sha256(_encode(body)).hexdigest()
