"""Where shows came from, what their feeds said, and imports under way."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("episodes", "0003_corrections"),
        ("feeds", "0002_show_archive"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ImportedItem",
            fields=[
                (
                    "episode",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="imported",
                        serialize=False,
                        to="episodes.episode",
                    ),
                ),
                ("record", models.TextField()),
                ("seen", models.CharField(blank=True, max_length=16)),
                ("digests", models.JSONField(default=dict)),
                ("sources", models.JSONField(default=dict)),
                (
                    "wanting",
                    models.BooleanField(default=False, verbose_name="something is still missing"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ImportedShow",
            fields=[
                (
                    "show",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="imported",
                        serialize=False,
                        to="episodes.show",
                    ),
                ),
                ("feed_url", models.URLField(blank=True, max_length=2000, verbose_name="old feed")),
                (
                    "audio",
                    models.CharField(
                        choices=[
                            ("copy", "Copy the audio here"),
                            ("link", "Leave the audio where it is"),
                        ],
                        default="copy",
                        max_length=4,
                    ),
                ),
                ("record", models.TextField(blank=True)),
                ("digests", models.JSONField(default=dict)),
                ("sources", models.JSONField(default=dict)),
                ("checks", models.JSONField(default=dict)),
                ("checked_at", models.DateTimeField(blank=True, null=True)),
                ("check_queued_at", models.DateTimeField(blank=True, null=True)),
                ("imported_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "move",
                "verbose_name_plural": "moves",
            },
        ),
        migrations.CreateModel(
            name="ImportRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("feed_url", models.CharField(blank=True, max_length=2000, verbose_name="feed")),
                ("document", models.BinaryField(default=b"")),
                ("document_name", models.CharField(blank=True, max_length=255)),
                (
                    "audio",
                    models.CharField(
                        choices=[
                            ("copy", "Copy the audio here"),
                            ("link", "Leave the audio where it is"),
                        ],
                        default="copy",
                        max_length=4,
                    ),
                ),
                ("user", models.CharField(blank=True, editable=False, max_length=255)),
                ("password", models.CharField(blank=True, editable=False, max_length=255)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("report", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "beat_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="last sign of life"),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "show",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="import_runs",
                        to="episodes.show",
                    ),
                ),
            ],
            options={
                "verbose_name": "import",
                "ordering": ["-created_at", "-pk"],
            },
        ),
    ]
