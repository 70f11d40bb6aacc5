"""Do files and rows agree? What differs, and what can be done about it.

    for problem in find_problems(hashes=True):
        print(problem.message)
        if problem.repair and asked(problem.question):
            problem.repair()

A row points at a file with a length and a hash; a file is there for a row. The
order of an upload (episodes.ingest) leaves at worst a file without a row.
"""

import os
import shutil
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.utils import timezone

from episodes.cards import card_name
from episodes.media_former import expired_recordings, missing_former, wrong_former
from episodes.media_originals import damaged_originals, missing_originals, serve_original
from episodes.media_pictures import (
    PICTURES,
    damaged_pictures,
    empty_derivatives,
    missing_pictures,
    original_of,
)
from episodes.media_problems import Problem, Stored, sha256_of, title_of
from episodes.models import Episode, FormerRecording

#: A file this young may belong to an upload whose row is not committed yet.
GRACE = timedelta(hours=1)

#: Archives of shows that were asked for at the desk wait here to be fetched.
ARCHIVES = "exports/"
ARCHIVES_LAST = timedelta(days=1)


def find_problems(*, hashes: bool = False) -> Iterator[Problem]:
    """Everything that differs, worst first. `hashes` reads every file to the end."""
    files = {file.name: file for file in stored_files()}
    yield from missing_recordings(files)
    yield from missing_former(files)
    yield from wrong_recordings(files, hashes)
    yield from wrong_former(files, hashes)
    yield from missing_originals(files)
    yield from damaged_originals(files, hashes)
    yield from missing_pictures(files)
    yield from damaged_pictures(files, hashes)
    yield from empty_derivatives(files)
    yield from expired_recordings()
    yield from orphans(files)
    yield from debris()


def stored_files() -> Iterator[Stored]:
    """Every media file, wherever media are kept."""
    if not settings.MEDIA_ON_DISK:
        for name, size, modified in default_storage.walk(""):
            yield Stored(name, size, modified.timestamp())
        return
    root = Path(settings.MEDIA_ROOT)
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            try:
                facts = path.stat()
            except FileNotFoundError:  # removed since its folder was read
                continue
            yield Stored(str(path.relative_to(root)), facts.st_size, facts.st_mtime)


# Rows without their file


def missing_recordings(files: dict[str, Stored]) -> Iterator[Problem]:
    by_hash = {Path(name).stem: name for name in files if name.startswith("audio/")}
    for episode in Episode.objects.exclude(audio="").select_related("show").iterator():
        name = episode.audio.name
        if name in files:
            continue
        twin = by_hash.get(episode.audio_sha256)
        message = f"{title_of(episode)}: its recording {name} is not there."
        if twin:
            yield Problem(
                "recording-missing",
                name,
                message + f" The same bytes lie at {twin}.",
                "Copy them to where the episode looks for them?",
                partial(_copy, twin, name),
            )
        elif episode.audio_original and episode.audio_original.name in files:
            yield Problem(
                "recording-missing",
                name,
                message + " The upload that it was made of is.",
                "Serve that, without our tags?",
                partial(serve_original, episode.pk),
            )
        elif episode.status == Episode.Status.PUBLISHED:
            yield Problem(
                "recording-missing",
                name,
                message + " Restore it from a backup, or upload it again.",
                "Withdraw the episode until it has a recording again?",
                partial(_withdraw, episode.pk),
            )
        else:
            yield Problem(
                "recording-missing",
                name,
                message + " Restore it from a backup, or upload it again.",
                "Forget the recording, so that the draft has none?",
                partial(_forget_recording, episode.pk),
            )


def wrong_recordings(files: dict[str, Stored], hashes: bool) -> Iterator[Problem]:
    for episode in Episode.objects.exclude(audio="").select_related("show").iterator():
        file = files.get(episode.audio.name)
        if file is None:
            continue
        right_length = file.bytes == episode.audio_bytes
        if right_length and not hashes:
            continue
        digest = sha256_of(file.name)
        if not digest:
            continue
        if digest == episode.audio_sha256:
            if not right_length:
                yield Problem(
                    "wrong-length",
                    file.name,
                    f"{title_of(episode)}: the row says {episode.audio_bytes:,} bytes, the file "
                    f"has {file.bytes:,} and is the one that was uploaded.",
                    "Correct the row?",
                    partial(_correct_length, episode.pk, file.bytes),
                )
            continue
        if episode.audio_original and episode.audio_original.name in files:
            yield Problem(
                "wrong-content",
                file.name,
                f"{title_of(episode)}: {file.name} is not what was written any more.",
                "Serve the upload that it was made of, without our tags?",
                partial(serve_original, episode.pk),
            )
            continue
        yield Problem(
            "wrong-content",
            file.name,
            f"{title_of(episode)}: {file.name} is not what was uploaded any more "
            f"({file.bytes:,} bytes instead of {episode.audio_bytes:,}). Restore it from a backup.",
            "Or take what is there as a new recording, if it can be read?",
            partial(_take_over, episode.pk),
        )


