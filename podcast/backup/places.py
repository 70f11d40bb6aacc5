"""Where backups are kept: what every place can do, and which place an address means."""

import hashlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, Protocol

from podcast import env
from podcast.backup.errors import BackupError, Damaged
from podcast.backup.manifest import NAME, Manifest, Part, read_manifest

MANIFEST = "manifest.json"
CHUNK = 1024 * 1024


class Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


class Place(Protocol):
    """A directory or a bucket. What it has written it has also read back and compared."""

    label: str

    def names(self) -> list[str]:
        """The whole backups, oldest first."""

    def files(self) -> dict[str, int]:
        """The stored media files: SHA-256 and bytes."""

    def add_file(self, source: BinaryIO) -> tuple[str, int]:
        """Store a media file; gives its SHA-256 and bytes. The same content is stored once."""

    def open_file(self, sha256: str) -> BinaryIO:
        """Raises FileNotFoundError."""

    def add_part(self, name: str, part: str, source: Path) -> None:
        """Store a file of a backup that is not whole yet."""

    def finish(self, name: str, manifest: bytes) -> None:
        """Make the backup whole, at once and last."""

    def open_part(self, name: str, part: str) -> BinaryIO:
        """Raises FileNotFoundError."""

    def remove(self, name: str) -> None:
        """Take a backup away; cut off, it is not whole any more."""

    def remove_file(self, sha256: str) -> None: ...

    def clean(self) -> int:
        """Remove what killed backups left. Returns how many things were removed."""


def open_place(address: str, *, create: bool = False) -> Place:
    """The place at a directory's path or at `s3://bucket/prefix`. Raises BackupError."""
    if address.startswith("s3://"):
        options = env.bucket_options("destination", address)
        from podcast.backup.bucket import BucketPlace

        return BucketPlace(address, options)
    if "://" in address:
        raise BackupError(f"{address} is neither a directory nor s3://bucket/prefix.")
    from podcast.backup.directory import DirectoryPlace

    return DirectoryPlace(Path(address).expanduser().absolute(), create=create)


def manifest_of(place: Place, name: str) -> Manifest:
    """Raises BackupError when there is no such backup, Damaged when it cannot be read."""
    if not NAME.fullmatch(name):
        raise BackupError(f"{name!r} is no name of a backup: they look like 20260305T120000Z.")
    try:
        with closing(place.open_part(name, MANIFEST)) as file:
            return read_manifest(file.read(), name)
    except FileNotFoundError:
        known = ", ".join(place.names()) or "none"
        raise BackupError(f"There is no backup {name} in {place.label}; it has: {known}.") from None


def newest(place: Place) -> str:
    names = place.names()
    if not names:
        raise BackupError(f"There is no backup in {place.label}.")
    return names[-1]


def chunks(source: Readable) -> Iterator[bytes]:
    while chunk := source.read(CHUNK):
        yield chunk


def digest_of(source: BinaryIO) -> tuple[str, int]:
    """SHA-256 and length of what is left to read; `source` is closed."""
    with closing(source):
        return digest_and_size(source)


def digest_and_size(source: Readable) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    for chunk in chunks(source):
        digest.update(chunk)
        size += len(chunk)
    return digest.hexdigest(), size


def fetch_part(place: Place, name: str, part: Part, target: Path) -> None:
    """Copy a part of a backup to `target`, which must not be read before this returns.

    Raises Damaged when it is not what the manifest says.
    """
    digest, size = hashlib.sha256(), 0
    try:
        with closing(place.open_part(name, part.name)) as source, target.open("wb") as copy:
            for chunk in chunks(source):
                digest.update(chunk)
                size += len(chunk)
                copy.write(chunk)
    except FileNotFoundError:
        raise Damaged(f"{part.name} of the backup {name} is not there.") from None
    if (digest.hexdigest(), size) != (part.sha256, part.bytes):
        raise Damaged(f"{part.name} of the backup {name} is not what was written.")
