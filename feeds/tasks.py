"""Background work, run by the worker that `make run` starts beside the server."""

from django.tasks import task

from feeds import announce
from feeds.archives import desk


@task
def announce_show(show_id: int) -> int:
    """Idempotent: tells only hubs that do not know the present edition yet."""
    return announce.announce(show_id)


@task
def make_archive(show_id: int) -> None:
    """Idempotent: makes the archive that was asked for last."""
    desk.make(show_id)
