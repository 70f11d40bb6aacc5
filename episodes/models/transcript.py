"""Transcript: what was said, in one language, with the file it came from."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from django.db import models
from django.db.models import Q

from episodes.links import path_to
from episodes.models.episode import Episode
from episodes.models.person import Person
from episodes.models.revised import Revised, RevisedQuerySet
from episodes.models.show import Show
from episodes.models.timed import TimedQuerySet
from episodes.models.validators import language_code
from episodes.transcripts import Cue, formats_for, write
from episodes.transcripts.corrections import Change
from episodes.transcripts.cues import cues_from_rows, cues_to_rows
from episodes.transcripts.excerpt import excerpt, paragraphs_of_text
from episodes.transcripts.paragraphs import Paragraph, paragraphs, text_of, text_paragraphs
from episodes.transcripts.speakers import with_names


class TranscriptQuerySet(TimedQuerySet):
    def light(self):
        """Without the original file, the cues and the text: what links to it needs."""
        return self.defer("original", "cues", "text")


class Transcript(Revised):
    """`cues` are rows as `episodes.transcripts.cues.cues_to_rows` makes them, or None.

    `text` is always there: the words as paragraphs with blank lines between.
    The original file is kept as it came; corrections change cues and text only.
    """

    show_paths = ("episode__show",)
    episode_paths = ("episode",)
    is_searched = True

    episode = models.ForeignKey(Episode, models.CASCADE, related_name="transcripts")
    language = models.CharField(max_length=35, validators=[language_code])
    original = models.BinaryField(editable=False, default=b"")
    original_name = models.CharField(max_length=255, blank=True, editable=False)
    format = models.CharField(max_length=20, editable=False)
    cues = models.JSONField(null=True, blank=True, editable=False)
    text = models.TextField(editable=False)
    has_cues = models.BooleanField(default=False, editable=False)
    has_speakers = models.BooleanField(default=False, editable=False)
    version = models.CharField(max_length=16, editable=False)
    recording = models.CharField(max_length=64, blank=True, editable=False)
    declined = models.JSONField(null=True, editable=False)  # of the glossary: [start, wrong, right]
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = models.Manager.from_queryset(TranscriptQuerySet)()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["episode", "language"],
                name="transcript_once_per_language",
                violation_error_message="This episode has a transcript in this language already.",
            ),
        ]

    def __str__(self):
        return f"{self.language} ({self.format})"

    # Its words, read and written (episodes.transcripts knows the formats)

    def read_cues(self) -> tuple[Cue, ...]:
        return cues_from_rows(self.cues or ())

    def lines(self) -> tuple[Cue, ...]:
        """What corrections are about: the cues, or a paragraph each, standing at 0."""
        if self.cues:
            return self.read_cues()
        return tuple(Cue(0, 0, "", words) for words in paragraphs_of_text(self.text))

    def set_lines(self, lines: Sequence[Cue]) -> None:
        """Other words; the row is the caller's to save."""
        if self.cues:
            self.cues, self.text = cues_to_rows(lines), text_of(lines)
            self.has_speakers = any(cue.speaker for cue in lines)
        else:
            self.text = "\n\n".join(line.text for line in lines)

    def formats(self) -> tuple[str, ...]:
        """The extensions it can be had as, in the order apps prefer."""
        return formats_for(self.has_cues)

    def write(self, extension: str, names: Mapping[str, str]) -> tuple[bytes, str]:
        """The whole of it in a format, with its media type. Raises KeyError for others.

        `names` are the show's, as `SpeakerName.objects.of(show)` gives them.
        """
        cues = self.read_cues()
        return write(cues, self.text, extension, language=self.language, names=names)

    def paragraphs(self, names: Mapping[str, str] | None = None) -> tuple[Paragraph, ...]:
        if self.has_cues:
            return paragraphs(with_names(self.read_cues(), names or {}))
        return with_names(text_paragraphs(self.text), names or {})

    def excerpt(self) -> tuple[str, ...]:
        return excerpt([paragraph.text for paragraph in self.paragraphs()])

    # Where it is found. An episode's main transcript, the first of `main_first`, has the
    # addresses without a language.

    def page_path(self, episode: Episode, *, main: bool) -> str:
        path = path_to("episodes:transcript", episode.show.slug, episode.slug)
        return path if main else f"{path}?lang={self.language}"

    def file_paths(self, episode: Episode, names, *, main: bool) -> dict[str, str]:
        """By format, in the order apps prefer.

        With the version of its words and names: what is found there never changes.
        """
        path = path_to("episodes:transcript", episode.show.slug, episode.slug).rstrip("/")
        infix, version = "" if main else f".{self.language}", self.public_version(names)
        return {extension: f"{path}{infix}.{extension}?v={version}" for extension in self.formats()}

    def public_version(self, names: Mapping[str, str]) -> str:
        """Changes with anything that is written: words, times, speakers and their names."""
        if not names:
            return self.version
        return hashlib.sha256(repr((self.version, sorted(names.items()))).encode()).hexdigest()[:12]

    def save_base(self, *args, **kwargs):
        self.has_cues = bool(self.cues)
        self.version = self.make_version()
        super().save_base(*args, **kwargs)

    def make_version(self) -> str:
        """A short name for these words and times; others have another."""
        digest = hashlib.sha256(self.text.encode("utf-8", "surrogatepass"))
        digest.update(repr(self.cues).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:12]


