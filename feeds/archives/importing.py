"""Take an archive in: everything is checked, then files, then all rows in one transaction.

The same archive twice changes nothing. A show that is here is never overwritten.
"""

import hashlib
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.db import DatabaseError, models, transaction

from episodes import artwork
from episodes.findings import Unreadable
from episodes.models import Episode, FormerShowSlug, Person, Show
from episodes.models.revised import Touched
from episodes.probing import ProbeFailed
from episodes.storage import StagedFile
from feeds.archives import ArchiveError
from feeds.archives.catalogue import EPISODE, PERSON, SHOW, Kind, kinds
from feeds.archives.reading import CHUNK, Archive, is_plain
from feeds.archives.rows import Rows

#: Words that are read into memory, one at a time.
MAX_WORDS = 64 * 1024 * 1024

#: Rows that are written together, and in memory with all their words.
BATCH = 50

Told = Callable[[str, int, int], None]


@dataclass(slots=True)
class Taken:
    """What an import did, or would do. `created` is False when the show was here already."""

    show: Show
    created: bool
    counts: Counter = field(default_factory=Counter)
    files: int = 0
    remarks: list[str] = field(default_factory=list)


def import_show(
    path: Path,
    *,
    slug: str = "",
    dry_run: bool = False,
    told: Told = lambda stage, done, total: None,
) -> Taken:
    """Raises ArchiveError, with nothing changed."""
    with Archive(path) as archive:
        document = archive.document()
        plan = Plan(archive, document, slug)
        if plan.here is not None:
            return Taken(plan.here, False)
        plan.refuse_conflicts()
        for number, file in enumerate(plan.files.values(), 1):
            archive.check(file)
            told("Checked", number, len(plan.files))
        plan.check_pictures()
        taken = Taken(plan.show, True, Counter(kind.key for kind, _ in plan.rows.made))
        taken.files = len(plan.names)
        taken.remarks = plan.remarks
        if not dry_run:
            plan.carry_out(told)
        return taken


