"""Make a backup: the database as one moment, then the files this moment names, then the manifest.

Rows never name a file that the backup lacks. Files are immutable and stay for a while after their
rows; where a clean-up was quicker all the same, the whole is begun again. A file that the site
itself has lost is named in the manifest and in the outcome, and stops nothing else.
"""

import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.core.files.storage import default_storage

from episodes.media_check import stored_files
from podcast.backup.alone import TEMPORARY, alone
from podcast.backup.engines import engine
from podcast.backup.engines.moment import file_fields
from podcast.backup.errors import BackupError
from podcast.backup.manifest import Manifest, MediaFile, Part
from podcast.backup.places import Place, digest_of, manifest_of
from podcast.backup.progress import Progress

#: Times a clean-up of files may come in between.
ATTEMPTS = 4

KEY = "secret_key"


@dataclass(slots=True)
class Made:
    """What a backup did; `problems` are in words, and concern the site rather than the backup."""

    manifest: Manifest
    copied: int = 0
    copied_bytes: int = 0
    shared: int = 0
    cleaned: int = 0
    problems: list[str] = field(default_factory=list)


def make_backup(place: Place, progress: Progress) -> Made:
    """Raises BackupError or OSError; what was there before is as it was."""
    with alone():
        cleaned = place.clean()
        known = known_files(place)
        with tempfile.TemporaryDirectory(dir=settings.FILE_UPLOAD_TEMP_DIR, prefix=TEMPORARY) as at:
            for _ in range(ATTEMPTS):
                made = _attempt(place, Path(at), known, progress)
                if made is not None:
                    made.cleaned = cleaned
                    return made
    raise BackupError(
        "Files were removed while they were being copied, several times over. Is check_media "
        "running? Make the backup when it is done."
    )


def known_files(place: Place) -> dict[str, MediaFile]:
    """By stored name, what the newest readable backup says of each file that is still kept."""
    kept = place.files()
    for name in reversed(place.names()):
        try:
            media = manifest_of(place, name).media
        except BackupError:
            continue  # told by --verify; a damaged backup is no reason to make none
        return {file.name: file for file in media if kept.get(file.sha256) == file.bytes}
    return {}


def _attempt(
    place: Place, folder: Path, known: dict[str, MediaFile], progress: Progress
) -> Made | None:
    """One whole backup, or None when a file that rows named has been cleaned away meanwhile."""
    site = engine()
    database = folder / site.PART
    database.unlink(missing_ok=True)
    progress.stage("Reading the database …")
    started = datetime.now(UTC).replace(microsecond=0)
    with site.snapshot(database) as moment:
        rows, migrations, wanted = moment.rows(), moment.migrations(), moment.media()
        version = moment.version
    made = Made(
        Manifest(
            name=_free_name(place, started),
            made_at=started.isoformat(),
            site_url=settings.SITE_URL,
            engine=site.NAME,
            engine_version=version,
            migrations=migrations,
            rows=rows,
            database=_part(database),
            secret_key=_part(key) if (key := settings.DATA_DIR / KEY).is_file() else None,
        )
    )
    copy_media(place, made, wanted, known, progress)
    if any(not still_named(name) for name in made.manifest.missing):
        return None
    manifest = made.manifest
    for name in manifest.missing:
        made.problems.append(f"{name} is not in the site's media: see check_media.")
    place.add_part(manifest.name, manifest.database.name, database)
    if manifest.secret_key:
        place.add_part(manifest.name, KEY, key)
    place.finish(manifest.name, manifest.to_bytes())
    return made


def copy_media(
    place: Place,
    made: Made,
    wanted: dict[str, bool],
    known: dict[str, MediaFile],
    progress: Progress,
) -> None:
    """Copy what the place does not have, and write all of it down in the manifest."""
    present = {file.name: file for file in stored_files()}
    kept = {file.sha256 for file in known.values()}
    for number, name in enumerate(sorted(wanted), 1):
        here = present.get(name)
        before = known.get(name)
        if here is None:
            if wanted[name]:
                made.manifest.missing.append(name)
            continue
        if before and (before.bytes, before.modified) == (here.bytes, here.modified):
            made.manifest.media.append(before)
            made.shared += 1
        else:
            try:
                digest, size = _copy(place, name, kept)
            except FileNotFoundError:
                made.manifest.missing.append(name)
                continue
            if (stem := PurePosixPath(name).stem) != digest and len(stem) == 64:
                made.problems.append(f"{name} is not what was uploaded any more: see check_media.")
            made.manifest.media.append(MediaFile(name, size, digest, here.modified))
            kept.add(digest)
            made.copied += 1
            made.copied_bytes += size
        progress.count("Copied", number, len(wanted), made.copied_bytes)


def _copy(place: Place, name: str, kept: set[str]) -> tuple[str, int]:
    """Into the place, unless it has the same content under another name already."""
    stem = PurePosixPath(name).stem
    if stem in kept:
        digest, size = digest_of(default_storage.stream(name))  # type: ignore[attr-defined]
        if digest in kept:
            return digest, size
    with closing(default_storage.stream(name)) as source:  # type: ignore[attr-defined]
        return place.add_file(source)


def still_named(name: str) -> bool:
    """Whether a row of the site names the file now."""
    return any(
        field.model._base_manager.filter(**{field.name: name}).exists() for field in file_fields()
    )


def _free_name(place: Place, moment: datetime) -> str:
    taken = set(place.names())
    while (name := f"{moment:%Y%m%dT%H%M%SZ}") in taken:
        moment += timedelta(seconds=1)
    return name


def _part(path: Path) -> Part:
    digest, size = digest_of(path.open("rb"))
    return Part(path.name, size, digest)
