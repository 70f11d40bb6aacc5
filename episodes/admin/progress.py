"""Uploads with progress: what static/js/upload.js needs of the desk."""

from django.contrib import admin
from django.forms.widgets import Script
from django.http import JsonResponse


class UploadProgress(admin.ModelAdmin):
    """A ModelAdmin whose form may be sent in the background.

    A success is then told as JSON with the address to go to, for a redirect would be followed
    unseen and its messages with it. Everything else is answered as ever.
    """

    class Media:
        css = {"all": ["admin_desk/desk.css"]}
        js = ["admin_desk/desk.js", Script("js/upload.js", type="module")]

    def changeform_view(self, request, *args, **kwargs):
        response = super().changeform_view(request, *args, **kwargs)
        if request.headers.get("X-Upload") == "progress" and response.status_code == 302:
            return JsonResponse({"location": response["Location"]})
        return response
