"""What the desk's forms share: uploads that are read first, and edits that do not overwrite."""

from contextlib import suppress

from django import forms
from django.core.exceptions import ValidationError

from episodes import pictures
from episodes.uploads import UploadField


def read_field_ahead(files, name: str, read, **options) -> None:
    if name in files:
        with suppress(ValidationError):
            read(UploadField().clean(files[name], None), **options)


class UploadForm(forms.ModelForm):
    """A ModelForm in which pictures come through a field of their own and are prepared first."""

    picture_attribute = "artwork"
    square = True

    artwork_upload = UploadField(
        label="New artwork",
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        help_text="Square, 1400 to 3000 pixels, JPEG or PNG.",
    )

    @classmethod
    def read_ahead(cls, files, stored=None) -> None:
        """Read what will take long; what is wrong with a file is said by its field later.

        `stored` is the row the form is for, None for a new one.
        """
        read_field_ahead(files, "artwork_upload", pictures.read_picture, square=cls.square)

    artwork_remove = forms.BooleanField(label="Remove the artwork", required=False)

    def clean_artwork_upload(self):
        upload = self.cleaned_data.get("artwork_upload")
        if upload:
            # Stored under a name made of its content: left behind, it is collected later.
            self.be_the_same(upload)
            pictures.attach_artwork(
                self.instance, upload, self.picture_attribute, square=self.square
            )
        return upload

    def be_the_same(self, upload) -> None:
        """A new row keeps its `uid` when its form is checked again (UploadProgress.store_ahead)."""
        if self.instance._state.adding:
            self.instance.uid = upload.__dict__.setdefault("_uid_of_row", self.instance.uid)

    def clean_artwork_remove(self):
        remove = self.cleaned_data.get("artwork_remove")
        if remove and not self.cleaned_data.get("artwork_upload"):
            getattr(self.instance, self.picture_attribute).name = ""
        return remove


class SeenRevision(forms.ModelForm):
    """Refuses to overwrite what somebody else saved since this form was opened."""

    seen_revision = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["seen_revision"] = self.instance.revision

    def clean(self):
        cleaned = super().clean()
        seen = self.cleaned_data.get("seen_revision")
        if not self.instance.pk or seen is None:
            return cleaned
        stored = type(self.instance).objects.filter(pk=self.instance.pk).first()
        if stored is None:
            raise ValidationError("Somebody deleted this meanwhile. Your text is still here.")
        if stored.revision != seen:
            changed = [
                f"{self.fields[name].label or name}: “{str(getattr(stored, name))[:80]}”"
                for name in self.fields
                if name in cleaned
                and hasattr(stored, name)
                and str(getattr(stored, name) or "") != str(cleaned[name] or "")
            ]
            self.data = self.data.copy()
            self.data[self.add_prefix("seen_revision")] = str(stored.revision)
            raise ValidationError(
                "Somebody else saved this while you were editing. %(changed)s"
                "What you see below is yours: save again to keep it, or reload to see theirs.",
                params={"changed": "Stored now: " + "; ".join(changed) + ". " if changed else ""},
            )
        return cleaned
