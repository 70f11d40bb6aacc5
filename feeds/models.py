"""What syndication keeps: rendered items, so that a new edition re-renders one of them."""

from django.db import models

from episodes.models import Episode, Show


class StoredItem(models.Model):
    """An episode's `<item>` as it was last rendered, and the key of what it was made from.

    It is a cache: a row may be missing or old, and nothing else refers to it.
    """

    episode = models.OneToOneField(
        Episode, models.CASCADE, primary_key=True, related_name="stored_item"
    )
    key = models.CharField(max_length=64)
    xml = models.BinaryField()

    def __str__(self):
        return self.key


class Announcement(models.Model):
    """What one hub has been told of one show; the row, not a queue, says what is still to do.

    `claimed` is the edition a worker is about to announce: taken by
    compare-and-set, so two workers announce an edition once.
    """

    show = models.ForeignKey(Show, models.CASCADE, related_name="announcements")
    hub = models.URLField(max_length=500)
    announced = models.CharField("edition announced", max_length=64, blank=True)
    announced_at = models.DateTimeField(null=True, blank=True)
    claimed = models.CharField(max_length=64, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    queued_until = models.DateTimeField(null=True, blank=True)
    due_queued = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField("failed attempts", default=0)
    last_error = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["show", "hub"]
        constraints = [
            models.UniqueConstraint(fields=["show", "hub"], name="announcement_once_per_hub")
        ]

    def __str__(self):
        return f"{self.show} at {self.hub}"


class ShowArchive(models.Model):
    """The archive of a show that an editor asked for at the desk: to come, ready, or failed.

    `name` is its file in the media. It is a plain column: an archive is made again when it is
    wanted again, and neither backups nor exports carry it along.
    """

    show = models.OneToOneField(Show, models.CASCADE, primary_key=True, related_name="archive")
    name = models.CharField(max_length=255, blank=True)
    bytes = models.PositiveBigIntegerField(default=0)
    revision = models.PositiveBigIntegerField("revision of the show in it", default=0)
    asked_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=1000, blank=True)

    def __str__(self):
        return f"Archive of {self.show}"