class Plan:
    """The rows and files of an archive, ready to be taken in."""

    show: Any

    def __init__(self, archive: Archive, document: dict, slug: str):
        self.archive = archive
        self.remarks: list[str] = []
        self.files = {file["path"]: file for file in _files(document)}
        self.names: dict[str, dict] = {}  # stored name: file
        self.rows = Rows(self._stored, self._content)
        self.here = _already_here(document)
        if self.here is not None:
            return
        self._take_people(document.get("people"))
        self.show = self.rows.take(SHOW, document.get("show"), "show")
        if slug:
            self.show.slug = slug
            try:
                Show._meta.get_field("slug").run_validators(slug)
            except ValidationError as error:
                raise ArchiveError(f"--slug {slug}: {' '.join(error.messages)}") from None
        episodes = document.get("episodes")
        if not isinstance(episodes, list):
            raise ArchiveError("episodes is no list.")
        for number, each in enumerate(episodes):
            self.rows.take(EPISODE, each, f"episodes[{number}]", show=self.show)
        for file in self.files.values():  # originals, which no row names
            if file["stored"]:
                self._stored(file["path"])

    def _take_people(self, people: Any) -> None:
        if not isinstance(people, list):
            raise ArchiveError("people is no list.")
        for number, each in enumerate(people):
            person: Any = self.rows.take(PERSON, each, f"people[{number}]")
            known = Person.objects.filter(uid=person.uid).first()
            if known is not None:
                self.rows.made.pop()
                self.remarks.append(f"{known} is here already, and stays as it is.")
            self.rows.people[str(person.uid)] = known or person

    # Files

    def _stored(self, path: str) -> str:
        """The stored name of a file of the archive."""
        file = self.files.get(path)
        if file is None or not file["stored"]:
            raise ArchiveError(f"{path} is named by a row and not among `files`.")
        name = file["stored"]
        if not is_plain(name) or "/" not in name or name.startswith(("derived/", ".")):
            raise ArchiveError(f"{name!r} is no name of a file in the media.")
        self.names[name] = file
        return name

    def _content(self, path: str) -> bytes:
        file = self.files.get(path)
        if file is None or path not in self.archive.entries:
            raise ArchiveError(f"{path} is named by a row and not in the archive.")
        if self.archive.entries[path].file_size > MAX_WORDS:
            raise ArchiveError(f"{path} is too large for words.")
        return b"".join(self.archive.pieces(path))

    def check_pictures(self) -> None:
        """As at the desk: what is no picture is refused, in a child with little memory and time."""
        for kind, row in self.rows.made:
            for each in kind.model._meta.concrete_fields:
                if not isinstance(each, models.FileField):
                    continue
                value = getattr(row, each.name)
                if value and each.name in ("audio", "audio_original"):
                    self._check_recording(row, each.name, self.names[value.name])
                elif value:
                    self._check_picture(self.names[value.name])

    def _check_recording(self, row: Any, name: str, file: dict) -> None:
        expected = getattr(row, f"{name}_sha256") if isinstance(row, Episode) else row.sha256
        if file["sha256"] != expected:
            raise ArchiveError(f"{file['path']} is not the recording that its episode names.")
        if isinstance(row, Episode) and not row.audio_type.startswith(("audio/", "video/")):
            raise ArchiveError(f"{file['path']} is of type {row.audio_type!r}: no recording.")

    def _check_picture(self, file: dict) -> None:
        data = self._content(file["path"])
        try:
            artwork.prepare_in_child(data, square=False)
        except (Unreadable, ProbeFailed) as error:
            reason = getattr(error, "message", error)
            raise ArchiveError(f"{file['path']} is no picture that is taken: {reason}") from None

    # Rows

    def refuse_conflicts(self) -> None:
        slug = self.show.slug
        if Show.objects.filter(slug=slug).exists():
            raise ArchiveError(
                f"Another show has the address /{slug}/ here. Choose another with --slug."
            )
        if FormerShowSlug.objects.filter(slug=slug).exists():
            raise ArchiveError(
                f"/{slug}/ was another show's, and redirects. Choose another with --slug."
            )
        uids = [row.uid for _, row in self.rows.made if isinstance(row, Episode)]
        for start in range(0, len(uids), 500):
            taken = Episode.objects.filter(uid__in=uids[start : start + 500])
            if found := taken.select_related("show").first():
                raise ArchiveError(f"“{found}” is an episode of {found.show.title} here already.")
        self._drop_taken_addresses()

    def _drop_taken_addresses(self) -> None:
        """A former address that another show has here stays that show's."""
        kept = []
        for kind, row in self.rows.made:
            if isinstance(row, FormerShowSlug):
                others = FormerShowSlug.objects.filter(slug=row.slug).exists()
                if others or Show.objects.filter(slug=row.slug).exists():
                    self.remarks.append(f"/{row.slug}/ is another show's here: no redirect.")
                    continue
            kept.append((kind, row))
        self.rows.made = kept

    def carry_out(self, told: Told) -> None:
        """Files, then rows; when either fails, what was new goes again."""
        new: list[str] = []
        try:
            for number, (name, file) in enumerate(self.names.items(), 1):
                if self._store(name, file):
                    new.append(name)
                told("Copied", number, len(self.names))
            with transaction.atomic():
                self._insert()
        except BaseException as error:
            if not Show.objects.filter(guid=self.show.guid).exists():  # by another import
                for name in new:
                    with suppress(OSError):
                        default_storage.delete(name)
            if isinstance(error, DatabaseError):
                raise ArchiveError(f"The rows do not fit together: {error}") from None
            raise

    def _store(self, name: str, file: dict) -> bool:
        """Whether it was written; a name that is there has to hold the same bytes."""
        with NamedTemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR, prefix="import-") as local:
            for piece in self.archive.pieces(file["path"]):
                local.write(piece)
            local.flush()
            if default_storage.exists(name):
                if _digest(name) == file["sha256"]:
                    return False
                raise ArchiveError(f"The media have another file called {name}.")
            default_storage.save(name, StagedFile(local, name))
            return True

    def _save(self, kind: Kind, rows: list) -> None:
        """Foreign keys were set before their rows had keys: set again, then write, in batches."""
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            for row in batch:
                self.rows.load(row)
                for each in kind.model._meta.concrete_fields:
                    if isinstance(each, models.ForeignKey) and each.is_cached(row):
                        setattr(row, each.name, getattr(row, each.name))
            models.QuerySet(kind.model).bulk_create(batch)
            for row in batch:
                self.rows.unload(row)

    def _insert(self) -> None:
        """Model after model, owners first; then what `auto_now` has overwritten; one revision."""
        revision, revised_at = self.show.revision, self.show.revised_at
        grouped: dict[Kind, list] = {kind: [] for kind in (PERSON, *kinds())}
        for kind, row in self.rows.made:
            grouped[kind].append(row)
        for kind, rows in grouped.items():
            stamps = [
                each.name
                for each in kind.model._meta.concrete_fields
                if getattr(each, "auto_now", False) or getattr(each, "auto_now_add", False)
            ]
            kept = [{name: getattr(row, name) for name in stamps} for row in rows]
            self._save(kind, rows)
            for row, values in zip(rows, kept, strict=True):
                for name, value in values.items():
                    setattr(row, name, value)
            if stamps and rows:
                models.QuerySet(kind.model).bulk_update(rows, stamps, batch_size=200)
        Touched(shows=[self.show.pk]).bump()
        models.QuerySet(Show).filter(pk=self.show.pk).update(
            revision=revision + 1, revised_at=revised_at
        )


def _files(document: dict) -> list[dict]:
    files = document.get("files")
    if not isinstance(files, list):
        raise ArchiveError("files is no list.")
    for number, file in enumerate(files):
        shape = {"path": str, "bytes": int, "sha256": str, "stored": str}
        if not isinstance(file, dict) or {k: type(v) for k, v in file.items()} != shape:
            raise ArchiveError(
                f"files[{number}] has another shape than path, bytes, sha256, stored."
            )
    return files


def _already_here(document: dict) -> Show | None:
    """By its identity, which a show keeps wherever it is."""
    said = document.get("show")
    if not isinstance(said, dict) or not isinstance(said.get("guid"), str):
        raise ArchiveError("show.guid is missing: this is no whole show.")
    return Show.objects.filter(guid=said["guid"]).first()


def _digest(name: str) -> str:
    digest = hashlib.sha256()
    with closing(default_storage.stream(name)) as file:  # type: ignore[attr-defined]
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
