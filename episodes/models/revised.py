"""What the public sees has a revision, and every write that can change it moves it.

A model whose rows show on a public surface derives from `Revised` and names
the way from its rows to the shows and episodes they show on. Saving, updating
by queryset, bulk creating and deleting (cascades included) then count up
`Show.revision`, `Episode.revision` and the site's, in the transaction of the
write itself. Caches and feeds are keyed by these counters and by nothing else.
"""

from collections.abc import Iterable

from django.db import models, transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.db.models.signals import pre_delete
from django.utils import timezone

from episodes.signals import edition_moved, episodes_reworded


class RevisedQuerySet(models.QuerySet):
    """A QuerySet whose bulk writes move the revisions they touch."""

    def update(self, **changes):
        with transaction.atomic(using=self.db):
            pks = list(self.order_by().values_list("pk", flat=True))
            before = Touched.by(self.model, pks)
            count = super().update(**changes)
            (before | Touched.by(self.model, pks)).bump()
        return count

    update.alters_data = True

    def bulk_create(self, objs, *args, **kwargs):
        with transaction.atomic(using=self.db):
            created = super().bulk_create(objs, *args, **kwargs)
            Touched.by(self.model, [row.pk for row in created]).bump()
        return created


class Revised(models.Model):
    """Base of every model that shows on a public surface.

    `show_paths` and `episode_paths` are the look-ups from a row to the keys of
    the shows and episodes whose public face it is part of.
    """

    show_paths: tuple[str, ...] = ()
    episode_paths: tuple[str, ...] = ()
    touches_everything = False  # it shows on the pages of every show
    is_searched = False  # its words are what a search of its episode finds
    counters: tuple[str, ...] = ()  # fields that only `Touched.bump` may write

    objects = models.Manager.from_queryset(RevisedQuerySet)()

    class Meta:
        abstract = True

    def save(self, *, force_insert=False, force_update=False, using=None, update_fields=None):
        """As Django's, but a row loaded earlier never writes an old counter back."""
        if self.counters and not self._state.adding and not force_insert and update_fields is None:
            update_fields = [
                field.name
                for field in self._meta.concrete_fields
                if not field.primary_key and field.name not in self.counters
            ]
        super().save(
            force_insert=force_insert,
            force_update=force_update,
            using=using,
            update_fields=update_fields,
        )

    def save_base(self, *args, **kwargs):
        with transaction.atomic():
            before = Touched.by(type(self), [self.pk])
            super().save_base(*args, **kwargs)
            (before | Touched.by(type(self), [self.pk])).bump()

    save_base.alters_data = True


class Touched:
    """The shows and episodes whose public face a write changes, and whose words it may."""

    def __init__(
        self,
        shows: Iterable[int] = (),
        episodes: Iterable[int] = (),
        reworded: Iterable[int] = (),
    ):
        self.shows = set(shows) - {None}
        self.episodes = set(episodes) - {None}
        self.reworded = set(reworded)

    def __or__(self, other: "Touched") -> "Touched":
        return Touched(
            self.shows | other.shows,
            self.episodes | other.episodes,
            self.reworded | other.reworded,
        )

    @classmethod
    def by(cls, model, pks: list) -> "Touched":
        """What rows `pks` of `model` show on. One query per path, none for an unsaved row."""
        pks = [pk for pk in pks if pk is not None]
        if not pks:
            return cls()
        if model.touches_everything:
            from episodes.models import Show

            return cls(models.QuerySet(Show).values_list("pk", flat=True))

        def keys(path: str) -> Iterable[int]:
            if path == "pk":
                return pks
            rows: models.QuerySet = models.QuerySet(model)
            return (
                key
                for start in range(0, len(pks), 1000)
                for key in rows.filter(pk__in=pks[start : start + 1000])
                .values_list(path, flat=True)
                .distinct()
            )

        touched = cls(
            (key for path in model.show_paths for key in keys(path)),
            (key for path in model.episode_paths for key in keys(path)),
        )
        if model.is_searched:
            touched.reworded = set(touched.episodes)
        return touched

    def bump(self) -> None:
        """Count up the revisions of these rows and of the site, and tell who follows them."""
        from episodes.models import Episode, Show, Site

        now = timezone.now()
        move = {"revision": F("revision") + 1, "revised_at": Greatest(F("revised_at"), now)}
        for model, pks in ((Show, self.shows), (Episode, self.episodes)):
            keys = sorted(pks)
            for start in range(0, len(keys), 1000):
                models.QuerySet(model).filter(pk__in=keys[start : start + 1000]).update(**move)
        if not models.QuerySet(Site).filter(pk=Site.KEY).update(**move):
            sites: models.QuerySet = models.QuerySet(Site)
            sites.bulk_create(
                [Site(pk=Site.KEY, revision=1, revised_at=now)], ignore_conflicts=True
            )
        if self.reworded:
            episodes_reworded.send(sender=Episode, episode_ids=frozenset(self.reworded))
        if self.shows:
            shows = frozenset(self.shows)
            transaction.on_commit(
                lambda: edition_moved.send_robust(sender=Show, show_ids=shows), robust=True
            )


def _revise_before_delete(sender, instance, origin=None, **kwargs):
    """Rows that go, by themselves or by cascade, move what they showed on.

    When a whole show goes, its own row says it once for all that goes with it.
    """
    if not isinstance(instance, Revised):
        return
    from episodes.models import Show

    whole_show = getattr(origin, "model", type(origin)) is Show
    if whole_show and sender is not Show:
        return
    Touched.by(sender, [instance.pk]).bump()


pre_delete.connect(_revise_before_delete, dispatch_uid="episodes.revise_before_delete")
