"""Chapters on the desk: rows with a start, a title, a link and a picture."""

import re

from django import forms
from django.contrib import admin
from django.forms.models import BaseInlineFormSet
from django.http import Http404
from django.urls import path
from django.utils.safestring import mark_safe

from episodes import durations, pictures
from episodes.admin.pictures import send_picture, thumbnail
from episodes.models import Chapter
from episodes.models.validators import http_url
from episodes.uploads import UploadField

#: 90 or 90.5 seconds, 1:30, 75:00 minutes, 1:02:03.
CLOCK = re.compile(
    r"(?:(\d{1,3}):(?=[0-5]?\d:))?(\d{1,3}):([0-5]\d)(\.\d{1,3})?|(\d{1,6})(\.\d{1,3})?", re.ASCII
)


class ChapterForm(forms.ModelForm):
    start = forms.CharField(
        label="Start", widget=forms.TextInput(attrs={"placeholder": "m:ss", "size": 8})
    )
    image_upload = UploadField(
        label="Picture",
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )
    image_remove = forms.BooleanField(label="Without picture", required=False)

    class Meta:
        model = Chapter
        fields = ["title", "url", "image_url", "hidden", "start_ms"]
        widgets = {
            "start_ms": forms.HiddenInput,
            # The admin's own widget shows a stored address twice.
            "url": forms.URLInput(attrs={"class": "vURLField"}),
            "image_url": forms.URLInput(attrs={"class": "vURLField"}),
        }
        help_texts = {"hidden": ""}

    def __init__(self, *args, episode, **kwargs):
        super().__init__(*args, **kwargs)
        # A new episode has its pictures' place and its duration before it has a row.
        self.instance.episode = episode
        self.fields["start_ms"].required = False
        if self.instance.pk:
            text = durations.clock(self.instance.start_ms // 1000)
            rest = self.instance.start_ms % 1000
            self.initial["start"] = f"{text}.{rest:03d}" if rest else text

    def clean(self):
        cleaned = super().clean()
        match = CLOCK.fullmatch((cleaned.get("start") or "").strip())
        if not match:
            self.add_error("start", "Write the start as 1:23 or 1:02:03.")
            return cleaned
        hours, minutes, seconds, fraction, plain, plain_fraction = match.groups()
        whole = int(plain) if plain else (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
        part = float(fraction or plain_fraction or 0)
        cleaned["start_ms"] = self.instance.start_ms = round((whole + part) * 1000)
        duration = self.instance.episode.duration_ms
        # One nobody touched may be of an earlier, longer recording: it stays, and is marked so.
        written = self.instance.pk is None or "start" in self.changed_data
        if written and duration and cleaned["start_ms"] >= duration:
            self.add_error(
                "start", f"The audio ends at {durations.clock(duration / 1000)}, before this."
            )
        if not cleaned.get("title") and not cleaned.get("hidden"):
            self.add_error("title", "Give the chapter a title, or hide it from the list.")
        return cleaned

    def clean_image_url(self):
        address = self.cleaned_data.get("image_url")
        if address:
            http_url(address)
        return address

    def clean_image_upload(self):
        upload = self.cleaned_data.get("image_upload")
        if upload:
            # Stored under a name made of its content: left behind, it is collected later.
            pictures.attach_artwork(self.instance, upload, "image", square=False)
        return upload

    def clean_image_remove(self):
        remove = self.cleaned_data.get("image_remove")
        if remove and not self.cleaned_data.get("image_upload"):
            self.instance.image.name = ""
        return remove

    def save(self, commit=True):
        # Who changes a chapter has the present recording in mind.
        self.instance.recording = self.instance.episode.audio_sha256
        # The desk shows no ends: one that a file gave is in nobody's way.
        if self.instance.end_ms is not None and self.instance.end_ms <= self.instance.start_ms:
            self.instance.end_ms = None
        return super().save(commit)


class Chapters(BaseInlineFormSet):
    """Rows that know their episode while they are read."""

    def get_form_kwargs(self, index):
        return super().get_form_kwargs(index) | {"episode": self.instance}


class ChapterInline(admin.StackedInline):
    """One block a chapter, laid out by desk.css: a table of so many columns fits no screen."""

    model = Chapter
    form = ChapterForm
    formset = Chapters
    extra = 0
    readonly_fields = ["picture"]
    fields = [
        (
            "start",
            "title",
            "url",
            "picture",
            "image_upload",
            "image_url",
            "hidden",
            "image_remove",
            "start_ms",
        )
    ]

    @admin.display(description="")
    def picture(self, chapter):
        if chapter.pk and chapter.image:
            return thumbnail(chapter)
        return mark_safe('<span class="desk-thumb desk-thumb-none" aria-hidden="true"></span>')


class ChapterPictures(admin.ModelAdmin):
    """What EpisodeAdmin has for the pictures of chapters."""

    def get_urls(self):
        picture = self.admin_site.admin_view(self.chapter_picture_view)
        own = [path("chapter/<int:pk>/picture/", picture, name="episodes_chapter_picture")]
        return own + super().get_urls()

    def chapter_picture_view(self, request, pk):
        chapter = Chapter.objects.filter(pk=pk).select_related("episode").first()
        if chapter is None or not self.has_view_permission(request, chapter.episode):
            raise Http404
        return send_picture(request, chapter)
