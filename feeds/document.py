"""Models become feed facts here, and only here: `channel_of(show)`, `item_of(episode)`.

Both take rows whose relations are fetched already (`feeds.relations`), so a feed
of any length costs the same number of queries.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from decimal import Decimal, InvalidOperation

from django.utils.html import escape, linebreaks

from episodes import categories
from episodes.chapters import MEDIA_TYPE as CHAPTERS_TYPE
from episodes.durations import clock
from episodes.links import absolute, artwork_path
from episodes.models import Episode, Show, main_first
from episodes.transcripts import MEDIA_TYPES
from feeds import details, parts
from feeds.custom import elements
from feeds.descriptions import shorten
from feeds.leftovers import channel_from, item_from, with_leftovers
from feeds.records import Channel, Item
from feeds.relations import Part, rows

GENERATOR = "Podcast (self-hosted)"
DOCS = "https://www.rssboard.org/rss-specification"

# Channel


def channel_of(
    show: Show,
    *,
    self_url: str,
    pages: parts.PageLinks = parts.PageLinks(),  # noqa: B008 (frozen)
    modified: datetime,
    newest: datetime | None,
    trailers: Iterable[Episode] = (),
    hubs: Iterable[str] = (),
) -> Channel:
    """What a show's feed says of the show. `trailers` are its public trailer episodes."""
    page = absolute(show.get_absolute_url())
    picture = full_artwork(show)
    channel = Channel(
        title=show.title,
        link=show.link or page,
        description=show.description,
        language=show.language,
        copyright=show.copyright,
        self_url=self_url,
        hubs=tuple(hubs),
        pages=pages,
        pub_date=newest,
        last_build_date=modified.replace(microsecond=0),
        generator=GENERATOR,
        docs=DOCS,
        image=parts.ChannelImage(picture, show.title, show.link or page) if picture else None,
        author=show.author or getattr(show, "site_title", "") or "",
        artwork=picture,
        categories=tuple(category(name) for name in show.categories),
        explicit=show.explicit,
        type=show.type,
        owner=parts.Owner(show.owner_name, show.owner_email)
        if show.owner_in_feed and show.owner_email
        else None,
        block=show.blocked,
        complete=show.complete,
        new_feed_url=show.new_feed_url,
        guid=show.guid,
        locked=parts.Locked(show.locked, show.owner_email if show.owner_in_feed else ""),
        medium=show.medium,
        funding=details.funding(show),
        persons=persons(rows(show, "credits")),
        locations=details.locations(show),
        trailers=tuple(trailer(row) for row in trailers),
        license=license_of(show),
        values=details.values(show),
        images=details.images(show),
        blocks=details.blocks(show),
        text_records=details.text_records(show),
        social_interacts=details.social(show),
        podroll=details.podroll(show),
        publisher=parts.RemoteItem(show.publisher_guid, show.publisher_url, medium="publisher")
        if show.publisher_guid
        else None,
        update_frequency=parts.UpdateFrequency(
            show.update_frequency or show.update_rrule, show.update_rrule
        )
        if show.update_frequency or show.update_rrule
        else None,
        chat=details.chat(show),
        live_items=details.live_items(show),
        extra_xml=elements(show.custom_xml),
    )
    if not show.imported_xml:
        return channel
    left = channel_from(show.imported_xml)
    if left.subtitle[:250] != show.tagline[:250]:
        left = replace(left, subtitle="")
    return with_leftovers(channel, left)


def category(name: str) -> parts.Category:
    parent, child = categories.split(name)
    return parts.Category(parent, child or "")


def trailer(episode: Episode) -> parts.Trailer:
    return parts.Trailer(
        title=episode.title[:128],
        url=absolute(episode.get_audio_path()),
        pubdate=episode.published_at.replace(microsecond=0),
        length=episode.audio_bytes or None,
        type=episode.audio_type,
        season=episode.season,
    )


# Item


