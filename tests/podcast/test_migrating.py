"""On PostgreSQL a statement of a page may take half a minute, and one of a migration any time."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import post_migrate, pre_migrate


def limit() -> str:
    if connection.vendor != "postgresql":
        return "none there"
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        return cursor.fetchone()[0]


@pytest.mark.django_db
def test_migrations_are_not_cut_off():
    found = {}

    def before(**kwargs):
        found["before"] = limit()

    def after(**kwargs):
        found["after"] = limit()

    pages = limit()
    pre_migrate.connect(before)
    post_migrate.connect(after)
    try:
        call_command("migrate", verbosity=0)
    finally:
        pre_migrate.disconnect(before)
        post_migrate.disconnect(after)
    if connection.vendor == "postgresql":
        assert (found, pages) == ({"before": "0", "after": "30s"}, "30s")
    else:
        assert found == {"before": pages, "after": pages}
