"""The edition: which state of a show (or of the site) the public sees at a moment.

It is the one source of validators and cache keys. It moves when a counted
write happens (revision) and when the clock passes a `published_at` (newest).
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Edition:
    """`newest` is the newest `published_at` not in the future, `due` the next one that is.

    `show` is the key of the show it is the edition of, or None for the site's.
    """

    revision: int
    revised_at: datetime
    newest: datetime | None
    due: datetime | None
    show: int | None = None

    @property
    def tag(self) -> str:
        """A short string that differs whenever the edition does; fit for an ETag.

        Counters begin anew with a show that is deleted and made again, and go back with a
        backup; the moment of the last edit does not come twice.
        """
        revised_at = int(self.revised_at.timestamp() * 1_000_000)
        newest = int(self.newest.timestamp() * 1_000_000) if self.newest else 0
        return f"{self.revision:x}-{revised_at:x}-{newest:x}"

    @property
    def last_modified(self) -> datetime:
        """The moment of the last public change: an edit, or an episode falling due."""
        return max(self.revised_at, self.newest) if self.newest else self.revised_at

    def seconds_until_due(self, now: datetime) -> float | None:
        return (self.due - now).total_seconds() if self.due else None
