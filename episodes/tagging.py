"""Tags of the desk's making in a copy of the recording: title, show, number, artwork, chapters.

    if is_due(episode, was_public=False, new_recording=True):
        outcome = write_tags(episode)

The upload is kept as `audio_original`, the copy becomes the recording. The order is that of every
upload: copy aside, write, read what came out, move it to its final name, and only then the row.
The sound must be the same in every fact; where it is not, or the kind of file takes no tags, the
upload is served as it is and the outcome says why.

A changed file is a new version of the recording, which apps may fetch again. So tags follow the
desk as long as nobody can hear the episode, and stay as they are from then on, until there is
another recording or an editor asks for it.
"""

import hashlib
import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from tempfile import NamedTemporaryFile

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from episodes import artwork_files, audio, fitting, ingest
from episodes.audio.facts import AudioFacts
from episodes.audio.tagging import VERSION, Contents, can_tag
from episodes.chapters.records import Chapter as ChapterRecord
from episodes.file_names import recording_name
from episodes.findings import Level, Unreadable
from episodes.models import Episode
from episodes.probing import MB, Limits, ProbeFailed, probe_in_child
from episodes.refusals import storing
from episodes.storage import StagedFile

#: Widths in pixels of what is put into the file: more is shown by no player.
COVER_SIZE = "1280"
CHAPTER_PICTURE_SIZE = "640"

#: Chapters' pictures past this are left out, so that a recording stays a recording.
MOST_PICTURE_BYTES = 8 * MB


@dataclass(frozen=True, slots=True)
class Outcome:
    """`written` is whether there is a new copy; `reason` why the upload is served as it is."""

    written: bool = False
    reason: str = ""


def is_due(episode: Episode, *, was_public: bool, new_recording: bool) -> bool:
    """Whether `episode`, as it is about to be, should have its tags written."""
    return bool(
        episode.show.write_tags
        and episode.audio
        and episode.status == Episode.Status.PUBLISHED
        and (new_recording or not was_public)
    )


def are_current(episode: Episode) -> bool:
    """Whether the recording's tags are what would be written now. One query for chapters."""
    return episode.tags_written == digest_of(episode)


def digest_of(episode: Episode) -> str:
    """A hash of everything that goes into the tags, and of the sound they go to."""
    show = episode.show
    chapters = [
        (row.start_ms, row.end_ms, row.title, row.url, row.image.name, row.hidden)
        for row in episode.chapters.all()
    ]
    contents = (
        VERSION,
        episode.audio_original_sha256 or episode.audio_sha256,
        (episode.title, episode.season, episode.number),
        (show.title, show.author),
        artwork_files.name_of(episode) or artwork_files.name_of(show),
        chapters,
    )
    return hashlib.sha256(repr(contents).encode()).hexdigest()


def contents_of(episode: Episode, seconds: float) -> Contents:
    """What the tags of a recording of `seconds` shall be. Reads pictures from the storage.

    Chapters that were made for a longer recording and start after the end are left out.
    """
    rows = [row for row in episode.chapters.all() if row.start < seconds]
    ends = [row.start for row in rows[1:]] + [seconds] * bool(rows)
    room = MOST_PICTURE_BYTES
    chapters = []
    for row, end in zip(rows, ends, strict=True):
        picture = _picture(str(row.image), CHAPTER_PICTURE_SIZE) if row.image else b""
        room -= len(picture)
        chapters.append(
            ChapterRecord(
                start=row.start,
                title=row.title,
                url=row.url,
                image=picture if room >= 0 else b"",
                end=min(row.end_ms / 1000 if row.end_ms else end, seconds),
                toc=not row.hidden,
            )
        )
    cover = artwork_files.name_of(episode) or artwork_files.name_of(episode.show)
    return Contents(
        title=episode.title,
        album=episode.show.title,
        artist=episode.show.author,
        season=episode.season,
        number=episode.number,
        cover=_picture(cover, COVER_SIZE) if cover else b"",
        chapters=tuple(chapters),
        seconds=seconds,
    )


def _picture(name: str, size: str) -> bytes:
    """A stored picture as JPEG; b'' when it is gone, which check_media says."""
    try:
        with default_storage.open(artwork_files.derivative(name, size, "jpg") or name) as file:
            return file.read()
    except FileNotFoundError:
        return b""


