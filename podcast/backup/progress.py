"""How far it is: a line on standard error, often for a person, seldom for a log."""

import sys
import time
from typing import TextIO


class Progress:
    """Counts files and bytes; says so at most every `pause` seconds."""

    def __init__(self, stream: TextIO | None = None):
        self.stream = stream or sys.stderr
        self.person = self.stream.isatty()
        self.pause = 0.2 if self.person else 10
        self.said = time.monotonic()

    def stage(self, text: str) -> None:
        self._end_line()
        self.stream.write(f"{text}\n")
        self.stream.flush()

    def count(self, verb: str, done: int, total: int, size: int) -> None:
        now = time.monotonic()
        if now - self.said < self.pause and done != total:
            return
        self.said = now
        line = f"{verb} {done:,} of {total:,} files, {megabytes(size)}"
        self.stream.write(f"\r{line}" if self.person and done != total else f"{line}\n")
        self.stream.flush()

    def _end_line(self) -> None:
        if self.person:
            self.stream.write("\r")


def megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"
