"""One item to one episode: what is new is written, what was edited here stays.

`plan` reads (and decides what to fetch), `write` is one transaction. Between them
`feeds.moving_in.gathering` fetches, without the database.
"""

from dataclasses import dataclass, replace

from django.db import transaction

from episodes import ingest
from episodes.models import Episode, Season, Show, Transcript
from feeds import parts
from feeds.leftovers import item_xml
from feeds.models import AudioMode, ImportedItem
from feeds.moving_in import rows
from feeds.moving_in.differences import Differences, compare, digest
from feeds.moving_in.gathering import Gathered, Wanted, simple
from feeds.moving_in.people import credit
from feeds.moving_in.settling import fitting, numbers
from feeds.moving_in.texts import as_notes
from feeds.moving_in.values import (
    COLUMNS,
    chapter_records,
    chapter_values,
    in_order,
    listed,
    now,
    transcript_values,
)
from feeds.records import Item


@dataclass(slots=True)
class Plan:
    """An item on its way in. `original` is as it was read, `item` as our rows can say it."""

    original: Item
    item: Item
    episode: Episode
    imported: ImportedItem
    is_new: bool
    mode: str
    seen: str
    wanted: Wanted = Wanted()

    @property
    def where(self) -> str:
        return self.item.guid if len(self.item.guid) < 200 else self.item.title


@dataclass(slots=True)
class Outcome:
    created: bool = False
    changed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def plan(show: Show, original: Item, item: Item, mode: str, known: dict | None) -> Plan | None:
    """What is to be done about an item; None when nothing is, as the last import saw it.

    `known` is the row of `known_items`. An episode that changes is loaded, with one query.
    """
    seen = digest((original, item.pub_date, mode))
    if known and known["imported__seen"] == seen and not known["imported__wanting"]:
        return None
    if known:
        episode = Episode.objects.get(pk=known["pk"])
        episode.show = show
        imported = ImportedItem.objects.filter(pk=episode.pk).first()
    else:
        episode, imported = Episode(show=show, guid=item.guid), None
    plan = Plan(
        original=original,
        item=item,
        episode=episode,
        imported=imported or ImportedItem(episode=episode),
        is_new=not known,
        mode=mode,
        seen=seen,
    )
    plan.wanted = wanted(plan)
    return plan


def known_items(show: Show) -> dict[str, dict]:
    """Every episode of the show by its GUID, with what a second run looks at first. One query."""
    names = ("pk", "guid", "imported__seen", "imported__wanting")
    return {row["guid"]: row for row in show.episodes.values(*names)}


def wanted(plan: Plan) -> Wanted:
    """Files that are new there, or were missing, and are not ours by now."""
    item, sources = plan.item, plan.imported.sources
    current = now(plan.episode) if not plan.is_new else {}

    def open_to(name: str) -> bool:
        """Nobody here has put something of their own in its place."""
        if plan.is_new or not current[name]:
            return True
        return digest(current[name]) == plan.imported.digests.get(name)

    audio = False
    if plan.mode == AudioMode.COPY and item.enclosure and open_to("audio"):
        audio = not plan.episode.audio or sources.get("audio") != source_of(item.enclosure)
    chapters = bool(item.chapters) and sources.get("chapters") != getattr(item.chapters, "url", "")
    return Wanted(
        audio=audio,
        artwork=bool(item.artwork)
        and sources.get("artwork") != item.artwork
        and open_to("artwork"),
        chapters=chapters and open_to("chapters"),
        transcripts=bool(item.transcripts)
        and sources.get("transcripts") != [link.url for link in item.transcripts]
        and open_to("transcripts"),
    )


def source_of(enclosure: parts.Enclosure) -> str:
    """What a recording is known by there; tokens in the query change by themselves."""
    return f"{enclosure.url.partition('?')[0]} {enclosure.length or 0}"


# Values of an item and of an episode, under the same names


def coming(plan: Plan, got: Gathered) -> tuple[dict[str, object], Item]:
    """The values that the item has for us, and the record of what no row can hold."""
    item, episode = plan.item, plan.episode
    number, shown = numbers(plan.original)
    license_ = item.license if item.license and item.license.name else None
    license_ = license_ if license_ and len(license_.name) <= 128 else None
    license_ = license_ if license_ and len(license_.url) <= 500 else None
    left: dict = {
        name: getattr(item, name)
        for name in ("comments", "source", "rss_categories", "author", "subtitle", "keywords",
                     "image_srcset", "extra_xml")
    }  # fmt: skip
    if item.itunes_title:
        left |= {"itunes_title": item.itunes_title, "title": item.title}
    values: dict[str, object] = {
        "title": item.title,
        "summary": item.summary,
        "notes": as_notes(item.content),
        "season": item.season,
        "number": number,
        "number_display": shown,
        "type": item.episode_type,
        "explicit": item.explicit if item.explicit != episode.show.explicit else None,
        "blocked": item.block,
        "license": license_.name if license_ else "",
        "license_url": license_.url if license_ else "",
        "published_at": item.pub_date,
        "persons": tuple((p.name, p.role, p.group) for p in item.persons),
    }
    if item.license and not license_:
        left["license"] = item.license
    if item.podcast_season and item.season is None:
        left["podcast_season"] = item.podcast_season
    if item.podcast_episode and number is None and not shown:
        left["podcast_episode"] = item.podcast_episode
    for kind in rows.KINDS_OF_EPISODES:
        given = getattr(item, kind)
        can, cannot = rows.held(kind, listed(given), rows.KINDS_OF_EPISODES)
        values[kind] = in_order(kind, can)
        left[kind] = (cannot[0] if cannot else None) if kind == "chat" else tuple(cannot)
    _files(plan, got, values, left)
    return values, Item(**left)


