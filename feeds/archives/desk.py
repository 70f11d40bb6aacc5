"""Archives for editors: made by the task worker, kept in the media under a name nobody guesses.

A request never waits for one: it asks, and comes back; the front (or the store) sends the file.
"""

import secrets
from contextlib import closing
from datetime import timedelta
from tempfile import NamedTemporaryFile

from django.conf import settings
from django.core.files.storage import default_storage
from django.utils import timezone

from episodes.media_check import ARCHIVES, ARCHIVES_LAST
from episodes.models import Show
from episodes.storage import StagedFile
from feeds.archives import ArchiveError
from feeds.archives.exporting import Export
from feeds.models import ShowArchive

#: What was asked for and has not come after this time may be asked for again.
PATIENCE = timedelta(hours=2)


def ask(show: Show) -> bool:
    """Have an archive made. False when one is being made already."""
    from feeds.tasks import make_archive

    now = timezone.now()
    row, _ = ShowArchive.objects.get_or_create(show=show)
    if row.asked_at and row.asked_at > now - PATIENCE:
        return False
    ShowArchive.objects.filter(pk=row.pk).update(asked_at=now, error="")
    make_archive.enqueue(show.pk)
    return True


def make(show_id: int) -> None:
    """Make it, write down how it went, and let the one before go."""
    show = Show.objects.filter(pk=show_id).first()
    rows = ShowArchive.objects.filter(pk=show_id)
    row = rows.first()
    if show is None or row is None:
        return
    name = f"{ARCHIVES}{secrets.token_urlsafe(24)}.zip"
    try:
        with (
            closing(Export(show.slug)) as export,
            NamedTemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR, prefix="export-") as local,
        ):
            export.write(local)
            local.flush()
            size = local.tell()
            default_storage.save(name, StagedFile(local, name))
    except (ArchiveError, OSError) as error:
        rows.update(asked_at=None, error=str(error)[:1000])
        return
    forget(row)
    rows.update(
        name=name,
        bytes=size,
        revision=export.revision,
        asked_at=None,
        made_at=timezone.now(),
        error="",
    )


def ready(row: ShowArchive) -> bool:
    """Whether its file can be fetched; a day after it was made it is let go."""
    if not row.name or not row.made_at:
        return False
    if row.made_at < timezone.now() - ARCHIVES_LAST:
        forget(row)
        return False
    return default_storage.exists(row.name)


def forget(row: ShowArchive) -> None:
    if row.name:
        default_storage.delete(row.name)
        ShowArchive.objects.filter(pk=row.pk, name=row.name).update(name="", bytes=0)
        row.name = ""
