"""Backups in an S3-compatible store. An object appears whole; the manifest comes last."""

import os
import tempfile
from pathlib import Path
from typing import BinaryIO

from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from storages.backends.s3 import S3Storage

from episodes.bucket import read_object
from podcast.backup.alone import TEMPORARY
from podcast.backup.errors import BackupError, Damaged
from podcast.backup.manifest import NAME
from podcast.backup.places import MANIFEST, chunks, digest_of


class BucketPlace:
    def __init__(self, label: str, options: dict):
        self.label = label
        prefix = options["location"]
        self.prefix = f"{prefix}/" if prefix else ""
        self.bucket = S3Storage(**options).bucket
        try:
            self.bucket.meta.client.head_bucket(Bucket=self.bucket.name)
        except (BotoCoreError, ClientError) as error:
            raise BackupError(f"{label} cannot be used: {error}") from None

    # Media files

    def files(self) -> dict[str, int]:
        return {
            key.rpartition("/")[2]: size for key, size in self._keys("files/") if "/." not in key
        }

    def add_file(self, source: BinaryIO) -> tuple[str, int]:
        handle, name = tempfile.mkstemp(dir=settings.FILE_UPLOAD_TEMP_DIR, prefix=TEMPORARY)
        local = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in chunks(source):
                    file.write(chunk)
            digest, size = digest_of(local.open("rb"))
            self._put(self._file(digest), local, digest)
        finally:
            local.unlink()
        return digest, size

    def open_file(self, sha256: str) -> BinaryIO:
        return read_object(self.bucket, self._file(sha256))

    def remove_file(self, sha256: str) -> None:
        self.bucket.Object(self._file(sha256)).delete()

    def _file(self, sha256: str) -> str:
        return f"{self.prefix}files/{sha256[:2]}/{sha256}"

    # Backups

    def names(self) -> list[str]:
        found = (key.split("/") for key, _ in self._keys("backups/"))
        return sorted(
            parts[1]
            for parts in found
            if len(parts) == 3 and parts[2] == MANIFEST and NAME.fullmatch(parts[1])
        )

    def add_part(self, name: str, part: str, source: Path) -> None:
        self._put(self._part(name, part), source, digest_of(source.open("rb"))[0])

    def finish(self, name: str, manifest: bytes) -> None:
        self.bucket.Object(self._part(name, MANIFEST)).put(Body=manifest)
        with read_object(self.bucket, self._part(name, MANIFEST)) as file:
            if file.read() != manifest:
                raise Damaged(f"The manifest of {name} did not come back as it was written.")

    def open_part(self, name: str, part: str) -> BinaryIO:
        return read_object(self.bucket, self._part(name, part))

    def remove(self, name: str) -> None:
        self.bucket.Object(self._part(name, MANIFEST)).delete()
        for key, _ in self._keys(f"backups/{name}/"):
            self.bucket.Object(self.prefix + key).delete()

    def clean(self) -> int:
        whole = set(self.names())
        left = [key for key, _ in self._keys("backups/") if key.split("/")[1] not in whole]
        for key in left:
            self.bucket.Object(self.prefix + key).delete()
        return len(left)

    def _part(self, name: str, part: str) -> str:
        return f"{self.prefix}backups/{name}/{part}"

    def _keys(self, below: str) -> list[tuple[str, int]]:
        """Keys after our prefix, with their sizes; a thousand a request."""
        found = self.bucket.objects.filter(Prefix=self.prefix + below)
        return [(item.key.removeprefix(self.prefix), item.size) for item in found]

    def _put(self, key: str, source: Path, sha256: str) -> None:
        """In pieces where it is large, then read back: stores differ in what they check."""
        try:
            self.bucket.upload_file(str(source), key)
        except (Boto3Error, BotoCoreError, ClientError) as error:
            raise BackupError(f"{self.label} does not take {key}: {error}") from None
        if digest_of(read_object(self.bucket, key))[0] != sha256:
            self.bucket.Object(key).delete()
            raise Damaged(f"{key} did not come back from the store as it was written.")
