"""Pictures on the desk: also those of what is not public yet, and those that cannot be shown."""

import errno

from django.contrib import admin
from django.core.files.storage import default_storage
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from episodes import artwork_files
from episodes.delivery import send_file
from episodes.room import is_full

WIDTH = "192"


def thumbnail(owner, size: int = 48) -> str:
    """A small picture of `owner`, or of its show, for a list; a blank square without one."""
    name = artwork_files.name_of(owner)
    if not name and hasattr(owner, "show"):
        owner, name = owner.show, artwork_files.name_of(owner.show)
    if not name:
        return mark_safe('<span class="desk-thumb desk-thumb-none" aria-hidden="true"></span>')
    return format_html(
        '<img class="desk-thumb" src="{}" width="{}" height="{}" alt="">',
        reverse(f"admin:episodes_{owner._meta.model_name}_picture", args=[owner.pk]),
        size,
        size,
    )


def large_picture(owner) -> str:
    """The picture of `owner` for its form, or why it cannot be shown."""
    trouble = trouble_with(artwork_files.name_of(owner))
    if trouble:
        return format_html('<p class="desk-missing" role="status">{}</p>', trouble)
    return thumbnail(owner, 144)


def send_picture(request, owner) -> HttpResponse:
    """The owner's picture, 192 pixels wide, for signed-in editors only.

    Where it cannot be shown, a page that says why.
    """
    name = artwork_files.name_of(owner) if owner else ""
    if not name:
        raise Http404
    if trouble := trouble_with(name):
        context = admin.site.each_context(request) | {
            "title": f"The picture of “{owner}”",
            "trouble": trouble,
        }
        response = render(request, "admin/episodes/no_picture.html", context, status=404)
        response["Cache-Control"] = "private, no-store"
        return response
    response = send_file(
        artwork_files.derivative(name, WIDTH, "jpg"), "image/jpeg", etag=name.rpartition("/")[2]
    )
    del response["X-Accel-Expires"]
    del response["Access-Control-Allow-Origin"]
    response["Cache-Control"] = "private, max-age=300"
    return response


def trouble_with(name: str) -> str:
    """Why the stored picture `name` cannot be shown and what to do, in words; '' when it can."""
    try:
        if not default_storage.exists(name):
            return _TROUBLE.format("not there")
        artwork_files.derivative(name, WIDTH, "jpg")
    except FileNotFoundError:
        return _TROUBLE.format("not there")
    except OSError as error:
        if is_full(error):
            return "There is no room on the disk to make a small picture of it. Make room."
        if error.errno not in (None, errno.EINVAL):
            return f"Its file cannot be read now ({error.strerror or error}). Try again later."
        return _TROUBLE.format("damaged")
    return ""


_TROUBLE = (
    "Its file is {}. Upload the picture again, or run check_media --hashes --repair, which makes "
    "it again from what was uploaded, where that is still there."
)