def _files(plan: Plan, got: Gathered, values: dict[str, object], left: dict) -> None:
    """Audio, artwork, chapters and transcripts, as far as they came."""
    item, episode = plan.item, plan.episode
    enclosure = item.enclosure
    if plan.mode == AudioMode.LINK and enclosure and not episode.audio:
        url = fitting(enclosure.url, 2000)
        values["audio"] = (url, enclosure.length or 0, enclosure.type[:60]) if url else ()
        values["duration_ms"] = (item.duration or 0) * 1000
    elif got.facts:
        values["audio"] = (got.facts.sha256,)
        values["duration_ms"] = round(got.facts.duration * 1000)
    has_audio = values.get("audio") or episode.has_audio
    values["status"] = (Episode.Status.PUBLISHED if has_audio else Episode.Status.DRAFT).value
    if got.artwork:
        values["artwork"] = got.artwork
    elif item.artwork and not episode.artwork:
        left["artwork"] = item.artwork
    chapters = got.chapters
    if chapters is None and item.simple_chapters:
        chapters = simple(item.simple_chapters)
    if chapters is None and got.facts and got.facts.chapters and not item.chapters:
        chapters = tuple(got.facts.chapters)
    if chapters is not None:
        values["chapters"] = chapter_values(chapters)
    elif item.chapters and not plan.imported.sources.get("chapters"):
        left["chapters"] = item.chapters
    if got.transcripts:
        values["transcripts"] = transcript_values(got.transcripts, episode.show.language)
    left["transcripts"] = got.failed_transcripts


# Writing


def write(plan: Plan, got: Gathered) -> Outcome:
    """The item's rows, all or none of them. Raises what the database raises."""
    values, left = coming(plan, got)
    episode, imported = plan.episode, plan.imported
    found = differences(plan, values)
    if "audio" in found.write and got.audio and got.facts:
        ingest.store_audio(episode, got.audio, got.facts)
    before, episode.imported_xml = episode.imported_xml, item_xml(left)
    with transaction.atomic():
        _columns(episode, found.write, values)
        if plan.is_new or found.write or before != episode.imported_xml:
            episode.save()
        _related(episode, found.write, values, got, plan.item)
        imported.episode = episode
        imported.record = item_xml(plan.original)
        imported.digests = found.digests
        imported.sources = sources(plan, got)
        imported.seen = plan.seen
        imported.wanting = bool(got.problems)
        imported.save()
    return Outcome(plan.is_new, tuple(found.write), tuple(found.keep), tuple(got.problems))


def differences(plan: Plan, values: dict[str, object]) -> Differences:
    """`values` against what is here and what the last import wrote."""
    current = now(plan.episode) if not plan.is_new else dict.fromkeys(values)
    found = compare(values, current, plan.imported.digests)
    if plan.is_new:
        # A new row's columns are written whole; related rows of which there are none are not.
        columns = (*COLUMNS, "status")
        found.write = [name for name, value in values.items() if name in columns or value]
        found.keep = []
        found.digests = {name: digest(value) for name, value in values.items()}
    return found


def _columns(episode: Episode, names: list[str], values: dict[str, object]) -> None:
    for name in names:
        if name in COLUMNS or name == "status":
            setattr(episode, name, values[name])
        elif name == "artwork":
            episode.artwork.name = str(values[name])
        elif name == "audio" and len(audio := values[name]) == 3:  # type: ignore[arg-type]
            episode.audio_url, episode.audio_bytes, episode.audio_type = audio  # type: ignore[misc]


def _related(
    episode: Episode, names: list[str], values: dict[str, object], got: Gathered, item: Item
) -> None:
    for name in names:
        if name in rows.KINDS_OF_EPISODES:
            rows.replace_rows(episode, name, values[name], rows.KINDS_OF_EPISODES)  # type: ignore[arg-type]
        elif name == "persons":
            credit(episode, item.persons)
        elif name == "chapters":
            ingest.attach_chapters(episode, chapter_records(values[name]))
        elif name == "transcripts":
            _transcripts(episode, got.transcripts)
    season = item.podcast_season
    if season and season.name and season.number == episode.season:
        Season.objects.get_or_create(
            show=episode.show, number=season.number, defaults={"name": season.name}
        )


def _transcripts(episode: Episode, transcripts: list[Transcript]) -> None:
    for row in transcripts:
        language = row.language or episode.show.language
        before = episode.transcripts.filter(language=language).first()
        if before:
            row.pk, row._state.adding = before.pk, False
            row.created_at = before.created_at
        row.language, row.episode, row.recording = language, episode, episode.audio_sha256
        row.save()


def sources(plan: Plan, got: Gathered) -> dict:
    """What is here of what there was, so that it is not fetched again."""
    item, out = plan.item, dict(plan.imported.sources)
    if got.audio and item.enclosure:
        out["audio"] = source_of(item.enclosure)
    if got.artwork:
        out["artwork"] = item.artwork
    if got.chapters is not None and item.chapters:
        out["chapters"] = item.chapters.url
    if got.transcripts and not got.failed_transcripts:
        out["transcripts"] = [link.url for link in item.transcripts]
    return out


def without_files(plan: Plan) -> Plan:
    """The same, for a dry run: nothing is fetched, and nothing is said to be missing."""
    return replace(plan, wanted=Wanted())
