"""The site as a whole: its name, and the revision that any public change moves."""

from datetime import UTC, datetime

from django.db import models
from django.db.models import Max, Min, Q
from django.utils import timezone

from episodes.models.edition import Edition
from episodes.models.revised import Revised

#: When a site that nobody has written anything for was last changed: at no moment that moves.
UNTOUCHED = datetime(2000, 1, 1, tzinfo=UTC)


class Site(Revised):
    """One row. `Site.current()` gives it, also before anything was saved."""

    KEY = 1
    touches_everything = True
    counters = ("revision", "revised_at")

    title = models.CharField(
        max_length=255, default="Podcasts", help_text="Shown on the home page and in page titles."
    )
    description = models.TextField(
        max_length=4000, blank=True, help_text="One or two sentences for the home page. Plain text."
    )
    revision = models.PositiveBigIntegerField(default=1, editable=False)
    revised_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = "site"
        verbose_name_plural = "site"
        constraints = [models.CheckConstraint(name="site_is_one_row", condition=Q(pk=1))]

    def __str__(self):
        return self.title

    def save(self, **options):
        """The one row is made once; saving a second `Site` changes it and keeps its counter."""
        self.pk = self.KEY
        if self._state.adding and models.QuerySet(Site).filter(pk=self.KEY).exists():
            self._state.adding = False
        super().save(**options)

    @classmethod
    def current(cls) -> "Site":
        """The site's row, with `newest` and `due` of all public episodes left to `edition`."""
        return models.QuerySet(cls).filter(pk=cls.KEY).first() or cls(
            pk=cls.KEY, revised_at=UNTOUCHED
        )

    def edition(self, now: datetime) -> Edition:
        """One query: the newest past and the next due moment over every public show."""
        from episodes.models.episode import Episode

        moments = Episode.objects.listed().aggregate(
            newest=Max("published_at", filter=Q(published_at__lte=now)),
            due=Min("published_at", filter=Q(published_at__gt=now)),
        )
        return Edition(self.revision, self.revised_at, moments["newest"], moments["due"])
