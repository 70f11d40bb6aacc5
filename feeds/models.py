"""What syndication keeps: rendered items, announcements, and where shows came from."""

from django.conf import settings
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

    `claimed` is the edition a worker took up last, at `claimed_at`, to announce it: taken by
    compare-and-set, so two workers announce an edition once. `attempts` are the failures since.
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


class AudioMode(models.TextChoices):
    COPY = "copy", "Copy the audio here"
    LINK = "link", "Leave the audio where it is"


class ImportedShow(models.Model):
    """Where a show came from, what its feed said, and what of its move has been seen done.

    `record` is the channel as it was read, `digests` what the last import wrote
    (`feeds.moving_in.differences`), `sources` which files were fetched.
    """

    show = models.OneToOneField(Show, models.CASCADE, primary_key=True, related_name="imported")
    feed_url = models.URLField("old feed", max_length=2000, blank=True)
    audio = models.CharField(max_length=4, choices=AudioMode, default=AudioMode.COPY)
    record = models.TextField(blank=True)
    digests = models.JSONField(default=dict)
    sources = models.JSONField(default=dict)
    checks = models.JSONField(default=dict)
    checked_at = models.DateTimeField(null=True, blank=True)
    check_queued_at = models.DateTimeField(null=True, blank=True)
    imported_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "move"
        verbose_name_plural = "moves"

    def __str__(self):
        return str(self.show)


class ImportedItem(models.Model):
    """An episode's item as it was read, HTML and all, and what the last import made of it."""

    episode = models.OneToOneField(
        Episode, models.CASCADE, primary_key=True, related_name="imported"
    )
    record = models.TextField()
    seen = models.CharField(max_length=16, blank=True)
    digests = models.JSONField(default=dict)
    sources = models.JSONField(default=dict)
    wanting = models.BooleanField("something is still missing", default=False)

    def __str__(self):
        return str(self.episode_id)


class ImportRun(models.Model):
    """One import asked for at the desk: how far it is, and what came of it.

    `source` is a digest of what is imported: of one source, one run is under way. `claim` is
    the worker that has it. Name and password of a protected feed stand here until the run has
    ended, and no longer.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"
        STOPPED = "stopped", "Stopped"

    show = models.ForeignKey(
        Show, models.SET_NULL, null=True, blank=True, related_name="import_runs"
    )
    feed_url = models.CharField("feed", max_length=2000, blank=True)
    document = models.BinaryField(default=b"", editable=False)
    document_name = models.CharField(max_length=255, blank=True)
    source = models.CharField(max_length=64, blank=True, editable=False)
    audio = models.CharField(max_length=4, choices=AudioMode, default=AudioMode.COPY)
    dry_run = models.BooleanField(
        "only look (dry run)",
        default=False,
        help_text="Say what would be made and changed. Nothing is written, and no audio fetched.",
    )
    protected = models.BooleanField(default=False, editable=False)
    user = models.CharField(max_length=255, blank=True, editable=False)
    password = models.CharField(max_length=255, blank=True, editable=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    claim = models.CharField(max_length=32, blank=True, editable=False)
    doing = models.CharField(max_length=255, blank=True, editable=False)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    report = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    beat_at = models.DateTimeField("last sign of life", null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = "import"
        constraints = [
            models.UniqueConstraint(
                fields=["source"],
                condition=models.Q(state__in=["waiting", "running"]) & ~models.Q(source=""),
                name="import_run_once_per_source",
            )
        ]

    def __str__(self):
        return self.feed_url or self.document_name

    @property
    def is_under_way(self) -> bool:
        return self.state in {self.State.WAITING, self.State.RUNNING}
