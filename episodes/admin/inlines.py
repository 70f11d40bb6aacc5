"""What hangs on a show or an episode, as rows under its form."""

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html

from episodes.admin.forms import TranscriptForm
from episodes.models import (
    AlternateEnclosure,
    Chat,
    ContentLink,
    Credit,
    DirectoryLink,
    ExtraImage,
    Funding,
    GlossaryTerm,
    LiveStream,
    Location,
    PlatformBlock,
    Recommendation,
    Season,
    SocialInteraction,
    Soundbite,
    TextRecord,
    Transcript,
    ValuePayment,
)


class Rows(admin.TabularInline):
    """Rows without an empty one to begin with; an editor adds what is needed."""

    extra = 0


class Further(Rows):
    """Rows that most editors never need: folded away."""

    classes = ["collapse"]


class TranscriptInline(admin.StackedInline):
    model = Transcript
    form = TranscriptForm
    extra = 0
    readonly_fields = ["stored"]
    fields = ["language", "upload", "stored"]

    def get_queryset(self, request):
        return super().get_queryset(request).light()

    def get_extra(self, request, obj=None, **kwargs):
        return 0 if obj and obj.transcripts.exists() else 1

    @admin.display(description="Stored")
    def stored(self, transcript):
        if not transcript.pk:
            return "Nothing yet: choose a file (WebVTT, SRT, JSON, HTML or plain text)."
        kind = "with times" if transcript.has_cues else "without times"
        note = f"{transcript.original_name or 'text'} ({transcript.format}), {kind}"
        if transcript.recording and transcript.recording != transcript.episode.audio_sha256:
            note += ". Made for an earlier recording: check it against the new audio."
        address = reverse(
            "admin:episodes_episode_mend", args=[transcript.episode_id, transcript.pk]
        )
        return format_html('{} · <a href="{}">Mend its words</a>', note, address)


class CreditInline(Rows):
    model = Credit
    fields = ["person", "role", "group", "position"]
    autocomplete_fields = ["person"]


class DirectoryLinkInline(Rows):
    model = DirectoryLink
    fields = ["service", "label", "url", "position"]


class SeasonInline(Rows):
    model = Season
    fields = ["number", "name"]


class FundingInline(Rows):
    model = Funding
    fields = ["url", "text", "position"]


def further(model, *fields: str) -> type[Further]:
    return type(f"{model.__name__}Inline", (Further,), {"model": model, "fields": list(fields)})


LocationInline = further(Location, "name", "rel", "geo", "osm", "country")
TextRecordInline = further(TextRecord, "purpose", "value")
SocialInline = further(
    SocialInteraction, "protocol", "uri", "account_id", "account_url", "priority"
)
ImageInline = further(
    ExtraImage, "url", "alt", "aspect_ratio", "width", "height", "media_type", "purpose"
)
ValueInline = further(ValuePayment, "type", "method", "suggested", "recipients")
ChatInline = further(Chat, "server", "protocol", "account_id", "space")
RecommendationInline = further(Recommendation, "feed_guid", "feed_url", "title", "position")
PlatformBlockInline = further(PlatformBlock, "service", "blocked")
LiveStreamInline = further(
    LiveStream,
    "title",
    "guid",
    "status",
    "starts_at",
    "ends_at",
    "stream_url",
    "stream_type",
    "content_url",
    "content_text",
    "description",
)
SoundbiteInline = further(Soundbite, "start_ms", "duration_ms", "title")
AlternateEnclosureInline = further(
    AlternateEnclosure,
    "sources",
    "media_type",
    "length",
    "bitrate",
    "height",
    "title",
    "rel",
    "codecs",
    "is_default",
)
ContentLinkInline = further(ContentLink, "url", "text", "position")
GlossaryInline = further(GlossaryTerm, "wrong", "right", "match_case")
