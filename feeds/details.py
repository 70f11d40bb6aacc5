"""What hangs on shows and episodes, as parts of a feed.

`funding(owner)` reads an owner's rows, which `feeds.relations` has fetched;
`funding_of(row)` is one of them. `feeds.moving_in.rows` goes the other way.
"""

from feeds import parts
from feeds.records import Item, LiveItem
from feeds.relations import rows

# Rows → parts, of shows and episodes


def funding(owner) -> tuple[parts.Funding, ...]:
    return tuple(funding_of(row) for row in rows(owner, "funding_set"))


def locations(owner) -> tuple[parts.Location, ...]:
    return tuple(location_of(row) for row in rows(owner, "location_set"))


def text_records(owner) -> tuple[parts.TextRecord, ...]:
    return tuple(text_record_of(row) for row in rows(owner, "textrecord_set"))


def social(owner) -> tuple[parts.SocialInteract, ...]:
    return tuple(social_of(row) for row in rows(owner, "socialinteraction_set"))


def images(owner) -> tuple[parts.Image, ...]:
    return tuple(image_of(row) for row in rows(owner, "extraimage_set"))


def values(owner) -> tuple[parts.Value, ...]:
    return tuple(value_of(row) for row in rows(owner, "valuepayment_set") if row.recipients)


def chat(owner) -> parts.Chat | None:
    return next((chat_of(row) for row in rows(owner, "chat_set")), None)


# … of shows


def blocks(show) -> tuple[parts.Block, ...]:
    return tuple(block_of(row) for row in rows(show, "platform_blocks"))


def podroll(show) -> tuple[parts.RemoteItem, ...]:
    return tuple(recommendation_of(row) for row in rows(show, "recommendations"))


def live_items(show) -> tuple[LiveItem, ...]:
    return tuple(live_item_of(row) for row in rows(show, "live_streams"))


# … of episodes


def soundbites(episode) -> tuple[parts.Soundbite, ...]:
    return tuple(soundbite_of(row) for row in rows(episode, "soundbites"))


def content_links(episode) -> tuple[parts.ContentLink, ...]:
    return tuple(content_link_of(row) for row in rows(episode, "content_links"))


def alternate_enclosures(episode) -> tuple[parts.AlternateEnclosure, ...]:
    return tuple(alternate_of(row) for row in rows(episode, "alternate_enclosures") if row.sources)


# One row, one part


def funding_of(row) -> parts.Funding:
    return parts.Funding(row.url, row.text)


def location_of(row) -> parts.Location:
    return parts.Location(row.name, row.rel, row.geo, row.osm, row.country)


def text_record_of(row) -> parts.TextRecord:
    return parts.TextRecord(row.value, row.purpose)


def social_of(row) -> parts.SocialInteract:
    return parts.SocialInteract(
        row.protocol, row.uri, row.account_id, row.account_url, row.priority
    )


def image_of(row) -> parts.Image:
    return parts.Image(
        row.url, row.alt, row.aspect_ratio, row.width, row.height, row.media_type, row.purpose
    )


def value_of(row) -> parts.Value:
    return parts.Value(
        row.type, row.method, row.suggested, tuple(recipient_of(each) for each in row.recipients)
    )


def recipient_of(row: dict) -> parts.ValueRecipient:
    return parts.ValueRecipient(
        type=row.get("type", "node"),
        address=row.get("address", ""),
        split=int(row.get("split", 1)),
        name=row.get("name", ""),
        custom_key=str(row.get("custom_key", "")),
        custom_value=str(row.get("custom_value", "")),
        fee=bool(row.get("fee", False)),
    )


def chat_of(row) -> parts.Chat:
    return parts.Chat(row.server, row.protocol, row.account_id, row.space)


def block_of(row) -> parts.Block:
    return parts.Block(row.blocked, row.service)


def recommendation_of(row) -> parts.RemoteItem:
    return parts.RemoteItem(row.feed_guid, row.feed_url, medium=row.medium, title=row.title)


def live_item_of(row) -> LiveItem:
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


def soundbite_of(row) -> parts.Soundbite:
    return parts.Soundbite(row.start_ms / 1000, row.duration_ms / 1000, row.title)


def content_link_of(row) -> parts.ContentLink:
    return parts.ContentLink(row.url, row.text)


def alternate_of(row) -> parts.AlternateEnclosure:
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
