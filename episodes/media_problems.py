"""What episodes.media_check finds, and what it looks at."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from django.core.files.storage import default_storage

from episodes.models import Episode


@dataclass(frozen=True, slots=True)
class Problem:
    """`code` is stable; `repair` is None where only a person can help, as `message` says."""

    code: str
    name: str
    message: str
    question: str = ""
    repair: Callable[[], object] | None = None
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Stored:
    name: str
    bytes: int
    modified: float  # seconds since the epoch


def sha256_of(name: str) -> str:
    """Of a stored file, read to its end; '' when it is not there any more."""
    digest = hashlib.sha256()
    try:
        with default_storage.open(name) as file:
            while chunk := file.read(1024 * 1024):
                digest.update(chunk)
    except FileNotFoundError:
        return ""
    return digest.hexdigest()


def title_of(episode: Episode) -> str:
    return f"“{episode.title}” of {episode.show.title}"
