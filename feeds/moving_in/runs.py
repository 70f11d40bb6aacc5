"""Imports asked for at the desk: queued, carried out by the worker, and gone on with after a crash.

The row decides, not the queue: a lost task or a killed worker leaves a run without a sign of
life, which the next start, or an editor, queues again.
"""

import hashlib
import logging
import secrets
import time
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from episodes.models import Show
from feeds.models import ImportedShow, ImportRun
from feeds.moving_in import takeover
from feeds.moving_in.downloads import sweep as sweep_downloads
from feeds.moving_in.pulse import beating
from feeds.moving_in.report import ImportReport
from feeds.moving_in.running import Options, import_feed
from feeds.moving_in.source import Source

logger = logging.getLogger(__name__)

State = ImportRun.State

#: A run whose worker gave no sign of life for so long is taken for dead.
SILENCE = timedelta(minutes=2)

#: A run that no worker took for so long may be queued once more.
PATIENCE = timedelta(minutes=1)

#: Seconds between two notes of progress.
NOTE = 1.0

#: Problems and changes kept with a run; the counts are whole.
MOST_LINES = 20_000


class Stopped(Exception):
    """The run is not this worker's any more: stopped, deleted, or taken by another."""


def ask(run: ImportRun) -> tuple[ImportRun, bool]:
    """Saves and queues a new run; or gives the one of the same source that is under way, and False.

    Whoever asks twice, or two at once, get one run: the database sees to it.
    """
    what = bytes(run.document) or run.feed_url.encode()
    run.source = hashlib.sha256(what).hexdigest()
    run.protected = bool(run.user or run.password)
    try:
        with transaction.atomic():
            run.save()
    except IntegrityError:
        going = ImportRun.objects.filter(
            source=run.source, state__in=[State.WAITING, State.RUNNING]
        )
        if found := going.first():
            return found, False
        run.pk = None  # it ended a moment ago
        run.save()
    transaction.on_commit(lambda: queue(run.pk))
    return run, True


def queue(run_id: int) -> None:
    """Have the worker carry it out."""
    from feeds.tasks import run_import

    run_import.enqueue(run_id)


def again(run: ImportRun, user, *, dry_run: bool = False) -> tuple[ImportRun, bool]:
    """A new run of the same feed, as `ask` gives it. Credentials are gone and not asked for."""
    return ask(
        ImportRun(
            show=run.show,
            feed_url=run.feed_url,
            document=run.document,
            document_name=run.document_name,
            audio=run.audio,
            dry_run=dry_run,
            asked_by=user,
        )
    )


def is_silent(run: ImportRun, now: datetime) -> bool:
    """Whether nobody seems to carry it out, so that it may be queued once more."""
    if run.state == State.WAITING:
        return run.created_at < now - PATIENCE
    return run.state == State.RUNNING and (run.beat_at is None or run.beat_at < now - SILENCE)


def stop(run: ImportRun) -> bool:
    """Ends a run; its worker notices at the next episode. False when it had ended already."""
    own = ImportRun.objects.filter(pk=run.pk, state__in=[State.WAITING, State.RUNNING])
    return bool(own.update(state=State.STOPPED, finished_at=timezone.now(), user="", password=""))


def carry_out(run_id: int) -> str:
    """The run's state after it; "" when another worker has it, or it was stopped."""
    now, claim = timezone.now(), secrets.token_hex(16)
    own = ImportRun.objects.filter(pk=run_id)
    free = Q(state=State.WAITING) | Q(state=State.RUNNING) & (
        Q(beat_at=None) | Q(beat_at__lt=now - SILENCE)
    )
    if not own.filter(free).update(state=State.RUNNING, beat_at=now, claim=claim):
        return ""
    mine = own.filter(claim=claim, state=State.RUNNING)
    run = own.get()
    report = ImportReport(feed=str(run))
    try:
        with beating(mine):
            report = import_feed(source_of(run), options_of(run), Notes(mine))
    except Stopped:
        return ""
    except Exception as error:
        # Whatever it was, the editor shall see that it ended, and the log what it was.
        logger.exception("import %s failed", run_id)
        report.refused = f"The import stopped at an error of this site: {type(error).__name__}."
    state = State.FAILED if report.refused else State.DONE
    show = Show.objects.filter(slug=report.slug).first() if report.slug else run.show
    ended = mine.update(
        state=state,
        show=show,
        report=summary(report),
        done=report.total,
        total=report.total,
        doing="",
        user="",
        password="",
        finished_at=timezone.now(),
    )
    imported = ImportedShow.objects.filter(show=show).exclude(feed_url="").first()
    if ended and imported and state == State.DONE and not run.dry_run:
        takeover.queue(imported)
    return state if ended else ""


class Notes:
    """Writes progress down, at most once a second. Raises Stopped when the run is not ours."""

    def __init__(self, mine):
        self.mine, self.last = mine, 0.0

    def __call__(self, done: int, total: int, what: str) -> None:
        moment = time.monotonic()
        if moment - self.last < NOTE and done != total:
            return
        self.last = moment
        told = {"done": done, "total": total, "doing": clean(what)[:255]}
        if not self.mine.update(beat_at=timezone.now(), **told):
            raise Stopped


def source_of(run: ImportRun) -> Source:
    if run.document:
        return Source(run.document_name or "feed.xml", bytes(run.document))
    return Source(run.feed_url, must_be_address=True)


def options_of(run: ImportRun) -> Options:
    auth = (run.user, run.password) if run.user or run.password else None
    return Options(audio=run.audio, dry_run=run.dry_run, auth=auth)


def summary(report: ImportReport) -> dict:
    """The report as the row keeps it."""
    found = report.as_dict() | {"exit_code": report.exit_code}
    for name in ("problems", "changes"):
        if (count := len(found[name])) > MOST_LINES:
            found[f"more_{name}"] = count - MOST_LINES
            del found[name][MOST_LINES:]
    return clean(found)


def clean(value):
    """`value` without what no JSON column of PostgreSQL takes: NUL and halves of surrogates."""
    if isinstance(value, str):
        return value.replace("\0", "�").encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {clean(key): clean(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [clean(one) for one in value]
    return value


def sweep() -> int:
    """Queues what a crash has left, and clears away old downloads; for starts of the site."""
    from feeds.tasks import run_import

    sweep_downloads()
    count, now = 0, timezone.now()
    for run in ImportRun.objects.filter(state__in=[State.WAITING, State.RUNNING]):
        after = (run.beat_at or now) + SILENCE if run.state == State.RUNNING else now
        run_import.using(run_after=max(after, now)).enqueue(run.pk)
        count += 1
    return count
