"""Findings: what a reader of somebody's file noticed, in words for an editor."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    ERROR = "error"  # listeners or directories will see something broken
    WARNING = "warning"  # it works, and something is likely not what was meant
    ADVICE = "advice"  # it works, and could be better


@dataclass(frozen=True, slots=True)
class Finding:
    """`code` is stable, for tests and filters; `where` is a line, a chapter, a byte or empty."""

    level: Level
    code: str
    message: str
    where: str = ""


def error(code: str, message: str, where: str = "") -> Finding:
    return Finding(Level.ERROR, code, message, where)


def warning(code: str, message: str, where: str = "") -> Finding:
    return Finding(Level.WARNING, code, message, where)


def advice(code: str, message: str, where: str = "") -> Finding:
    return Finding(Level.ADVICE, code, message, where)


class Unreadable(ValueError):
    """A file that is not what it was given as; the message tells an editor what to do.

    `code` is stable, as a finding's is; `where` is a line, an offset or empty.
    """

    def __init__(self, code: str, message: str, where: str = ""):
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where
