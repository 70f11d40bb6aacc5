"""Show: one podcast, with everything a directory or a listener wants to know of it."""

import uuid
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Count, Max, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils import timezone

from episodes import categories
from episodes.models.edition import Edition
from episodes.models.revised import Revised, RevisedQuerySet
from episodes.models.validators import (
    http_url,
    language_code,
    slug_shape,
    validate_bytes_4000,
    validate_show_slug,
)
from episodes.slugs import MAX_LENGTH, RESERVED_SHOW_SLUGS, free_slug, slug_from

#: https://podcastindex.org/namespace/1.0, tag `guid`: the namespace of the UUIDv5.
PODCAST_NAMESPACE = uuid.UUID("ead4c236-bf58-58c6-a2c6-a6b28d128cb6")


def podcast_guid(feed_url: str) -> str:
    """The `podcast:guid` of a show first published at `feed_url`.

    UUIDv5 of the address without scheme and without trailing slashes
    (Podcasting 2.0 namespace, tag `guid`).
    """
    return str(uuid.uuid5(PODCAST_NAMESPACE, feed_url.partition("://")[2].rstrip("/")))


class ShowQuerySet(RevisedQuerySet):
    def public(self):
        """Shows that anybody may see."""
        return self.filter(visibility=Show.Visibility.PUBLIC)

    def with_live_counts(self, now: datetime):
        """Adds `live_count` and `newest_at`, over the episodes that are live at `now`."""
        from episodes.models.publication import live

        rule = live(now, "episodes__")
        return self.annotate(
            live_count=Count("episodes", filter=rule),
            newest_at=Max("episodes__published_at", filter=rule),
        )

    def with_edition(self, now: datetime):
        """Adds `newest` and `due`, from which `Show.edition` is made: no further query."""
        from episodes.models.episode import Episode

        moments = Episode.objects.published().filter(show=OuterRef("pk"))
        past = moments.filter(published_at__lte=now).order_by("-published_at")
        coming = moments.filter(published_at__gt=now).order_by("published_at")
        return self.annotate(
            newest=Subquery(past.values("published_at")[:1]),
            due=Subquery(coming.values("published_at")[:1]),
        )


