"""What both import commands share: their options, their lines of progress, their end."""

import os
import signal
import sys
import threading
import time
from contextlib import contextmanager

from feeds.models import AudioMode
from feeds.moving_in.running import Options


def add_arguments(parser) -> None:
    parser.add_argument(
        "--audio",
        choices=AudioMode.values,
        default=AudioMode.COPY,
        help="copy the recordings here (the default), or link to where they are",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would change, and change nothing"
    )
    parser.add_argument("--user", default="", help="name for a protected feed")
    parser.add_argument(
        "--password",
        default="",
        help="its password; better in the environment variable IMPORT_PASSWORD",
    )
    parser.add_argument("--limit", type=int, default=0, help="only the newest so many items")
    parser.add_argument(
        "--at-once", type=int, default=3, help="files fetched side by side (1 to 8, default 3)"
    )


def options_of(given: dict) -> Options:
    user = given["user"]
    password = given["password"] or os.environ.get("IMPORT_PASSWORD", "")
    return Options(
        audio=given["audio"],
        dry_run=given["dry_run"],
        slug=given.get("show") or "",
        limit=max(0, given["limit"]),
        auth=(user, password) if user or password else None,
        at_once=min(8, max(1, given["at_once"])),
    )


class ProgressLine:
    """One line on a terminal that is written over; elsewhere a line every ten seconds."""

    def __init__(self, stream=None):
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty()
        self.last = 0.0
        self.open = False

    def __call__(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if done < total and now - self.last < (0.1 if self.live else 10):
            return
        self.last = now
        width = 20
        filled = width * done // max(total, 1)
        bar = f"[{'#' * filled}{'.' * (width - filled)}] {done}/{total} {what[:50]}"
        self.stream.write(f"\r{bar:<90}" if self.live else f"{bar}\n")
        self.stream.flush()
        self.open = self.live

    def end(self) -> None:
        if self.open:
            self.stream.write("\n")
            self.open = False


@contextmanager
def gently_stopped():
    """SIGTERM ends the import as Ctrl-C does: after the item in hand, nothing half done."""

    def stop(*_):
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
