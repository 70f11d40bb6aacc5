"""What an episode once had: addresses that redirect for ever, and recordings kept for a while."""

from django.db import models
from django.utils import timezone

from episodes.models.episode import Episode
from episodes.models.revised import Revised
from episodes.models.show import Show
from episodes.slugs import MAX_LENGTH


class FormerEpisodeSlug(Revised):
    """A slug the episode once had in a show; its addresses redirect for ever."""

    show_paths = ("show",)

    show = models.ForeignKey(Show, models.CASCADE, related_name="former_episode_slugs")
    episode = models.ForeignKey(Episode, models.CASCADE, related_name="former_slugs")
    slug = models.CharField(max_length=MAX_LENGTH)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["show", "slug"], name="former_slug_once_per_show")
        ]

    def __str__(self):
        return self.slug


class FormerRecording(models.Model):
    """A recording that was replaced: its addresses redirect, its file is kept for a while."""

    episode = models.ForeignKey(Episode, models.CASCADE, related_name="former_recordings")
    sha256 = models.CharField(max_length=64)
    extension = models.CharField(max_length=8)
    audio = models.FileField(max_length=255, blank=True)
    audio_bytes = models.PositiveBigIntegerField()
    duration_ms = models.PositiveBigIntegerField(default=0)
    replaced_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-replaced_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["episode", "sha256"], name="former_recording_once")
        ]

    def __str__(self):
        return f"{self.sha256[:12]}.{self.extension}"
