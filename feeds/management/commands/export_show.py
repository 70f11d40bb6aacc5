"""A whole show as one archive."""

import os
import sys
from contextlib import closing
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from feeds.archives import ArchiveError
from feeds.archives.exporting import Export
from feeds.archives.schema import as_text


class Command(BaseCommand):
    help = (
        "Write one archive with everything of a show: the complete feed, audio, artwork, "
        "transcripts in all formats, chapters, and show.json with all rows "
        "(docs/show.schema.json). import_show takes it in. Ends with 0 when it is written, "
        "with 2 when not."
    )

    def add_arguments(self, parser):
        parser.add_argument("show", nargs="?", help="the show's slug")
        parser.add_argument(
            "--output", metavar="FILE", help="where to; - for standard output (default: SLUG.zip)"
        )
        parser.add_argument(
            "--schema", action="store_true", help="print the JSON Schema of show.json instead"
        )

    def handle(self, *, show, output, schema, **options):
        if schema:
            self.stdout.write(as_text(), ending="")
            return
        if not show:
            raise CommandError("Which show? Give its slug.", returncode=2)
        try:
            with closing(Export(show)) as export:
                if output == "-":
                    export.write(sys.stdout.buffer, self.tell)
                else:
                    self.write_file(export, Path(output or f"{show}.zip"))
        except (ArchiveError, OSError) as error:
            raise CommandError(f"Nothing was exported: {error}", returncode=2) from None

    def write_file(self, export: Export, target: Path) -> None:
        """Aside first: an archive of this name is whole."""
        if target.exists():
            raise ArchiveError(f"{target} is there already. Name another with --output.")
        partial = target.with_name(f".{target.name}.partial")
        try:
            with partial.open("wb") as file:
                os.fchmod(file.fileno(), 0o600)
                export.write(file, self.tell)
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, target)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        size = target.stat().st_size
        self.stdout.write(f"{target}: {len(export.episodes)} episodes, {size:,} bytes")

    def tell(self, count: int, size: int) -> None:
        if count % 100 == 0:
            self.stderr.write(f"{count:,} files, {size / 1_000_000:,.1f} MB")
