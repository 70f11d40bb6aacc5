"""What an item points at, brought here: audio, artwork, chapters, transcripts. No database.

Runs in threads beside the one that writes rows. What cannot be had becomes a problem; the rest
of the item goes on without it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile

from episodes import ingest, pictures
from episodes.audio import AudioFacts
from episodes.chapters import Chapter, read_chapters, settle
from episodes.chapters.records import Draft
from episodes.findings import Unreadable
from episodes.models import Episode, Show, Transcript
from feeds.fetching import FetchError
from feeds.moving_in.downloads import Download, Downloader, name_of
from feeds.moving_in.settling import settled_language
from feeds.parts import SimpleChapter, TranscriptLink
from feeds.records import Item

#: Which format is taken when a language has several: times and speakers first.
_BEST = ("vtt", "srt", "json", "html", "txt")
_TYPES = {
    "text/vtt": "vtt",
    "application/srt": "srt",
    "application/x-subrip": "srt",
    "text/srt": "srt",
    "application/json": "json",
    "text/html": "html",
    "text/plain": "txt",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of an item's files is to be fetched."""

    audio: bool = False
    artwork: bool = False
    chapters: bool = False
    transcripts: bool = False


@dataclass(slots=True)
class Gathered:
    """What came. None and missing languages: it did not come, see `problems`."""

    audio: Download | None = None
    facts: AudioFacts | None = None
    artwork: str = ""  # stored name
    chapters: tuple[Chapter, ...] | None = None
    transcripts: list[Transcript] = field(default_factory=list)
    failed_transcripts: tuple[TranscriptLink, ...] = ()
    problems: list[str] = field(default_factory=list)


def gather(item: Item, episode: Episode, wanted: Wanted, downloader: Downloader) -> Gathered:
    """Fetches and reads; pictures are stored under the episode's uid, audio stays a download."""
    got = Gathered()
    if wanted.audio and item.enclosure:
        _audio(item.enclosure.url, got, downloader)
    if wanted.artwork and item.artwork:
        got.artwork = artwork(item.artwork, episode, downloader, got.problems)
    if wanted.chapters and item.chapters:
        _chapters(item.chapters.url, got, downloader)
    if wanted.transcripts and item.transcripts:
        _transcripts(item.transcripts, got, downloader)
    return got


def _audio(url: str, got: Gathered, downloader: Downloader) -> None:
    try:
        path = downloader.large(url)
    except FetchError as error:
        got.problems.append(f"The audio could not be fetched from {url}: {error}")
        return
    upload = Download(path, name_of(url))
    try:
        got.facts = ingest.read_audio(upload)
        got.audio = upload
    except ValidationError as error:
        upload.close()
        downloader.forget(url)
        got.problems.append(f"What {url} gave is no audio we can read: {error.messages[0]}")


def artwork(url: str, owner: Show | Episode, downloader: Downloader, problems: list[str]) -> str:
    """The stored name of the picture at `url`, made the owner's; "" and a problem otherwise."""
    try:
        body = downloader.small(url).body
        pictures.attach_artwork(owner, ContentFile(body, name="artwork"))
    except FetchError as error:
        problems.append(f"The artwork could not be fetched from {url}: {error}")
        return ""
    except ValidationError as error:
        problems.append(f"The artwork at {url} cannot be used: {error.messages[0]}")
        return ""
    return owner.artwork.name or ""


def _chapters(url: str, got: Gathered, downloader: Downloader) -> None:
    try:
        got.chapters = read_chapters(downloader.small(url).body).chapters
    except FetchError as error:
        got.problems.append(f"The chapters could not be fetched from {url}: {error}")
    except Unreadable as refusal:
        got.problems.append(f"The chapters at {url} cannot be read: {refusal.message}")


def simple(chapters: Iterable[SimpleChapter]) -> tuple[Chapter, ...]:
    """Chapters that stand in the feed itself."""
    return settle([Draft(row.start, row.title, row.href, row.image) for row in chapters])[0]


def _transcripts(links: tuple[TranscriptLink, ...], got: Gathered, downloader: Downloader) -> None:
    failed: list[TranscriptLink] = []
    for language, candidates in by_language(links).items():
        reasons = []
        for link in candidates:
            transcript = Transcript(language=language)
            try:
                answer = downloader.small(link.url)
                name = _name(link, answer.headers.get("content-type", ""))
                ingest.fill_transcript(transcript, answer.body, name)
            except FetchError as error:
                reasons.append(f"{link.url}: {error}")
            except ValidationError as error:
                reasons.append(f"{link.url}: {error.messages[0]}")
            else:
                got.transcripts.append(transcript)
                break
        else:
            failed += candidates
            got.problems.append(f"No transcript could be had. {' '.join(reasons)}")
    got.failed_transcripts = tuple(failed)


def by_language(links: tuple[TranscriptLink, ...]) -> dict[str, list[TranscriptLink]]:
    """The links of each language, best format first; "" becomes the key of no language."""
    groups: dict[str, list[TranscriptLink]] = {}
    for link in links:
        groups.setdefault(settled_language(link.language) if link.language else "", []).append(link)
    for group in groups.values():
        group.sort(key=lambda link: _rank(format_of(link)))
    return groups


def _rank(kind: str) -> int:
    return _BEST.index(kind) if kind in _BEST else len(_BEST)


def format_of(link: TranscriptLink) -> str:
    """By its media type, else by the end of its address."""
    kind = _TYPES.get(link.type.partition(";")[0].strip().lower(), "")
    return kind or name_of(link.url).rpartition(".")[2].lower()


def _name(link: TranscriptLink, content_type: str) -> str:
    kind = format_of(link)
    if kind not in _BEST:
        kind = _TYPES.get(content_type.partition(";")[0].strip().lower(), "txt")
    name = name_of(link.url)
    return name if name.lower().endswith(f".{kind}") else f"{name}.{kind}"
