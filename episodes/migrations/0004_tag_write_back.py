from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("episodes", "0003_corrections")]

    operations = [
        migrations.AddField(
            "episode",
            "audio_original",
            models.FileField(
                "audio as uploaded",
                blank=True,
                max_length=255,
                default="",
                db_default="",
                upload_to="",
            ),
        ),
        migrations.AddField(
            "episode",
            "audio_original_bytes",
            models.PositiveBigIntegerField(default=0, db_default=0, editable=False),
        ),
        migrations.AddField(
            "episode",
            "audio_original_sha256",
            models.CharField(blank=True, default="", db_default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            "episode",
            "tags_written",
            models.CharField(blank=True, default="", db_default="", editable=False, max_length=64),
        ),
        migrations.AlterField(
            "show",
            "write_tags",
            models.BooleanField(
                "write tags into audio files",
                default=False,
                help_text=(
                    "Puts title, show, number, artwork and chapters into a copy of the recording "
                    "when an episode goes out. The upload is kept."
                ),
            ),
        ),
    ]
