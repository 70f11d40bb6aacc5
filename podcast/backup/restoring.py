"""Put a backup in the place of what the site has: check everything, then media, then rows.

Nothing is touched before every hash was compared. Media come first, because a file without a row
harms nobody; the database changes in one transaction. Cut off, the same command finishes the job.
"""

import os
import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

from django.conf import settings
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader
from django.db.models import F, Max

from episodes.media_check import stored_files
from episodes.models import Episode, Show, Site
from episodes.storage import StagedFile, sync_directory
from podcast.backup.alone import TEMPORARY, alone
from podcast.backup.checking import check_parts, what_is_wrong
from podcast.backup.engines import engine
from podcast.backup.errors import BackupError, Damaged
from podcast.backup.making import KEY
from podcast.backup.manifest import Manifest, MediaFile
from podcast.backup.places import CHUNK, Place, digest_and_size, digest_of, fetch_part
from podcast.backup.progress import Progress

#: Far enough above any edition that apps may have seen of the state that is lost.
LEAP = 1_000_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a backup is restored, and over what."""

    database: bool = True
    media: bool = True
    force: bool = False
    new_editions: bool = False


def restore_backup(
    place: Place, manifest: Manifest, wanted: Wanted, progress: Progress
) -> list[str]:
    """Raises BackupError with the reason. Returns remarks for the operator."""
    with alone():
        if wanted.database:
            refuse_other_engine(manifest)
            refuse_newer(manifest)
        if not wanted.force:
            refuse_to_overwrite(place, manifest, wanted)
        check_all(place, manifest, wanted, progress)
        if wanted.media:
            restore_media(place, manifest, progress)
        return restore_database(place, manifest, wanted, progress) if wanted.database else []


# Refusals


def refuse_other_engine(manifest: Manifest) -> None:
    here = engine().NAME
    if manifest.engine != here:
        raise BackupError(
            f"This backup is of a {manifest.engine} database, and DATABASE_URL names a {here} one. "
            "Restore it where the engine is the same. To change engines, use export_show there "
            "and import_show here, show by show."
        )


def refuse_newer(manifest: Manifest) -> None:
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    unknown = [f"{app}.{name}" for app, name in manifest.migrations if (app, name) not in known]
    if unknown:
        raise BackupError(
            f"This backup was made by a newer version of this software (it knows {unknown[0]}, "
            "this version does not). Update first, then restore."
        )


def refuse_to_overwrite(place: Place, manifest: Manifest, wanted: Wanted) -> None:
    """A site with rows, or with other media than the backup's, is overwritten only when told."""
    if wanted.database and (rows := rows_here()):
        raise BackupError(
            f"This site is not empty: it has {rows}. Restore into a new DATA_DIR or database, or "
            "say --force to put the backup in its place."
        )
    if wanted.media and wanted.database:
        ours = {file.name: file for file in manifest.media}
        for file in stored_files():
            if not (file.name in ours and is_stored(ours[file.name])):
                raise BackupError(
                    f"This site's media are not empty ({file.name}). Restore into a new DATA_DIR "
                    "or bucket, or say --force; files the backup does not name are left alone."
                )


def rows_here() -> str:
    """What the site has, in words; '' when it has neither shows nor users."""
    from django.contrib.auth import get_user_model

    tables = connection.introspection.table_names()
    counts = {
        model._meta.verbose_name_plural: model._base_manager.count()
        for model in (Show, Episode, get_user_model())
        if model._meta.db_table in tables
    }
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


# The work


def check_all(place: Place, manifest: Manifest, wanted: Wanted, progress: Progress) -> None:
    progress.stage(f"Checking {manifest.name} …")
    if wanted.database:
        check_parts(place, manifest)
    if not wanted.media:
        return
    size = 0
    for number, file in enumerate(manifest.media, 1):
        if reason := what_is_wrong(place, file):
            raise Damaged(
                f"{file.name} {reason}, in the backup {manifest.name}. Nothing was changed. "
                "Choose another backup with --at, or mend this one from a copy."
            )
        size += file.bytes
        progress.count("Checked", number, len(manifest.media), size)


def restore_media(place: Place, manifest: Manifest, progress: Progress) -> None:
    size = 0
    for number, file in enumerate(manifest.media, 1):
        if not is_stored(file):
            restore_file(place, file)
        size += file.bytes
        progress.count("Restored", number, len(manifest.media), size)


def restore_file(place: Place, file: MediaFile) -> None:
    """A copy beside the media, compared, and only then given its name."""
    with NamedTemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR, prefix=TEMPORARY) as local:
        with closing(place.open_file(file.sha256)) as source:
            shutil.copyfileobj(source, local, CHUNK)
        local.flush()
        local.seek(0)
        if digest_and_size(local) != (file.sha256, file.bytes):
            raise Damaged(f"{file.name} changed while it was being read from {place.label}.")
        default_storage.save(file.name, StagedFile(local, file.name))
    if not is_stored(file):
        raise Damaged(f"{file.name} is not in the media as it was written there.")


def is_stored(file: MediaFile) -> bool:
    try:
        found = digest_of(default_storage.stream(file.name))  # type: ignore[attr-defined]
    except FileNotFoundError:
        return False
    return found == (file.sha256, file.bytes)


def restore_database(
    place: Place, manifest: Manifest, wanted: Wanted, progress: Progress
) -> list[str]:
    remarks = []
    before = newest_revision()
    with TemporaryDirectory(dir=settings.FILE_UPLOAD_TEMP_DIR, prefix=TEMPORARY) as at:
        database = Path(at, manifest.database.name)
        fetch_part(place, manifest.name, manifest.database, database)
        progress.stage("Restoring the database …")
        engine().restore(database)
        compare_rows(manifest)
        if manifest.secret_key:
            fetch_part(place, manifest.name, manifest.secret_key, Path(at, KEY))
            os.chmod(Path(at, KEY), 0o600)
            os.replace(Path(at, KEY), settings.DATA_DIR / KEY)
            sync_directory(settings.DATA_DIR)
        else:
            remarks.append(
                "The site's SECRET_KEY was a setting and is not in the backup: set it as it was, "
                "or everybody signs in anew."
            )
    call_command("migrate", interactive=False, verbosity=0)
    if wanted.new_editions or before:
        leap_over(max(before, newest_revision()) + LEAP)
    return remarks


def compare_rows(manifest: Manifest) -> None:
    with connection.cursor() as cursor:
        for table, count in manifest.rows.items():
            cursor.execute(f"SELECT COUNT(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608
            found = cursor.fetchone()[0]
            if found != count:
                raise BackupError(f"{table} has {found} rows after the restore instead of {count}.")


def newest_revision() -> int:
    """The highest edition the public may have seen; 0 on a site without tables or shows."""
    tables = connection.introspection.table_names()
    return max(
        (
            models.QuerySet(model).aggregate(highest=Max("revision"))["highest"] or 0
            for model in (Show, Episode, Site)
            if model._meta.db_table in tables
        ),
        default=0,
    )


def leap_over(lost: int) -> None:
    """Editions never seen before, so that no app takes the old state for one it has already."""
    for model in (Show, Episode, Site):
        models.QuerySet(model).update(revision=F("revision") + lost)
