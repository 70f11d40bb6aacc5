"""How a database gives a snapshot of one moment, and takes one back.

    with engine().snapshot(target) as moment:   # `target` holds the snapshot now
        moment.query("SELECT …")                # asks the same moment

Each engine is a module with `NAME`, `PART`, `snapshot`, `check` and `restore`.
"""

from types import ModuleType

from django.db import connection


def engine() -> ModuleType:
    """The engine of the site's database."""
    from podcast.backup.engines import postgresql, sqlite

    return {"sqlite": sqlite, "postgresql": postgresql}[connection.vendor]
