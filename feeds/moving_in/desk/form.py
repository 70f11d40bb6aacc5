"""What an editor gives for an import; what can be known to be wrong is said before it is queued."""

from django import forms
from django.core.exceptions import ValidationError

from episodes.findings import Unreadable
from feeds.fetching import ForbiddenAddress, check_url
from feeds.importing import parse
from feeds.importing.decoding import LARGEST
from feeds.models import AudioMode, ImportRun


class ImportForm(forms.ModelForm):
    """An `ImportRun` that is ready for `runs.ask`."""

    feed_url = forms.CharField(
        label="Address of the feed",
        required=False,
        max_length=2000,
        widget=forms.TextInput(
            attrs={"class": "vTextField", "inputmode": "url", "autocomplete": "off"}
        ),
        help_text="For example https://old.example/feed.xml",
    )
    document_upload = forms.FileField(
        label="Or its file",
        required=False,
        max_length=255,
        widget=forms.FileInput(attrs={"accept": ".xml,.rss,.gz,application/rss+xml"}),
        help_text="When the address is gone, or you have the feed as a file.",
    )
    audio = forms.ChoiceField(
        choices=AudioMode, initial=AudioMode.COPY, widget=forms.RadioSelect, label="Recordings"
    )
    feed_user = forms.CharField(label="Name", required=False, max_length=255)
    feed_password = forms.CharField(
        label="Password",
        required=False,
        max_length=255,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "class": "vTextField"}),
        help_text="Forgotten as soon as the import has ended. It goes to the feed's own host only.",
    )

    class Meta:
        model = ImportRun
        fields = ["feed_url", "audio", "dry_run"]

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
            self.instance.document_name = upload.name
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