class Show(Revised):
    class Visibility(models.TextChoices):
        PUBLIC = "public", "Public"
        HIDDEN = "hidden", "Hidden: as if it did not exist (404)"
        WITHDRAWN = "withdrawn", "Withdrawn for good (410)"

    class Type(models.TextChoices):
        EPISODIC = "episodic", "Episodic: newest first"
        SERIAL = "serial", "Serial: in order, oldest first"

    show_paths = ("pk",)
    counters = ("revision", "revised_at")

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    title = models.CharField(max_length=255)
    slug = models.CharField(
        max_length=MAX_LENGTH,
        unique=True,
        validators=[slug_shape, validate_show_slug],
        error_messages={"unique": "Another show has this slug. Choose a different one."},
        help_text="The show's address: /slug/. When it changes, old addresses redirect for ever.",
    )
    tagline = models.CharField(max_length=255, blank=True, help_text="One line under the title.")
    description = models.TextField(
        validators=[validate_bytes_4000],
        help_text="Plain text, at most 4,000 bytes. Blank lines separate paragraphs.",
    )
    language = models.CharField(max_length=35, default="en", validators=[language_code])
    author = models.CharField(max_length=255, blank=True)
    owner_name = models.CharField(max_length=255, blank=True)
    owner_email = models.EmailField(
        blank=True, help_text="Only put into the feed when the box below says so."
    )
    owner_in_feed = models.BooleanField(
        "owner in the feed",
        default=False,
        help_text="Some directories verify by mail to this address. It becomes public.",
    )
    artwork = models.FileField(
        blank=True,
        max_length=255,
        help_text="Square, 1400 × 1400 to 3000 × 3000 pixels, JPEG or PNG.",
    )
    artwork_alt = models.CharField(
        "artwork description", max_length=420, blank=True, help_text="For people who cannot see it."
    )
    category = models.CharField(max_length=80, choices=categories.choices, default="Technology")
    category_2 = models.CharField(
        "second category", max_length=80, choices=categories.choices, blank=True
    )
    category_3 = models.CharField(
        "third category", max_length=80, choices=categories.choices, blank=True
    )
    explicit = models.BooleanField(
        default=False, help_text="Contains language or themes not meant for children."
    )
    type = models.CharField(max_length=10, choices=Type, default=Type.EPISODIC)
    copyright = models.CharField(max_length=255, blank=True)
    license = models.CharField(
        "licence", max_length=128, blank=True, help_text="For example CC-BY-4.0."
    )
    license_url = models.URLField(
        "licence address", blank=True, validators=[http_url], max_length=500
    )
    link = models.URLField(
        "website",
        blank=True,
        validators=[http_url],
        max_length=500,
        help_text="The show's own website, if it has one besides this page.",
    )
    guid = models.CharField(
        "podcast GUID",
        max_length=36,
        unique=True,
        blank=True,
        validators=[
            RegexValidator(
                r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z", "Not the shape of a GUID."
            )
        ],
        error_messages={"unique": "Another show has this podcast GUID."},
        help_text="The show's identity for life; made when it is first saved, kept when it moves.",
    )
    medium = models.CharField(max_length=20, default="podcast")
    locked = models.BooleanField(
        default=True, help_text="Tells other hosts not to import this feed without asking."
    )
    complete = models.BooleanField(default=False, help_text="No further episodes will come.")
    blocked = models.BooleanField(
        "hidden from directories", default=False, help_text="Asks Apple and others not to list it."
    )
    new_feed_url = models.URLField(
        "moved to",
        blank=True,
        validators=[http_url],
        max_length=500,
        help_text="The feed's new home. Our feed address then redirects there.",
    )
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    page_size = models.PositiveIntegerField(
        "episodes per feed page",
        default=1000,
        help_text="Directories read the first page only: keep it large.",
    )
    chapters_in_notes = models.BooleanField(default=False)
    write_tags = models.BooleanField(
        "write tags into audio files",
        default=False,
        help_text=(
            "Puts title, show, number, artwork and chapters into a copy of the recording when an "
            "episode goes out. The upload is kept."
        ),
    )
    update_frequency = models.CharField(
        max_length=128, blank=True, help_text="In words, for example: every weekday."
    )
    update_rrule = models.CharField(
        "update rule", max_length=255, blank=True, help_text="RFC 5545, e.g. FREQ=WEEKLY;BYDAY=MO."
    )
    publisher_guid = models.CharField("publisher feed GUID", max_length=36, blank=True)
    publisher_url = models.URLField("publisher feed", blank=True, max_length=500)
    custom_xml = models.TextField(
        "further feed elements",
        blank=True,
        help_text="XML elements with their namespaces declared, put into the channel as they are.",
    )
    imported_xml = models.TextField(blank=True, editable=False)
    imported_from = models.URLField(blank=True, editable=False, max_length=2000)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    revision = models.PositiveBigIntegerField(default=1, editable=False)
    revised_at = models.DateTimeField(default=timezone.now, editable=False)

    # Columns that querysets add: with_edition and episodes.visibility.
    newest: datetime | None
    due: datetime | None
    site_title: str | None

    objects = models.Manager.from_queryset(ShowQuerySet)()

    class Meta:
        ordering = ["title", "pk"]
        indexes = [models.Index(fields=["visibility", "title"], name="show_by_visibility")]
        constraints = [
            models.CheckConstraint(name="show_slug_is_not_empty", condition=~Q(slug="")),
            models.CheckConstraint(name="show_guid_is_not_empty", condition=~Q(guid="")),
            models.CheckConstraint(
                name="show_page_size_is_positive", condition=Q(page_size__gte=1)
            ),
        ]

    def __str__(self):
        return self.title

    def clean(self):
        self.title = self.title.strip()
        if not self.slug and self.title:
            self.slug = self.make_slug()
        if self.slug and (
            FormerShowSlug.objects.filter(slug=self.slug).exclude(show=self.pk).exists()
        ):
            raise ValidationError(
                {"slug": "This slug was another show's, and its old addresses still redirect."}
            )
        if self.owner_in_feed and not self.owner_email:
            raise ValidationError({"owner_email": "Give the address that the feed shall carry."})

    def make_slug(self) -> str:
        def taken(slug):
            return (
                slug in RESERVED_SHOW_SLUGS
                or Show.objects.filter(slug=slug).exclude(pk=self.pk).exists()
                or FormerShowSlug.objects.filter(slug=slug).exclude(show=self.pk).exists()
            )

        return free_slug(slug_from(self.title, fallback="show"), taken)

    def save_base(self, *args, **kwargs):
        """Fills slug and GUID once; a slug that changed leaves its old address redirecting."""
        from episodes.links import absolute

        if not self.slug:
            self.slug = self.make_slug()
        if not self.guid:
            self.guid = podcast_guid(absolute(self.get_feed_path()))
        if self.pk and not kwargs.get("raw"):
            before = Show.objects.filter(pk=self.pk).values_list("slug", flat=True).first()
            super().save_base(*args, **kwargs)
            if before and before != self.slug:
                FormerShowSlug.objects.filter(slug=self.slug, show=self).delete()
                FormerShowSlug.objects.get_or_create(slug=before, defaults={"show": self})
        else:
            super().save_base(*args, **kwargs)

    def get_absolute_url(self):
        return reverse("episodes:show", args=[self.slug])

    def get_feed_path(self):
        return reverse("feeds:show", args=[self.slug])

    @property
    def is_public(self) -> bool:
        return self.visibility == self.Visibility.PUBLIC

    @property
    def categories(self) -> list[str]:
        return [name for name in (self.category, self.category_2, self.category_3) if name]

    def edition(self) -> Edition:
        """From the columns of `with_edition`; raises AttributeError without them."""
        return Edition(self.revision, self.revised_at, self.newest, self.due, self.pk)


class FormerShowSlug(Revised):
    """A slug the show once had; all its addresses redirect for ever."""

    show_paths = ("show",)

    show = models.ForeignKey(Show, models.CASCADE, related_name="former_slugs")
    slug = models.CharField(max_length=MAX_LENGTH, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self):
        return self.slug
