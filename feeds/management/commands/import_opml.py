"""Bring many shows here: every feed that a list names."""

from django.core.management.base import BaseCommand

from episodes.findings import Unreadable
from feeds.moving_in import terminal
from feeds.moving_in.downloads import Downloader
from feeds.moving_in.report import ImportReport
from feeds.moving_in.running import import_feed
from feeds.moving_in.source import Source, document
from feeds.opml_reading import read_opml

STOPPED = 130

type Reports = list[ImportReport]


class Command(BaseCommand):
    help = (
        "Bring every show of an OPML list here, one after the other: an address or a file. Options "
        "and exit codes are those of import_feed; 2 when the list, or every feed of it, could not "
        "be read."
    )

    def add_arguments(self, parser):
        parser.add_argument("list", help="the address of an OPML document, or a file")
        terminal.add_arguments(parser)

    def handle(self, *, list, **given):
        options = terminal.options_of(given)
        try:
            downloader = Downloader(home=list, auth=options.auth)
            feeds = read_opml(document(Source(list), downloader))
        except Unreadable as refusal:
            self.stderr.write(refusal.message)
            raise SystemExit(2) from None
        reports: Reports = []
        progress = terminal.ProgressLine(self.stderr)
        try:
            with terminal.gently_stopped():
                for number, feed in enumerate(feeds, 1):
                    self.stderr.write(f"{number}/{len(feeds)} {feed.title or feed.url}")
                    reports.append(import_feed(Source(feed.url), options, progress))
                    progress.end()
        except KeyboardInterrupt:
            progress.end()
            self.stderr.write("Stopped. What is in stays; run the same command to go on.")
            self.tell(reports)
            raise SystemExit(STOPPED) from None
        self.tell(reports)
        if code := exit_code(reports):
            raise SystemExit(code)

    def tell(self, reports: Reports) -> None:
        for report in reports:
            self.stdout.write("\n".join(report.lines()))
        fine = sum(not report.exit_code for report in reports)
        self.stdout.write(f"{len(reports)} feeds: {fine} came whole.")


def exit_code(reports: Reports) -> int:
    codes = {report.exit_code for report in reports}
    return 2 if codes == {2} else min(1, max(codes, default=0))
