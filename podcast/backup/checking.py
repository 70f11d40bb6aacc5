"""Is a backup still what was written? Every byte of it is read."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from podcast.backup.alone import TEMPORARY
from podcast.backup.engines import postgresql, sqlite
from podcast.backup.errors import BackupError
from podcast.backup.manifest import Manifest, MediaFile
from podcast.backup.places import Place, digest_of, fetch_part, manifest_of
from podcast.backup.progress import Progress

ENGINES = {engine.NAME: engine for engine in (sqlite, postgresql)}


def check_backups(place: Place, names: list[str], progress: Progress) -> Iterator[str]:
    """What is wrong with these backups, in words. Files they share are read once."""
    files: dict[str, tuple[MediaFile, list[str]]] = {}
    for name in names:
        progress.stage(f"Checking {name} …")
        try:
            manifest = manifest_of(place, name)
        except BackupError as error:
            yield str(error)
            continue
        for file in manifest.media:
            files.setdefault(file.sha256, (file, []))[1].append(name)
        try:
            check_parts(place, manifest)
        except BackupError as error:
            yield str(error)
    size = 0
    for number, (file, owners) in enumerate(files.values(), 1):
        size += file.bytes
        if reason := what_is_wrong(place, file):
            yield f"{file.name} {reason} (in {', '.join(owners)})."
        progress.count("Checked", number, len(files), size)


def check_parts(place: Place, manifest: Manifest) -> None:
    """The database and the key, by their hashes and by the engine's own check; raises Damaged."""
    with tempfile.TemporaryDirectory(dir=settings.FILE_UPLOAD_TEMP_DIR, prefix=TEMPORARY) as at:
        for part in manifest.parts():
            fetch_part(place, manifest.name, part, Path(at, part.name))
        ENGINES[manifest.engine].check(Path(at, manifest.database.name))


def what_is_wrong(place: Place, file: MediaFile) -> str:
    """ "" when the kept file is what the manifest says."""
    try:
        found = digest_of(place.open_file(file.sha256))
    except FileNotFoundError:
        return "is not there"
    except OSError as error:
        return f"cannot be read ({error})"
    return "" if found == (file.sha256, file.bytes) else "is not what was written"
