"""Files that survive a crash: written aside, synced, and only then given their name.

Django's own file storage writes under the final name and syncs nothing, so a
full disk or a power cut leaves half a file that a row may point at.
"""

import os
import tempfile
import uuid
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage


def sync_directory(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class StagedFile(File):
    """A finished temporary file, which a storage on the same disk may take as it is."""

    download_name = ""  # what listeners' computers shall call it (episodes.bucket)

    def temporary_file_path(self) -> str:
        return self.file.name


#: Names of media hold a hash of their content, so what is at an address never changes.
IMMUTABLE = "public, max-age=31536000, immutable"


class DurableStorage(FileSystemStorage):
    """Finished files appear whole or not at all, and are on the disk when `save` returns.

    An upload that lies on the same file system is moved, never copied. Names
    hold a hash of the content, so a name that exists already is written again
    with the same bytes: that mends a file the disk has damaged.
    """

    def get_available_name(self, name, max_length=None):
        return name

    def stream(self, name: str) -> BinaryIO:
        """The stored bytes, to be read from the front in any portions; the caller closes it.

        Raises FileNotFoundError when there is no such file.
        """
        return Path(self.path(name)).open("rb")

    def _save(self, name, content):
        target = Path(self.path(name))
        self._make_directory(target.parent)
        staged = self._stage(content)
        try:
            os.chmod(staged, self.file_permissions_mode or 0o640)
            handle = os.open(staged, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
            os.replace(staged, target)
            # Of two names for one file, as an upload stored again has them, both would stay.
            staged.unlink(missing_ok=True)
        except BaseException:
            staged.unlink(missing_ok=True)
            raise
        sync_directory(target.parent)
        return name

    def _stage(self, content) -> Path:
        """The content as a file beside the media: the upload itself, or a copy of it."""
        source = getattr(content, "temporary_file_path", None)
        if source is not None and os.stat(source()).st_dev == os.stat(self.location).st_dev:
            # A second name for the same bytes; the upload's own name goes with the request.
            staged = Path(settings.FILE_UPLOAD_TEMP_DIR) / f"staged-{uuid.uuid4().hex}"
            os.link(source(), staged)
            return staged
        handle, name = tempfile.mkstemp(dir=settings.FILE_UPLOAD_TEMP_DIR, prefix="staged-")
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
        except BaseException:
            os.unlink(name)
            raise
        return Path(name)

    def _make_directory(self, path: Path) -> None:
        if path.is_dir():
            return
        self._make_directory(path.parent)
        path.mkdir(mode=self.directory_permissions_mode or 0o750, exist_ok=True)
        sync_directory(path.parent)
