"""Announcing editions to WebSub hubs and Podping: after commit, once, in no editor's way.

The state of `Announcement` rows decides, not the queue: a lost task or a
killed worker loses nothing, the next look finds the edition unannounced.
"""

import logging
from datetime import UTC, datetime, timedelta

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

#: How often one edition is tried at one hub: for about half a day.
MAX_ATTEMPTS = 12

#: A hub that has refused this often in a row (for an hour), or refuses and took nothing for a
#: day, is thought to be away: a new edition then does not make the pauses short again.
AWAY_ATTEMPTS, AWAY_AFTER = 8, timedelta(days=1)


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
    """Claim, ping, write down. False when it is not yet time, or the hub refused.

    A claim is taken from the row as it was read, so of two workers one has it. Its edition and
    moment stay with a refusal and say what was tried last, and when.
    """
    now = timezone.now()
    failed = attempts_before(row, edition, now)
    due = next_try(row, edition, failed)
    if now < due:
        look_again(row, edition, due, now)
        return False
    own = Announcement.objects.filter(pk=row.pk)
    as_read = own.filter(claimed=row.claimed, claimed_at=row.claimed_at, attempts=row.attempts)
    claim = {"claimed": edition, "claimed_at": now, "attempts": failed}
    if not as_read.exclude(announced=edition).update(**claim):
        return False
    own = own.filter(claimed=edition, claimed_at=now)
    try:
        if row.hub == settings.PODPING_URL and row.hub not in settings.WEBSUB_HUBS:
            podping(row.hub, settings.PODPING_TOKEN, feed_url, medium)
        else:
            ping(row.hub, feed_url)
    except FetchError as error:
        attempts = failed + 1
        own.update(attempts=attempts, last_error=str(error)[:500])
        logger.warning("hub %s refused %s (attempt %d): %s", row.hub, feed_url, attempts, error)
        if attempts < MAX_ATTEMPTS:
            from feeds.tasks import announce_show

            announce_show.using(run_after=now + backoff(attempts)).enqueue(row.show_id)
        return False
    own.update(announced=edition, announced_at=timezone.now(), attempts=0, last_error="")
    return True


def attempts_before(row: Announcement, edition: str, now: datetime) -> int:
    """How many attempts in a row failed before the next one to announce `edition`.

    A new edition begins at none, unless the hub is away: then where pauses are an hour, from
    which four attempts are left to it.
    """
    if row.claimed == edition:
        return row.attempts
    took = row.announced_at is not None and now - row.announced_at < AWAY_AFTER
    return 0 if took and row.attempts < AWAY_ATTEMPTS else min(row.attempts, AWAY_ATTEMPTS)


def next_try(row: Announcement, edition: str, failed: int) -> datetime:
    """When `edition` may be announced, `failed` attempts after the last success."""
    if row.claimed_at is None or not (failed or row.claimed == edition):
        return datetime.min.replace(tzinfo=UTC)
    return row.claimed_at + (backoff(failed) if failed else CLAIM_LASTS)


def look_again(row: Announcement, edition: str, due: datetime, now: datetime) -> None:
    """Make sure that a look comes at `due`: a refusal has queued its own, for its edition."""
    from feeds.tasks import announce_show

    if row.claimed == edition:
        wanted = row.attempts == 0  # taken by a worker that may have died
    else:
        idle = Q(queued_until__isnull=True) | Q(queued_until__lte=now)
        wanted = Announcement.objects.filter(idle, pk=row.pk).update(queued_until=due) > 0
    if wanted:
        announce_show.using(run_after=due).enqueue(row.show_id)


def sweep() -> int:
    """Queue every public show some hub is behind on, refused before or not; for starts."""
    if not hubs():
        return 0
    now, count = timezone.now(), 0
    for show in Show.objects.public().with_edition(now).filter(new_feed_url=""):
        behind = rows_of(show).exclude(announced=show.edition().tag)
        if behind.update(queued_until=None):
            behind.filter(attempts__gt=0).update(claimed_at=None)
            queue(show, now)
            count += 1
    return count
