"""Episode: one recording with its words, its dates and its identity."""

import uuid
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone

from episodes.links import path_to
from episodes.models import publication
from episodes.models.publication import EpisodeQuerySet, Status
from episodes.models.recording import Recorded
from episodes.models.revised import Revised
from episodes.models.show import Show
from episodes.models.validators import http_url, slug_shape, validate_bytes_4000
from episodes.slugs import MAX_LENGTH, RESERVED_EPISODE_SLUGS, free_slug, slug_from


class Episode(Recorded, Revised):
    Status = Status

    class Type(models.TextChoices):
        FULL = "full", "Full episode"
        TRAILER = "trailer", "Trailer"
        BONUS = "bonus", "Bonus"

    show_paths = ("show",)
    episode_paths = ("pk",)
    counters = ("revision", "revised_at")
    is_searched = True

    show = models.ForeignKey(Show, models.CASCADE, related_name="episodes")
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    guid = models.CharField(
        "GUID",
        max_length=1000,
        default=uuid.uuid4,
        help_text="The episode's identity in podcast apps. Never change it once published.",
    )
    title = models.CharField(max_length=255)
    slug = models.CharField(
        max_length=MAX_LENGTH,
        validators=[slug_shape],
        help_text="Made from the title when left empty, and kept when the title changes.",
    )
    summary = models.TextField(
        blank=True,
        validators=[validate_bytes_4000],
        help_text="One paragraph in plain text, shown under the title and in lists.",
    )
    notes = models.TextField(
        blank=True, help_text="Show notes in Markdown: links, lists, what was talked about."
    )
    notes_html = models.TextField(blank=True, editable=False)
    artwork = models.FileField(
        blank=True,
        max_length=255,
        help_text="Square, 1400 to 3000 pixels. Left empty, the show's artwork is used.",
    )
    artwork_alt = models.CharField("artwork description", max_length=420, blank=True)
    season = models.PositiveIntegerField(null=True, blank=True)
    number = models.PositiveIntegerField("episode number", null=True, blank=True)
    number_display = models.CharField(
        "number as shown", max_length=32, blank=True, help_text="For example “Ch. 3” or “12.5”."
    )
    type = models.CharField(max_length=10, choices=Type, default=Type.FULL)
    explicit = models.BooleanField(
        null=True, blank=True, help_text="Unknown means: the same as the show."
    )
    blocked = models.BooleanField("hidden from directories", default=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    published_at = models.DateTimeField(
        null=True, blank=True, help_text="A moment in the future schedules the episode."
    )
    license = models.CharField("licence", max_length=128, blank=True)
    license_url = models.URLField(
        "licence address", blank=True, max_length=500, validators=[http_url]
    )
    custom_xml = models.TextField(
        "further feed elements",
        blank=True,
        help_text="XML elements with their namespaces declared, put into the item as they are.",
    )
    imported_xml = models.TextField(blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    revision = models.PositiveBigIntegerField(default=1, editable=False)
    revised_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = models.Manager.from_queryset(EpisodeQuerySet)()

    class Meta:
        ordering = [F("published_at").desc(nulls_first=True), "-pk"]
        indexes = [
            models.Index(
                fields=["show", "status", "published_at", "id"], name="episode_in_show_by_date"
            ),
            models.Index(fields=["status", "published_at", "id"], name="episode_by_date"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["show", "slug"],
                name="episode_slug_once_per_show",
                violation_error_message="Another episode of this show has this slug.",
            ),
            models.UniqueConstraint(
                fields=["show", "guid"],
                name="episode_guid_once_per_show",
                violation_error_message="Another episode of this show has this GUID.",
            ),
            models.CheckConstraint(
                name="episode_slug_and_guid_are_not_empty", condition=~Q(slug="") & ~Q(guid="")
            ),
            models.CheckConstraint(
                name="episode_published_has_a_date",
                condition=~Q(status="published") | Q(published_at__isnull=False),
                violation_error_message="A published episode needs a date.",
            ),
            models.CheckConstraint(
                name="episode_published_has_audio",
                condition=~Q(status="published") | ~Q(audio="") | ~Q(audio_url=""),
                violation_error_message="A published episode needs audio.",
            ),
            models.CheckConstraint(
                name="episode_audio_is_one_of_two",
                condition=Q(audio="") | Q(audio_url=""),
                violation_error_message="Give an audio file or an external address, not both.",
            ),
            models.CheckConstraint(
                name="episode_audio_file_was_read",
                condition=Q(audio="") | (Q(audio_bytes__gt=0) & ~Q(audio_sha256="")),
            ),
            models.CheckConstraint(
                name="episode_season_is_positive",
                condition=Q(season__isnull=True) | Q(season__gte=1),
            ),
            models.CheckConstraint(
                name="episode_number_is_positive",
                condition=Q(number__isnull=True) | Q(number__gte=1),
            ),
        ]

    def __str__(self):
        return self.title

    # Publication

    def is_public(self, now: datetime) -> bool:
        """Whether anybody may see it at `now`. The same rule as `EpisodeQuerySet.public`."""
        return publication.is_public(self, now)

    def is_scheduled(self, now: datetime) -> bool:
        return self.status == self.Status.PUBLISHED and not self.published_at <= now

    def publish(self, at: datetime) -> None:
        """Let it go at `at`; an episode that already has a date in the past keeps it.

        Raises ValidationError when something that every podcast app needs is missing.
        """
        if not self.audio and not self.audio_url:
            raise ValidationError(f"“{self}” has no audio yet.")
        if self.published_at is None or self.published_at > at:
            self.published_at = at
        self.status = self.Status.PUBLISHED

    def withdraw(self) -> None:
        """Take it off every public surface at once; date and identity are kept."""
        self.status = self.Status.DRAFT

    # Addresses and identity

    def clean(self):
        self.title = self.title.strip()
        if not self.show_id:
            return
        if not self.slug and self.title:
            self.slug = self.make_slug()
        if self.slug in RESERVED_EPISODE_SLUGS:
            raise ValidationError(
                {"slug": f"The address …/{self.slug}/ belongs to the show. Choose another slug."}
            )
        former = self.show.former_episode_slugs.filter(slug=self.slug)
        if former.exclude(episode=self.pk).exists():
            raise ValidationError(
                {"slug": "This slug was another episode's, whose old address still redirects."}
            )
        if self.status == self.Status.PUBLISHED and self.published_at is None:
            self.published_at = timezone.now()

    def make_slug(self) -> str:
        def taken(slug):
            return (
                slug in RESERVED_EPISODE_SLUGS
                or Episode.objects.filter(show=self.show_id, slug=slug).exclude(pk=self.pk).exists()
                or self.show.former_episode_slugs.filter(slug=slug)
                .exclude(episode=self.pk)
                .exists()
            )

        day = self.published_at or timezone.now()
        return free_slug(slug_from(self.title, fallback=f"episode-{day:%Y-%m-%d}"), taken)

    def save_base(self, *args, **kwargs):
        """Fills the slug once; a slug that changed leaves its old addresses redirecting."""
        from episodes.notes import render_notes

        if not self.slug:
            self.slug = self.make_slug()
        self.guid = str(self.guid)
        self.notes_html = render_notes(self.notes)
        before = None
        if self.pk and not kwargs.get("raw"):
            before = Episode.objects.filter(pk=self.pk).first()
        with transaction.atomic():
            super().save_base(*args, **kwargs)
            if before is not None:
                self._keep_former_address(before)
                self._keep_former_recording(before)

    def _keep_former_address(self, before: "Episode") -> None:
        if (before.show_id, before.slug) == (self.show_id, self.slug):
            return
        self.show.former_episode_slugs.filter(slug=self.slug).delete()
        before.show.former_episode_slugs.update_or_create(
            slug=before.slug, defaults={"episode": self}
        )

    def _keep_former_recording(self, before: "Episode") -> None:
        if before.audio_sha256 == self.audio_sha256:
            return
        present = (self.audio.name, self.audio_original.name)
        for file, sha256, size in (
            (before.audio, before.audio_sha256, before.audio_bytes),
            (before.audio_original, before.audio_original_sha256, before.audio_original_bytes),
        ):
            if not file or file.name in present:
                continue
            self.former_recordings.update_or_create(
                sha256=sha256,
                defaults={
                    "extension": before.audio_extension,
                    "audio": file.name,
                    "audio_bytes": size,
                    "duration_ms": before.duration_ms,
                    "replaced_at": timezone.now(),
                },
            )

    def get_absolute_url(self):
        return path_to("episodes:episode", self.show.slug, self.slug)

    def get_audio_path(self) -> str:
        """The enclosure's address: ours for a file, the external one as it is, or ''."""
        if self.audio_url:
            return self.audio_url
        if not self.audio:
            return ""
        return path_to(
            "episodes:audio", self.uid, self.audio_version, self.slug, self.audio_extension
        )

    @property
    def is_explicit(self) -> bool:
        return self.show.explicit if self.explicit is None else self.explicit
