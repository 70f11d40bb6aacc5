"""PostgreSQL: pg_dump of an exported snapshot, and pg_restore through psql in one transaction."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient

from podcast.backup.engines.moment import Moment
from podcast.backup.errors import BackupError, Damaged

NAME = "postgresql"
PART = "database.pgdump"

#: One backup of a database at a time, whichever machine makes it ("podcast", as a number).
_LOCK = 0x706F646361737400


@contextmanager
def snapshot(target: Path) -> Iterator[Moment]:
    """Dumps one moment to `target` (custom format), and holds the same moment for questions."""
    dump = _tool("pg_dump")
    own = connection.copy()
    own.connect()
    with closing(own):
        asked = own.connection
        if not asked.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK]).fetchone()[0]:
            raise BackupError("Another backup of this database is running. Wait until it is done.")
        # The site's limits are for requests: this one lasts as long as the copy.
        asked.execute("SET statement_timeout = 0")
        asked.execute("SET idle_in_transaction_session_timeout = 0")
        asked.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        exported = asked.execute("SELECT pg_export_snapshot()").fetchone()[0]
        _run(
            [dump, "--format=custom", "--no-owner", "--no-privileges", "--no-comments",
             "--no-publications", "--no-subscriptions", "--no-security-labels",
             f"--snapshot={exported}", f"--file={target}", *_where()]
        )  # fmt: skip
        os.chmod(target, 0o600)
        _sync(target)
        tables = [
            name
            for (name,) in asked.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"
            )
        ]
        version = asked.execute("SHOW server_version").fetchone()[0]
        yield Moment(version, lambda sql: asked.execute(sql).fetchall(), tuple(tables))


def check(file: Path) -> None:
    """Raises Damaged when the dump cannot be read from its beginning to its end."""
    try:
        _run([_tool("pg_restore"), "--file=/dev/null", str(file)])
    except BackupError as error:
        raise Damaged(f"The database in the backup is damaged: {error}") from None


def restore(file: Path) -> None:
    """Puts the dump in the place of what is there: all of it or, cut off, nothing."""
    restorer, psql = _tool("pg_restore"), _tool("psql")
    tables = connection.introspection.table_names()
    connection.close()
    script = file.with_suffix(".sql")
    try:
        _run(
            [restorer, "--no-owner", "--no-privileges", "--clean", "--if-exists",
             f"--file={script}", str(file)]
        )  # fmt: skip
        prelude = "SET lock_timeout = '30s';\nSET client_min_messages = warning;\n" + "".join(
            f"DROP TABLE IF EXISTS {connection.ops.quote_name(table)} CASCADE;\n"
            for table in tables
        )
        first = file.with_suffix(".first.sql")
        first.write_text(prelude)
        _run(
            [psql, "--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1",
             "--output=/dev/null", f"--file={first}", f"--file={script}", *_where()]
        )  # fmt: skip
    finally:
        script.unlink(missing_ok=True)
        file.with_suffix(".first.sql").unlink(missing_ok=True)


def _where() -> list[str]:
    """Which server and database; the password goes by the environment, never here."""
    arguments, _ = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    return arguments[1:]


def _run(command: list[str]) -> None:
    _, password = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    done = subprocess.run(
        command,
        env={**os.environ, **(password or {}), "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        said = " ".join(done.stderr.split())[:600]
        raise BackupError(f"{Path(command[0]).name} failed: {said}")


def _tool(name: str) -> str:
    found = shutil.which(name)
    if not found:
        raise BackupError(
            f"{name} is not installed. Install PostgreSQL's client programs, of the server's "
            "version or newer (Debian: apt-get install postgresql-client)."
        )
    return found


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
