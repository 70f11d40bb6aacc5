"""Spoken: what a format's reader found, before times are completed and put in order."""

from dataclasses import dataclass


@dataclass(slots=True)
class Spoken:
    """`where` is a line's number or words for the place; times are milliseconds or unknown."""

    where: object
    start: int | None
    end: int | None
    speaker: str
    text: str
