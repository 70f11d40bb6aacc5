"""Backups in a directory: written aside, synced, read back, and only then given their name."""

import hashlib
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from episodes.storage import sync_directory
from podcast.backup.errors import BackupError, Damaged
from podcast.backup.manifest import NAME
from podcast.backup.places import MANIFEST, chunks, digest_of


class DirectoryPlace:
    """Readable by its owner alone: a backup holds password hashes and the key."""

    def __init__(self, root: Path, *, create: bool = False):
        self.label = str(root)
        self.backups = root / "backups"
        self.media = root / "files"
        if create:
            root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.backups.mkdir(mode=0o700, exist_ok=True)
            self.media.mkdir(mode=0o700, exist_ok=True)
            sync_directory(root)
        elif not self.backups.is_dir():
            raise BackupError(f"There is no backup in {root}.")

    # Media files

    def files(self) -> dict[str, int]:
        return {
            path.name: path.stat().st_size
            for folder in _folders(self.media)
            for path in folder.iterdir()
            if not path.name.startswith(".")
        }

    def add_file(self, source: BinaryIO) -> tuple[str, int]:
        staged = self.media / f".{uuid.uuid4().hex}.partial"
        try:
            digest, size = _write(source, staged)
            target = self._file(digest)
            if not target.parent.is_dir():
                target.parent.mkdir(mode=0o700, exist_ok=True)
                sync_directory(self.media)
            os.replace(staged, target)
        except BaseException:
            staged.unlink(missing_ok=True)
            raise
        sync_directory(target.parent)
        return digest, size

    def open_file(self, sha256: str) -> BinaryIO:
        return self._file(sha256).open("rb")

    def remove_file(self, sha256: str) -> None:
        self._file(sha256).unlink(missing_ok=True)

    def _file(self, sha256: str) -> Path:
        return self.media / sha256[:2] / sha256

    # Backups

    def names(self) -> list[str]:
        return sorted(
            folder.name
            for folder in _folders(self.backups)
            if NAME.fullmatch(folder.name) and (folder / MANIFEST).is_file()
        )

    def add_part(self, name: str, part: str, source: Path) -> None:
        partial = self._partial(name)
        partial.mkdir(mode=0o700, exist_ok=True)
        with source.open("rb") as file:
            _write(file, partial / part)

    def finish(self, name: str, manifest: bytes) -> None:
        partial = self._partial(name)
        with (partial / MANIFEST).open("xb") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(manifest)
            file.flush()
            os.fsync(file.fileno())
        sync_directory(partial)
        os.rename(partial, self.backups / name)
        sync_directory(self.backups)

    def open_part(self, name: str, part: str) -> BinaryIO:
        return (self.backups / name / part).open("rb")

    def remove(self, name: str) -> None:
        aside = self.backups / f".{name}.removed"
        os.rename(self.backups / name, aside)
        sync_directory(self.backups)
        shutil.rmtree(aside)

    def clean(self) -> int:
        left = [*self.backups.glob(".*.partial"), *self.backups.glob(".*.removed")]
        for folder in left:
            shutil.rmtree(folder)
        staged = list(self.media.glob(".*.partial"))
        for path in staged:
            path.unlink()
        return len(left) + len(staged)

    def _partial(self, name: str) -> Path:
        return self.backups / f".{name}.partial"


def _folders(root: Path) -> Iterator[Path]:
    return (path for path in root.iterdir() if path.is_dir() and not path.name.startswith("."))


def _write(source: BinaryIO, target: Path) -> tuple[str, int]:
    """Copy, sync, and read back from the disk; gives SHA-256 and bytes."""
    digest = hashlib.sha256()
    with target.open("xb") as file:
        os.fchmod(file.fileno(), 0o600)
        for chunk in chunks(source):
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
        # What is read back shall come from the disk, not from memory.
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    written = digest.hexdigest()
    read, size = digest_of(target.open("rb"))
    if read != written:
        raise Damaged(f"{target} did not come back from the disk as it was written.")
    return written, size
