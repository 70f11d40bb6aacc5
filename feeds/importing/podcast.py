"""Podcasting 2.0 elements to parts, one function each; the mirror of `feeds.writing.podcast`."""

from collections.abc import Callable, Iterator
from typing import Any

from feeds import parts
from feeds.importing import values
from feeds.importing.elements import Node
from feeds.text import line

#: Names of the elements read here that channel and item share.
SHARED = {
    "podcast:person", "podcast:location", "podcast:license", "podcast:funding", "podcast:value",
    "podcast:image", "podcast:images", "podcast:socialinteract", "podcast:txt", "podcast:chat",
}  # fmt: skip
OF_CHANNEL = {
    "podcast:guid", "podcast:locked", "podcast:medium", "podcast:podping", "podcast:block",
    "podcast:updatefrequency", "podcast:trailer", "podcast:publisher", "podcast:podroll",
    "podcast:remoteitem", "podcast:liveitem",
}  # fmt: skip
OF_ITEM = {
    "podcast:transcript", "podcast:chapters", "podcast:soundbite", "podcast:season",
    "podcast:episode", "podcast:alternateenclosure", "podcast:contentlink",
}  # fmt: skip


def shared(node: Node) -> dict[str, Any]:
    """The fields that `Channel` and `Item` have in common."""
    image_set = node.first("podcast:images")
    return {
        "persons": each(node, "podcast:person", person),
        "locations": each(node, "podcast:location", location),
        "license": one(node, "podcast:license", license_),
        "funding": each(node, "podcast:funding", funding),
        "values": each(node, "podcast:value", value),
        "images": each(node, "podcast:image", image),
        "image_srcset": image_set.attribute("srcset") if image_set else "",
        "social_interacts": each(node, "podcast:socialInteract", social),
        "text_records": each(node, "podcast:txt", text_record),
        "chat": one(node, "podcast:chat", chat),
    }


def of_channel(node: Node) -> dict[str, Any]:
    guid = node.first("podcast:guid")
    podping = node.first("podcast:podping")
    publisher = node.first("podcast:publisher")
    podroll = node.first("podcast:podroll")
    return {
        "guid": line(guid.own_identifier()) if guid else "",
        "locked": one(node, "podcast:locked", locked),
        "medium": node.line("podcast:medium"),
        "uses_podping": bool(podping and values.flag(podping.attribute("usesPodping"))),
        "blocks": each(node, "podcast:block", platform_block),
        "update_frequency": one(node, "podcast:updateFrequency", update_frequency),
        "trailers": each(node, "podcast:trailer", trailer),
        "publisher": one(publisher, "podcast:remoteItem", remote_item) if publisher else None,
        "podroll": each(podroll, "podcast:remoteItem", remote_item) if podroll else (),
        "remote_items": each(node, "podcast:remoteItem", remote_item),
    }


def of_item(node: Node) -> dict[str, Any]:
    return {
        "transcripts": each(node, "podcast:transcript", transcript),
        "chapters": one(node, "podcast:chapters", chapters),
        "soundbites": each(node, "podcast:soundbite", soundbite),
        "podcast_season": one(node, "podcast:season", season),
        "podcast_episode": one(node, "podcast:episode", episode_number),
        "alternate_enclosures": each(node, "podcast:alternateEnclosure", alternate_enclosure),
        "content_links": each(node, "podcast:contentLink", content_link),
    }


def each[Part](node: Node, name: str, read: Callable[[Node], Part | None]) -> tuple[Part, ...]:
    """What `read` makes of every child named so; those that lack something are noticed."""
    return tuple(_read(node, name, read, node.all(name)))


def one[Part](node: Node, name: str, read: Callable[[Node], Part | None]) -> Part | None:
    child = node.first(name)
    return next(_read(node, name, read, iter([child])), None) if child else None


def _read[Part](
    node: Node, name: str, read: Callable[[Node], Part | None], children: Iterator[Node]
) -> Iterator[Part]:
    for child in children:
        part = read(child)
        if part is None:
            node.notes.add("read-incomplete", name)
        else:
            yield part


# One element each, in alphabetical order. None: it lacks what it must have.


def alternate_enclosure(node: Node) -> parts.AlternateEnclosure | None:
    media_type = node.attribute("type")
    sources = each(node, "podcast:source", source)
    if not media_type and not sources:
        return None
    bitrate = values.decimal(node.attribute("bitrate"))
    return parts.AlternateEnclosure(
        type=media_type,
        sources=sources,
        length=values.whole(node.attribute("length")),
        bitrate=float(bitrate) if bitrate is not None else None,
        height=values.whole(node.attribute("height")),
        lang=node.attribute("lang"),
        title=node.attribute("title"),
        rel=node.attribute("rel"),
        codecs=node.attribute("codecs"),
        default=bool(values.flag(node.attribute("default"))),
        integrity=one(node, "podcast:integrity", integrity),
    )


def chapters(node: Node) -> parts.ChaptersLink | None:
    url = node.web_attribute("url")
    return parts.ChaptersLink(url, node.attribute("type")) if url else None


def chat(node: Node) -> parts.Chat | None:
    chat = parts.Chat(
        server=node.attribute("server"),
        protocol=node.attribute("protocol"),
        account_id=node.attribute("accountId"),
        space=node.attribute("space"),
    )
    return chat if chat.server or chat.space else None


def content_link(node: Node) -> parts.ContentLink | None:
    href = node.web_attribute("href")
    return parts.ContentLink(href, node.own_line()) if href else None


def episode_number(node: Node) -> parts.EpisodeNumber | None:
    number = values.decimal(node.own_line())
    return parts.EpisodeNumber(number, node.attribute("display")) if number is not None else None


