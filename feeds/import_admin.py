"""Moving in at the desk: the form, the running import with its report, and the move's checklist."""

from datetime import datetime

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import Http404, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.html import format_html, format_html_join
from django.views.decorators.http import require_POST

from episodes.findings import Unreadable
from feeds import import_runs
from feeds.fetching import ForbiddenAddress, check_url
from feeds.importing import parse
from feeds.importing.decoding import LARGEST
from feeds.models import ImportedShow, ImportRun
from feeds.moving_in import takeover


class ImportForm(forms.ModelForm):
    """A feed's address, or its file; what can be known to be wrong is said before it is queued."""

    document_upload = forms.FileField(
        label="Or a file",
        required=False,
        widget=forms.FileInput(attrs={"accept": ".xml,.rss,application/rss+xml"}),
        help_text="The feed as a file, when its address is gone.",
    )
    feed_user = forms.CharField(
        required=False, help_text="Only for a protected feed.", label="Name", max_length=255
    )
    feed_password = forms.CharField(
        label="Password",
        required=False,
        max_length=255,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text="Forgotten as soon as the import has ended.",
    )

    class Meta:
        model = ImportRun
        fields = ["feed_url", "audio"]
        widgets = {"feed_url": forms.TextInput(attrs={"class": "vTextField", "size": 80})}
        help_texts = {"feed_url": "For example https://old.example/feed.xml"}

    def clean_feed_url(self):
        url = self.cleaned_data["feed_url"].strip()
        if url:
            try:
                check_url(url)
            except ForbiddenAddress as refusal:
                raise ValidationError(str(refusal)) from None
        return url

    def clean_document_upload(self):
        upload = self.cleaned_data.get("document_upload")
        if upload:
            if upload.size > LARGEST:
                raise ValidationError("This file is too large to be a feed.")
            data = upload.read()
            try:
                parse(data)
            except Unreadable as refusal:
                raise ValidationError(refusal.message) from None
            self.instance.document = data
            self.instance.document_name = upload.name[:255]
        return upload

    def clean(self):
        cleaned = super().clean()
        given = [cleaned.get("feed_url"), cleaned.get("document_upload")]
        if not any(given) and not self.errors:
            raise ValidationError("Give the feed's address, or a file.")
        if all(given):
            raise ValidationError("Give the feed's address or a file, not both.")
        self.instance.user = cleaned.get("feed_user", "")
        self.instance.password = cleaned.get("feed_password", "")
        return cleaned


@admin.register(ImportRun)
class ImportRunAdmin(admin.ModelAdmin):
    form = ImportForm
    list_display = ["__str__", "show", "state", "progress", "created_at"]
    list_filter = ["state"]
    list_select_related = ["show"]
    change_form_template = "admin/feeds/importrun/change_form.html"
    readonly_fields = ["show", "state", "progress", "outcome", "created_at", "finished_at"]

    def get_fields(self, request, obj=None):
        if obj is None:
            return ["feed_url", "document_upload", "audio", "feed_user", "feed_password"]
        return ["feed_url", "document_name", "audio", "show", "state", "progress", "outcome",
                "created_at", "finished_at"]  # fmt: skip

    def has_change_permission(self, request, obj=None):
        return False

    def save_model(self, request, obj, form, change):
        obj.asked_by = request.user
        super().save_model(request, obj, form, change)
        transaction.on_commit(lambda: import_runs.queue(obj))

    def response_add(self, request, obj, post_url_continue=None):
        self.message_user(request, "The import is queued; this page shows how far it is.")
        return HttpResponseRedirect(reverse("admin:feeds_importrun_change", args=[obj.pk]))

    def change_view(self, request, object_id, form_url="", extra_context=None):
        run = self.get_object(request, object_id)
        ended = run is not None and run.finished_at is not None
        context = {"run_again": ended and self.has_add_permission(request)}
        response = super().change_view(
            request, object_id, form_url, (extra_context or {}) | context
        )
        if run is not None and not ended:
            response["Refresh"] = "3"
        return response

    def get_urls(self):
        again = self.admin_site.admin_view(require_POST(self.again_view))
        return [path("<int:pk>/again/", again, name="feeds_importrun_again"), *super().get_urls()]

    def again_view(self, request, pk):
        if not self.has_add_permission(request):
            raise PermissionDenied
        run = ImportRun.objects.filter(pk=pk).first()
        if run is None:
            raise Http404
        fresh = import_runs.again(run, request.user)
        return HttpResponseRedirect(reverse("admin:feeds_importrun_change", args=[fresh.pk]))

    @admin.display(description="Progress")
    def progress(self, run):
        if not run.total:
            return "–"
        return format_html(
            '<progress value="{0}" max="{1}"></progress> {0} of {1}', run.done, run.total
        )

    @admin.display(description="Report")
    def outcome(self, run):
        report = run.report
        if not report:
            return "Not yet"
        if report.get("refused"):
            return format_html('<p class="desk-error">{}</p>', report["refused"])
        counts = ", ".join(
            f"{report[name]} {name}" for name in ("created", "updated", "unchanged", "skipped")
        )
        gone = report.get("gone")
        return format_html(
            '<p>{} items: {}.</p>{}<ul class="desk-findings">{}</ul>',
            report["total"],
            counts,
            format_html("<p>{} episodes here are no longer in the feed; they stay.</p>", gone)
            if gone
            else "",
            format_html_join(
                "",
                "<li>{}: {}: {}</li>",
                ((row["kind"], row["where"], row["message"]) for row in report["problems"]),
            ),
        )


