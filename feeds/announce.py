"""Announcing editions to WebSub hubs and Podping: after commit, once, in no editor's way.

The state of `Announcement` rows decides, not the queue: a lost task or a
killed worker loses nothing, the next look finds the edition unannounced.
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from episodes.links import absolute
from episodes.models import Show
from feeds.fetching import FetchError
from feeds.models import Announcement
from feeds.podping import podping
from feeds.websub import ping

logger = logging.getLogger(__name__)

#: Edits of ten seconds are announced together.
DEBOUNCE = timedelta(seconds=10)

#: A worker that claimed an edition and did not report within this time is taken for dead.
CLAIM_LASTS = timedelta(minutes=2)

MAX_ATTEMPTS = 12


def backoff(attempts: int) -> timedelta:
    """30 s, 1 min, 2 min … at most 6 h."""
    return min(timedelta(seconds=30 * 2 ** max(0, attempts - 1)), timedelta(hours=6))


def on_edition_moved(sender, show_ids, **kwargs) -> None:
    """Queue a look at each show whose public content changed, and one for its next due date."""
    if hubs():
        now = timezone.now()
        for show in Show.objects.public().with_edition(now).filter(pk__in=show_ids):
            queue(show, now)


def hubs() -> list[str]:
    """The addresses that are told: WebSub hubs, and the gateway to Podping if there is a token."""
    return [*settings.WEBSUB_HUBS, *([settings.PODPING_URL] if settings.PODPING_TOKEN else [])]


def queue(show: Show, now: datetime) -> None:
    """Make sure a task will look at `show` after the debounce, and when an episode falls due."""
    from feeds.tasks import announce_show

    idle = Q(queued_until__isnull=True) | Q(queued_until__lt=now)
    if rows_of(show).filter(idle).update(queued_until=now + DEBOUNCE):
        announce_show.using(run_after=now + DEBOUNCE).enqueue(show.pk)
    queue_due(show)


def queue_due(show: Show) -> None:
    """Make sure a task will look at `show` when its next scheduled episode falls due."""
    from feeds.tasks import announce_show

    due = show.due
    if due and rows_of(show).exclude(due_queued=due).update(due_queued=due):
        announce_show.using(run_after=due + timedelta(seconds=1)).enqueue(show.pk)


def rows_of(show: Show):
    """The show's rows for the hubs in use, made where missing."""
    Announcement.objects.bulk_create(
        [Announcement(show=show, hub=hub) for hub in hubs()], ignore_conflicts=True
    )
    return Announcement.objects.filter(show=show, hub__in=hubs())


def announce(show_id: int) -> int:
    """Tell every hub that does not know the show's present edition. Returns hubs told.

    Failures are written down and tried again with growing pauses. An episode that just fell
    due leaves the next one to be waited for, which no edit may come to queue.
    """
    now = timezone.now()
    show = Show.objects.public().with_edition(now).filter(pk=show_id).first()
    if show is None or show.new_feed_url:
        return 0
    queue_due(show)
    edition = show.edition().tag
    return sum(
        tell(row, edition, absolute(show.get_feed_path()), show.medium)
        for row in rows_of(show).exclude(announced=edition)
    )


def tell(row: Announcement, edition: str, feed_url: str, medium: str = "podcast") -> bool:
    """Claim, ping, write down. False when another worker has the claim or the hub refused."""
    now = timezone.now()
    free = ~Q(claimed=edition) | Q(claimed_at__lt=now - CLAIM_LASTS)
    own = Announcement.objects.filter(pk=row.pk)
    if not own.filter(free).exclude(announced=edition).update(claimed=edition, claimed_at=now):
        return False
    try:
        if row.hub == settings.PODPING_URL and row.hub not in settings.WEBSUB_HUBS:
            podping(row.hub, settings.PODPING_TOKEN, feed_url, medium)
        else:
            ping(row.hub, feed_url)
    except FetchError as error:
        attempts = row.attempts + 1
        own.update(claimed="", attempts=attempts, last_error=str(error)[:500])
        logger.warning("hub %s refused %s (attempt %d): %s", row.hub, feed_url, attempts, error)
        if attempts < MAX_ATTEMPTS:
            from feeds.tasks import announce_show

            announce_show.using(run_after=now + backoff(attempts)).enqueue(row.show_id)
        return False
    own.update(announced=edition, announced_at=timezone.now(), attempts=0, last_error="")
    return True


def sweep() -> int:
    """Queue every public show some hub is behind on; for starts after a crash."""
    if not hubs():
        return 0
    now, count = timezone.now(), 0
    for show in Show.objects.public().with_edition(now).filter(new_feed_url=""):
        if rows_of(show).exclude(announced=show.edition().tag).update(queued_until=None):
            queue(show, now)
            count += 1
    return count
