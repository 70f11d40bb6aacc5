"""The domain: shows, episodes, and everything that hangs on them."""

from episodes.models.chapter import Chapter
from episodes.models.details import (
    AlternateEnclosure,
    Chat,
    ContentLink,
    ExtraImage,
    Funding,
    LiveStream,
    Location,
    PlatformBlock,
    Recommendation,
    SocialInteraction,
    Soundbite,
    TextRecord,
    ValuePayment,
)
from episodes.models.edition import Edition
from episodes.models.episode import Episode
from episodes.models.former import FormerEpisodeSlug, FormerRecording
from episodes.models.person import Credit, Person
from episodes.models.publication import EpisodeQuerySet
from episodes.models.revised import Revised
from episodes.models.search import SearchEntry
from episodes.models.show import FormerShowSlug, Show
from episodes.models.show_rows import DirectoryLink, Season
from episodes.models.site import Site
from episodes.models.transcript import (
    GlossaryTerm,
    SpeakerName,
    Transcript,
    TranscriptCorrection,
    main_first,
)

__all__ = [
    "AlternateEnclosure",
    "Chapter",
    "Chat",
    "ContentLink",
    "Credit",
    "DirectoryLink",
    "Edition",
    "Episode",
    "EpisodeQuerySet",
    "ExtraImage",
    "FormerEpisodeSlug",
    "FormerRecording",
    "FormerShowSlug",
    "Funding",
    "GlossaryTerm",
    "LiveStream",
    "Location",
    "Person",
    "PlatformBlock",
    "Recommendation",
    "Revised",
    "SearchEntry",
    "Season",
    "Show",
    "Site",
    "SocialInteraction",
    "Soundbite",
    "SpeakerName",
    "TextRecord",
    "Transcript",
    "TranscriptCorrection",
    "ValuePayment",
    "main_first",
]
