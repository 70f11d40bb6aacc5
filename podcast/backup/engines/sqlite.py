"""SQLite: its online backup API, in both directions. Readers and writers go on meanwhile."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection

from podcast.backup.engines.moment import Moment
from podcast.backup.errors import BackupError, Damaged

NAME = "sqlite"
PART = "database.sqlite3"


@contextmanager
def snapshot(target: Path) -> Iterator[Moment]:
    """Copies the database to `target` in one step: one read transaction, so one moment."""
    connection.ensure_connection()
    with closing(sqlite3.connect(target)) as copy:
        os.chmod(target, 0o600)
        connection.connection.backup(copy, pages=-1)
        # A file by itself, without the log beside it.
        copy.execute("PRAGMA journal_mode=DELETE")
        _check(copy)
        tables = [
            row[0]
            for row in copy.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
        ]
        yield Moment(sqlite3.sqlite_version, copy.execute, tuple(sorted(tables)))


def check(file: Path) -> None:
    """Raises Damaged when SQLite finds anything wrong in the snapshot."""
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as copy:
            _check(copy)
    except sqlite3.DatabaseError as error:
        raise Damaged(f"The database in the backup is damaged: {error}.") from None


def restore(file: Path) -> None:
    """Puts the snapshot in the place of what is there: all of it or, cut off, nothing."""
    connection.ensure_connection()
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as copy:
        try:
            copy.backup(connection.connection, pages=-1)
        except sqlite3.OperationalError as error:
            raise BackupError(
                f"The database is in use ({error}). Stop the site, then restore again."
            ) from None
    connection.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def _check(copy: sqlite3.Connection) -> None:
    found = [row[0] for row in copy.execute("PRAGMA integrity_check(5)")]
    if found != ["ok"]:
        raise Damaged("SQLite's integrity_check finds: " + "; ".join(found))
    if broken := copy.execute("PRAGMA foreign_key_check").fetchall():
        raise Damaged(f"{len(broken)} rows refer to rows that are not there ({broken[0][0]}).")
