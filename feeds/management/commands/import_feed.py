"""Bring a show here from its feed, or bring it up to date."""

from django.core.management.base import BaseCommand

from feeds.moving_in import terminal
from feeds.moving_in.running import import_feed
from feeds.moving_in.source import Source

STOPPED = 130


class Command(BaseCommand):
    help = (
        "Bring a show here from its feed: an address or a file. Run again it brings what is new, "
        "leaves what was edited here, and deletes nothing. Ends with 0 when all went in, 1 when "
        "something was skipped or is incomplete (it says what and why), 2 when nothing could be "
        "read. docs/moving.md tells more."
    )

    def add_arguments(self, parser):
        parser.add_argument("feed", help="the address of a feed, or a file")
        parser.add_argument(
            "--show", default="", help="the slug of the show to import into, or of the new one"
        )
        terminal.add_arguments(parser)

    def handle(self, *, feed, **given):
        progress = terminal.ProgressLine(self.stderr)
        try:
            with terminal.gently_stopped():
                report = import_feed(Source(feed), terminal.options_of(given), progress)
        except KeyboardInterrupt:
            progress.end()
            self.stderr.write("Stopped. What is in stays; run the same command to go on.")
            raise SystemExit(STOPPED) from None
        progress.end()
        (self.stderr if report.refused else self.stdout).write("\n".join(report.lines()))
        if report.exit_code:
            raise SystemExit(report.exit_code)
