"""On the desk: what was made for an earlier recording is said, and confirmed with one click."""

from django.contrib import admin, messages
from django.http import HttpResponseRedirect
from django.utils.html import format_html

from episodes import fitting


class FitsRecording(admin.ModelAdmin):
    """Adds the notice `earlier` to the form where it is needed, its button, and an action."""

    def get_fieldsets(self, request, obj=None):
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None or not fitting.in_doubt(obj):
            return fieldsets
        return [(None, {"fields": ["earlier"], "classes": ["desk-notice"]}), *fieldsets]

    def get_readonly_fields(self, request, obj=None):
        return [*super().get_readonly_fields(request, obj), "earlier"]

    @admin.display(description="Made for an earlier recording")
    def earlier(self, episode):
        doubt = str(fitting.in_doubt(episode))
        return format_html(
            '<p class="desk-earlier" role="status">{}: check against the present audio. </p>'
            '<input type="submit" name="_still_fits" value="It all still fits">',
            doubt[:1].upper() + doubt[1:],
        )

    def save_related(self, request, form, formsets, change):
        super().save_related(request, form, formsets, change)
        if "_still_fits" in request.POST:
            count = fitting.still_fits(form.instance)
            self.message_user(request, confirmed(count), messages.SUCCESS)

    def response_change(self, request, obj):
        if "_still_fits" in request.POST:
            return HttpResponseRedirect(request.path)
        return super().response_change(request, obj)

    @admin.action(description="Transcript and chapters still fit", permissions=["change"])
    def still_fit(self, request, queryset):
        episodes = list(fitting.episodes_in_doubt(queryset))
        count = sum(map(fitting.still_fits, episodes))
        for episode in episodes:
            self.log_change(request, episode, "Transcript and chapters still fit the recording.")
        self.message_user(request, confirmed(count), messages.SUCCESS)


def confirmed(count: int) -> str:
    if not count:
        return "Nothing was in doubt."
    return f"Confirmed for the present recording: {count} of transcripts and chapters."


class Fit(admin.SimpleListFilter):
    title = "recording"
    parameter_name = "fit"

    def lookups(self, request, model_admin):
        return [("earlier", "Transcript or chapters of an earlier one")]

    def queryset(self, request, queryset):
        if self.value() == "earlier":
            return fitting.episodes_in_doubt(queryset)
        return queryset
