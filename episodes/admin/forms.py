"""The desk's forms: uploads are read before anything is saved, and errors say what to do."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from episodes import attaching, ingest, pictures
from episodes.admin.form_parts import SeenRevision, UploadForm, read_field_ahead
from episodes.chapters import find_chapters
from episodes.models import Episode, Person, Show, Transcript
from episodes.uploads import UploadField


class ShowForm(UploadForm, SeenRevision):
    class Meta:
        model = Show
        exclude = ["artwork"]
        widgets = {
            "title": forms.TextInput(attrs={"class": "vTextField desk-title"}),
            "custom_xml": forms.Textarea(attrs={"rows": 4, "class": "desk-code"}),
            "description": forms.Textarea(attrs={"rows": 6}),
        }

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["slug"].required = False


class EpisodeForm(UploadForm, SeenRevision):
    audio_upload = UploadField(
        label="New recording",
        required=False,
        widget=forms.FileInput(attrs={"accept": "audio/*,video/mp4,.m4a,.m4b,.opus"}),
        help_text=(
            "MP3 reaches every app. Size, type, length, title, chapters and cover are read "
            "from the file."
        ),
    )
    audio_remove = forms.BooleanField(
        label="Remove the recording",
        required=False,
        help_text=(
            "For audio on another host, whose address goes below, or a draft without any. Old "
            "addresses of the recording lead to what comes instead."
        ),
    )
    chapters_upload = UploadField(
        label="Chapters from a file",
        required=False,
        help_text="JSON chapters, Podlove chapters, Audacity labels or lines like “1:30 Title”.",
    )

    chapters_from_notes = forms.BooleanField(
        label="Chapters from the notes",
        required=False,
        help_text="Of lines that start with a time: at least three, and the first at 0:00.",
    )

    class Meta:
        model = Episode
        exclude = ["artwork", "audio", "audio_original"]
        widgets = {
            "title": forms.TextInput(attrs={"class": "vTextField desk-title"}),
            "summary": forms.Textarea(attrs={"rows": 3}),
            "notes": forms.Textarea(attrs={"rows": 12, "class": "desk-code"}),
            "custom_xml": forms.Textarea(attrs={"rows": 4, "class": "desk-code"}),
        }

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.facts = None
        self.filled = None
        self.removed = False
        self.chapter_list = None
        if self.instance.audio:
            # A file here says them itself: what is typed is for audio on another host.
            self.initial.update(audio_bytes=0, audio_type="", duration_ms=0)
        for name in ("title", "slug", "guid"):
            if name in self.fields:
                self.fields[name].required = False

    @classmethod
    def read_ahead(cls, files, stored=None) -> None:
        super().read_ahead(files, stored)
        read_field_ahead(files, "audio_upload", ingest.read_audio)
        if "artwork_upload" not in files and not (stored and stored.artwork):
            read_field_ahead(files, "audio_upload", ingest.read_cover)
        if not (stored and stored.chapters.exists()):
            read_field_ahead(files, "audio_upload", ingest.read_chapter_pictures)
        for name in files:
            if name.startswith("chapters-"):
                read_field_ahead(files, name, pictures.read_picture, square=False)

    def clean_audio_upload(self):
        upload = self.cleaned_data.get("audio_upload")
        if upload:
            self.facts = ingest.read_audio(upload)
        return upload

    def clean_audio_bytes(self):
        return self._said_of_audio("audio_bytes")

    def clean_audio_type(self):
        return self._said_of_audio("audio_type")

    def clean_duration_ms(self):
        return self._said_of_audio("duration_ms")

    def _said_of_audio(self, name: str):
        """What was typed of audio on another host; of a recording here, what its file says."""
        if self.cleaned_data.get("audio_url"):
            return self.cleaned_data[name]
        if self.instance.audio:
            return getattr(self.instance, name)
        return Episode._meta.get_field(name).get_default()

    def clean_chapters_upload(self):
        upload = self.cleaned_data.get("chapters_upload")
        if upload:
            self.chapter_list = ingest.read_chapter_file(upload)
        return upload

    def clean_chapters_from_notes(self):
        wanted = self.cleaned_data.get("chapters_from_notes")
        if wanted and self.chapter_list is None and "chapters_upload" not in self.errors:
            found = find_chapters(self.cleaned_data.get("notes") or "")
            if not found.chapters:
                raise ValidationError(
                    "The notes hold no list of chapters: at least three lines such as "
                    "“1:23 Title”, the first of them at 0:00."
                )
            self.chapter_list = found
        return wanted

    def clean_guid(self):
        return self.cleaned_data.get("guid") or self.instance.guid

    def clean(self):
        cleaned = super().clean()
        if self.facts and cleaned.get("audio_url"):
            self.add_error(
                "audio_url", "Give a recording or an address elsewhere, not both. Empty this one."
            )
        tagged = self.facts.tags.title.strip() if self.facts and self.facts.tags.title else ""
        if not cleaned.get("title"):
            if tagged:
                cleaned["title"] = tagged[:255]
            elif "title" not in self.errors:
                self.add_error("title", "Give the episode a title; the recording holds none.")
        self.removed = bool(
            cleaned.get("audio_remove") and self.instance.audio and "audio_upload" not in self.files
        )
        kept = self.instance.audio and not self.removed
        if kept and cleaned.get("audio_url") and not self.facts:
            self.add_error(
                "audio_url",
                "This episode has a recording here: tick “Remove the recording” to use this "
                "address instead, or empty it.",
            )
        has_audio = self.facts or kept or cleaned.get("audio_url")
        if cleaned.get("status") == Episode.Status.PUBLISHED:
            if not has_audio and self.removed and "audio_url" not in self.errors:
                self.add_error(
                    "audio_remove",
                    "A published episode needs audio. Give the address of other audio, upload "
                    "another recording, or make the episode a draft.",
                )
            elif not has_audio and not {"audio_upload", "audio_url"} & self.errors.keys():
                self.add_error(
                    "status", "An episode needs audio before it can be published. Upload it first."
                )
            if not cleaned.get("published_at"):
                cleaned["published_at"] = self.instance.published_at or timezone.now()
        return cleaned

    def _post_clean(self):
        # The model's own rules are checked with the audio in place, and the file is
        # given its name only when everything else on this form is in order.
        if self.removed and not self.errors:
            ingest.forget_audio(self.instance)
            if not self.cleaned_data.get("audio_url"):
                self._take_from_row()
        if self.facts and not self.errors:
            title, upload = self.cleaned_data.get("title"), self.cleaned_data["audio_upload"]
            self.instance.show = self.cleaned_data["show"]
            self.be_the_same(upload)
            try:
                self.filled = ingest.attach_audio(
                    self.instance, upload, self.facts, title=title or ""
                )
            except ValidationError as error:  # a full disk, or a store that does not answer
                self.add_error("audio_upload", error)
                super()._post_clean()
                return
            self.instance.title = title or self.instance.title
            for name in ("season", "number"):
                if self.cleaned_data.get(name) is None and getattr(self.instance, name) is not None:
                    self.cleaned_data[name] = getattr(self.instance, name)
            self._take_from_row()
        super()._post_clean()

    def _take_from_row(self) -> None:
        for name in ("audio_bytes", "audio_type", "duration_ms"):
            self.cleaned_data[name] = getattr(self.instance, name)


class TranscriptForm(forms.ModelForm):
    upload = UploadField(
        label="Transcript file",
        required=False,
        help_text="WebVTT, SRT, JSON, HTML or plain text; a new file replaces the stored one.",
    )

    class Meta:
        model = Transcript
        fields = ["language"]

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.findings: tuple = ()
        self.fields["language"].required = False

    def clean(self):
        cleaned = super().clean()
        upload = cleaned.get("upload")
        if not upload and not self.instance.pk:
            raise ValidationError("Choose the transcript's file.")
        if not cleaned.get("language"):
            show = self.instance.episode.show if self.instance.episode_id else None
            cleaned["language"] = show.language if show else "en"
        if upload:
            try:
                self.findings = ingest.fill_transcript(self.instance, upload.read(), upload.name)
            except ValidationError as error:
                self.add_error("upload", error)
        return cleaned

    def save(self, commit=True):
        if not (commit and self.cleaned_data.get("upload")):
            return super().save(commit)
        self.instance.recording = self.instance.episode.audio_sha256
        self.findings += attaching.save_with_corrections(self.instance)
        return self.instance


class PersonForm(UploadForm):
    picture_attribute = "picture"
    square = False

    class Meta:
        model = Person
        exclude = ["picture"]


class ScheduleForm(forms.Form):
    """When the chosen episodes shall go out; the next one each `every` days after the last."""

    at = forms.SplitDateTimeField(
        label="First goes out at",
        widget=forms.SplitDateTimeWidget(date_attrs={"type": "date"}, time_attrs={"type": "time"}),
    )
    every = forms.IntegerField(label="Days between episodes", min_value=0, max_value=365, initial=0)

    def clean_at(self):
        at = self.cleaned_data["at"]
        if at <= timezone.now():
            raise ValidationError("This moment has passed. Use “Publish now” for that.")
        return at
