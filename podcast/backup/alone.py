"""One backup or restore of a site at a time."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from podcast.backup.errors import BackupError

#: How the names of our temporary files begin; what a killed process left is removed by the next.
TEMPORARY = "backup-"


@contextmanager
def alone() -> Iterator[None]:
    """Holds the site's lock, which the system lets go of when this process ends in any way."""
    with (settings.DATA_DIR / "backup.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BackupError(
                "Another backup or restore of this site is running. Wait until it is done."
            ) from None
        for left in Path(settings.FILE_UPLOAD_TEMP_DIR).glob(f"{TEMPORARY}*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        yield
