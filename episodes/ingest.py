"""Taking in what editors bring: audio, chapters and transcripts (pictures: `episodes.pictures`).

The order is always the same: read the upload in a limited child, move it to
its final name, and only then let the caller commit the row. Killed at any
point, the site shows the old state or the new one; a file nobody refers to is
collected later.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from episodes import artwork, audio
from episodes.chapters import ChapterList, read_chapters
from episodes.file_names import recording_name
from episodes.findings import Finding, Unreadable
from episodes.models import Chapter, Episode, GlossaryTerm, Transcript
from episodes.once import once
from episodes.pictures import read_picture, store_picture
from episodes.probing import ProbeFailed
from episodes.refusals import refused, storing
from episodes.transcripts import read_transcript
from episodes.transcripts.cues import cues_to_rows


@dataclass(slots=True)
class Filled:
    """What attaching a recording filled in where the editor had left the field empty."""

    fields: list[str] = field(default_factory=list)
    chapters: tuple = ()
    findings: tuple[Finding, ...] = ()


@once
def read_audio(upload) -> "audio.AudioFacts":
    """The facts of an uploaded recording, read once.

    Raises ValidationError with words for the editor.
    """
    try:
        return audio.read_audio(path_of(upload), name=Path(upload.name).name)
    except Unreadable as refusal:
        raise refused(refusal) from None
    except ProbeFailed as failure:
        raise ValidationError(
            "This file could not be read as audio: it asks for more time or memory than a "
            "recording needs (%(reason)s). Export it again as MP3 and upload that.",
            code="probe",
            params={"reason": failure.reason},
        ) from None


def path_of(upload) -> str:
    """Where the upload lies; uploads always go to a temporary file, never to memory."""
    if hasattr(upload, "temporary_file_path"):
        return upload.temporary_file_path()
    return upload.path if hasattr(upload, "path") else upload.file.name


def attach_audio(episode: Episode, upload, facts: "audio.AudioFacts", *, title: str = "") -> Filled:
    """Make `upload` the episode's recording and fill empty fields from its tags.

    `title` is what the episode will be called where it is not called that yet.

    The file is under its final name when this returns; the row is the caller's
    to save. Nothing an editor has written is overwritten. Raises ValidationError when
    there is no room for it.
    """
    store_audio(episode, upload, facts, title=title)
    filled = Filled(chapters=facts.chapters, findings=facts.findings)
    if not episode.title and facts.tags.title:
        episode.title = facts.tags.title.strip()[:255]
        filled.fields.append("title")
    for own in ("season", "number"):
        value = getattr(facts.tags, own, None)
        if getattr(episode, own) is None and value:
            setattr(episode, own, value)
            filled.fields.append(own)
    if not episode.artwork and facts.cover:
        try:
            cover = read_cover(upload)
            episode.artwork.name = store_picture(episode.uid, cover, ContentFile(facts.cover))
            filled.fields.append("artwork")
        except ValidationError as refusal:
            # A cover that feeds would refuse is no cover; the audio is still good.
            if refusal.code == "not-stored":
                raise
    return filled


def store_audio(episode: Episode, upload, facts: "audio.AudioFacts", *, title: str = "") -> None:
    """Make `upload` the episode's recording; nothing else is taken from the file.

    The file is under its final name when this returns; the row is the caller's to save.
    Raises ValidationError when there is no room for it.
    """
    upload.download_name = recording_name(
        episode.show.title if episode.show_id else "",
        title or episode.title or facts.tags.title,
        facts.extension,
    )
    episode.audio.name = store_upload(upload, name=stored_name(episode, facts))
    episode.audio_url = ""
    if episode.audio_sha256 != facts.sha256:
        episode.audio_at = timezone.now()
    take_facts(episode, facts)
    episode.audio_name = Path(upload.name).name[:255]
    episode.audio_original.name = episode.audio_original_sha256 = episode.tags_written = ""
    episode.audio_original_bytes = 0


@once
def store_upload(upload, *, name: str) -> str:
    """An uploaded recording, stored once under a name that is made of its content.

    Raises ValidationError as `storing` does.
    """
    upload.seek(0)
    with storing("recording"):
        return default_storage.save(name, upload)


def forget_audio(episode: Episode) -> None:
    """Leave the episode without a recording here; the row is the caller's to save.

    The saved row keeps the file for a while, as that of a former recording.
    """
    for file in (episode.audio, episode.audio_original):
        file.name = ""
    for name in ("audio_type", "audio_extension", "audio_sha256", "audio_name",
                 "audio_original_sha256", "tags_written"):  # fmt: skip
        setattr(episode, name, "")
    episode.audio_bytes = episode.audio_original_bytes = episode.duration_ms = 0
    episode.audio_facts = {}
    episode.audio_at = None


def stored_name(episode: Episode, facts: "audio.AudioFacts") -> str:
    """Where a recording lies: under the episode, by its content."""
    return f"audio/{episode.uid}/{facts.sha256}.{facts.extension}"


def take_facts(episode: Episode, facts: "audio.AudioFacts") -> None:
    """What the row says of its recording; the row is the caller's to save."""
    episode.audio_bytes = facts.bytes
    episode.audio_type = facts.media_type
    episode.audio_extension = facts.extension
    episode.audio_sha256 = facts.sha256
    episode.duration_ms = round(facts.duration * 1000)
    episode.audio_facts = {
        "container": facts.container,
        "codec": facts.codec,
        "bitrate": facts.bitrate,
        "channels": facts.channels,
        "sample_rate": facts.sample_rate,
        "findings": [[f.level, f.code, f.message, f.where] for f in facts.findings],
    }


