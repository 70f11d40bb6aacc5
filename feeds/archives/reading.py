"""An archive a stranger may have made: looked at from outside first, then read within limits.

Nothing is ever extracted by the path it claims: entries are read by name and copied to names of
the storage. What is refused is refused before anything is written.
"""

import hashlib
import json
import shutil
import stat
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from django.conf import settings

from feeds.archives import DOCUMENT, FORMAT, VERSION, ArchiveError

CHUNK = 1024 * 1024

#: A show of 10,000 episodes has a document of 100 MB at most, and 150,000 files.
MAX_DOCUMENT = 512 * 1024 * 1024
MAX_ENTRIES = 500_000
MAX_DIRECTORY = 150 * 1024 * 1024

#: Words shrink to a tenth; what shrinks to less than this part of itself is made to burst.
MAX_RATIO = 200
RATIO_MATTERS = 16 * 1024 * 1024


class Archive:
    """`with Archive(path) as archive`. Raises ArchiveError for what it will not touch."""

    def __init__(self, path: Path):
        _refuse_huge_directory(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise ArchiveError(f"{path} cannot be read as an archive: {error}.") from None
        try:
            self.entries = _checked(self._zip.infolist())
        except ArchiveError:
            self._zip.close()
            raise

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *exception) -> None:
        self._zip.close()

    def document(self) -> dict:
        """`show.json`, of a version that is read here."""
        entry = self.entries.get(DOCUMENT)
        if entry is None:
            raise ArchiveError(f"There is no {DOCUMENT} in it: this is no archive of a show.")
        if entry.file_size > MAX_DOCUMENT:
            raise ArchiveError(f"{DOCUMENT} has {entry.file_size:,} bytes: too many to be true.")
        try:
            document = json.loads(b"".join(self.pieces(DOCUMENT)))
        except (ValueError, RecursionError) as error:
            raise ArchiveError(f"{DOCUMENT} is not JSON: {error}.") from None
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise ArchiveError(f"{DOCUMENT} is not of the format “{FORMAT}”.")
        version = document.get("version")
        if version != VERSION:
            raise ArchiveError(
                f"This archive is of version {version!r}, and version {VERSION} is read here. "
                "Update this site, or export again with a version like it."
            )
        return document

    def pieces(self, path: str) -> Iterator[bytes]:
        """The entry in portions, and never more of it than it says it has."""
        entry = self.entries[path]
        left = entry.file_size
        try:
            with self._zip.open(entry) as file:
                while chunk := file.read(CHUNK):
                    left -= len(chunk)
                    if left < 0:
                        raise ArchiveError(f"{path} is larger than it says.")
                    yield chunk
        except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError) as error:
            raise ArchiveError(f"{path} in the archive is damaged: {error}.") from None
        except Exception as error:  # what decompressors raise has no common name
            if isinstance(error, ArchiveError):
                raise
            raise ArchiveError(f"{path} in the archive is damaged: {error}.") from None
        if left:
            raise ArchiveError(f"{path} in the archive is cut short.")

    def check(self, file: dict) -> None:
        """Compare an entry with what `files` says of it; raises ArchiveError."""
        path = file["path"]
        if path not in self.entries:
            raise ArchiveError(f"{path} is named in {DOCUMENT} and not in the archive.")
        digest, size = hashlib.sha256(), 0
        for piece in self.pieces(path):
            digest.update(piece)
            size += len(piece)
        if (digest.hexdigest(), size) != (file["sha256"], file["bytes"]):
            raise ArchiveError(f"{path} is not what was exported: its hash is another.")


def _checked(found: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """By name, when every one of them is a plain file with a plain name."""
    entries: dict[str, zipfile.ZipInfo] = {}
    if len(found) > MAX_ENTRIES:
        raise ArchiveError(f"The archive has {len(found):,} entries; at most {MAX_ENTRIES:,} go.")
    total = 0
    for entry in found:
        name = entry.filename
        if entry.is_dir():
            continue
        if name in entries:
            raise ArchiveError(f"{name!r} is in the archive twice.")
        if not is_plain(name):
            raise ArchiveError(f"{name!r} would lead outside the archive.")
        mode = entry.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise ArchiveError(f"{name!r} is no plain file.")
        if entry.flag_bits & 1:
            raise ArchiveError(f"{name!r} is encrypted.")
        if name != DOCUMENT and entry.file_size > settings.UPLOAD_MAX_BYTES:
            raise ArchiveError(
                f"{name!r} has {entry.file_size:,} bytes, more than UPLOAD_MAX_BYTES "
                f"({settings.UPLOAD_MAX_BYTES:,}) allows."
            )
        packed = max(entry.compress_size, 1)
        if entry.file_size > RATIO_MATTERS and entry.file_size / packed > MAX_RATIO:
            raise ArchiveError(f"{name!r} would unpack to {entry.file_size:,} bytes: refused.")
        total += entry.file_size
        entries[name] = entry
    free = shutil.disk_usage(settings.MEDIA_ROOT).free
    if settings.MEDIA_ON_DISK and total > free:
        raise ArchiveError(f"The archive holds {total:,} bytes, and {free:,} are free here.")
    return entries


def is_plain(name: str) -> bool:
    """A relative path, downwards, without characters that some system reads otherwise."""
    path = PurePosixPath(name)
    return (
        bool(name)
        and len(name) <= 1000
        and name.isprintable()
        and not path.is_absolute()
        and str(path) == name
        and ".." not in path.parts
        and not set(name) & set('\\:*?"<>|')
    )


def _refuse_huge_directory(path: Path) -> None:
    """The list of entries is read into memory as a whole: look at its size first.

    PKWARE APPNOTE §4.3.16 (end of central directory) and §4.3.14 (zip64).
    """
    try:
        with path.open("rb") as file:
            end = file.seek(0, 2)
            start = file.seek(max(0, end - 65_557))
            tail = file.read()
            at = tail.rfind(b"PK\5\6")
            if at < 0 or len(tail) < at + 22:
                raise ArchiveError(f"{path} is not a zip archive, or was cut short.")
            (size,) = struct.unpack_from("<I", tail, at + 12)
            if size == 0xFFFFFFFF and start + at >= 56 + 20:
                file.seek(start + at - 20 - 56)
                record = file.read(56)
                if record[:4] != b"PK\6\6":
                    raise ArchiveError(f"{path} has a directory of a shape we do not read.")
                (size,) = struct.unpack_from("<Q", record, 40)
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror}.") from None
    if size > MAX_DIRECTORY:
        raise ArchiveError(f"{path} lists more entries than any show has ({size:,} bytes of list).")
