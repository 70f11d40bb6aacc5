"""The table of search entries: FTS5 on SQLite, a tsvector with a GIN index on PostgreSQL.

Its state says managed, so that tests empty it, but on SQLite Django must never alter it: a
table made anew would be an ordinary one. A later change drops it, makes the new one here's
way, and `migrate` fills it again by itself.
"""

import django.db.models.deletion
from django.db import migrations, models

import episodes.models.search

TABLE = "episodes_searchentry"

#: `ascii` takes every character beyond ASCII as part of a word: words are parted by our spaces.
#: Beginnings of two and three characters have an index of their own.
SQLITE = f"""
CREATE VIRTUAL TABLE "{TABLE}" USING fts5(
    digest UNINDEXED, title, about, spoken, vector UNINDEXED,
    tokenize = 'ascii', prefix = '2 3'
)
"""

POSTGRESQL = f"""
CREATE TABLE "{TABLE}" (
    rowid bigint PRIMARY KEY
        REFERENCES episodes_episode (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    digest varchar(16) NOT NULL,
    title text NOT NULL,
    about text NOT NULL,
    spoken text NOT NULL,
    vector tsvector
);
CREATE INDEX "search_entry_vector" ON "{TABLE}" USING gin (vector);
"""


def make_table(apps, schema_editor):
    sql = POSTGRESQL if schema_editor.connection.vendor == "postgresql" else SQLITE
    schema_editor.execute(sql)


def drop_table(apps, schema_editor):
    schema_editor.execute(f'DROP TABLE "{TABLE}"')


class Migration(migrations.Migration):
    dependencies = [("episodes", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="SearchEntry",
                    fields=[
                        (
                            "episode",
                            models.OneToOneField(
                                db_column="rowid",
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="search_entry",
                                serialize=False,
                                to="episodes.episode",
                            ),
                        ),
                        ("title", models.TextField()),
                        ("about", models.TextField()),
                        ("spoken", models.TextField()),
                        ("digest", models.CharField(max_length=16)),
                        (
                            "vector",
                            episodes.models.search.Vector(null=True),
                        ),
                    ],
                    options={"verbose_name_plural": "search entries"},
                )
            ],
            database_operations=[migrations.RunPython(make_table, drop_table)],
        )
    ]