#: Each takes a child of its own, a fraction of a second.
MOST_CHAPTER_PICTURES = 60

type Pictures = dict[bytes, artwork.PreparedArtwork]


@once
def read_cover(upload) -> artwork.PreparedArtwork:
    """The cover inside an uploaded recording, prepared once.

    Raises ValidationError when there is none, or one that feeds would refuse.
    """
    cover = read_audio(upload).cover
    if not cover:
        raise ValidationError("The recording holds no cover.", code="no-cover")
    return read_picture(ContentFile(cover, name="cover"), square=True)


@once
def read_chapter_pictures(upload) -> Pictures:
    """The pictures of an uploaded recording's chapters, prepared, by their bytes in the file.

    What is no picture that chapters may have is left out.
    """
    pictures: Pictures = {}
    images = (chapter.image for chapter in read_audio(upload).chapters)
    inside = dict.fromkeys(image for image in images if isinstance(image, bytes))
    for data in list(inside)[:MOST_CHAPTER_PICTURES]:
        with suppress(ValidationError):
            pictures[data] = read_picture(ContentFile(data, name="chapter"), square=False)
    return pictures


def attach_chapters(episode: Episode, chapters, pictures: Pictures | None = None) -> int:
    """Write `chapters` (episodes.chapters.Chapter) as the rows of a saved episode.

    Replaces what is there. Chapters whose pictures are bytes get those of `pictures`. Returns how
    many were written.
    """
    episode.chapters.all().delete()
    rows, seen = [], set()
    for chapter in chapters:
        start = round(chapter.start * 1000)
        if start in seen:
            continue
        seen.add(start)
        end = round(chapter.end * 1000) if chapter.end else 0
        rows.append(
            Chapter(
                episode=episode,
                start_ms=start,
                end_ms=end if end > start else None,
                title=chapter.title[:255],
                url=chapter.url[:1000],
                image_url=chapter.image if isinstance(chapter.image, str) else "",
                image=_stored_picture(episode, chapter.image, pictures or {}),
                hidden=not chapter.toc,
                recording=episode.audio_sha256,
            )
        )
    return len(Chapter.objects.bulk_create(rows))


def _stored_picture(episode: Episode, image: str | bytes, pictures: Pictures) -> str:
    if isinstance(image, bytes) and image in pictures:
        with suppress(ValidationError):  # no room: the chapter goes without
            return store_picture(episode.uid, pictures[image], ContentFile(image))
    return ""


@once
def read_chapter_file(upload) -> ChapterList:
    """An uploaded list of chapters. Raises ValidationError with the line and the reason."""
    upload.seek(0)
    try:
        return read_chapters(upload.read())
    except Unreadable as refusal:
        raise refused(refusal) from None


#: Larger transcripts are refused before they are read: ten hours of speech are 2 MB.
TRANSCRIPT_MAX_BYTES = 10 * 1024 * 1024


def fill_transcript(transcript: Transcript, data: bytes, name: str) -> tuple[Finding, ...]:
    """Read an uploaded file into the row; the row is the caller's to save.

    Raises ValidationError with the line and the reason when it cannot be read.
    """
    if len(data) > TRANSCRIPT_MAX_BYTES:
        raise ValidationError(
            "This transcript has %(size).1f MB; at most 10 MB are taken.",
            params={"size": len(data) / 1024 / 1024},
        )
    try:
        read = read_transcript(data, name)
    except Unreadable as refusal:
        raise refused(refusal) from None
    transcript.original = data
    transcript.original_name = Path(name).name[:255]
    transcript.format = read.format
    transcript.cues = cues_to_rows(read.cues) if read.cues else None
    transcript.text = read.text
    transcript.has_speakers = any(cue.speaker for cue in read.cues)
    transcript.recording = transcript.episode.audio_sha256 if transcript.episode_id else ""
    return read.findings


def glossary_of(show) -> list[GlossaryTerm]:
    return list(show.glossary.all())
