"""Uploads at the desk: read before the database is locked, sent with progress."""

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.forms.widgets import Script
from django.http import JsonResponse


class UploadProgress(admin.ModelAdmin):
    """A ModelAdmin whose form, an UploadForm, may be sent in the background (static/js/upload.js).

    A success is then told as JSON with the address to go to, for a redirect would be followed
    unseen and its messages with it. Everything else is answered as ever.
    """

    class Media:
        css = {"all": ["admin_desk/desk.css"]}
        js = ["admin_desk/desk.js", Script("js/upload.js", type="module")]

    def changeform_view(self, request, object_id=None, *args, **kwargs):
        if request.FILES and self.may_save(request, object_id):
            # Django saves a form in a transaction. SQLite knows only one writer, and PostgreSQL
            # ends a transaction that asks nothing for long: a large recording is read, and sent
            # to the store, before it begins.
            stored = self.get_object(request, unquote(object_id)) if object_id else None
            self.form.read_ahead(request.FILES, stored)
            self.store_ahead(request, stored)
        response = super().changeform_view(request, object_id, *args, **kwargs)
        if request.headers.get("X-Upload") == "progress" and response.status_code == 302:
            return JsonResponse({"location": response["Location"]})
        return response

    def store_ahead(self, request, stored) -> None:
        """The same form checked once before: one that is in order gives its files their names."""
        form = self.get_form(request, stored, change=stored is not None)
        form(request.POST, request.FILES, instance=stored).is_valid()

    def may_save(self, request, object_id) -> bool:
        allowed = self.has_change_permission if object_id else self.has_add_permission
        return allowed(request)
