"""Read an upload once, however often it is asked for."""

from collections.abc import Callable
from functools import wraps


def once[Read](read: Callable[..., Read]) -> Callable[..., Read]:
    """`read(upload, **options)`, whose answer or exception the upload itself remembers.

    So a desk can read a file before its transaction begins (`UploadForm.read_ahead`), and the
    form that reads it again inside finds the answer at once.
    """

    @wraps(read)
    def remembered(upload, **options):
        known = upload.__dict__.setdefault("_read_once", {})
        key = (read.__name__, *sorted(options.items()))
        if key not in known:
            try:
                known[key] = read(upload, **options), None
            except Exception as error:
                known[key] = None, error
        answer, failure = known[key]
        if failure is not None:
            raise failure
        return answer

    return remembered
