"""Is a feed in order? For people, and with `--format json` for scripts."""

import json
from collections import defaultdict

from django.core.management.base import BaseCommand

from episodes.findings import Level, Unreadable
from feeds.lint import LintFinding, lint
from feeds.lint.sources import read

CLEAN, WARNINGS, ERRORS, UNREADABLE = range(4)

#: Places that are named for one code; the rest is counted.
PLACES = 5


class Command(BaseCommand):
    help = (
        "Judge a podcast feed by what Apple, RSS, PSP-1 and the Podcasting 2.0 namespace ask. "
        "Ends with 0 when there is nothing but advice, 1 for warnings, 2 for errors and 3 when "
        "the feed cannot be read. docs/lint.md explains every code."
    )

    def add_arguments(self, parser):
        parser.add_argument("feed", help="a show's slug, a file, or the address of a feed")
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *, feed, format, **options):
        try:
            parsed = read(feed)
        except Unreadable as refusal:
            self.refuse(refusal, format)
            raise SystemExit(UNREADABLE) from None
        findings = lint(parsed.channel, parsed.items, parsed.findings)
        if format == "json":
            self.write_json(
                {
                    "title": parsed.channel.title,
                    "items": len(parsed.items),
                    "findings": [row(finding) for finding in findings],
                    "skipped": dict(parsed.skipped),
                }
            )
        else:
            self.write_text(parsed, findings)
        if code := exit_code(findings):
            raise SystemExit(code)

    def refuse(self, refusal: Unreadable, format: str) -> None:
        if format == "json":
            self.write_json({"unreadable": {"code": refusal.code, "message": refusal.message}})
        else:
            self.stderr.write(refusal.message)

    def write_json(self, answer: dict) -> None:
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2))

    def write_text(self, parsed, findings: tuple[LintFinding, ...]) -> None:
        self.stdout.write(f"{parsed.channel.title or 'A feed'}: {len(parsed.items)} items")
        groups = defaultdict(list)
        for finding in findings:
            groups[finding.level, finding.code].append(finding)
        for (level, code), rows in groups.items():
            self.stdout.write(f"\n{level.value} {code} ({rows[0].who})")
            for finding in rows[:PLACES]:
                self.stdout.write(f"  {finding.where}: {finding.message}")
            if len(rows) > PLACES:
                self.stdout.write(f"  and {len(rows) - PLACES} more")
            if rows[0].mend:
                self.stdout.write(f"  → {rows[0].mend}")
        counts = [
            f"{sum(finding.level == level for finding in findings)} {level.value}"
            for level in Level
        ]
        self.stdout.write(f"\n{', '.join(counts)}")


def row(finding: LintFinding) -> dict:
    return {
        "level": finding.level.value,
        "code": finding.code,
        "who": finding.who,
        "where": finding.where,
        "message": finding.message,
        "mend": finding.mend,
    }


def exit_code(findings: tuple[LintFinding, ...]) -> int:
    levels = {finding.level for finding in findings}
    if Level.ERROR in levels:
        return ERRORS
    return WARNINGS if Level.WARNING in levels else CLEAN
