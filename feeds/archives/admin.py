"""The page behind “Export” on a show: ask for its archive, see how far it is, fetch it."""

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from episodes.delivery import disposition, send_file
from episodes.models import Show
from feeds.archives import desk
from feeds.models import ShowArchive


class ShowArchiveAdmin(admin.ModelAdmin):
    """Not listed on the desk: a show's own page links here."""

    def has_module_permission(self, request):
        return False

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False

    def has_view_permission(self, request, obj=None):
        return False

    def get_urls(self):
        """These two alone: rows have no forms here."""
        wrap = self.admin_site.admin_view
        return [
            path("<int:pk>/", wrap(self.page), name="feeds_showarchive_export"),
            path("<int:pk>/fetch/", wrap(self.fetch), name="feeds_showarchive_fetch"),
        ]

    def show(self, request, pk: int) -> Show:
        """The show, for those who may change it: its archive holds drafts and addresses."""
        shows = self.admin_site.get_model_admin(Show)
        show = shows.get_object(request, str(pk))
        if show is None:
            raise Http404
        if not shows.has_change_permission(request, show):
            raise PermissionDenied
        return show

    def page(self, request, pk):
        show = self.show(request, pk)
        here = reverse("admin:feeds_showarchive_export", args=[show.pk])
        if request.method == "POST":
            if not desk.ask(show):
                self.message_user(request, "It is being made already.", messages.WARNING)
            return HttpResponseRedirect(here)
        row = ShowArchive.objects.filter(pk=show.pk).first()
        ready = row is not None and desk.ready(row)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Export {show}",
            "show": show,
            "archive": row,
            "ready": ready,
            "outdated": ready and row.revision != show.revision,
            "pending": row is not None and row.asked_at is not None,
        }
        return TemplateResponse(request, "admin/episodes/show/export.html", context)

    def fetch(self, request, pk):
        show = self.show(request, pk)
        row = ShowArchive.objects.filter(pk=show.pk).first()
        if row is None or not desk.ready(row):
            raise Http404
        filename = f"{show.slug}.zip"
        response = send_file(row.name, "application/zip", row.name[-20:-4], filename=filename)
        if response.has_header("Content-Disposition"):
            response["Content-Disposition"] = disposition(filename).replace("inline", "attachment")
        for name in ("X-Accel-Expires", "Access-Control-Allow-Origin"):
            response.headers.pop(name, None)
        response["Cross-Origin-Resource-Policy"] = "same-origin"
        response["Cache-Control"] = "private, no-store"
        return response
