"""Make, list and check backups."""

import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from podcast.backup.checking import check_backups
from podcast.backup.errors import BackupError
from podcast.backup.making import make_backup
from podcast.backup.places import Place, manifest_of, newest, open_place
from podcast.backup.progress import Progress, megabytes
from podcast.backup.pruning import prune


class Command(BaseCommand):
    help = (
        "Back up the database and the media to a directory or to s3://bucket/prefix, while the "
        "site is being used. Media that an earlier backup there has are not copied again. "
        "Ends with 0 when all is well, with 1 when the backup was made but something of the site "
        "is amiss (or, with --verify, when a backup is damaged), with 2 when nothing was made."
    )

    def add_arguments(self, parser):
        parser.add_argument("destination", help="a directory, or s3://bucket/prefix")
        parser.add_argument(
            "--keep", type=int, metavar="N", help="afterwards, keep only the newest N backups"
        )
        parser.add_argument(
            "--verify", action="store_true", help="make none: read every byte of those there are"
        )
        parser.add_argument("--list", action="store_true", help="make none: say which there are")
        parser.add_argument("--at", metavar="NAME", help="with --verify: this one only")

    def handle(self, *, destination, keep, verify, at, **options):
        if keep is not None and keep < 1:
            raise CommandError("--keep takes a number of at least 1.", returncode=2)
        if at and not verify:
            raise CommandError("--at goes with --verify.", returncode=2)
        progress = Progress()
        try:
            if options["list"]:
                return self.list(open_place(destination))
            if verify:
                return self.verify(open_place(destination), at, progress)
            self.make(open_place(destination, create=True), keep, progress)
        except (BackupError, ImproperlyConfigured) as error:
            raise CommandError(str(error), returncode=2) from None
        except OSError as error:
            raise CommandError(f"The backup was not made: {error}", returncode=2) from None

    def make(self, place: Place, keep: int | None, progress: Progress) -> None:
        made = make_backup(place, progress)
        manifest = made.manifest
        self.stdout.write(
            f"{manifest.name}: {sum(manifest.rows.values()):,} rows, {len(manifest.media):,} files "
            f"({made.copied:,} new, {megabytes(made.copied_bytes)}), in {place.label}"
        )
        if made.cleaned:
            self.stderr.write(f"Removed what {made.cleaned} unfinished copies had left.")
        problems = made.problems
        try:
            if keep:
                self.prune(place, keep)
        except (BackupError, OSError) as error:
            problems.append(f"The backup is made, but no old one was removed: {error}")
        for problem in problems:
            self.stderr.write(problem)
        if problems:
            sys.exit(1)

    def prune(self, place: Place, keep: int) -> None:
        pruned = prune(place, keep)
        if pruned.backups or pruned.files:
            self.stderr.write(
                f"Removed {pruned.backups} old backups and {pruned.files} files that only they "
                f"had ({megabytes(pruned.bytes)})."
            )

    def verify(self, place: Place, at: str | None, progress: Progress) -> None:
        names = [at] if at else place.names()
        if not names:
            newest(place)  # raises, in words
        damage = list(check_backups(place, names, progress))
        for problem in damage:
            self.stderr.write(problem)
        if damage:
            sys.exit(1)
        self.stdout.write(f"{len(names)} backups are whole: every byte was read and compared.")

    def list(self, place: Place) -> None:
        for name in place.names():
            try:
                manifest = manifest_of(place, name)
            except BackupError as error:
                self.stdout.write(f"{name}  {error}")
                continue
            size = sum(file.bytes for file in manifest.media)
            self.stdout.write(
                f"{name}  {manifest.engine}, {sum(manifest.rows.values()):,} rows, "
                f"{len(manifest.media):,} files, {megabytes(size)}"
            )
