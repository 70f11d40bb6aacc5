"""Uploads that recordings with tags were made of: they are kept, and nobody hears them."""

from collections.abc import Iterator
from functools import partial

from episodes import fitting
from episodes.media_problems import Problem, Stored, sha256_of, title_of
from episodes.models import Episode

FORGET = "Forget it? Tags are then written into what listeners hear."


def missing_originals(files: dict[str, Stored]) -> Iterator[Problem]:
    for episode in _kept():
        name = str(episode.audio_original)
        if name not in files:
            yield Problem(
                "upload-missing",
                name,
                f"{title_of(episode)}: the upload that its recording was made of is not there. "
                "Restore it from a backup.",
                FORGET,
                partial(_forget, episode.pk),
            )


def damaged_originals(files: dict[str, Stored], hashes: bool) -> Iterator[Problem]:
    for episode in _kept():
        name = str(episode.audio_original)
        file = files.get(name)
        if file is None or (file.bytes == episode.audio_original_bytes and not hashes):
            continue
        digest = sha256_of(name)
        if digest and digest != episode.audio_original_sha256:
            yield Problem(
                "upload-damaged",
                name,
                f"{title_of(episode)}: {name} is not what was uploaded any more. Restore it from "
                "a backup.",
                FORGET,
                partial(_forget, episode.pk),
            )


def serve_original(pk: int) -> None:
    """The upload is the recording again, where the copy with tags is gone or damaged."""
    episode = Episode.objects.get(pk=pk)
    name = str(episode.audio_original)
    if not name or sha256_of(name) != episode.audio_original_sha256:
        return
    heard = episode.audio_sha256
    # By update, which keeps no former recording: what is gone needs no row.
    Episode.objects.filter(pk=pk).update(
        audio=name,
        audio_bytes=episode.audio_original_bytes,
        audio_sha256=episode.audio_original_sha256,
        audio_original="",
        audio_original_bytes=0,
        audio_original_sha256="",
        tags_written="",
    )
    episode.refresh_from_db()
    fitting.carry_over(episode, heard)


def _kept() -> Iterator[Episode]:
    rows = Episode.objects.exclude(audio_original="").select_related("show")
    return rows.iterator()


def _forget(pk: int) -> None:
    Episode.objects.filter(pk=pk).update(
        audio_original="", audio_original_bytes=0, audio_original_sha256=""
    )
