"""A show as one archive: rows and words first, as one state of the show, then the files.

Words (documents, transcripts, the feed) are put aside on disk until the show's revision says that
nothing moved meanwhile. Stored files never change, so they can be read after that at leisure.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import IO

from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import Q
from django.utils import timezone

from episodes.chapters import chapters_json_bytes
from episodes.links import absolute
from episodes.models import Episode, Person, Show, SpeakerName
from episodes.visibility import find_show
from feeds.archives import FORMAT, VERSION, ArchiveError
from feeds.archives.catalogue import EPISODE, SHOW
from feeds.archives.documents import (
    episode_document,
    episode_folder,
    person_document,
    show_document,
    with_parts,
)
from feeds.archives.writing import ShelvedFiles, pretty, write_archive
from feeds.rendering import render_show_feed, stylesheets

#: Editors may be at work; a show that does not hold still this often is left for later.
ATTEMPTS = 5

#: Episodes that are in memory at a time.
GROUP = 20


class Export:
    """`with closing(Export(slug)) as export: export.write(target)`.

    Raises ArchiveError when the show is not there or not whole.
    """

    def __init__(self, slug: str):
        try:
            stylesheets()  # the feed names one, by the name that collectstatic gave it
        except ValueError:
            raise ArchiveError(
                "The static files are not collected yet. Run `manage.py up --prepare-only` first."
            ) from None
        for _ in range(ATTEMPTS):
            self.now = timezone.now()
            show = find_show(slug, self.now)
            if show is None:
                raise ArchiveError(
                    f"There is no show at /{slug}/. Shows: "
                    + (", ".join(Show.objects.values_list("slug", flat=True)) or "none")
                )
            self.shelf = ShelvedFiles()
            self.revision = show.revision
            self._collect(show)
            if Show.objects.filter(pk=show.pk, revision=show.revision).exists():
                break
            self.close()
        else:
            raise ArchiveError(f"{slug} is being edited all the time. Try again in a quiet hour.")
        try:
            self._refuse_lost_files()
        except ArchiveError:
            self.close()
            raise

    def write(
        self, target: IO[bytes], told: Callable[[int, int], None] = lambda count, size: None
    ) -> None:
        """The archive into a file or a pipe. `told(files, bytes)` hears how far it is."""
        write_archive(target, self.shelf, self._document, told)

    def close(self) -> None:
        self.shelf.close()

    # What there is

    def _collect(self, show: Show) -> None:
        shelf = self.shelf
        with_parts(SHOW, [show])
        self.head = {
            "format": FORMAT,
            "version": VERSION,
            "exported_at": self.now.astimezone(UTC).isoformat(),
            "site_url": settings.SITE_URL,
            "feed_url": absolute(show.get_feed_path()),
            "show": show_document(show, shelf),
        }
        self._original(show, "artwork", "")
        self.people = [person_document(person, shelf) for person in people_of(show)]
        for person in people_of(show):
            self._original(person, "picture", "people/")
        self.episodes: list[tuple[int, int]] = []
        self.names = SpeakerName.objects.of(show)
        keys = list(Episode.objects.filter(show=show).order_by("pk").values_list("pk", flat=True))
        for start in range(0, len(keys), GROUP):
            rows = Episode.objects.filter(pk__in=keys[start : start + GROUP]).order_by("pk")
            for episode in with_parts(EPISODE, list(rows)):
                episode.show = show
                self._episode(episode)
        shelf.written("feed.xml", complete_feed(show, self.now))

    def _episode(self, episode: Episode) -> None:
        shelf, folder = self.shelf, episode_folder(episode)
        text = pretty(episode_document(episode, shelf))
        self.episodes.append(shelf.put_aside(text.encode()))
        self._original(episode, "artwork", folder)
        for transcript in episode.transcripts.all():
            for ending in transcript.formats():
                shelf.written(
                    f"{folder}transcript.{transcript.language}.{ending}",
                    transcript.write(ending, self.names)[0],
                )
        if chapters := [row.record() for row in episode.chapters.all()]:
            data = chapters_json_bytes(chapters, title=episode.title)
            shelf.written(f"{folder}chapters.json", data)

    def _original(self, owner, attribute: str, folder: str) -> None:
        """The picture as its editor brought it lies beside the one for feeds."""
        name = getattr(owner, attribute).name
        if not name:
            return
        path = PurePosixPath(name)
        original = str(path.with_name(f"{path.stem}-original"))
        if default_storage.exists(original):
            stem = f"{str(owner.uid)[:8]}-" if folder == "people/" else ""
            self.shelf.stored(f"{folder}{stem}{attribute}-original", original)

    def _refuse_lost_files(self) -> None:
        lost = [name for name in self.shelf.names.values() if not default_storage.exists(name)]
        if lost:
            raise ArchiveError(
                f"{len(lost)} files of this show are not in the media, {lost[0]} among them. "
                "Run check_media: it says of each what can be done."
            )

    # The document

    def _document(self, files: list[dict]) -> Iterator[str]:
        head = pretty(self.head)
        yield head[: head.rindex("\n}")] + ',\n "people": ' + pretty(self.people)
        yield ',\n "episodes": ['
        for number, kept in enumerate(self.episodes):
            yield (",\n" if number else "\n") + self.shelf.take(kept).decode()
        yield '\n],\n "files": ' + pretty(files) + "\n}\n"


def people_of(show: Show):
    """Everybody credited on the show or its episodes, or named as a speaker."""
    return Person.objects.filter(
        Q(credits__show=show) | Q(credits__episode__show=show) | Q(speaker_names__show=show)
    ).distinct()


def complete_feed(show: Show, now: datetime) -> bytes:
    """The feed with every public episode on its one page, whatever the show's page size."""
    size = show.page_size
    show.page_size = max(size, Episode.objects.filter(show=show).count(), 1)
    try:
        return render_show_feed(show, now, page=1, pages=1)
    finally:
        show.page_size = size
