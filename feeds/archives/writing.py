"""The zip, written from front to end: to a file or a pipe, in memory that does not grow.

Pictures and recordings are stored as they are, words are compressed. Sizes are not known
beforehand, so entries have them behind (zip64 where asked for by size).
"""

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from tempfile import TemporaryFile
from typing import IO

from django.conf import settings
from django.core.files.storage import default_storage

from feeds.archives import DOCUMENT

CHUNK = 1024 * 1024

#: One moment for all entries: the same show gives the same archive.
_EPOCH = (1980, 1, 1, 0, 0, 0)


class ShelvedFiles:
    """What goes into an archive: names of stored files, and what was written, in a file aside."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}  # path: stored name
        self.words: dict[str, tuple[int, int]] = {}  # path: place, length
        # Without a name, so that nothing is left of it whatever happens.
        self._aside = TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR)  # noqa: SIM115

    def close(self) -> None:
        self._aside.close()

    def stored(self, path: str, name: str) -> str:
        path = self._free(path, name)
        self.names[path] = name
        return path

    def written(self, path: str, data: bytes) -> str:
        path = self._free(path, None)
        self.words[path] = self.put_aside(data)
        return path

    def put_aside(self, data: bytes) -> tuple[int, int]:
        """Keep `data` for `take`, under no path."""
        place = self._aside.seek(0, 2)
        self._aside.write(data)
        return place, len(data)

    def take(self, kept: tuple[int, int]) -> bytes:
        place, length = kept
        self._aside.seek(place)
        return self._aside.read(length)

    def _free(self, path: str, name: str | None) -> str:
        """`path`, or one beside it when another file has it."""
        stem, dot, ending = path.rpartition(".")
        number, free = 1, path
        while free in self.words or self.names.get(free, name) != name:
            number += 1
            free = f"{stem}-{number}{dot}{ending}" if dot else f"{path}-{number}"
        return free


def write_archive(
    target: IO[bytes],
    shelf: ShelvedFiles,
    document: Callable[[list[dict]], Iterator[str]],
    told: Callable[[int, int], None] = lambda count, size: None,
) -> None:
    """Every file on the shelf, then `show.json`, whose text `document(files)` gives in pieces.

    `told(files, bytes)` hears how far it is.
    """
    files: list[dict] = []
    size = 0
    with zipfile.ZipFile(target, "w", allowZip64=True) as archive:
        for path in sorted(shelf.words):
            files.append(_add(archive, path, [shelf.take(shelf.words[path])], zipfile.ZIP_DEFLATED))
        for path, name in sorted(shelf.names.items()):
            files.append(_add(archive, path, _stored(name), zipfile.ZIP_STORED) | {"stored": name})
            size += files[-1]["bytes"]
            told(len(files), size)
        text = (piece.encode() for piece in document(files))
        _add(archive, DOCUMENT, text, zipfile.ZIP_DEFLATED)


def _stored(name: str) -> Iterator[bytes]:
    with closing(default_storage.stream(name)) as file:  # type: ignore[attr-defined]
        while chunk := file.read(CHUNK):
            yield chunk


def _add(archive: zipfile.ZipFile, path: str, pieces, compression: int) -> dict:
    about = zipfile.ZipInfo(path, _EPOCH)
    about.compress_type = compression
    about.external_attr = 0o644 << 16
    digest, size = hashlib.sha256(), 0
    with archive.open(about, "w", force_zip64=True) as entry:
        for piece in pieces:
            digest.update(piece)
            size += len(piece)
            entry.write(piece)
    return {"path": path, "bytes": size, "sha256": digest.hexdigest(), "stored": ""}


def pretty(value) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
