"""Recordings that were replaced: kept for a while, and true to their rows as long as that."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import Q
from django.utils import timezone

from episodes.media_problems import Problem, Stored, sha256_of, title_of
from episodes.models import Episode, FormerRecording


def missing_former(files: dict[str, Stored]) -> Iterator[Problem]:
    for former in _kept():
        if former.audio.name not in files:
            yield Problem(
                "former-recording-missing",
                former.audio.name,
                f"A replaced recording, {former.audio.name}, is gone already.",
                "Note that it is gone?",
                partial(_forget, former.pk),
            )


def wrong_former(files: dict[str, Stored], hashes: bool) -> Iterator[Problem]:
    for former in _kept():
        name = former.audio.name
        file = files.get(name)
        if file is None or (file.bytes == former.audio_bytes and not hashes):
            continue
        digest = sha256_of(name)
        if digest == former.sha256 and file.bytes != former.audio_bytes:
            yield Problem(
                "wrong-length",
                name,
                f"{title_of(former.episode)}: the row of a replaced recording says "
                f"{former.audio_bytes:,} bytes, the file has {file.bytes:,} and is the one that "
                "was published.",
                "Correct the row?",
                partial(_correct_length, former.pk, file.bytes),
            )
        elif digest and digest != former.sha256:
            yield Problem(
                "former-recording-damaged",
                name,
                f"{title_of(former.episode)}: a replaced recording, {name}, is not what was "
                "published any more. Restore it from a backup.",
                "Or remove it? Its addresses go on redirecting.",
                partial(remove_former, former.pk),
                file.bytes,
            )


def expired_recordings() -> Iterator[Problem]:
    """Recordings that were replaced longer ago than `KEEP_RECORDINGS_DAYS`."""
    oldest = timezone.now() - timedelta(days=settings.KEEP_RECORDINGS_DAYS)
    for former in _kept().filter(replaced_at__lt=oldest):
        yield Problem(
            "recording-expired",
            former.audio.name,
            f"{title_of(former.episode)}: a recording replaced on {former.replaced_at:%-d %B %Y} "
            f"is still kept ({former.audio_bytes:,} bytes).",
            "Remove it? Its addresses go on redirecting.",
            partial(remove_former, former.pk),
            former.audio_bytes,
        )


def _kept():
    return FormerRecording.objects.exclude(audio="").select_related("episode__show")


def _correct_length(pk: int, size: int) -> None:
    FormerRecording.objects.filter(pk=pk).update(audio_bytes=size)


def _forget(pk: int) -> None:
    FormerRecording.objects.filter(pk=pk).update(audio="")


def remove_former(pk: int) -> None:
    former = FormerRecording.objects.get(pk=pk)
    name = former.audio.name
    _forget(pk)
    in_use = Episode.objects.filter(Q(audio=name) | Q(audio_original=name)).exists()
    if name and not in_use and not FormerRecording.objects.filter(audio=name).exists():
        default_storage.delete(name)