# Files without their row


def orphans(files: dict[str, Stored]) -> Iterator[Problem]:
    wanted = set(_wanted_names())
    versions = {Path(name).stem.removesuffix("-original") for name in wanted}
    now = timezone.now()
    for file in files.values():
        grace = ARCHIVES_LAST if file.name.startswith(ARCHIVES) else GRACE
        if file.name in wanted or file.modified > (now - grace).timestamp():
            continue
        if file.name.startswith("derived/") and _source_of(file.name) in versions:
            continue
        yield Problem(
            "file-unused",
            file.name,
            f"Nothing refers to {file.name} ({file.bytes:,} bytes).",
            "Remove it?",
            partial(default_storage.delete, file.name),
            file.bytes,
        )


def debris() -> Iterator[Problem]:
    """What uploads that were cut off left in the upload directory."""
    youngest = (timezone.now() - timedelta(days=1)).timestamp()
    for path in Path(settings.FILE_UPLOAD_TEMP_DIR).iterdir():
        try:
            facts = path.stat()
        except FileNotFoundError:  # an upload that came to its end meanwhile
            continue
        if path.is_file() and facts.st_mtime < youngest:
            yield Problem(
                "upload-cut-off",
                str(path),
                f"An upload of {facts.st_size:,} bytes never came to an end: {path}.",
                "Remove it?",
                partial(path.unlink, missing_ok=True),
                facts.st_size,
            )


def _wanted_names() -> Iterator[str]:
    for attribute in ("audio", "audio_original"):
        rows = Episode.objects.exclude(**{attribute: ""})
        yield from rows.values_list(attribute, flat=True)
    yield from FormerRecording.objects.exclude(audio="").values_list("audio", flat=True)
    for model, attribute, _ in PICTURES:
        for name in model.objects.exclude(**{attribute: ""}).values_list(attribute, flat=True):
            yield name
            yield original_of(name)
    yield from map(card_name, Episode.objects.select_related("show").iterator())


def _source_of(name: str) -> str:
    """`derived/ab/<version>-<size>.<ext>` belongs to the picture of that version."""
    return Path(name).stem.rpartition("-")[0]


# Repairs. Each looks again: much may have happened since the question was asked.


def _copy(source: str, target: str) -> None:
    with default_storage.open(source) as file:
        default_storage.save(target, file)


def _withdraw(pk: int) -> None:
    episode = Episode.objects.get(pk=pk)
    if not default_storage.exists(episode.audio.name):
        episode.withdraw()
        episode.save()


def _forget_recording(pk: int) -> None:
    episode = Episode.objects.get(pk=pk)
    if episode.status == Episode.Status.DRAFT and not default_storage.exists(episode.audio.name):
        Episode.objects.filter(pk=pk).update(
            audio="", audio_bytes=0, audio_sha256="", audio_extension="", duration_ms=0,
            audio_original="", audio_original_bytes=0, audio_original_sha256="", tags_written="",
        )  # fmt: skip


def _correct_length(pk: int, size: int) -> None:
    Episode.objects.filter(pk=pk).update(audio_bytes=size)


def _take_over(pk: int) -> None:
    """Raises ValidationError, in words, when the file cannot be read as audio."""
    from episodes import ingest

    episode = Episode.objects.select_related("show").get(pk=pk)
    name = episode.audio_name or Path(episode.audio.name).name
    with NamedTemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as local:
        with default_storage.open(episode.audio.name) as file:
            shutil.copyfileobj(file, local, 1024 * 1024)
        local.flush()
        upload = File(local, name)
        ingest.attach_audio(episode, upload, ingest.read_audio(upload))
    episode.save()
