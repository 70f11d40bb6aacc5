"""Take in an archive that export_show wrote."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from feeds.archives import ArchiveError
from feeds.archives.importing import import_show


class Command(BaseCommand):
    help = (
        "Take in a show from an archive of export_show: every hash is compared first, then files "
        "are stored, then all rows are written in one transaction. A show that is here already "
        "is left as it is. Ends with 0 when the show is here, with 2 when it was refused."
    )

    def add_arguments(self, parser):
        parser.add_argument("archive")
        parser.add_argument("--dry-run", action="store_true", help="check it all, change nothing")
        parser.add_argument("--slug", default="", help="another address than the show had")

    def handle(self, *, archive, dry_run, slug, **options):
        try:
            taken = import_show(Path(archive), slug=slug, dry_run=dry_run, told=self.tell)
        except (ArchiveError, OSError) as error:
            raise CommandError(f"Nothing was imported: {error}", returncode=2) from None
        for remark in taken.remarks:
            self.stderr.write(remark)
        show = taken.show
        if not taken.created:
            self.stdout.write(f"{show} is here already, at /{show.slug}/; nothing changed.")
            return
        verb = "Would import" if dry_run else "Imported"
        counted = ", ".join(f"{count} {key}" for key, count in sorted(taken.counts.items()))
        self.stdout.write(f"{verb} {show} to /{show.slug}/: {taken.files} files, {counted}.")

    def tell(self, stage: str, done: int, total: int) -> None:
        if done == total or done % 100 == 0:
            self.stderr.write(f"{stage} {done:,} of {total:,} files")