def write_tags(episode: Episode) -> Outcome:
    """Make a copy with the present tags the episode's recording, and save that.

    Not to be called inside a transaction: it takes as long as the recording is large. The row's
    other fields are left alone, and a row that was changed meanwhile altogether.
    """
    digest = digest_of(episode)
    if episode.tags_written == digest:
        return Outcome()
    try:
        with ExitStack() as stack:
            path, before = _copy(episode, stack)
            path = _write(path, before, contents_of(episode, before.duration), stack)
            facts = audio.read_audio(path, episode.audio_name)
            _compare(before, facts)
            name = _store(episode, path, facts)
    except (Unreadable, ValidationError) as refusal:
        return Outcome(reason=_said(refusal))
    except ProbeFailed as failure:
        return Outcome(reason=f"writing them asks for too much ({failure.reason})")
    return _take(episode, name, facts, before, digest)


def _said(refusal: Unreadable | ValidationError) -> str:
    return refusal.message if isinstance(refusal, Unreadable) else " ".join(refusal.messages)


def _copy(episode: Episode, stack: ExitStack) -> tuple[str, AudioFacts]:
    """The upload once more, on this disk, and its facts."""
    stored = str(episode.audio_original or episode.audio)
    with storing("copy with tags"):
        copy = stack.enter_context(_aside())
        with default_storage.open(stored) as file:
            shutil.copyfileobj(file, copy, MB)
        copy.flush()
    before = audio.read_audio(copy.name, episode.audio_name)
    if before.sha256 != (episode.audio_original_sha256 or episode.audio_sha256):
        raise Unreadable("wrong-content", "the stored file is damaged: run check_media")
    if not can_tag(before.container):
        raise Unreadable("no-tags", f"{before.media_type} files take none. MP3 and M4A do.")
    return copy.name, before


def _aside():
    return NamedTemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR, prefix="tags-")


def _write(path: str, before: AudioFacts, contents: Contents, stack: ExitStack) -> str:
    packed = stack.enter_context(_aside())
    packed.write(contents.pack())
    packed.flush()
    spare = stack.enter_context(_aside())
    options = {"container": before.container, "contents": packed.name, "spare": spare.name}
    # Long files are moved by a few kilobytes: a gigabyte takes seconds, and a slow disk longer.
    slack = before.bytes // (20 * MB)
    limits = Limits(
        file_bytes=before.bytes + 64 * MB, cpu_seconds=20 + slack, wall_seconds=60 + 2 * slack
    )
    answer = probe_in_child("episodes.audio.tagging", path, options=options, limits=limits)
    # The child says which of the two it is; it does not say where to read.
    return spare.name if answer.facts["path"] == spare.name else path


def _compare(before: AudioFacts, after: AudioFacts) -> None:
    same = ("container", "codec", "media_type", "extension", "channels", "sample_rate")
    changed = [name for name in same if getattr(before, name) != getattr(after, name)]
    if round(before.duration * 1000) != round(after.duration * 1000):
        changed.append("duration")
    errors = {finding.code for finding in after.findings if finding.level == Level.ERROR}
    if changed or errors - {finding.code for finding in before.findings}:
        what = ", ".join(changed) or "damage"
        raise Unreadable("not-the-same", f"the copy would not be the same ({what})")


def _store(episode: Episode, path: str, facts: AudioFacts) -> str:
    with open(path, "rb") as handle, storing("copy with tags"):
        file = StagedFile(handle, name=path)
        file.download_name = recording_name(episode.show.title, episode.title, facts.extension)
        return default_storage.save(ingest.stored_name(episode, facts), file)


def _take(
    episode: Episode, name: str, facts: AudioFacts, before: AudioFacts, digest: str
) -> Outcome:
    with transaction.atomic():
        rows = Episode.objects.select_for_update(of=("self",)).select_related("show")
        row = rows.filter(pk=episode.pk).first()
        if row is None or row.audio_sha256 != episode.audio_sha256 or digest_of(row) != digest:
            return Outcome(reason="somebody changed the episode meanwhile. Save it once more")
        heard = row.audio_sha256
        if not row.audio_original:
            row.audio_original.name = row.audio.name
            row.audio_original_sha256 = before.sha256
            row.audio_original_bytes = before.bytes
        row.audio.name = name
        ingest.take_facts(row, facts)
        row.tags_written = digest
        row.audio_at = timezone.now()
        row.save()
        fitting.carry_over(row, heard)
    return Outcome(written=True)
