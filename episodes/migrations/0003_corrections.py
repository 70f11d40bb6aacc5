"""Corrections as what changed, not as a copy of what was.

The columns `cues` and `text` stay in the table, for the code before this one reads them when
it deletes a transcript; a later migration may take them away. Nothing ever wrote to them.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("episodes", "0002_search")]

    operations = [
        migrations.AlterField(
            "transcriptcorrection", "text", models.TextField(blank=True, db_default="")
        ),
        migrations.AddField(
            "transcriptcorrection", "place", models.PositiveIntegerField(default=0)
        ),
        migrations.AddField("transcriptcorrection", "before", models.JSONField(default=list)),
        migrations.AddField("transcriptcorrection", "after", models.JSONField(default=list)),
        migrations.AddField(
            "transcriptcorrection", "lost_at", models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField("transcript", "declined", models.JSONField(editable=False, null=True)),
        migrations.AlterModelOptions("transcriptcorrection", {"ordering": ["-pk"]}),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("transcriptcorrection", "cues"),
                migrations.RemoveField("transcriptcorrection", "text"),
            ]
        ),
    ]
