"""Keeping the search entries true: in the transaction of the write, without a job after it.

A write that may change an episode's words counts up its revision, and from there comes
here; an entry whose texts are the same is left alone. Visibility is not indexed at all:
it is asked when somebody searches.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from django.db import connection, connections, transaction
from django.db.models.signals import post_delete, post_migrate

from episodes.models import Episode, SearchEntry, Transcript
from episodes.notes import paragraphs
from episodes.searching.running import Running
from episodes.searching.words import fold, tokens
from episodes.signals import episodes_reworded
from episodes.transcripts.excerpt import paragraphs_of_text

#: Counts up when the same text would be indexed in another way; `migrate` then does it.
VERSION = 2

#: Stands between two transcripts, so that no phrase runs from one to the other; no query has it.
APART = "¶"

BATCH = 50

#: Told how many episodes are done.
type Progress = Callable[[int], object]


def spoken(transcript: Transcript) -> Running:
    """The words of a transcript as the public reads them, with their times."""
    if transcript.cues:
        rows = transcript.cues  # not made into cues: for a page of finds there are thousands
        return Running([text for *_, text in rows], [start_ms for start_ms, *_ in rows])
    return Running(paragraphs_of_text(transcript.text), between="\n")


def written(episode: Episode) -> Running:
    """Summary and notes as paragraphs of plain text."""
    summary = " ".join(episode.summary.split())
    return Running([summary, *paragraphs(episode.notes_html)], between="\n")


def index_episodes(keys: Iterable[int]) -> int:
    """Bring the entries of these episodes up to date. Returns how many had to be written.

    Four queries for every fifty episodes, and no more than reading where nothing changed.
    """
    count = 0
    ordered = sorted(keys)
    for start in range(0, len(ordered), BATCH):
        with transaction.atomic():
            count += _index(ordered[start : start + BATCH])
    return count


def _index(keys: Sequence[int]) -> int:
    # Locked, so that of two writers the later one indexes what both have written.
    episodes = Episode.objects.filter(pk__in=keys).order_by("pk").select_for_update()
    rows = list(episodes.only("title", "summary", "notes_html"))
    transcripts: dict[int, list[Transcript]] = defaultdict(list)
    for row in Transcript.objects.filter(episode__in=rows).defer("original"):
        transcripts[row.episode_id].append(row)
    known = dict(SearchEntry.objects.filter(pk__in=keys).values_list("pk", "digest"))
    new: list[SearchEntry] = []
    for episode in rows:
        title = fold(episode.title)
        about = written(episode).folded
        said = [spoken(row).folded for row in transcripts[episode.pk]]
        digest = _digest(title, about, *said)
        if known.get(episode.pk) != digest:
            words = [token for text in said for token in [*tokens(text), APART]][:-1]
            new.append(SearchEntry.of(episode.pk, tokens(title), tokens(about), words, digest))
    changed = [row.pk for row in new if row.pk in known]
    if changed:
        SearchEntry.objects.filter(pk__in=changed).delete()
    SearchEntry.objects.bulk_create(new)
    return len(new)


def _digest(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(b"\0" + text.encode("utf-8", "surrogatepass"))
    return (_mark() + digest.hexdigest())[:16]


def _mark() -> str:
    """What the digest of every good entry begins with: copied from another engine none is."""
    return f"{VERSION:x}{connection.vendor[0]}-"


def index_missing(progress: Progress = lambda done: None) -> int:
    """Index what has no entry of this version: after an upgrade, or rows written past us."""
    entries = SearchEntry.objects.filter(digest__startswith=_mark())
    indexed = set(entries.values_list("pk", flat=True))
    keys = Episode.objects.values_list("pk", flat=True)
    missing = sorted(key for key in keys if key not in indexed)
    count = 0
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        count += index_episodes(batch)
        progress(start + len(batch))
    return count


def rebuild(progress: Progress = lambda done: None) -> int:
    """Make every entry anew, fifty episodes to a transaction; all are found meanwhile."""
    keys = sorted(Episode.objects.values_list("pk", flat=True))
    SearchEntry.objects.exclude(pk__in=Episode.objects.values("pk")).delete()
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        with transaction.atomic():
            SearchEntry.objects.filter(pk__in=batch).delete()
            _index(batch)
        progress(start + len(batch))
    return len(keys)


def connect(config) -> None:
    """Follow the domain's writes; called once, when the app is ready."""
    episodes_reworded.connect(_follow, dispatch_uid="episodes.search.follow")
    post_delete.connect(_follow_deletion, Transcript, dispatch_uid="episodes.search.delete")
    post_migrate.connect(_fill, sender=config, dispatch_uid="episodes.search.fill")


def _follow(sender, episode_ids, **kwargs):
    index_episodes(episode_ids)


def _follow_deletion(sender, instance, origin=None, **kwargs):
    """A transcript that went by itself leaves its episode; one that went with it does not."""
    if getattr(origin, "model", type(origin)) is Transcript:
        index_episodes([instance.episode_id])


def _fill(sender, using, **kwargs):
    """What was there before the table, or before this version of it, is found from now on."""
    if SearchEntry._meta.db_table in connections[using].introspection.table_names():
        index_missing()
