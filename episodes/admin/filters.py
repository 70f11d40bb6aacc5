from django.contrib import admin
from django.utils import timezone

from episodes.models import Episode


class State(admin.SimpleListFilter):
    """Draft, scheduled, live: what the clock makes of status and date."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request, model_admin):
        return [("draft", "Draft"), ("scheduled", "Scheduled"), ("live", "Live")]

    def queryset(self, request, queryset):
        now = timezone.now()
        match self.value():
            case "draft":
                return queryset.filter(status=Episode.Status.DRAFT)
            case "scheduled":
                return queryset.published().filter(published_at__gt=now)
            case "live":
                return queryset.public(now)
        return queryset


class HasTranscript(admin.SimpleListFilter):
    title = "transcript"
    parameter_name = "transcript"

    def lookups(self, request, model_admin):
        return [("yes", "With transcript"), ("no", "Without")]

    def queryset(self, request, queryset):
        match self.value():
            case "yes":
                return queryset.filter(has_transcript=True)
            case "no":
                return queryset.filter(has_transcript=False)
        return queryset
