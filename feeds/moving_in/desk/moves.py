"""“Moves”: shows that came from elsewhere, and what is still to be done at their old address."""

from datetime import datetime, timedelta

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from feeds.models import ImportedShow, ImportRun
from feeds.moving_in import runs, takeover
from feeds.moving_in.desk.runs import may_import

#: A check that was asked for and did not come in this time is not waited for.
PATIENCE = timedelta(minutes=5)

#: Digits; the largest key of a row has nineteen.
LONGEST_KEY = 19

STATES = {
    takeover.DONE: ("Done", "desk-live"),
    takeover.OPEN: ("To do", "desk-scheduled"),
    takeover.UNKNOWN: ("Not known", "desk-draft"),
}


class ImportedShowAdmin(admin.ModelAdmin):
    list_display = ["show", "feed_url", "imported_at", "seen_done", "checked_at"]
    list_select_related = ["show"]
    search_fields = ["show__title", "feed_url"]

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False  # without it a second import could not tell what was edited here

    def get_object(self, request, object_id, from_field=None):
        """None also for numbers no database has: the key is a relation, which Django lets pass."""
        whole = str(object_id).isdecimal() and len(str(object_id)) < LONGEST_KEY
        return super().get_object(request, object_id, from_field) if whole else None

    def change_view(self, request, object_id, form_url="", extra_context=None):
        imported = self.get_object(request, object_id)
        if imported is None:
            return super().change_view(request, object_id, form_url, extra_context)
        if not self.has_view_permission(request, imported):
            raise PermissionDenied
        queued = imported.check_queued_at
        context = {
            **self.admin_site.each_context(request),
            "title": f"The move of {imported.show}",
            "opts": self.opts,
            "move": imported,
            "rows": checklist(imported),
            "done": self.seen_done(imported),
            "looks_again": queued is not None and queued > timezone.now() - PATIENCE,
            "may_check": self.may_check(request),
            "may_import": may_import(request.user),
        }
        return TemplateResponse(request, "admin/feeds/importedshow/move.html", context)

    def may_check(self, request) -> bool:
        return request.user.has_perm("feeds.change_importedshow")

    def get_urls(self):
        wrap = self.admin_site.admin_view
        check = wrap(require_POST(self.check_view))
        again = wrap(require_POST(self.import_view))
        return [
            path("<int:pk>/check/", check, name="feeds_importedshow_check"),
            path("<int:pk>/import/", again, name="feeds_importedshow_import"),
            *super().get_urls(),
        ]

    def check_view(self, request, pk):
        imported = self.found(pk, self.may_check(request))
        takeover.queue(imported)
        return self.back(imported)

    def import_view(self, request, pk):
        imported = self.found(pk, may_import(request.user))
        if not imported.feed_url:
            self.message_user(request, "It came from a file: import that again.", messages.ERROR)
            return self.back(imported)
        run, fresh = runs.ask(
            ImportRun(
                show=imported.show,
                feed_url=imported.feed_url,
                audio=imported.audio,
                asked_by=request.user,
            )
        )
        if not fresh:
            self.message_user(request, "This feed is being imported already.", messages.WARNING)
        return HttpResponseRedirect(reverse("admin:feeds_importrun_change", args=[run.pk]))

    def found(self, pk, allowed: bool) -> ImportedShow:
        if not allowed:
            raise PermissionDenied
        imported = self.get_object(None, pk)
        if imported is None:
            raise Http404
        return imported

    def back(self, imported):
        return HttpResponseRedirect(reverse("admin:feeds_importedshow_change", args=[imported.pk]))

    @admin.display(description="Seen to be done")
    def seen_done(self, imported):
        done = sum(row.get("state") == takeover.DONE for row in imported.checks.values())
        return f"{done} of {len(takeover.CHECKS)}" if imported.checks else "Not checked"


def checklist(imported: ImportedShow) -> list[dict]:
    """The steps of the move in order, each with what was seen of it and when."""
    rows = []
    for name, words in takeover.CHECKS.items():
        found = imported.checks.get(name, {})
        state, style = STATES[found.get("state", takeover.UNKNOWN)]
        at = found.get("at")
        rows.append(
            {
                "state": state,
                "style": style,
                "words": words,
                "seen": found.get("seen", ""),
                "at": datetime.fromisoformat(at) if at else None,
            }
        )
    return rows
