"""The rule of publication, and the order in which episodes follow one another."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

from episodes.models.revised import RevisedQuerySet
from episodes.models.show import Show

if TYPE_CHECKING:
    from episodes.models.episode import Episode


class Status(models.TextChoices):
    DRAFT = "draft", "Draft"
    PUBLISHED = "published", "Published"


def live(now: datetime, prefix: str = "") -> Q:
    """Let go and due at `now`: the rule of publication as far as the episode's own row has it.

    `prefix` asks it of rows that have episodes: `live(now, "episodes__")`.
    """
    return Q(
        **{
            f"{prefix}status": Status.PUBLISHED,
            f"{prefix}published_at__lte": now,
        }
    )


def is_public(episode: "Episode", now: datetime) -> bool:
    """The rule of `EpisodeQuerySet.public`, asked of a row in memory."""
    return (
        episode.status == Status.PUBLISHED
        and episode.published_at is not None
        and episode.published_at <= now
        and episode.show.is_public
    )


class EpisodeQuerySet(RevisedQuerySet):
    def published(self):
        """Episodes their editor has let go, now or for a later moment."""
        return self.filter(status=Status.PUBLISHED)

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
