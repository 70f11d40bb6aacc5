"""From a checkout to a running site: the command behind `make run`."""

import ctypes
import os
import secrets
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from hashlib import sha256

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from episodes.models import Show
from feeds import announce
from feeds.moving_in import runs
from podcast import env


class Command(BaseCommand):
    help = (
        "Prepare the database and static files, load the demo show into an empty site, "
        "create the first editor, then run the web server and the task worker until Ctrl-C. "
        "Run again, it changes nothing that exists."
    )

    def add_arguments(self, parser):
        parser.add_argument("--dev", action="store_true", help="autoreload instead of gunicorn")
        parser.add_argument("--no-demo", action="store_true", help="leave an empty site empty")
        parser.add_argument(
            "--prepare-only", action="store_true", help="do everything but start the servers"
        )

    def handle(self, *, dev, no_demo, prepare_only, **options):
        warn_about_sqlite(self.stderr)
        try:
            call_command("migrate", interactive=False, verbosity=0)
        except DatabaseError as error:
            raise CommandError(
                f"The database cannot be used ({error}). Check DATABASE_URL, and that the "
                "server it names is running and reachable."
            ) from None
        if not settings.DEBUG:
            collect_static()
        if not no_demo and not Show.objects.exists():
            call_command("demo", stdout=self.stdout)
        announce.sweep()
        runs.sweep()
        password = first_editor()
        self.greet(password)
        if not prepare_only:
            connection.close()
            run(dev)

    def greet(self, password: str | None) -> None:
        site = settings.SITE_URL
        self.stdout.write(f"\n  Site    {site}/")
        self.stdout.write(f"  Desk    {site}/admin/")
        for show in Show.objects.public()[:3]:
            self.stdout.write(f"  Feed    {site}{show.get_feed_path()}")
        if password:
            self.stdout.write(
                f"\n  First editor: {username()}   password: {password}"
                "\n  (shown this once; change it at the desk)"
            )
        self.stdout.write(f"\n  Data in {settings.DATA_DIR}. Ctrl-C stops everything.\n")
        self.stdout.flush()


def collect_static() -> None:
    """`collectstatic`, which compresses everything, only where a file changed since the last."""
    known = settings.DATA_DIR / "static.collected"
    state = static_state()
    with suppress(OSError):
        if known.read_text() == state and (settings.STATIC_ROOT / "staticfiles.json").is_file():
            return
    call_command("collectstatic", interactive=False, verbosity=0)
    known.write_text(state)


def static_state() -> str:
    """A digest of name, size and age of every static file, and of how they are stored."""
    digest = sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            facts = os.stat(storage.path(name))
            digest.update(f"{name} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def warn_about_sqlite(stderr) -> None:
    """SQLite 3.7.0 to 3.51.2 may corrupt a WAL database when two processes checkpoint at once."""
    if connection.vendor != "sqlite" or wal_reset_is_fixed(sqlite3.sqlite_version_info):
        return
    stderr.write(
        f"Warning: Python is linked with SQLite {sqlite3.sqlite_version}, which has the rare "
        "WAL-reset fault (fixed in 3.51.3, 3.50.7 and 3.44.6). Use a newer Python or system, "
        "set DATABASE_URL to PostgreSQL, and keep backups: see docs/operations.md."
    )


def wal_reset_is_fixed(version: tuple[int, int, int]) -> bool:
    return (
        version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51, 0)
        or (3, 44, 6) <= version < (3, 45, 0)
    )  # fmt: skip


def username() -> str:
    return env.text("ADMIN_USERNAME", "editor")


def first_editor() -> str | None:
    """Creates the first editor when there is none. Returns a password that was made up."""
    users = get_user_model().objects
    if users.exists():
        return None
    given = env.text("ADMIN_PASSWORD")
    password = given or secrets.token_urlsafe(12)
    users.create_superuser(username(), password=password)
    return None if given else password


def end_with_parent() -> None:
    """Killed without a chance to stop its children, this process still leaves none behind."""
    with suppress(OSError, AttributeError):
        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def run(dev: bool) -> None:
    """The web server and the task worker, side by side; when one ends, so does the other."""
    python = [sys.executable]
    manage = [*python, str(settings.BASE_DIR / "manage.py")]
    web = (
        [*manage, "runserver", settings.BIND]
        if dev
        else [*python, "-m", "gunicorn", "-c", "podcast/gunicorn.py", "podcast.asgi"]
    )
    worker = [*manage, "db_worker", "--interval", "1"]
    # Groups of their own: Ctrl-C reaches this process alone, which then stops them in order.
    processes: list[subprocess.Popen] = [
        subprocess.Popen(
            command,
            cwd=settings.BASE_DIR,
            process_group=0,
            env=os.environ,
            preexec_fn=end_with_parent,
        )
        for command in (web, worker)
    ]

    def stop(*_):
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGINT):  # a shell may have had Ctrl-C ignored
        signal.signal(number, stop)
    try:
        while all(process.poll() is None for process in processes):
            time.sleep(0.2)
        ended = next(process for process in processes if process.poll() is not None)
        name = "The web server" if ended is processes[0] else "The task worker"
        raise CommandError(f"{name} ended with status {ended.returncode}.")
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for process in reversed(processes):
            if process.poll() is None:
                process.terminate()
        for process in processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
