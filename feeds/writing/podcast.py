"""Podcasting 2.0 elements, those that channel and item share first."""

from feeds import parts
from feeds.addresses import ascii_url
from feeds.records import Channel, Item
from feeds.text import block
from feeds.writing.markup import (
    element,
    escape,
    flag,
    iso8601,
    number,
    opening,
    optional,
    parent,
    rfc2822,
    yes_no,
)


def shared(record: Channel | Item) -> list[str]:
    """What may stand in a channel and in an item alike, in the order of the namespace's index."""
    out = [_person(person) for person in record.persons]
    out += [_location(location) for location in record.locations]
    if record.license:
        attributes = [("url", ascii_url(record.license.url))]
        out.append(element("podcast:license", record.license.name, attributes))
    out += [
        element("podcast:funding", funding.text, [("url", ascii_url(funding.url))])
        for funding in record.funding
    ]
    out += [_value(value) for value in record.values]
    out += [_image(image) for image in record.images]
    if record.image_srcset:
        out.append(element("podcast:images", "", [("srcset", record.image_srcset)]))
    out += [_social(social) for social in record.social_interacts]
    out += [_text_record(record) for record in record.text_records]
    if record.chat:
        out.append(_chat(record.chat))
    return out


def of_channel(channel: Channel) -> list[str]:
    """What only a channel has, before what it shares with items."""
    out = [optional("podcast:guid", channel.guid)]
    if channel.locked:
        locked = channel.locked
        out.append(element("podcast:locked", yes_no(locked.locked), [("owner", locked.owner)]))
    out.append(optional("podcast:medium", channel.medium))
    if channel.uses_podping:
        out.append('<podcast:podping usesPodping="true"/>')
    out += [
        element("podcast:block", yes_no(block.blocked), [("id", block.id)])
        for block in channel.blocks
    ]
    if channel.update_frequency:
        out.append(_update_frequency(channel.update_frequency))
    out += [_trailer(trailer) for trailer in channel.trailers]
    if channel.publisher:
        out.append(parent("podcast:publisher", _remote_item(channel.publisher)))
    if channel.podroll:
        out.append(parent("podcast:podroll", "".join(map(_remote_item, channel.podroll))))
    out += map(_remote_item, channel.remote_items)
    return out


def of_item(item: Item) -> list[str]:
    """What only an item has, before what it shares with channels."""
    out = []
    for link in item.transcripts:
        out.append(
            element(
                "podcast:transcript",
                "",
                [
                    ("url", ascii_url(link.url)),
                    ("type", link.type),
                    ("language", link.language),
                    ("rel", link.rel),
                ],
            )
        )
    if item.chapters:
        attributes = [("url", ascii_url(item.chapters.url)), ("type", item.chapters.type)]
        out.append(element("podcast:chapters", "", attributes))
    for bite in item.soundbites:
        attributes = [("startTime", number(bite.start_time)), ("duration", number(bite.duration))]
        out.append(element("podcast:soundbite", bite.title, attributes))
    if item.podcast_season:
        season = item.podcast_season
        out.append(element("podcast:season", str(season.number), [("name", season.name)]))
    if item.podcast_episode:
        episode = item.podcast_episode
        attributes = [("display", episode.display)]
        out.append(element("podcast:episode", number(episode.number), attributes))
    out += map(_alternate_enclosure, item.alternate_enclosures)
    out += [
        element("podcast:contentLink", link.text, [("href", ascii_url(link.href))])
        for link in item.content_links
    ]
    return out


# One element each, in alphabetical order


def _alternate_enclosure(enclosure: parts.AlternateEnclosure) -> str:
    attributes = [
        ("type", enclosure.type),
        ("length", enclosure.length),
        ("bitrate", number(enclosure.bitrate)),
        ("height", enclosure.height),
        ("lang", enclosure.lang),
        ("title", enclosure.title),
        ("rel", enclosure.rel),
        ("codecs", enclosure.codecs),
        ("default", "true" if enclosure.default else ""),
    ]
    children = [
        element(
            "podcast:source",
            "",
            [("uri", ascii_url(source.uri)), ("contentType", source.content_type)],
        )
        for source in enclosure.sources
    ]
    if enclosure.integrity:
        integrity = enclosure.integrity
        pairs = [("type", integrity.type), ("value", integrity.value)]
        children.append(element("podcast:integrity", "", pairs))
    return parent("podcast:alternateEnclosure", "".join(children), attributes)


