"""Imports asked for at the desk: queued, carried out by the worker, and gone on with after a crash.

The row decides, not the queue: a lost task or a killed worker leaves a run without a sign of
life, which the next start queues again.
"""

import logging
import time
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from episodes.models import Show
from feeds.models import ImportRun
from feeds.moving_in.downloads import sweep as sweep_downloads
from feeds.moving_in.report import ImportReport
from feeds.moving_in.running import Options, import_feed
from feeds.moving_in.source import Source

logger = logging.getLogger(__name__)

#: A run whose worker gave no sign of life for so long is taken for dead.
SILENCE = timedelta(minutes=5)

#: Seconds between two signs of life.
BEAT = 1.0

#: Problems kept with a run; the counts are whole.
MOST_PROBLEMS = 1000


def queue(run: ImportRun) -> None:
    """Have the worker carry it out."""
    from feeds.tasks import run_import

    run_import.enqueue(run.pk)


def carry_out(run_id: int) -> str:
    """The run's state after it: done or failed; "" when another worker has it."""
    now = timezone.now()
    own = ImportRun.objects.filter(pk=run_id)
    free = Q(state=ImportRun.State.WAITING) | Q(
        state=ImportRun.State.RUNNING, beat_at__lt=now - SILENCE
    )
    if not own.filter(free).update(state=ImportRun.State.RUNNING, beat_at=now):
        return ""
    run = own.get()
    report = ImportReport(feed=str(run))
    try:
        report = import_feed(source_of(run), options_of(run), Beat(run_id))
    except Exception as error:
        # Whatever it was, the editor shall see that it ended, and the log what it was.
        logger.exception("import %s failed", run_id)
        report.refused = f"The import stopped at an error of this site: {type(error).__name__}."
    state = ImportRun.State.FAILED if report.refused else ImportRun.State.DONE
    own.update(
        state=state,
        show=Show.objects.filter(slug=report.slug).first() if report.slug else None,
        report=summary(report),
        user="",
        password="",
        finished_at=timezone.now(),
    )
    return state


class Beat:
    """Writes progress down, at most once a second."""

    def __init__(self, run_id: int):
        self.run_id, self.last = run_id, 0.0

    def __call__(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if now - self.last >= BEAT or done == total:
            self.last = now
            ImportRun.objects.filter(pk=self.run_id).update(
                done=done, total=total, beat_at=timezone.now()
            )


def source_of(run: ImportRun) -> Source:
    if run.document:
        return Source(run.document_name or "feed.xml", bytes(run.document))
    return Source(run.feed_url)


def options_of(run: ImportRun) -> Options:
    auth = (run.user, run.password) if run.user or run.password else None
    return Options(audio=run.audio, auth=auth)


def summary(report: ImportReport) -> dict:
    found = report.as_dict()
    found["problems"] = found["problems"][:MOST_PROBLEMS]
    found["exit_code"] = report.exit_code
    return found


def again(run: ImportRun, user) -> ImportRun:
    """A new run of the same feed. Credentials are gone by now and must be given anew."""
    fresh = ImportRun.objects.create(
        show=run.show,
        feed_url=run.feed_url,
        document=run.document,
        document_name=run.document_name,
        audio=run.audio,
        asked_by=user,
    )
    queue(fresh)
    return fresh


def sweep() -> int:
    """Queues what a crash has left, and clears away old downloads; for starts of the site."""
    from feeds.tasks import run_import

    sweep_downloads()
    count, now = 0, timezone.now()
    for run in ImportRun.objects.filter(
        state__in=[ImportRun.State.WAITING, ImportRun.State.RUNNING]
    ):
        after = (run.beat_at or now) + SILENCE if run.state == ImportRun.State.RUNNING else now
        run_import.using(run_after=max(after, now)).enqueue(run.pk)
        count += 1
    return count
