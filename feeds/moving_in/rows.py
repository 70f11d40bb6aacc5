"""Parts of a foreign feed as rows: what a row cannot say exactly stays a part.

The other way is `feeds.details`; a row is used only when the part comes back from it unchanged.
"""

from collections.abc import Iterable

from django.core.exceptions import ValidationError

from episodes import models
from feeds import details, parts
from feeds.records import LiveItem


def funding_row(part: parts.Funding) -> models.Funding:
    return models.Funding(url=part.url, text=part.text)


def location_row(part: parts.Location) -> models.Location:
    return models.Location(
        name=part.name, rel=part.rel, geo=part.geo, osm=part.osm, country=part.country
    )


def text_record_row(part: parts.TextRecord) -> models.TextRecord:
    return models.TextRecord(value=part.text, purpose=part.purpose)


def social_row(part: parts.SocialInteract) -> models.SocialInteraction:
    return models.SocialInteraction(
        protocol=part.protocol,
        uri=part.uri,
        account_id=part.account_id,
        account_url=part.account_url,
        priority=part.priority,
    )


def image_row(part: parts.Image) -> models.ExtraImage:
    return models.ExtraImage(
        url=part.href,
        alt=part.alt,
        aspect_ratio=part.aspect_ratio,
        width=part.width,
        height=part.height,
        media_type=part.type,
        purpose=part.purpose,
    )


def value_row(part: parts.Value) -> models.ValuePayment:
    return models.ValuePayment(
        type=part.type,
        method=part.method,
        suggested=part.suggested,
        recipients=[
            {
                "name": each.name,
                "type": each.type,
                "address": each.address,
                "split": each.split,
                "fee": each.fee,
                "custom_key": each.custom_key,
                "custom_value": each.custom_value,
            }
            for each in part.recipients
        ],
    )


def chat_row(part: parts.Chat) -> models.Chat:
    return models.Chat(
        server=part.server, protocol=part.protocol, account_id=part.account_id, space=part.space
    )


def block_row(part: parts.Block) -> models.PlatformBlock:
    return models.PlatformBlock(service=part.id, blocked=part.blocked)


def recommendation_row(part: parts.RemoteItem) -> models.Recommendation:
    return models.Recommendation(
        feed_guid=part.feed_guid, feed_url=part.feed_url, medium=part.medium, title=part.title
    )


def live_item_row(part: LiveItem) -> models.LiveStream:
    item = part.item
    link = item.content_links[0] if item.content_links else parts.ContentLink("")
    stream = item.enclosure or parts.Enclosure("")
    return models.LiveStream(
        guid=item.guid,
        title=item.title,
        description=item.description,
        status=part.status,
        starts_at=part.start,
        ends_at=part.end,
        stream_url=stream.url,
        stream_type=stream.type,
        content_url=link.href,
        content_text=link.text,
    )


def soundbite_row(part: parts.Soundbite) -> models.Soundbite:
    return models.Soundbite(
        start_ms=round(part.start_time * 1000),
        duration_ms=round(part.duration * 1000),
        title=part.title,
    )


def content_link_row(part: parts.ContentLink) -> models.ContentLink:
    return models.ContentLink(url=part.href, text=part.text)


def alternate_row(part: parts.AlternateEnclosure) -> models.AlternateEnclosure:
    whole = part.bitrate is not None and part.bitrate == int(part.bitrate)
    return models.AlternateEnclosure(
        sources=[source.uri for source in part.sources],
        media_type=part.type,
        length=part.length,
        bitrate=int(part.bitrate or 0) if whole else None,
        height=part.height,
        language=part.lang,
        title=part.title,
        rel=part.rel,
        codecs=part.codecs,
        is_default=part.default,
        integrity=part.integrity.value if part.integrity else "",
    )


#: attribute of an Item or Channel: (the related rows' name, row of a part, part of a row).
KINDS = {
    "funding": ("funding_set", funding_row, details.funding_of),
    "locations": ("location_set", location_row, details.location_of),
    "text_records": ("textrecord_set", text_record_row, details.text_record_of),
    "social_interacts": ("socialinteraction_set", social_row, details.social_of),
    "images": ("extraimage_set", image_row, details.image_of),
    "values": ("valuepayment_set", value_row, details.value_of),
    "chat": ("chat_set", chat_row, details.chat_of),
}
KINDS_OF_SHOWS = KINDS | {
    "blocks": ("platform_blocks", block_row, details.block_of),
    "podroll": ("recommendations", recommendation_row, details.recommendation_of),
    "live_items": ("live_streams", live_item_row, details.live_item_of),
}
KINDS_OF_EPISODES = KINDS | {
    "soundbites": ("soundbites", soundbite_row, details.soundbite_of),
    "content_links": ("content_links", content_link_row, details.content_link_of),
    "alternate_enclosures": ("alternate_enclosures", alternate_row, details.alternate_of),
}


def holds(row, part, back) -> bool:
    """Whether an unsaved `row` is valid at the desk, and gives `part` back unchanged."""
    try:
        row.clean_fields(exclude=["show", "episode"])
        row.clean()
        row.validate_constraints(exclude=["show", "episode"])
    except (ValidationError, ValueError):
        return False
    return back(row) == part


def held(kind: str, part_list: Iterable, kinds: dict) -> tuple[list, list]:
    """The parts that rows can hold, and the others."""
    _, row_of, back = kinds[kind]
    can: list = []
    cannot: list = []
    for part in part_list:
        (can if part not in can and holds(row_of(part), part, back) else cannot).append(part)
    return can, cannot


def replace_rows(owner, kind: str, part_list: Iterable, kinds: dict) -> None:
    """Makes `part_list` what the owner's rows of this kind are; the owner is saved."""
    name, row_of, _ = kinds[kind]
    manager = getattr(owner, name)
    if manager.exists():
        manager.all().delete()
    made = []
    for position, part in enumerate(part_list):
        row = row_of(part)
        setattr(row, manager.field.name, owner)
        if hasattr(row, "position"):
            row.position = position
        made.append(row)
    if made:  # an empty write would move the revision all the same
        manager.model.objects.bulk_create(made)
