from django.contrib import admin
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html

from episodes.admin import inlines
from episodes.admin.forms import ShowForm
from episodes.admin.glossary import ShowGlossaryViews
from episodes.admin.pictures import large_picture, send_picture, thumbnail
from episodes.admin.progress import UploadProgress
from episodes.admin.speakers import SpeakerViews
from episodes.models import Show


@admin.register(Show)
class ShowAdmin(SpeakerViews, ShowGlossaryViews, UploadProgress):
    form = ShowForm
    list_display = ["cover", "title", "visibility", "live_episodes", "newest", "feed"]
    list_display_links = ["title"]
    list_filter = ["visibility", "type", "language"]
    search_fields = ["title", "slug", "tagline", "author"]
    readonly_fields = ["cover_large", "feed", "words"]
    save_on_top = True
    fieldsets = [
        (None, {"fields": ["title", "tagline", "description", "seen_revision"]}),
        (
            "Artwork",
            {"fields": [("cover_large", "artwork_upload"), "artwork_alt", "artwork_remove"]},
        ),
        (
            "What directories ask for",
            {
                "fields": [
                    ("language", "author"),
                    ("category", "category_2", "category_3"),
                    ("explicit", "type"),
                    ("copyright", "license", "license_url"),
                    "link",
                ]
            },
        ),
        ("Address and visibility", {"fields": ["slug", "visibility", "feed", "complete"]}),
        (
            "Transcripts",
            {
                "fields": ["words"],
                "description": "Terms of the glossary are further down on this page.",
            },
        ),
        (
            "Owner",
            {"classes": ["collapse"], "fields": [("owner_name", "owner_email"), "owner_in_feed"]},
        ),
        (
            "Identity and moving",
            {
                "classes": ["collapse"],
                "fields": ["guid", "locked", "blocked", "new_feed_url", "page_size"],
            },
        ),
        (
            "Audio and chapters",
            {"classes": ["collapse"], "fields": ["chapters_in_notes", "write_tags"]},
        ),
        (
            "Further",
            {
                "classes": ["collapse"],
                "fields": [
                    "medium",
                    ("update_frequency", "update_rrule"),
                    ("publisher_guid", "publisher_url"),
                    "custom_xml",
                ],
            },
        ),
    ]
    inlines = [
        inlines.CreditInline,
        inlines.DirectoryLinkInline,
        inlines.FundingInline,
        inlines.SeasonInline,
        inlines.GlossaryInline,
        inlines.LocationInline,
        inlines.TextRecordInline,
        inlines.RecommendationInline,
        inlines.SocialInline,
        inlines.ImageInline,
        inlines.ValueInline,
        inlines.ChatInline,
        inlines.PlatformBlockInline,
        inlines.LiveStreamInline,
    ]

    def get_queryset(self, request):
        return super().get_queryset(request).with_live_counts(timezone.now())

    def get_urls(self):
        picture = self.admin_site.admin_view(self.picture_view)
        own = [path("<int:pk>/picture/", picture, name="episodes_show_picture")]
        return own + super().get_urls()

    def picture_view(self, request, pk):
        show = self.get_object(request, str(pk))
        allowed = show and self.has_view_permission(request, show)
        return send_picture(request, show if allowed else None)

    def view_on_site(self, show):
        return show.get_absolute_url() if show.is_public else None

    @admin.display(description="")
    def cover(self, show):
        return thumbnail(show)

    @admin.display(description="Present artwork")
    def cover_large(self, show):
        return large_picture(show) if show.pk and show.artwork else "None yet"

    @admin.display(description="Live", ordering="live_count")
    def live_episodes(self, show):
        url = reverse("admin:episodes_episode_changelist")
        return format_html('<a href="{}?show__id__exact={}">{}</a>', url, show.pk, show.live_count)

    @admin.display(description="Newest", ordering="newest_at")
    def newest(self, show):
        return show.newest_at

    @admin.display(description="What was said")
    def words(self, show):
        if not show.pk:
            return "After saving"
        return format_html(
            '<a href="{}">Name the speakers</a> · <a href="{}">Run the glossary over all '
            "episodes</a>",
            reverse("admin:episodes_show_speakers", args=[show.pk]),
            reverse("admin:episodes_show_glossary", args=[show.pk]),
        )

    @admin.display(description="Feed")
    def feed(self, show):
        if not show.pk:
            return "After saving"
        return format_html('<a href="{0}">{0}</a>', show.get_feed_path())