def item_of(episode: Episode, seasons: dict[int, str], hosts: tuple[parts.Person, ...]) -> Item:
    """What a show's feed says of one episode.

    `seasons` are the names of the show's seasons; `hosts` its people, repeated
    beside the episode's own because those replace the channel's.
    """
    page = absolute(episode.get_absolute_url())
    notes = episode.notes_html or as_html(episode.summary)
    if episode.show.chapters_in_notes:
        notes += chapter_list(episode)
    description = shorten(notes, page)
    own = persons(rows(episode, "credits"))
    item = Item(
        title=episode.title,
        guid=episode.guid,
        guid_is_permalink=False,
        link=page,
        pub_date=episode.published_at.replace(microsecond=0),
        description=description,
        content=notes if notes != description else "",
        enclosure=enclosure(episode),
        duration=max(1, episode.seconds) if episode.duration_ms else None,
        explicit=episode.is_explicit,
        artwork=full_artwork(episode) if episode.artwork else "",
        season=episode.season,
        episode=episode.number,
        episode_type=episode.type,
        block=episode.blocked,
        summary=episode.summary,
        transcripts=transcripts(episode),
        chapters=parts.ChaptersLink(f"{page}chapters.json", CHAPTERS_TYPE)
        if rows(episode, "chapters")
        else None,
        soundbites=details.soundbites(episode),
        persons=own + tuple(host for host in hosts if host.name not in {p.name for p in own})
        if own
        else (),
        locations=details.locations(episode),
        podcast_season=parts.Season(episode.season, seasons.get(episode.season, ""))
        if episode.season
        else None,
        podcast_episode=episode_number(episode),
        license=license_of(episode),
        alternate_enclosures=details.alternate_enclosures(episode),
        funding=details.funding(episode),
        values=details.values(episode),
        images=details.images(episode),
        social_interacts=details.social(episode),
        content_links=details.content_links(episode),
        text_records=details.text_records(episode),
        chat=details.chat(episode),
        extra_xml=elements(episode.custom_xml),
    )
    return with_leftovers(item, item_from(episode.imported_xml)) if episode.imported_xml else item


def enclosure(episode: Episode) -> parts.Enclosure | None:
    path = episode.get_audio_path()
    if not path:
        return None
    return parts.Enclosure(absolute(path), episode.audio_bytes or None, episode.audio_type)


def episode_number(episode: Episode) -> parts.EpisodeNumber | None:
    """`podcast:episode` says what `itunes:episode` cannot: fractions and a text to show."""
    if episode.number_display:
        try:
            number = Decimal(episode.number_display)
            if number.is_finite() and number >= 0 and number != episode.number:
                return parts.EpisodeNumber(number)
        except InvalidOperation:
            pass
    if episode.number is None:
        return None
    return parts.EpisodeNumber(Decimal(episode.number), episode.number_display)


def transcripts(episode: Episode) -> tuple[parts.TranscriptLink, ...]:
    """Every format of every language, those with times first marked as captions."""
    names = speaker_names(episode.show)
    ordered = main_first(rows(episode, "transcripts"), episode.show.language)
    return tuple(
        parts.TranscriptLink(
            absolute(path),
            MEDIA_TYPES[extension],
            row.language,
            "captions" if row.has_cues and extension in {"vtt", "srt"} else "",
        )
        for row in ordered
        for extension, path in row.file_paths(episode, names, main=row is ordered[0]).items()
    )


def speaker_names(show: Show) -> dict[str, str]:
    """Who is meant by the labels in the show's transcripts, from what was fetched with it."""
    return {row.label: row.person.name for row in rows(show, "speaker_names")}


def chapter_list(episode: Episode) -> str:
    shown = [row for row in rows(episode, "chapters") if not row.hidden]
    if not shown:
        return ""
    lines = "".join(f"<li>{clock(row.start)} {escape(row.title)}</li>" for row in shown)
    return f"<ul>{lines}</ul>"


# What shows and episodes share


def full_artwork(owner) -> str:
    if not owner.artwork:
        return ""
    extension = owner.artwork.name.rpartition(".")[2]
    return absolute(artwork_path(owner, "full", extension))


def as_html(text: str) -> str:
    """Plain text as the HTML that an item's description is by definition."""
    return str(linebreaks(text, autoescape=True)) if text else ""


def persons(credits: Iterable[Part]) -> tuple[parts.Person, ...]:
    return tuple(
        parts.Person(
            name=row.person.name,
            role=row.role,
            group=row.group,
            img=absolute(artwork_path(row.person, "640", "jpg"))
            if row.person.picture
            else row.person.picture_url,
            href=row.person.url,
        )
        for row in credits
    )


def license_of(owner) -> parts.License | None:
    return parts.License(owner.license, owner.license_url) if owner.license else None