def _chat(chat: parts.Chat) -> str:
    attributes = [
        ("server", chat.server),
        ("protocol", chat.protocol),
        ("accountId", chat.account_id),
        ("space", chat.space),
    ]
    return element("podcast:chat", "", attributes)


def _image(image: parts.Image) -> str:
    attributes = [
        ("href", ascii_url(image.href)),
        ("alt", image.alt),
        ("aspect-ratio", image.aspect_ratio),
        ("width", image.width),
        ("height", image.height),
        ("type", image.type),
        ("purpose", image.purpose),
    ]
    return element("podcast:image", "", attributes)


def _location(location: parts.Location) -> str:
    attributes = [
        ("rel", location.rel),
        ("geo", location.geo),
        ("osm", location.osm),
        ("country", location.country),
    ]
    return element("podcast:location", location.name, attributes)


def _person(person: parts.Person) -> str:
    attributes = [
        ("role", person.role),
        ("group", person.group),
        ("img", ascii_url(person.img)),
        ("href", ascii_url(person.href)),
    ]
    return element("podcast:person", person.name, attributes)


def _recipient(recipient: parts.ValueRecipient) -> str:
    attributes = [
        ("name", recipient.name),
        ("type", recipient.type),
        ("address", recipient.address),
        ("customKey", recipient.custom_key),
        ("customValue", recipient.custom_value),
        ("split", recipient.split),
        ("fee", "true" if recipient.fee else ""),
    ]
    return element("podcast:valueRecipient", "", attributes)


def _remote_item(remote: parts.RemoteItem) -> str:
    attributes = [
        ("feedGuid", remote.feed_guid),
        ("feedUrl", ascii_url(remote.feed_url)),
        ("itemGuid", remote.item_guid),
        ("medium", remote.medium),
        ("title", remote.title),
    ]
    return element("podcast:remoteItem", "", attributes)


def _social(social: parts.SocialInteract) -> str:
    attributes = [
        ("protocol", social.protocol),
        ("uri", ascii_url(social.uri)),
        ("accountId", social.account_id),
        ("accountUrl", ascii_url(social.account_url)),
        ("priority", social.priority),
    ]
    return element("podcast:socialInteract", "", attributes)


def _text_record(record: parts.TextRecord) -> str:
    # The one text of the namespace that may have several lines.
    head = opening("podcast:txt", [("purpose", record.purpose)])
    return f"{head}>{escape(block(record.text))}</podcast:txt>"


def _time_split(split: parts.ValueTimeSplit) -> str:
    attributes = [
        ("startTime", number(split.start_time)),
        ("duration", number(split.duration)),
        ("remoteStartTime", number(split.remote_start_time)),
        ("remotePercentage", split.remote_percentage),
    ]
    children = [_remote_item(split.remote_item)] if split.remote_item else []
    children += map(_recipient, split.recipients)
    return parent("podcast:valueTimeSplit", "".join(children), attributes)


def _trailer(trailer: parts.Trailer) -> str:
    attributes = [
        ("pubdate", rfc2822(trailer.pubdate) if trailer.pubdate else ""),
        ("url", ascii_url(trailer.url)),
        ("length", trailer.length),
        ("type", trailer.type),
        ("season", trailer.season),
    ]
    return element("podcast:trailer", trailer.title, attributes)


def _update_frequency(frequency: parts.UpdateFrequency) -> str:
    attributes = [
        ("rrule", frequency.rrule),
        ("complete", flag(True) if frequency.complete else ""),
        ("dtstart", iso8601(frequency.dtstart) if frequency.dtstart else ""),
    ]
    return element("podcast:updateFrequency", frequency.text, attributes)


def _value(value: parts.Value) -> str:
    attributes = [("type", value.type), ("method", value.method), ("suggested", value.suggested)]
    children = [*map(_recipient, value.recipients), *map(_time_split, value.time_splits)]
    return parent("podcast:value", "".join(children), attributes)
