"""What belongs to a show: which models and which of their fields, and what is left out and why.

Fields of these models are exported by themselves, so a new one is; a test compares them with the
published schema, and asks of every model that hangs on these whether it is listed.
"""

from dataclasses import dataclass
from enum import Enum, auto

from django.db import models

from episodes import models as ours
from episodes.models.details import Detail


@dataclass(frozen=True)
class Kind:
    """Rows of one model. `key` names them in the document, `owner` is the way to their owner.

    `in_files` are fields whose content lies in a file of the archive, with the file's ending.
    """

    model: type[models.Model]
    key: str
    owner: str = ""
    parts: tuple["Kind", ...] = ()
    in_files: tuple[tuple[str, str], ...] = ()

    def __post_init__(self):
        for name in (self.owner, *(name for name, _ in self.in_files)):
            if name:
                self.model._meta.get_field(name)


class Role(Enum):
    """What a field becomes."""

    LEFT_OUT = auto()
    OWNER = auto()  # said by the place in the document
    PERSON = auto()  # the person's uid
    STORED = auto()  # a file of the media, by its path in the archive
    IN_FILE = auto()  # content kept in a file, by its path in the archive
    VALUE = auto()


DETAILS = tuple(sorted(Detail.__subclasses__(), key=lambda model: model.__name__))

TRANSCRIPT = Kind(
    ours.Transcript,
    "transcripts",
    "episode",
    parts=(Kind(ours.TranscriptCorrection, "corrections", "transcript"),),
    in_files=(("original", ""), ("cues", "json"), ("text", "txt")),
)

EPISODE = Kind(
    ours.Episode,
    "episodes",
    "show",
    parts=(
        TRANSCRIPT,
        Kind(ours.Chapter, "chapters", "episode"),
        Kind(ours.Credit, "credits", "episode"),
        Kind(ours.Soundbite, "soundbites", "episode"),
        Kind(ours.AlternateEnclosure, "alternate_enclosures", "episode"),
        Kind(ours.ContentLink, "content_links", "episode"),
        Kind(ours.FormerEpisodeSlug, "former_slugs", "episode"),
        Kind(ours.FormerRecording, "former_recordings", "episode"),
        *(Kind(model, model._meta.model_name or "", "episode") for model in DETAILS),
    ),
)

SHOW = Kind(
    ours.Show,
    "show",
    parts=(
        Kind(ours.Credit, "credits", "show"),
        Kind(ours.DirectoryLink, "directory_links", "show"),
        Kind(ours.Season, "seasons", "show"),
        Kind(ours.FormerShowSlug, "former_slugs", "show"),
        Kind(ours.Recommendation, "recommendations", "show"),
        Kind(ours.PlatformBlock, "platform_blocks", "show"),
        Kind(ours.LiveStream, "live_streams", "show"),
        Kind(ours.GlossaryTerm, "glossary", "show"),
        Kind(ours.SpeakerName, "speaker_names", "show"),
        *(Kind(model, model._meta.model_name or "", "show") for model in DETAILS),
    ),
)

PERSON = Kind(ours.Person, "people")

#: Models that hang on these and are no part of a show, by label.
LEFT_OUT_MODELS = {
    "episodes.SearchEntry": "an index of the rows, made again from them",
    "feeds.StoredItem": "a cache of rendered items, made again from the rows",
    "feeds.ShowArchive": "an archive of the show that was asked for here, to be made again",
    "feeds.ImportedShow": "what this site remembers of the show's move here, for the next import",
    "feeds.ImportedItem": "the same of an episode",
    "feeds.ImportRun": "an import that was asked for here",
    "feeds.Announcement": "what this site has told its hubs; another site tells its own",
}

#: Fields that stay here, by label.
LEFT_OUT_FIELDS: dict[str, str] = {}

#: A former address of the show may lead to an episode that has moved to another show since, and
#: an episode's to a show it has left: such a pair belongs to neither archive alone.
SAME_SHOW: dict[type[models.Model], str] = {ours.FormerEpisodeSlug: "show"}


def kinds() -> list[Kind]:
    """Every kind there is, owners before what hangs on them."""

    def below(kind: Kind) -> list[Kind]:
        return [kind, *(found for part in kind.parts for found in below(part))]

    return [*below(SHOW), *below(EPISODE), PERSON]


def role(kind: Kind, field: models.Field) -> Role:
    """Raises LookupError for a field that nobody has thought of yet."""
    label = f"{kind.model._meta.label}.{field.name}"
    if field.primary_key or label in LEFT_OUT_FIELDS:
        return Role.LEFT_OUT
    if isinstance(field, models.ForeignKey):
        if field.related_model is ours.Person:
            return Role.PERSON
        if field.related_model in (ours.Show, ours.Episode, ours.Transcript):
            return Role.OWNER
        raise LookupError(f"{label} refers to a model that is no part of a show: see catalogue.py.")
    if isinstance(field, models.FileField):
        return Role.STORED
    if field.name in dict(kind.in_files):
        return Role.IN_FILE
    if isinstance(field, _VALUES):
        return Role.VALUE
    raise LookupError(f"{label} is of a type that archives do not know: see catalogue.py.")


_VALUES = (
    models.BooleanField,
    models.CharField,
    models.DateTimeField,
    models.IntegerField,
    models.JSONField,
    models.TextField,
    models.UUIDField,
)


def fields(kind: Kind) -> list[tuple[models.Field, Role]]:
    """The fields that the document has of such a row."""
    found = ((field, role(kind, field)) for field in kind.model._meta.concrete_fields)
    return [(f, r) for f, r in found if r not in (Role.LEFT_OUT, Role.OWNER)]
