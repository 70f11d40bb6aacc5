"""Pictures on the desk: also those of what is not public yet."""

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from episodes import artwork_files
from episodes.delivery import send_file


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


def send_picture(owner) -> HttpResponse:
    """The owner's picture, 192 pixels wide, for signed-in editors only."""
    name = artwork_files.name_of(owner) if owner else ""
    if not name:
        raise Http404
    response = send_file(
        artwork_files.derivative(name, "192", "jpg"), "image/jpeg", etag=name.rpartition("/")[2]
    )
    del response["X-Accel-Expires"]
    del response["Access-Control-Allow-Origin"]
    response["Cache-Control"] = "private, max-age=300"
    return response
