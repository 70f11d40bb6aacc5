from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef
from django.http import Http404
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from episodes import durations, ingest
from episodes.admin import inlines
from episodes.admin.chapters import ChapterInline, ChapterPictures
from episodes.admin.filters import HasTranscript, State
from episodes.admin.fits import Fit, FitsRecording
from episodes.admin.forms import EpisodeForm
from episodes.admin.glossary import tell_offers
from episodes.admin.letting_go import LetsGo
from episodes.admin.mending import MendingViews
from episodes.admin.pictures import large_picture, send_picture, thumbnail
from episodes.admin.progress import UploadProgress
from episodes.delivery import send_file
from episodes.models import Chapter, Episode, Transcript
from episodes.views import episode_context


@admin.register(Episode)
class EpisodeAdmin(FitsRecording, ChapterPictures, LetsGo, MendingViews, UploadProgress):
    form = EpisodeForm
    list_display = ["cover", "title", "show", "state", "length", "number", "words"]
    list_display_links = ["title"]
    list_filter = [State, "show", "type", HasTranscript, Fit, "explicit"]
    list_select_related = ["show"]
    list_per_page = 50
    search_fields = ["title", "summary", "notes", "slug", "guid"]
    search_help_text = "Searches titles, summaries, notes, slugs and GUIDs."
    date_hierarchy = "published_at"
    actions = ["publish_now", "schedule", "withdraw", "still_fit", "write_tags"]
    autocomplete_fields = ["show"]
    readonly_fields = ["recording", "cover_large"]
    save_on_top = True
    fieldsets = [
        (
            None,
            {
                "fields": [
                    "show",
                    "title",
                    "recording",
                    "audio_upload",
                    "audio_remove",
                    "summary",
                    "notes",
                    "seen_revision",
                ]
            },
        ),
        ("Publication", {"fields": [("status", "published_at")]}),
        (
            "Number and kind",
            {"fields": [("season", "number", "number_display"), ("type", "explicit")]},
        ),
        (
            "Artwork",
            {
                "classes": ["collapse"],
                "fields": [("cover_large", "artwork_upload"), "artwork_alt", "artwork_remove"],
            },
        ),
        (
            "Chapters from a file or the notes",
            {"classes": ["collapse"], "fields": ["chapters_upload", "chapters_from_notes"]},
        ),
        ("Address and identity", {"classes": ["collapse"], "fields": ["slug", "guid", "blocked"]}),
        (
            "Audio on another host",
            {
                "classes": ["collapse"],
                "description": "Size, type and length are of the audio at this address. A "
                "recording that is stored here says its own.",
                "fields": ["audio_url", ("audio_bytes", "audio_type", "duration_ms")],
            },
        ),
        (
            "Further",
            {"classes": ["collapse"], "fields": [("license", "license_url"), "custom_xml"]},
        ),
    ]
    inlines = [
        inlines.TranscriptInline,
        ChapterInline,
        inlines.CreditInline,
        inlines.SoundbiteInline,
        inlines.FundingInline,
        inlines.ContentLinkInline,
        inlines.AlternateEnclosureInline,
        inlines.LocationInline,
        inlines.TextRecordInline,
        inlines.SocialInline,
        inlines.ImageInline,
        inlines.ValueInline,
    ]

    def get_fieldsets(self, request, obj=None):
        fieldsets = super().get_fieldsets(request, obj)
        if obj and obj.audio:
            return fieldsets
        # Nothing to remove.
        return [
            (title, {**options, "fields": [f for f in options["fields"] if f != "audio_remove"]})
            for title, options in fieldsets
        ]

    def get_queryset(self, request):
        transcripts = Transcript.objects.filter(episode=OuterRef("pk"))
        return super().get_queryset(request).annotate(has_transcript=Exists(transcripts))

    # What the list shows

    @admin.display(description="")
    def cover(self, episode):
        return thumbnail(episode)

    @admin.display(description="State", ordering="published_at")
    def state(self, episode):
        now = timezone.now()
        if episode.status == Episode.Status.DRAFT:
            return mark_safe('<span class="desk-state desk-draft">Draft</span>')
        local = timezone.localtime(episode.published_at)
        when = f"{local:%-d %b %Y, %H:%M}"
        if episode.is_scheduled(now):
            return format_html('<span class="desk-state desk-scheduled">Scheduled</span> {}', when)
        if not episode.show.is_public:
            return format_html(
                '<span class="desk-state desk-draft">Show not public</span> {}', when
            )
        return format_html('<span class="desk-state desk-live">Live</span> {}', when)

    @admin.display(description="Length", ordering="duration_ms")
    def length(self, episode):
        if not episode.has_audio:
            return mark_safe('<span class="desk-missing">No audio</span>')
        return durations.clock(episode.seconds) if episode.duration_ms else "?"

    @admin.display(description="Transcript", boolean=True)
    def words(self, episode):
        return episode.has_transcript

    # What the form shows beside its fields

    @admin.display(description="Present artwork")
    def cover_large(self, episode):
        return large_picture(episode) if episode.pk and episode.artwork else "The show's"

    @admin.display(description="Recording")
    def recording(self, episode):
        if not episode.pk or not episode.has_audio:
            return "None yet"
        findings = episode.audio_facts.get("findings", [])
        address = (
            reverse("admin:episodes_episode_recording", args=[episode.pk])
            if episode.audio
            else episode.audio_url
        )
        return format_html(
            '<audio controls preload="none" src="{}"></audio><p>{}</p><p>{}</p>'
            '<ul class="desk-findings">{}</ul>',
            address,
            facts_in_words(episode),
            self.tags_in_words(episode),
            format_html_join("", '<li class="desk-{}">{}</li>', ((f[0], f[2]) for f in findings)),
        )

    # Saving

    def save_model(self, request, obj, form, change):
        super().save_model(request, obj, form, change)
        if getattr(form, "removed", False):
            days = settings.KEEP_RECORDINGS_DAYS
            text = f"The recording was removed. Its file is kept for {days} days."
            self.message_user(request, text)
        filled = getattr(form, "filled", None)
        if not filled:
            return
        self.message_user(request, f"Read the recording: {facts_in_words(obj)}.")
        if filled.fields:
            names = ", ".join(filled.fields)
            self.message_user(request, f"Taken over from the file: {names}.")
        for finding in filled.findings:
            self.message_user(request, finding.message, messages.WARNING)

    def save_related(self, request, form, formsets, change):
        super().save_related(request, form, formsets, change)
        episode = form.instance
        filled, listed = getattr(form, "filled", None), getattr(form, "chapter_list", None)
        if listed is not None:
            count = ingest.attach_chapters(episode, listed.chapters)
            self.message_user(request, f"{count} chapters read.")
            for finding in listed.findings:
                self.message_user(request, finding.message, messages.WARNING)
            late = [row for row in listed.chapters if row.start * 1000 >= episode.duration_ms]
            if episode.duration_ms and late:
                end = durations.clock(episode.duration_ms / 1000)
                self.message_user(
                    request,
                    f"The audio ends at {end}, before {len(late)} of these chapters; "
                    f"the first of them is “{late[0].title}”.",
                    messages.WARNING,
                )
        elif filled and filled.chapters and not Chapter.objects.filter(episode=episode).exists():
            pictures = ingest.read_chapter_pictures(form.cleaned_data["audio_upload"])
            count = ingest.attach_chapters(episode, filled.chapters, pictures)
            self.message_user(request, f"{count} chapters taken over from the recording.")
        for formset in formsets:
            for row in getattr(formset, "forms", []):
                for finding in getattr(row, "findings", ()):
                    self.message_user(request, f"Transcript: {finding.message}", messages.WARNING)
                if hasattr(row, "findings") and row.cleaned_data.get("upload"):
                    tell_offers(request, row.instance)

    def construct_change_message(self, request, form, formsets, add=False):
        message = super().construct_change_message(request, form, formsets, add)
        if not add and (form.cleaned_data.get("audio_upload") or form.removed):
            message.append({"changed": {"fields": ["audio"]}})
        return message

    # Seeing it before others do

    def get_urls(self):
        wrap = self.admin_site.admin_view
        return [
            path("<int:pk>/preview/", wrap(self.preview_view), name="episodes_episode_preview"),
            path("<int:pk>/picture/", wrap(self.picture_view), name="episodes_episode_picture"),
            path(
                "<int:pk>/recording/", wrap(self.recording_view), name="episodes_episode_recording"
            ),
            *super().get_urls(),
        ]

    def visible(self, request, pk) -> Episode:
        episode = self.get_object(request, str(pk))
        if episode is None:
            raise Http404
        if not self.has_view_permission(request, episode):
            raise PermissionDenied
        return episode

    def preview_view(self, request, pk):
        episode = self.visible(request, pk)
        context = episode_context(episode, timezone.now()) | {"preview": True}
        context["site_title"] = context["site_title"] or episode.show.title
        context["audio_path"] = (
            reverse("admin:episodes_episode_recording", args=[pk]) if episode.audio else ""
        )
        response = render(request, "episode.html", context)
        response["Cache-Control"] = "private, no-store"
        response["Referrer-Policy"] = "no-referrer"
        response["X-Robots-Tag"] = "noindex"
        return response

    def picture_view(self, request, pk):
        return send_picture(request, self.visible(request, pk))

    def recording_view(self, request, pk):
        episode = self.visible(request, pk)
        if not episode.audio:
            raise Http404
        response = send_file(episode.audio.name, episode.audio_type, etag=episode.audio_sha256[:32])
        response["Cache-Control"] = "private, no-store"
        for header in ("X-Accel-Expires", "Access-Control-Allow-Origin"):
            if header in response:
                del response[header]
        return response

    def view_on_site(self, episode):
        if episode.is_public(timezone.now()):
            return episode.get_absolute_url()
        return reverse("admin:episodes_episode_preview", args=[episode.pk])


def facts_in_words(episode: Episode) -> str:
    """What is known of a recording, in one line."""
    facts = episode.audio_facts
    parts = [
        durations.clock(episode.seconds) if episode.duration_ms else "",
        f"{episode.audio_bytes:,} bytes" if episode.audio_bytes else "",
        episode.audio_type,
        f"{facts['bitrate'] // 1000} kbit/s" if facts.get("bitrate") else "",
        {1: "mono", 2: "stereo"}.get(facts.get("channels"), ""),
        f"{facts['sample_rate'] / 1000:g} kHz" if facts.get("sample_rate") else "",
    ]
    return ", ".join(part for part in parts if part)