@admin.register(ImportedShow)
class ImportedShowAdmin(admin.ModelAdmin):
    """Shows that came from elsewhere: what is still to be done about their old address."""

    list_display = ["show", "feed_url", "imported_at", "seen_done", "checked_at"]
    list_select_related = ["show"]
    fields = ["show", "feed_url", "audio", "imported_at", "checklist", "checked_at"]
    readonly_fields = ["show", "feed_url", "audio", "imported_at", "checklist", "checked_at"]
    change_form_template = "admin/feeds/importedshow/change_form.html"

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False  # without it a second import could not tell what was edited here

    def change_view(self, request, object_id, form_url="", extra_context=None):
        imported = self.get_object(request, object_id)
        waiting = imported is not None and imported.check_queued_at is not None
        context = {
            "waiting": waiting,
            "may_check": self.may_check(request),
            "may_import": request.user.has_perm("feeds.add_importrun"),
        }
        response = super().change_view(
            request, object_id, form_url, (extra_context or {}) | context
        )
        if waiting:
            response["Refresh"] = "3"
        return response

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
        imported = self.found(pk, request.user.has_perm("feeds.add_importrun"))
        if not imported.feed_url:
            self.message_user(request, "It came from a file: import that again.", messages.ERROR)
            return self.back(imported)
        run = ImportRun.objects.create(
            show=imported.show,
            feed_url=imported.feed_url,
            audio=imported.audio,
            asked_by=request.user,
        )
        import_runs.queue(run)
        return HttpResponseRedirect(reverse("admin:feeds_importrun_change", args=[run.pk]))

    def found(self, pk, allowed: bool) -> ImportedShow:
        if not allowed:
            raise PermissionDenied
        imported = ImportedShow.objects.filter(pk=pk).first()
        if imported is None:
            raise Http404
        return imported

    def back(self, imported):
        return HttpResponseRedirect(reverse("admin:feeds_importedshow_change", args=[imported.pk]))

    @admin.display(description="Seen to be done")
    def seen_done(self, imported):
        done = sum(row.get("state") == takeover.DONE for row in imported.checks.values())
        return f"{done} of {len(takeover.CHECKS)}" if imported.checks else "Not checked"

    @admin.display(description="Checklist")
    def checklist(self, imported):
        rows = []
        for name, words in takeover.CHECKS.items():
            found = imported.checks.get(name, {})
            state = found.get("state", takeover.UNKNOWN)
            at = found.get("at")
            when = f"{datetime.fromisoformat(at):%-d %b %Y, %H:%M} UTC" if at else "never"
            rows.append((STYLES[state], NAMES[state], words, found.get("seen", ""), when))
        return format_html(
            '<table class="desk-checklist"><thead><tr><th>State</th><th>What</th><th>Seen</th>'
            "<th>Checked</th></tr></thead><tbody>{}</tbody></table>",
            format_html_join(
                "",
                '<tr><td><span class="desk-state {}">{}</span></td><td>{}</td><td>{}</td>'
                "<td>{}</td></tr>",
                rows,
            ),
        )


NAMES = {takeover.DONE: "Done", takeover.OPEN: "To do", takeover.UNKNOWN: "Not known"}
STYLES = {
    takeover.DONE: "desk-live",
    takeover.OPEN: "desk-scheduled",
    takeover.UNKNOWN: "desk-draft",
}
