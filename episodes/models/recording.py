"""An episode's recording: what its row says of it."""

from datetime import timedelta
from urllib.parse import urlsplit

from django.db import models

from episodes import durations
from episodes.models.validators import http_url


class Recorded(models.Model):
    """The columns of an episode's recording; the rest of the row is in `Episode`."""

    audio = models.FileField("audio file", blank=True, max_length=255)
    audio_url = models.URLField(
        "external audio",
        blank=True,
        max_length=2000,
        validators=[http_url],
        help_text="Instead of a file: where the audio lies on another host.",
    )
    audio_bytes = models.PositiveBigIntegerField("audio size in bytes", default=0)
    audio_type = models.CharField("audio media type", max_length=60, blank=True)
    audio_extension = models.CharField(max_length=8, blank=True, editable=False)
    audio_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    audio_name = models.CharField(max_length=255, blank=True, editable=False)
    audio_facts = models.JSONField(default=dict, blank=True, editable=False)
    audio_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Where tags were written (episodes.tagging), the recording is a copy of this upload.
    # The database knows defaults, so that programs of before the columns go on writing rows.
    audio_original = models.FileField(
        "audio as uploaded", blank=True, max_length=255, default="", db_default=""
    )
    audio_original_bytes = models.PositiveBigIntegerField(default=0, db_default=0, editable=False)
    audio_original_sha256 = models.CharField(
        max_length=64, blank=True, default="", db_default="", editable=False
    )
    tags_written = models.CharField(
        max_length=64, blank=True, default="", db_default="", editable=False
    )
    duration_ms = models.PositiveBigIntegerField("duration in milliseconds", default=0)

    class Meta:
        abstract = True

    @property
    def has_audio(self) -> bool:
        return bool(self.audio or self.audio_url)

    @property
    def audio_version(self) -> str:
        """A short name for this recording; another recording has another one."""
        return self.audio_sha256[:12]

    @property
    def extension(self) -> str:
        """Of the audio, without the dot; from the address when the audio is elsewhere."""
        if self.audio_extension:
            return self.audio_extension
        return urlsplit(self.audio_url).path.rpartition(".")[2][:8].lower()

    @property
    def seconds(self) -> int:
        """Duration in whole seconds, 0 when unknown."""
        return round(self.duration_ms / 1000)

    @property
    def duration(self) -> timedelta:
        return timedelta(milliseconds=self.duration_ms)

    @property
    def duration_iso(self) -> str:
        """ISO 8601, for example PT2M31S; '' when unknown."""
        return durations.iso8601(self.seconds) if self.duration_ms else ""
