"""Rows whose times belong to one recording: transcripts and chapters."""

from django.db.models import F

from episodes.models.revised import RevisedQuerySet


class TimedQuerySet(RevisedQuerySet):
    """Of a model with `episode` and `recording`, the hash of the recording it was made for.

    An empty `recording` means that nobody knows, and no doubt is raised.
    """

    def for_earlier_recording(self):
        """Those made for a recording that has been replaced since."""
        return self.exclude(recording="").exclude(recording=F("episode__audio_sha256"))

    def fit(self, sha256: str) -> int:
        """Take them for made for the recording `sha256`. Returns how many were not."""
        return self.exclude(recording=sha256).update(recording=sha256)
