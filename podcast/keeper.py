"""Hold SQLite's database open in each web worker, so that its log outlives a request.

Django opens a connection per request. With the last one SQLite folds its write-ahead log into the
database and removes it, and the next request has to make it anew: slower at best, and on a full
disk impossible, so that not even reading would work. While one connection stays open, the log
stays too. It never holds a lock, and is of no use for anything else.
"""

import sqlite3

from django.db import connection

_kept: list[sqlite3.Connection] = []


def keep_database_open() -> None:
    """For the life of this process; does nothing on PostgreSQL, and fails for no one."""
    if connection.vendor != "sqlite" or _kept:
        return
    try:
        kept = sqlite3.connect(connection.settings_dict["NAME"], check_same_thread=False)
        _kept.append(kept)
        kept.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the log
    except sqlite3.Error:
        return  # each request says on its own what is wrong with the database
