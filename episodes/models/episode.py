"""Episode: one recording with its words, its dates and its identity."""

import uuid
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from episodes import durations
from episodes.models.revised import Revised, RevisedQuerySet
from episodes.models.show import Show, http_url, slug_shape, validate_bytes_4000
from episodes.slugs import MAX_LENGTH, RESERVED_EPISODE_SLUGS, free_slug, slug_from


def live(now: datetime, prefix: str = "") -> Q:
    """Let go and due at `now`: the rule of publication as far as the episode's own row has it.

    `prefix` asks it of rows that have episodes: `live(now, "episodes__")`.
    """
    return Q(
        **{
            f"{prefix}status": Episode.Status.PUBLISHED,
            f"{prefix}published_at__lte": now,
        }
    )


class EpisodeQuerySet(RevisedQuerySet):
    def published(self):
        """Episodes their editor has let go, now or for a later moment."""
        return self.filter(status=Episode.Status.PUBLISHED)

    def listed(self):
        """Published episodes of public shows, whatever the clock says."""
        return self.published().filter(show__visibility=Show.Visibility.PUBLIC)

    def public(self, now: datetime):
        """What anybody may see at `now`. The same rule as `Episode.is_public`."""
        return self.listed().filter(live(now))

    def newest_first(self):
        return self.order_by("-published_at", "-pk")

    def oldest_first(self):
        return self.order_by("published_at", "pk")

    def before(self, episode: "Episode"):
        """Episodes earlier in publication order than `episode`."""
        return self.filter(
            Q(published_at__lt=episode.published_at)
            | Q(published_at=episode.published_at, pk__lt=episode.pk)
        )

    def after(self, episode: "Episode"):
        """Episodes later in publication order than `episode`."""
        return self.filter(
            Q(published_at__gt=episode.published_at)
            | Q(published_at=episode.published_at, pk__gt=episode.pk)
        )

    def nearby(self, episode: "Episode", count: int = 8) -> list["Episode"]:
        """The `count` episodes of the same show nearest in publication order, newest first.

        Half of them newer and half older; where one side has fewer the other
        fills up. `episode` itself is not among them. Two queries.
        """
        rows = self.filter(show=episode.show_id)
        newer = list(rows.after(episode).oldest_first()[:count])
        older = list(rows.before(episode).newest_first()[:count])
        half = count // 2
        take_newer = min(len(newer), max(half, count - len(older)))
        return newer[:take_newer][::-1] + older[: count - take_newer]

    def for_lists(self):
        """Only the columns that a list of episodes shows; no notes."""
        return self.select_related("show").defer(
            "notes", "notes_html", "custom_xml", "imported_xml", "audio_facts"
        )


class Episode(Revised):
    class Status(models.TextChoices):
        DRAFT = "draft", "Draft"
        PUBLISHED = "published", "Published"

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
        return (
            self.status == self.Status.PUBLISHED
            and self.published_at is not None
            and self.published_at <= now
            and self.show.is_public
        )

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
        former = FormerEpisodeSlug.objects.filter(show=self.show_id, slug=self.slug)
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
                or FormerEpisodeSlug.objects.filter(show=self.show_id, slug=slug)
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
        FormerEpisodeSlug.objects.filter(show=self.show_id, slug=self.slug).delete()
        FormerEpisodeSlug.objects.update_or_create(
            show_id=before.show_id, slug=before.slug, defaults={"episode": self}
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
            FormerRecording.objects.update_or_create(
                episode=self,
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
        return reverse("episodes:episode", args=[self.show.slug, self.slug])

    # Audio

    @property
    def has_audio(self) -> bool:
        return bool(self.audio or self.audio_url)

    @property
    def audio_version(self) -> str:
        """A short name for this recording; another recording has another one."""
        return self.audio_sha256[:12]

    def get_audio_path(self) -> str:
        """The enclosure's address: ours for a file, the external one as it is, or ''."""
        if self.audio_url:
            return self.audio_url
        if not self.audio:
            return ""
        return reverse(
            "episodes:audio",
            args=[self.uid, self.audio_version, self.slug, self.audio_extension],
        )

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

    @property
    def is_explicit(self) -> bool:
        return self.show.explicit if self.explicit is None else self.explicit


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
