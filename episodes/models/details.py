"""Details a show or an episode may carry: funding, places, highlights and the like.

Each is a row with one owner, a show or an episode, so that an editor who wants
none of it never meets it. Limits are those of the Podcasting 2.0 namespace.
"""

from django.db import models
from django.db.models import Q

from episodes.models.episode import Episode
from episodes.models.revised import Revised
from episodes.models.show import Show
from episodes.models.validators import http_url


def one_owner(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        name=f"{name}_has_one_owner",
        condition=Q(show__isnull=True, episode__isnull=False)
        | Q(show__isnull=False, episode__isnull=True),
    )


class Detail(Revised):
    """Base of what hangs on a show or on an episode."""

    show_paths = ("show", "episode__show")
    episode_paths = ("episode",)

    show = models.ForeignKey(
        Show, models.CASCADE, null=True, blank=True, related_name="%(class)s_set"
    )
    episode = models.ForeignKey(
        Episode, models.CASCADE, null=True, blank=True, related_name="%(class)s_set"
    )
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True
        ordering = ["position", "pk"]


class Funding(Detail):
    url = models.URLField("address", max_length=1000, validators=[http_url])
    text = models.CharField(max_length=128, help_text="For example “Support the show”.")

    class Meta(Detail.Meta):
        verbose_name_plural = "funding"
        constraints = [one_owner("funding")]

    def __str__(self):
        return self.text


class Location(Detail):
    class Rel(models.TextChoices):
        SUBJECT = "subject", "It is about this place"
        CREATOR = "creator", "It is made here"

    name = models.CharField(max_length=128)
    rel = models.CharField(max_length=10, choices=Rel, default=Rel.SUBJECT)
    geo = models.CharField(max_length=100, blank=True, help_text="geo:30.2672,97.7431")
    osm = models.CharField(max_length=40, blank=True, help_text="For example R113314.")
    country = models.CharField(max_length=2, blank=True, help_text="Two letters (ISO 3166-1).")

    class Meta(Detail.Meta):
        constraints = [one_owner("location")]

    def __str__(self):
        return self.name


class TextRecord(Detail):
    """podcast:txt: short notes for machines, such as proofs of ownership."""

    purpose = models.CharField(
        max_length=128, blank=True, help_text="For example verify, applepodcastsverify, ai-content."
    )
    value = models.TextField(max_length=4000)

    class Meta(Detail.Meta):
        constraints = [one_owner("text_record")]

    def __str__(self):
        return self.purpose or self.value[:40]


class SocialInteraction(Detail):
    """Where the official conversation about it is."""

    class Protocol(models.TextChoices):
        ACTIVITYPUB = "activitypub", "Mastodon and the Fediverse"
        ATPROTO = "atproto", "Bluesky"
        NOSTR = "nostr", "Nostr"
        MATRIX = "matrix", "Matrix"
        LIGHTNING = "lightning", "Lightning"
        HIVE = "hive", "Hive"
        TWITTER = "twitter", "X"
        DISABLED = "disabled", "No comments wanted"

    protocol = models.CharField(max_length=20, choices=Protocol)
    uri = models.CharField("address", max_length=1000, blank=True)
    account_id = models.CharField(max_length=255, blank=True)
    account_url = models.URLField(max_length=1000, blank=True)
    priority = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta(Detail.Meta):
        constraints = [
            one_owner("social_interaction"),
            models.CheckConstraint(
                name="social_interaction_has_an_address",
                condition=~Q(uri="") | Q(protocol="disabled"),
                violation_error_message="Give the address of the post to answer to.",
            ),
        ]

    def __str__(self):
        return f"{self.get_protocol_display()} {self.uri}".strip()


class ExtraImage(Detail):
    """podcast:image: a picture in another shape or for another purpose."""

    url = models.URLField("address", max_length=1000, validators=[http_url])
    alt = models.CharField("description", max_length=420, blank=True)
    aspect_ratio = models.CharField(max_length=20, blank=True, help_text="For example 16/9.")
    width = models.PositiveIntegerField(null=True, blank=True)
    height = models.PositiveIntegerField(null=True, blank=True)
    media_type = models.CharField(max_length=60, blank=True)
    purpose = models.CharField(max_length=128, blank=True)

    class Meta(Detail.Meta):
        constraints = [one_owner("extra_image")]

    def __str__(self):
        return self.alt or self.url


class ValuePayment(Detail):
    """podcast:value: how listeners can stream payments, and to whom."""

    type = models.CharField(max_length=30, default="lightning")
    method = models.CharField(max_length=30, default="keysend")
    suggested = models.CharField(max_length=30, blank=True)
    recipients = models.JSONField(
        default=list,
        help_text='A list of {"name", "type", "address", "split", "fee", "custom_key", '
        '"custom_value"}.',
    )

    class Meta(Detail.Meta):
        constraints = [one_owner("value_payment")]

    def __str__(self):
        return f"{self.type} ({self.method})"


