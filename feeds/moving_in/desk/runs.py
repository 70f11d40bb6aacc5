"""“Import a show”: the form, the running import, and its report."""

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from feeds.models import ImportRun
from feeds.moving_in import runs
from feeds.moving_in.desk import reporting
from feeds.moving_in.desk.form import ImportForm

#: An import writes shows and episodes, so whoever asks for one may do so by hand.
NEEDED = [f"episodes.{verb}_{model}" for model in ("show", "episode") for verb in ("add", "change")]


def may_import(user) -> bool:
    return user.has_perms(["feeds.add_importrun", *NEEDED])


class ImportRunAdmin(admin.ModelAdmin):
    form = ImportForm
    list_display = ["__str__", "show", "kind", "state", "progress", "created_at"]
    list_filter = ["state", "dry_run"]
    list_select_related = ["show"]
    fieldsets = [
        (None, {"fields": ["feed_url", "document_upload", "audio", "dry_run"]}),
        (
            "For a protected feed",
            {"classes": ["collapse"], "fields": ["feed_user", "feed_password"]},
        ),
    ]

    def has_add_permission(self, request):
        return may_import(request.user)

    def has_change_permission(self, request, obj=None):
        return False

    def add_view(self, request, form_url="", extra_context=None):
        context = {
            "title": "Import a show",
            "show_save": True,
            "show_save_and_continue": False,
            "show_save_and_add_another": False,
        }
        return super().add_view(request, form_url, (extra_context or {}) | context)

    def save_model(self, request, obj, form, change):
        """Who sends the form twice sees the run that is under way."""
        obj.asked_by = request.user
        run, obj.is_fresh = runs.ask(obj)
        obj.pk = run.pk

    def log_addition(self, request, obj, message):
        return super().log_addition(request, obj, message) if obj.is_fresh else None

    def response_add(self, request, obj, post_url_continue=None):
        return self.answer(request, obj, obj.is_fresh)

    def answer(self, request, run, fresh: bool):
        if not fresh:
            self.message_user(
                request, "This feed is being imported already: here it is.", messages.WARNING
            )
        return HttpResponseRedirect(reverse("admin:feeds_importrun_change", args=[run.pk]))

    def get_urls(self):
        wrap = self.admin_site.admin_view
        posts = [
            path(f"<int:pk>/{name}/", wrap(require_POST(view)), name=f"feeds_importrun_{name}")
            for name, view in (
                ("again", self.again_view), ("stop", self.stop_view), ("resume", self.resume_view),
            )
        ]  # fmt: skip
        report = path("<int:pk>/report.txt", wrap(self.text_view), name="feeds_importrun_report")
        return [*posts, report, *super().get_urls()]

    def change_view(self, request, object_id, form_url="", extra_context=None):
        run = self.get_object(request, object_id)
        if run is None:
            return super().change_view(request, object_id, form_url, extra_context)
        if not self.has_view_permission(request, run):
            raise PermissionDenied
        asking = self.has_add_permission(request)
        silent = runs.is_silent(run, timezone.now())
        query = urlencode({"feed_url": run.feed_url, "audio": run.audio})
        context = {
            **self.admin_site.each_context(request),
            "title": "Dry run" if run.dry_run else "Import",
            "opts": self.opts,
            "run": run,
            "counts": reporting.counts(run),
            "groups": reporting.groups(run),
            "changes": run.report.get("changes", [])[: reporting.MOST_SHOWN],
            "changes_in_all": len(run.report.get("changes", [])),
            "looks_again": run.is_under_way,
            "silent": silent,
            "may_resume": asking and silent,
            "may_stop": asking and run.is_under_way,
            "may_import": asking and not run.is_under_way,
            "with_password": f"{reverse('admin:feeds_importrun_add')}?{query}",
            "may_delete": self.has_delete_permission(request, run),
        }
        return TemplateResponse(request, "admin/feeds/importrun/run.html", context)

    def text_view(self, request, pk):
        run = self.found(pk)
        if not self.has_view_permission(request, run):
            raise PermissionDenied
        return HttpResponse(
            reporting.text(run),
            content_type="text/plain; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="import-{run.pk}.txt"'},
        )

    def again_view(self, request, pk):
        run = self.asked(request, pk)
        return self.answer(request, *runs.again(run, request.user))

    def stop_view(self, request, pk):
        run = self.asked(request, pk)
        if not runs.stop(run):
            self.message_user(request, "It had ended already.", messages.WARNING)
        return self.answer(request, run, True)

    def resume_view(self, request, pk):
        run = self.asked(request, pk)
        if runs.is_silent(run, timezone.now()):
            runs.queue(run.pk)
            self.message_user(request, "It is queued and goes on where it was.")
        return self.answer(request, run, True)

    def asked(self, request, pk) -> ImportRun:
        if not self.has_add_permission(request):
            raise PermissionDenied
        return self.found(pk)

    def found(self, pk) -> ImportRun:
        run = ImportRun.objects.filter(pk=pk).first()
        if run is None:
            raise Http404
        return run

    @admin.display(description="What", ordering="dry_run")
    def kind(self, run):
        return "Dry run" if run.dry_run else "Import"

    @admin.display(description="Progress")
    def progress(self, run):
        return f"{run.done} of {run.total}" if run.total else "–"
