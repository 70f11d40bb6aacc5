"""What cannot be taken, or not be stored, in a form's words."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError

from episodes.findings import Unreadable


def refused(refusal: Unreadable) -> ValidationError:
    """The same in a form's words, with the place where there is one."""
    where = f" ({refusal.where})" if refusal.where else ""
    return ValidationError(f"{refusal.message}{where}", code=refusal.code)


@contextmanager
def storing(what: str) -> Iterator[None]:
    """A full disk, or a store that does not answer, as a ValidationError with words.

    Its code is `not-stored`. What lies there already under a name made of its content is
    harmless: nothing refers to it, and it is collected later.
    """
    try:
        yield
    except OSError as error:
        raise ValidationError(
            "The %(what)s could not be stored (%(reason)s). Nothing was changed; make room and "
            "send it again.",
            code="not-stored",
            params={"what": what, "reason": error.strerror or error},
        ) from error
