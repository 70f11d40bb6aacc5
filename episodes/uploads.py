"""Files on their way in: to disk, never to memory, and with words when the disk is full.

Django's own handler lets the whole request fail, and with it everything the
editor wrote. This one goes on: the form is shown again, with the reason beside
the file that did not fit.
"""

from contextlib import suppress
from io import BytesIO

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler

from episodes.room import NO_ROOM, is_full


class NoRoom(UploadedFile):
    """Stands in a form for an upload that did not fit on the disk."""


class RoomyUploadHandler(TemporaryFileUploadHandler):
    """As Django's, but a full disk is said by the form. What was written is gone at once."""

    def new_file(self, *args, **kwargs):
        self.full = False
        try:
            super().new_file(*args, **kwargs)
        except OSError as error:
            self._give_up(error)

    def receive_data_chunk(self, raw_data, start):
        if self.full:
            return
        try:
            super().receive_data_chunk(raw_data, start)
        except OSError as error:
            self._give_up(error)

    def file_complete(self, file_size):
        if not self.full:
            try:
                return super().file_complete(file_size)  # writes what is buffered
            except OSError as error:
                self._give_up(error)
        return NoRoom(BytesIO(), self.file_name, self.content_type, file_size)

    def _give_up(self, error: OSError) -> None:
        if not is_full(error):
            raise error
        self.full = True
        if file := self.__dict__.pop("file", None):
            with suppress(OSError):  # closing writes what is buffered, and fails again
                file.close()


class UploadField(forms.FileField):
    """A file field that says when its file did not fit on the disk."""

    def to_python(self, data):
        if isinstance(data, NoRoom):
            raise ValidationError(NO_ROOM, code="no-room")
        return super().to_python(data)
