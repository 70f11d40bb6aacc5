"""Signs of life: a worker that is killed gives no more of them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import DatabaseError, connection
from django.utils import timezone

#: Seconds between two; a single recording may take hours without any progress to tell.
EVERY = 10.0


@contextmanager
def beating(rows) -> Iterator[None]:
    """While the block runs, `beat_at` of the rows of a queryset is kept recent."""
    over = threading.Event()

    def beat() -> None:
        try:
            while not over.wait(EVERY):
                with suppress(DatabaseError):  # a locked database is asked again
                    rows.all().update(beat_at=timezone.now())
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name="import-pulse", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
