"""Background work, run by the worker that `make run` starts beside the server."""

from django.tasks import task

from feeds import announce
from feeds.archives import desk
from feeds.moving_in import runs, takeover


@task
def announce_show(show_id: int) -> int:
    """Idempotent: tells only hubs that do not know the present edition yet."""
    return announce.announce(show_id)


@task
def run_import(run_id: int) -> str:
    """Idempotent: goes on with the import asked for at the desk, unless another worker has it."""
    return runs.carry_out(run_id)


@task
def check_move(show_id: int) -> None:
    """Looks at the old feed and writes down what of the move has been done."""
    takeover.check(show_id)


@task
def make_archive(show_id: int) -> None:
    """Idempotent: makes the archive that was asked for last."""
    desk.make(show_id)
