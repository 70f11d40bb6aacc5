"""Models become feed facts here, and only here: `channel_of(show)`, `item_of(episode)`.

Both take rows whose relations are fetched already (`feeds.relations`), so a feed
of any length costs the same number of queries.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal, InvalidOperation

from django.conf import settings
from django.utils.html import escape, linebreaks

from episodes import categories
from episodes.chapters import MEDIA_TYPE as CHAPTERS_TYPE
from episodes.durations import clock
from episodes.links import absolute, artwork_path
from episodes.models import Credit, Episode, Show, main_first
from episodes.transcripts import MEDIA_TYPES
from feeds import parts
from feeds.custom import elements
from feeds.descriptions import shorten
from feeds.records import Channel, Item, LiveItem

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
    return Channel(
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
        funding=funding(show),
        persons=persons(show.credits.all()),
        locations=locations(show),
        trailers=tuple(trailer(row) for row in trailers),
        license=license_of(show),
        values=values(show),
        images=images(show),
        blocks=tuple(parts.Block(row.blocked, row.service) for row in show.platform_blocks.all()),
        text_records=text_records(show),
        social_interacts=social(show),
        podroll=tuple(
            parts.RemoteItem(row.feed_guid, row.feed_url, medium=row.medium, title=row.title)
            for row in show.recommendations.all()
        ),
        publisher=parts.RemoteItem(show.publisher_guid, show.publisher_url, medium="publisher")
        if show.publisher_guid
        else None,
        update_frequency=parts.UpdateFrequency(
            show.update_frequency or show.update_rrule, show.update_rrule
        )
        if show.update_frequency or show.update_rrule
        else None,
        chat=chat(show),
        live_items=tuple(live_item(row) for row in show.live_streams.all()),
        extra_xml=elements(show.custom_xml) + elements(show.imported_xml),
    )


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


def live_item(row) -> LiveItem:
    return LiveItem(
        item=Item(
            title=row.title,
            guid=row.guid,
            description=row.description,
            enclosure=parts.Enclosure(row.stream_url, None, row.stream_type)
            if row.stream_url
            else None,
            content_links=(parts.ContentLink(row.content_url, row.content_text),),
        ),
        status=row.status,
        start=row.starts_at,
        end=row.ends_at,
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
    own = persons(episode.credits.all())
    return Item(
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
        if episode.chapters.all()
        else None,
        soundbites=tuple(
            parts.Soundbite(row.start_ms / 1000, row.duration_ms / 1000, row.title)
            for row in episode.soundbites.all()
        ),
        persons=own + tuple(host for host in hosts if host.name not in {p.name for p in own})
        if own
        else (),
        locations=locations(episode),
        podcast_season=parts.Season(episode.season, seasons.get(episode.season, ""))
        if episode.season
        else None,
        podcast_episode=episode_number(episode),
        license=license_of(episode),
        alternate_enclosures=tuple(
            alternate(row) for row in episode.alternate_enclosures.all() if row.sources
        ),
        funding=funding(episode),
        values=values(episode),
        images=images(episode),
        social_interacts=social(episode),
        content_links=tuple(
            parts.ContentLink(row.url, row.text) for row in episode.content_links.all()
        ),
        text_records=text_records(episode),
        chat=chat(episode),
        extra_xml=elements(episode.custom_xml) + elements(episode.imported_xml),
    )


def enclosure(episode: Episode) -> parts.Enclosure | None:
    path = episode.get_audio_path()
    if not path:
        return None
    return parts.Enclosure(absolute(path), episode.audio_bytes or None, episode.audio_type)


def episode_number(episode: Episode) -> parts.EpisodeNumber | None:
    """`podcast:episode` says what `itunes:episode` cannot: fractions and a text to show."""
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
    rows = main_first(episode.transcripts.all(), episode.show.language)
    return tuple(
        parts.TranscriptLink(
            absolute(path),
            MEDIA_TYPES[extension],
            row.language,
            "captions" if row.has_cues and extension in {"vtt", "srt"} else "",
        )
        for row in rows
        for extension, path in row.file_paths(episode, names, main=row is rows[0]).items()
    )


def speaker_names(show: Show) -> dict[str, str]:
    """Who is meant by the labels in the show's transcripts, from what was fetched with it."""
    return {row.label: row.person.name for row in show.speaker_names.all()}


def chapter_list(episode: Episode) -> str:
    rows = [row for row in episode.chapters.all() if not row.hidden]
    if not rows:
        return ""
    lines = "".join(f"<li>{clock(row.start)} {escape(row.title)}</li>" for row in rows)
    return f"<ul>{lines}</ul>"


def alternate(row) -> parts.AlternateEnclosure:
    return parts.AlternateEnclosure(
        type=row.media_type,
        sources=tuple(parts.Source(uri) for uri in row.sources),
        length=row.length,
        bitrate=row.bitrate,
        height=row.height,
        lang=row.language,
        title=row.title,
        rel=row.rel,
        codecs=row.codecs,
        default=row.is_default,
        integrity=parts.Integrity("sri", row.integrity) if row.integrity else None,
    )


# What shows and episodes share


def full_artwork(owner) -> str:
    if not owner.artwork:
        return ""
    extension = owner.artwork.name.rpartition(".")[2]
    return absolute(artwork_path(owner, "full", extension))


def as_html(text: str) -> str:
    """Plain text as the HTML that an item's description is by definition."""
    return str(linebreaks(text, autoescape=True)) if text else ""


def persons(credits: Iterable[Credit]) -> tuple[parts.Person, ...]:
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


def funding(owner) -> tuple[parts.Funding, ...]:
    return tuple(parts.Funding(row.url, row.text) for row in owner.funding_set.all())


def locations(owner) -> tuple[parts.Location, ...]:
    return tuple(
        parts.Location(row.name, row.rel, row.geo, row.osm, row.country)
        for row in owner.location_set.all()
    )


def license_of(owner) -> parts.License | None:
    return parts.License(owner.license, owner.license_url) if owner.license else None


def text_records(owner) -> tuple[parts.TextRecord, ...]:
    return tuple(parts.TextRecord(row.value, row.purpose) for row in owner.textrecord_set.all())


def social(owner) -> tuple[parts.SocialInteract, ...]:
    return tuple(
        parts.SocialInteract(row.protocol, row.uri, row.account_id, row.account_url, row.priority)
        for row in owner.socialinteraction_set.all()
    )


def images(owner) -> tuple[parts.Image, ...]:
    return tuple(
        parts.Image(
            row.url, row.alt, row.aspect_ratio, row.width, row.height, row.media_type, row.purpose
        )
        for row in owner.extraimage_set.all()
    )


def values(owner) -> tuple[parts.Value, ...]:
    return tuple(
        parts.Value(
            row.type,
            row.method,
            row.suggested,
            tuple(
                parts.ValueRecipient(
                    type=recipient.get("type", "node"),
                    address=recipient.get("address", ""),
                    split=int(recipient.get("split", 1)),
                    name=recipient.get("name", ""),
                    custom_key=str(recipient.get("custom_key", "")),
                    custom_value=str(recipient.get("custom_value", "")),
                    fee=bool(recipient.get("fee", False)),
                )
                for recipient in row.recipients
            ),
        )
        for row in owner.valuepayment_set.all()
        if row.recipients
    )


def chat(owner) -> parts.Chat | None:
    for row in owner.chat_set.all():
        return parts.Chat(row.server, row.protocol, row.account_id, row.space)
    return None


def hubs() -> tuple[str, ...]:
    return tuple(settings.WEBSUB_HUBS)