class Chat(Detail):
    server = models.CharField(max_length=255)
    protocol = models.CharField(max_length=20)
    account_id = models.CharField(max_length=255, blank=True)
    space = models.CharField(max_length=255, blank=True)

    class Meta(Detail.Meta):
        constraints = [one_owner("chat")]

    def __str__(self):
        return f"{self.protocol} {self.server}"


class Recommendation(Revised):
    """A show that this show recommends (podcast:podroll)."""

    show_paths = ("show",)

    show = models.ForeignKey(Show, models.CASCADE, related_name="recommendations")
    feed_guid = models.CharField("podcast GUID", max_length=36)
    feed_url = models.URLField("feed", max_length=1000, blank=True)
    title = models.CharField(max_length=255, blank=True)
    medium = models.CharField(max_length=20, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self):
        return self.title or self.feed_guid


class PlatformBlock(Revised):
    """Which platforms may show the feed (podcast:block)."""

    show_paths = ("show",)

    show = models.ForeignKey(Show, models.CASCADE, related_name="platform_blocks")
    service = models.CharField(
        max_length=60, blank=True, help_text="A platform's slug; empty means all of them."
    )
    blocked = models.BooleanField(default=True)

    class Meta:
        ordering = ["service", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["show", "service"], name="platform_block_once")
        ]

    def __str__(self):
        return f"{self.service or 'all'}: {'yes' if self.blocked else 'no'}"


class Soundbite(Revised):
    """A highlight: a stretch of the audio that stands for the whole."""

    show_paths = ("episode__show",)
    episode_paths = ("episode",)

    episode = models.ForeignKey(Episode, models.CASCADE, related_name="soundbites")
    start_ms = models.PositiveBigIntegerField("start in milliseconds")
    duration_ms = models.PositiveBigIntegerField("length in milliseconds")
    title = models.CharField(max_length=128, blank=True)

    class Meta:
        ordering = ["start_ms", "pk"]
        constraints = [
            models.CheckConstraint(name="soundbite_has_a_length", condition=Q(duration_ms__gt=0))
        ]

    def __str__(self):
        return self.title or f"{self.start_ms / 1000:.0f} s"


class AlternateEnclosure(Revised):
    """The same episode in another format, or its video."""

    show_paths = ("episode__show",)
    episode_paths = ("episode",)

    episode = models.ForeignKey(Episode, models.CASCADE, related_name="alternate_enclosures")
    sources = models.JSONField(default=list, help_text="A list of addresses of the same file.")
    media_type = models.CharField(max_length=100)
    length = models.PositiveBigIntegerField("bytes", null=True, blank=True)
    bitrate = models.PositiveIntegerField("bits per second", null=True, blank=True)
    height = models.PositiveIntegerField(null=True, blank=True)
    language = models.CharField(max_length=35, blank=True)
    title = models.CharField(max_length=32, blank=True)
    rel = models.CharField(max_length=32, blank=True)
    codecs = models.CharField(max_length=100, blank=True)
    is_default = models.BooleanField("same file as the enclosure", default=False)
    integrity = models.CharField("SRI value", max_length=255, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self):
        return self.title or self.media_type


class ContentLink(Revised):
    """Where else the episode can be had, outside podcast apps."""

    show_paths = ("episode__show",)
    episode_paths = ("episode",)

    episode = models.ForeignKey(Episode, models.CASCADE, related_name="content_links")
    url = models.URLField("address", max_length=1000, validators=[http_url])
    text = models.CharField(max_length=128)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self):
        return self.text


class LiveStream(Revised):
    """podcast:liveItem: a show going out live, announced in the feed."""

    class Status(models.TextChoices):
        PENDING = "pending", "Announced"
        LIVE = "live", "Live now"
        ENDED = "ended", "Ended"

    show_paths = ("show",)

    show = models.ForeignKey(Show, models.CASCADE, related_name="live_streams")
    guid = models.CharField("GUID", max_length=255)
    title = models.CharField(max_length=255)
    description = models.TextField(blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)
    stream_url = models.URLField("stream", max_length=1000, blank=True, validators=[http_url])
    stream_type = models.CharField(max_length=60, default="audio/mpeg")
    content_url = models.URLField("page to listen at", max_length=1000, validators=[http_url])
    content_text = models.CharField(max_length=128, default="Listen live")

    class Meta:
        ordering = ["-starts_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["show", "guid"], name="live_stream_guid_once_per_show")
        ]

    def __str__(self):
        return self.title
