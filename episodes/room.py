"""Is it that the disk is full? The same question to a file system, SQLite and PostgreSQL."""

import errno

_FILES = frozenset((errno.ENOSPC, errno.EDQUOT))
# SQLite says the second and third when it could not enlarge its own files.
_SQLITE = frozenset(("SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE"))
_POSTGRESQL = "53100"  # disk_full

NO_ROOM = (
    "There is no room left on the server's disk for this file. Nothing was changed: make room "
    "and send it again."
)


def is_full(error: BaseException | None) -> bool:
    """Whether `error`, or what it was raised from, says that there is no room left."""
    for _ in range(10):
        if error is None:
            return False
        if isinstance(error, OSError) and error.errno in _FILES:
            return True
        if getattr(error, "sqlite_errorname", "") in _SQLITE:
            return True
        if getattr(error, "sqlstate", "") == _POSTGRESQL:
            return True
        error = error.__cause__ or error.__context__
    return False
