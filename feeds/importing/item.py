"""An `item`, or the inside of a `podcast:liveItem`, to an Item; the mirror of `writing.item`."""

from episodes.durations import parse_duration
from feeds import parts
from feeds.addresses import extension
from feeds.importing import podcast, values
from feeds.importing.common import (
    artwork,
    date,
    enumerated,
    explicit,
    positive,
    rss_categories,
    yes,
)
from feeds.importing.elements import Node
from feeds.importing.extra import extra_xml
from feeds.records import Item, LiveItem

KNOWN = {
    "title", "link", "guid", "pubdate", "description", "content:encoded", "enclosure",
    "enc:enclosure", "category", "comments", "source", "author",
    "itunes:title", "itunes:duration", "itunes:explicit", "itunes:image", "itunes:season",
    "itunes:episode", "itunes:episodetype", "itunes:block", "itunes:author", "itunes:subtitle",
    "itunes:summary", "itunes:keywords", "itunes:order", "itunes:category",
    "psc:chapters",
    *podcast.SHARED, *podcast.OF_ITEM,
}  # fmt: skip

_PLAYABLE = {"mp3", "m4a", "mp4", "m4v", "mov", "aac", "ogg", "oga", "opus", "flac", "wav", "webm"}


def item(node: Node) -> Item:
    guid = node.first("guid")
    name = guid.own_identifier() if guid else ""
    node.notes.where = name or node.line("title") or node.notes.where
    content = node.html("content:encoded")
    return Item(
        title=node.line("title"),
        guid=name,
        # RSS 2.0: without the attribute it is a permalink.
        guid_is_permalink=bool(
            name and guid and values.flag(guid.attribute("isPermaLink") or "true")
        ),
        link=node.web("link"),
        pub_date=date(node, "pubDate") or date(node, "dc:date"),
        description=node.html("description"),
        content=content,
        enclosure=_enclosure(node),
        comments=node.web("comments"),
        source=_source(node),
        rss_categories=rss_categories(node),
        itunes_title=node.line("itunes:title"),
        duration=_duration(node),
        explicit=explicit(node),
        artwork=artwork(node),
        season=positive(node, "itunes:season"),
        episode=positive(node, "itunes:episode"),
        episode_type=enumerated(node, "itunes:episodeType", {"full", "trailer", "bonus"}),
        block=yes(node, "itunes:block"),
        author=node.line("itunes:author"),
        summary=node.block("itunes:summary"),
        subtitle=node.line("itunes:subtitle"),
        keywords=node.line("itunes:keywords"),
        simple_chapters=_simple_chapters(node),
        extra_xml=extra_xml(node, KNOWN),
        **podcast.shared(node),
        **podcast.of_item(node),
    )


def live_items(node: Node) -> tuple[LiveItem, ...]:
    """`podcast:liveItem` of a channel; those without status or start are noticed and left out."""
    found = []
    for row in node.all("podcast:liveItem"):
        status = row.attribute("status").lower()
        start = values.moment(row.attribute("start"))
        if status not in {"pending", "live", "ended"} or start is None:
            node.notes.add("read-incomplete", "podcast:liveItem")
            continue
        end = row.attribute("end")
        where = node.notes.where
        found.append(LiveItem(item(row), status, start, values.moment(end) if end else None))
        node.notes.where = where
    return tuple(found)


def _enclosure(node: Node) -> parts.Enclosure | None:
    rows = [*node.all("enclosure"), *node.all("enc:enclosure")]
    found = [one for one in map(_one_enclosure, rows) if one]
    if len(rows) > 1:
        node.notes.add("read-enclosures", len(rows))
    if not found:
        groups = [node, *node.all("media:group")]
        media = [row for group in groups for row in group.all("media:content")]
        found = [one for one in map(_one_enclosure, media) if one and _plays(one)]
        if found:
            node.notes.add("read-enclosure-media")
    return next(filter(_plays, found), found[0] if found else None)


def _one_enclosure(row: Node) -> parts.Enclosure | None:
    url = row.web_attribute("url", "href", "resource")
    if not url:
        row.notes.add("read-incomplete", "enclosure")
        return None
    text = row.attribute("length", "fileSize")
    length = values.whole(text)
    if text and length is None:
        row.notes.add("read-enclosure-length", text)
    return parts.Enclosure(url, length or None, row.attribute("type"))


def _plays(enclosure: parts.Enclosure) -> bool:
    kind = enclosure.type.partition("/")[0].lower()
    return kind in {"audio", "video"} or extension(enclosure.url) in _PLAYABLE


def _duration(node: Node) -> int | None:
    text = node.line("itunes:duration")
    if not text:
        return None
    found = parse_duration(text)
    if not found:
        node.notes.add("read-duration", text)
    return found or None


def _source(node: Node) -> parts.SourceFeed | None:
    source = node.first("source")
    url = source.web_attribute("url") if source else ""
    return parts.SourceFeed(url, source.own_line()) if source and url else None


def _simple_chapters(node: Node) -> tuple[parts.SimpleChapter, ...]:
    chapters = node.first("psc:chapters")
    if chapters is None:
        return ()
    found = []
    for row in chapters.all("psc:chapter"):
        start = values.seconds(row.attribute("start"))
        if start is None:
            node.notes.add("read-incomplete", "psc:chapter")
            continue
        found.append(
            parts.SimpleChapter(
                round(start, 3),
                row.attribute("title"),
                row.web_attribute("href"),
                row.web_attribute("image"),
            )
        )
    return tuple(found)