def main_first(rows: Iterable[Transcript], language: str) -> list[Transcript]:
    """An episode's transcripts, the one in the show's `language` first, else the oldest."""
    return sorted(rows, key=lambda row: (row.language.lower() != language.lower(), row.pk))


class TranscriptCorrection(models.Model):
    """What an editor changed in a transcript: rows of cues that became others.

    Those that stand, in the order of their keys, make the transcript's present words of its
    file. `run` is common to what one run of the glossary changed. `lost_at` is set while the
    present file has not the words it is about; they may come back with another.
    """

    transcript = models.ForeignKey(Transcript, models.CASCADE, related_name="corrections")
    place = models.PositiveIntegerField(default=0)
    before = models.JSONField(default=list)
    after = models.JSONField(default=list)
    note = models.CharField(max_length=255)
    run = models.UUIDField(null=True, blank=True, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    lost_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self):
        return self.note

    @property
    def change(self) -> Change:
        return Change(self.place, cues_from_rows(self.before), cues_from_rows(self.after))

    def hold(self, change: Change) -> "TranscriptCorrection":
        """Make the row about this change; it is the caller's to save."""
        self.place = change.place
        self.before = cues_to_rows(change.before)
        self.after = cues_to_rows(change.after)
        return self


class GlossaryTerm(models.Model):
    """A word the machine mishears in this show, and how it is spelled."""

    show = models.ForeignKey(Show, models.CASCADE, related_name="glossary")
    wrong = models.CharField("misheard as", max_length=100)
    right = models.CharField("spelled", max_length=100)
    match_case = models.BooleanField(default=False)

    class Meta:
        ordering = ["wrong"]
        constraints = [
            models.UniqueConstraint(fields=["show", "wrong"], name="glossary_term_once_per_show"),
            models.CheckConstraint(name="glossary_term_is_not_empty", condition=~Q(wrong="")),
        ]

    def __str__(self):
        return f"{self.wrong} → {self.right}"


class SpeakerNameQuerySet(RevisedQuerySet):
    def of(self, show) -> dict[str, str]:
        """Label → name of the person meant, for a show. One query."""
        return dict(self.filter(show=show).values_list("label", "person__name"))


class SpeakerName(Revised):
    """Who is meant by a speaker's label in this show's transcripts."""

    show_paths = ("show",)

    show = models.ForeignKey(Show, models.CASCADE, related_name="speaker_names")
    label = models.CharField(max_length=128)
    person = models.ForeignKey(Person, models.CASCADE, related_name="speaker_names")

    objects = models.Manager.from_queryset(SpeakerNameQuerySet)()

    class Meta:
        ordering = ["label"]
        constraints = [
            models.UniqueConstraint(fields=["show", "label"], name="speaker_label_once_per_show")
        ]

    def __str__(self):
        return f"{self.label}: {self.person}"