def funding(node: Node) -> parts.Funding | None:
    url = node.web_attribute("url")
    return parts.Funding(url, node.own_line()) if url else None


def image(node: Node) -> parts.Image | None:
    href = node.web_attribute("href")
    if not href:
        return None
    return parts.Image(
        href=href,
        alt=node.attribute("alt"),
        aspect_ratio=node.attribute("aspect-ratio"),
        width=values.whole(node.attribute("width")),
        height=values.whole(node.attribute("height")),
        type=node.attribute("type"),
        purpose=node.attribute("purpose"),
    )


def integrity(node: Node) -> parts.Integrity | None:
    kind, text = node.attribute("type"), node.attribute("value")
    return parts.Integrity(kind, text) if kind and text else None


def license_(node: Node) -> parts.License | None:
    name, url = node.own_line(), node.web_attribute("url")
    return parts.License(name, url) if name or url else None


def location(node: Node) -> parts.Location | None:
    name = node.own_line()
    if not name:
        return None
    return parts.Location(
        name,
        rel=node.attribute("rel"),
        geo=node.attribute("geo"),
        osm=node.attribute("osm"),
        country=node.attribute("country"),
    )


def locked(node: Node) -> parts.Locked | None:
    state = values.flag(node.own_line())
    return parts.Locked(state, node.attribute("owner")) if state is not None else None


def person(node: Node) -> parts.Person | None:
    name = node.own_line()
    if not name:
        return None
    return parts.Person(
        name,
        role=node.attribute("role"),
        group=node.attribute("group"),
        img=node.web_attribute("img"),
        href=node.web_attribute("href"),
    )


def platform_block(node: Node) -> parts.Block | None:
    state = values.flag(node.own_line())
    return parts.Block(state, node.attribute("id")) if state is not None else None


def recipient(node: Node) -> parts.ValueRecipient | None:
    address, split = node.attribute("address"), values.whole(node.attribute("split"))
    if not address or split is None:
        return None
    return parts.ValueRecipient(
        type=node.attribute("type"),
        address=address,
        split=split,
        name=node.attribute("name"),
        custom_key=node.attribute("customKey"),
        custom_value=node.attribute("customValue"),
        fee=bool(values.flag(node.attribute("fee"))),
    )


def remote_item(node: Node) -> parts.RemoteItem | None:
    guid, url = node.attribute("feedGuid"), node.web_attribute("feedUrl")
    if not guid and not url:
        return None
    return parts.RemoteItem(
        guid,
        url,
        item_guid=node.attribute("itemGuid"),
        medium=node.attribute("medium"),
        title=node.attribute("title"),
    )


def season(node: Node) -> parts.Season | None:
    number = values.whole(node.own_line())
    return parts.Season(number, node.attribute("name")) if number is not None else None


def social(node: Node) -> parts.SocialInteract | None:
    protocol = node.attribute("protocol")
    if not protocol:
        return None
    return parts.SocialInteract(
        protocol,
        uri=node.any_url("uri"),
        account_id=node.attribute("accountId"),
        account_url=node.web_attribute("accountUrl"),
        priority=values.whole(node.attribute("priority")),
    )


def soundbite(node: Node) -> parts.Soundbite | None:
    start = values.seconds(node.attribute("startTime"))
    duration = values.seconds(node.attribute("duration"))
    if start is None or duration is None:
        return None
    return parts.Soundbite(start, duration, node.own_line())


def source(node: Node) -> parts.Source | None:
    uri = node.any_url("uri")
    return parts.Source(uri, node.attribute("contentType")) if uri else None


def text_record(node: Node) -> parts.TextRecord | None:
    text = node.own_block()
    return parts.TextRecord(text, node.attribute("purpose")) if text else None


def time_split(node: Node) -> parts.ValueTimeSplit | None:
    start = values.seconds(node.attribute("startTime"))
    duration = values.seconds(node.attribute("duration"))
    if start is None or duration is None:
        return None
    return parts.ValueTimeSplit(
        start,
        duration,
        remote_start_time=values.seconds(node.attribute("remoteStartTime")),
        remote_percentage=values.whole(node.attribute("remotePercentage")),
        remote_item=one(node, "podcast:remoteItem", remote_item),
        recipients=each(node, "podcast:valueRecipient", recipient),
    )


def trailer(node: Node) -> parts.Trailer | None:
    url = node.web_attribute("url")
    if not url:
        return None
    date = node.attribute("pubdate")
    return parts.Trailer(
        title=node.own_line(),
        url=url,
        pubdate=values.moment(date) if date else None,
        length=values.whole(node.attribute("length")),
        type=node.attribute("type"),
        season=values.whole(node.attribute("season")),
    )


def transcript(node: Node) -> parts.TranscriptLink | None:
    url = node.web_attribute("url")
    if not url:
        return None
    return parts.TranscriptLink(
        url, node.attribute("type"), node.attribute("language"), node.attribute("rel")
    )


def update_frequency(node: Node) -> parts.UpdateFrequency | None:
    start = node.attribute("dtstart")
    frequency = parts.UpdateFrequency(
        text=node.own_line(),
        rrule=node.attribute("rrule"),
        complete=bool(values.flag(node.attribute("complete"))),
        dtstart=values.moment(start) if start else None,
    )
    return frequency if frequency != parts.UpdateFrequency() else None


def value(node: Node) -> parts.Value | None:
    found = parts.Value(
        type=node.attribute("type"),
        method=node.attribute("method"),
        suggested=node.attribute("suggested"),
        recipients=each(node, "podcast:valueRecipient", recipient),
        time_splits=each(node, "podcast:valueTimeSplit", time_split),
    )
    return found if found.type or found.recipients else None
