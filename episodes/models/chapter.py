"""Chapter: a named stretch of an episode."""

from django.db import models

from episodes import durations
from episodes.chapters import Chapter as ChapterRecord
from episodes.links import absolute, artwork_path
from episodes.models.episode import Episode
from episodes.models.revised import Revised
from episodes.models.timed import TimedQuerySet
from episodes.models.validators import http_url

#: Of the picture that players show while the chapter is heard.
PICTURE_WIDTH = 1280


class Chapter(Revised):
    show_paths = ("episode__show",)
    episode_paths = ("episode",)

    episode = models.ForeignKey(Episode, models.CASCADE, related_name="chapters")
    start_ms = models.PositiveBigIntegerField("start in milliseconds")
    end_ms = models.PositiveBigIntegerField("end in milliseconds", null=True, blank=True)
    title = models.CharField(max_length=255, blank=True)
    url = models.URLField("link", blank=True, max_length=1000, validators=[http_url])
    image = models.FileField("picture", blank=True, max_length=255)
    image_url = models.URLField("picture elsewhere", blank=True, max_length=1000)
    hidden = models.BooleanField(
        "hidden from the list", default=False, help_text="Shows its picture and link only."
    )
    recording = models.CharField(max_length=64, blank=True, editable=False)

    objects = models.Manager.from_queryset(TimedQuerySet)()

    class Meta:
        ordering = ["start_ms", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["episode", "start_ms"],
                name="chapter_start_once_per_episode",
                violation_error_message="Another chapter of this episode starts here.",
            ),
            models.CheckConstraint(
                name="chapter_ends_after_its_start",
                condition=models.Q(end_ms__isnull=True) | models.Q(end_ms__gt=models.F("start_ms")),
                violation_error_message="A chapter ends after it starts.",
            ),
        ]

    def __str__(self):
        return f"{durations.clock(self.start_ms / 1000)} {self.title}"

    # A picture of its own is kept and addressed with the episode's (episodes.artwork_files).

    @property
    def uid(self):
        return self.episode.uid

    @property
    def artwork(self):
        return self.image

    @property
    def picture_address(self) -> str:
        """Its picture as an absolute address: ours for an uploaded one, or ''."""
        if self.image:
            return absolute(artwork_path(self, PICTURE_WIDTH, "jpg"))
        return self.image_url

    @property
    def start(self) -> float:
        """Seconds from the beginning of the audio."""
        return self.start_ms / 1000

    def record(self) -> ChapterRecord:
        """The same as formats know it, in seconds."""
        return ChapterRecord(
            start=self.start,
            title=self.title,
            url=self.url,
            image=self.picture_address,
            end=self.end_ms / 1000 if self.end_ms else None,
            toc=not self.hidden,
        )
