"""Put a backup in the place of what the site has."""

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from podcast.backup.errors import BackupError
from podcast.backup.places import manifest_of, newest, open_place
from podcast.backup.progress import Progress
from podcast.backup.restoring import Wanted, restore_backup


class Command(BaseCommand):
    help = (
        "Restore a backup that `backup` made: every hash is compared first, then media, database "
        "and generated key are put back, and migrations are run. A site that is not empty is "
        "left alone unless --force is given. Ends with 0 when done, with 2 when refused or "
        "failed; cut off, the same command finishes the job. Stop the site first."
    )

    def add_arguments(self, parser):
        parser.add_argument("source", help="a directory, or s3://bucket/prefix")
        parser.add_argument("--at", metavar="NAME", help="which backup; without it, the newest")
        parser.add_argument(
            "--force", action="store_true", help="overwrite the rows and media that are here"
        )
        only = parser.add_mutually_exclusive_group()
        only.add_argument("--database-only", action="store_true", help="leave media alone")
        only.add_argument("--media-only", action="store_true", help="leave rows and key alone")
        parser.add_argument(
            "--new-editions",
            action="store_true",
            help="the site was used after this backup was made: give every show an edition that "
            "no app has seen, so that all of them fetch the restored state",
        )

    def handle(self, *, source, at, force, database_only, media_only, new_editions, **options):
        wanted = Wanted(
            database=not media_only,
            media=not database_only,
            force=force,
            new_editions=new_editions,
        )
        try:
            place = open_place(source)
            manifest = manifest_of(place, at or newest(place))
            remarks = restore_backup(place, manifest, wanted, Progress())
        except (BackupError, ImproperlyConfigured) as error:
            raise CommandError(str(error), returncode=2) from None
        except (OSError, DatabaseError) as error:
            raise CommandError(f"The restore failed: {error}", returncode=2) from None
        for remark in remarks:
            self.stderr.write(remark)
        what = "media" if media_only else "database" if database_only else "database and media"
        self.stdout.write(
            f"Restored {what} of {manifest.name}: {sum(manifest.rows.values()):,} rows, "
            f"{len(manifest.media):,} files. `check_media --hashes` compares them."
        )
