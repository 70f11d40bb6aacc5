"""For pipelines: a transcript, from a file or standard input, to an episode that exists."""

import sys
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand
from django.urls import reverse

from episodes.attaching import Attached, Outcome, attach_transcript
from episodes.findings import Level
from episodes.glossary_run import offers, terms_of
from episodes.ingest import TRANSCRIPT_MAX_BYTES
from episodes.links import absolute
from episodes.models import Episode, Show, main_first

ATTACHED, REMARKS, REFUSED = range(3)


class Refused(Exception):
    """Nothing was changed; the message says why and what to do."""


class Command(BaseCommand):
    help = (
        "Attach a transcript (WebVTT, SRT, JSON, HTML or plain text) to an episode. Writes the "
        "address of its page to standard output and all else to standard error. Ends with 0 "
        "when it is attached or was there already, 1 when it is attached and there are warnings "
        "worth a look, 2 when it was refused and nothing has changed."
    )

    def add_arguments(self, parser):
        parser.add_argument("show", help="the show's slug")
        parser.add_argument("episode", help="the episode's slug, its GUID or its number")
        parser.add_argument("file", nargs="?", default="-", help="a file, or - for standard input")
        parser.add_argument("--language", default="", help="such as en or pt-BR; else the show's")
        parser.add_argument(
            "--replace", action="store_true", help="put it in the place of another transcript"
        )

    def handle(self, *, show, episode, file, language, replace, **options):
        if file == "-" and sys.stdin.isatty():
            self.stderr.write("Reading a transcript from the terminal; Ctrl-D ends it.")
        try:
            attached = attach_transcript(
                find(show, episode), *read(file), language=language, replace=replace
            )
        except (Refused, ValidationError) as refusal:
            for message in getattr(refusal, "messages", None) or [str(refusal)]:
                self.stderr.write(f"refused: {message}")
            raise SystemExit(REFUSED) from None
        self.tell(attached)
        if any(finding.level == Level.WARNING for finding in attached.findings):
            raise SystemExit(REMARKS)

    def tell(self, attached: Attached) -> None:
        row = attached.transcript
        for finding in attached.findings:
            where = f" ({finding.where})" if finding.where else ""
            self.stderr.write(f"{finding.level.value}: {finding.message}{where}")
        if attached.outcome == Outcome.UNCHANGED:
            self.stderr.write("The same file is attached already; nothing has changed.")
        else:
            count = f"{len(row.cues):,} cues" if row.cues else "words without times"
            self.stderr.write(f"{attached.outcome.value}: {row.language}, {row.format}, {count}")
            proposed = len(offers(row, terms_of(row.episode.show)))
            if proposed:
                self.stderr.write(
                    f"The show's glossary proposes corrections: {proposed}. Look through them at "
                    + absolute(
                        reverse("admin:episodes_episode_glossary", args=[row.episode_id, row.pk])
                    )
                )
        rows = main_first(row.episode.transcripts.light(), row.episode.show.language)
        main = rows[0].pk == row.pk
        self.stdout.write(absolute(row.page_path(row.episode, main=main)))


def find(show_slug: str, name: str) -> Episode:
    """The episode of that slug, GUID or number, whether it is public or not."""
    show = Show.objects.filter(slug=show_slug).first()
    if show is None:
        known = ", ".join(Show.objects.values_list("slug", flat=True)[:10]) or "none yet"
        raise Refused(f"There is no show “{show_slug}”. Shows: {known}.")
    rows = Episode.objects.filter(show=show).select_related("show")
    found = rows.filter(slug=name).first() or rows.filter(guid=name).first()
    if found is None and name.isascii() and name.isdigit() and len(name) < 10:
        numbered = list(rows.filter(number=int(name))[:2])
        if len(numbered) > 1:
            raise Refused(f"Several episodes have the number {name}; give the slug instead.")
        found = numbered[0] if numbered else None
    if found is None:
        raise Refused(
            f"“{show.slug}” has no episode “{name}”. Give its slug, the last part of its address."
        )
    return found


def read(file: str) -> tuple[bytes, str]:
    """The bytes and the name. One more byte than is taken is read, so that too much is seen."""
    if file == "-":
        return sys.stdin.buffer.read(TRANSCRIPT_MAX_BYTES + 1), ""
    try:
        with Path(file).open("rb") as source:
            return source.read(TRANSCRIPT_MAX_BYTES + 1), Path(file).name
    except OSError as error:
        raise Refused(f"{file}: {error.strerror}.") from None
