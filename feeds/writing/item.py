"""The inside of an `item`, and of a `podcast:liveItem`, which has the same children."""

from feeds import parts
from feeds.addresses import ascii_url
from feeds.namespaces import PSC
from feeds.records import Item, LiveItem
from feeds.text import block
from feeds.writing import podcast
from feeds.writing.markup import (
    element,
    escape,
    flag,
    iso8601,
    optional,
    optional_block,
    optional_html,
    parent,
    rfc2822,
)


def children(item: Item) -> str:
    """Every element at most once unless the tables of its namespace say more.

    `description` stands before `content:encoded`: some readers take whichever comes last.
    """
    out = [optional("title", item.title), optional("link", ascii_url(item.link))]
    guid = block(item.guid)
    if guid:
        # The default is true, and wrong for most: always said (RSS Advisory Board profile).
        permalink = flag(item.guid_is_permalink)
        out.append(f'<guid isPermaLink="{permalink}">{escape(guid)}</guid>')
    if item.pub_date:
        out.append(f"<pubDate>{rfc2822(item.pub_date)}</pubDate>")
    out.append(optional_html("description", item.description))
    out.append(optional_html("content:encoded", item.content))
    if item.enclosure:
        out.append(_enclosure(item.enclosure))
    out += _itunes(item)
    out += podcast.of_item(item)
    out += podcast.shared(item)
    if item.simple_chapters:
        out.append(_simple_chapters(item.simple_chapters))
    out += [
        element("category", category.text, [("domain", category.domain)])
        for category in item.rss_categories
    ]
    out.append(optional("comments", ascii_url(item.comments)))
    if item.source:
        out.append(element("source", item.source.title, [("url", ascii_url(item.source.url))]))
    out += item.extra_xml
    return "".join(out)


def live(live_item: LiveItem) -> str:
    attributes = [
        ("status", live_item.status),
        ("start", iso8601(live_item.start)),
        ("end", iso8601(live_item.end) if live_item.end else ""),
    ]
    return parent("podcast:liveItem", children(live_item.item), attributes)


def _enclosure(enclosure: parts.Enclosure) -> str:
    # All three attributes are required, so an unknown length is 0 (RSS profile) and not left out.
    attributes = [
        ("url", ascii_url(enclosure.url)),
        ("length", enclosure.length or 0),
        ("type", enclosure.type),
    ]
    return element("enclosure", "", attributes)


def _itunes(item: Item) -> list[str]:
    out = [optional("itunes:title", item.itunes_title)]
    if item.duration and item.duration > 0:
        out.append(f"<itunes:duration>{item.duration}</itunes:duration>")
    if item.explicit is not None:
        out.append(f"<itunes:explicit>{flag(item.explicit)}</itunes:explicit>")
    if item.artwork:
        out.append(element("itunes:image", "", [("href", ascii_url(item.artwork))]))
    if item.season is not None:
        out.append(f"<itunes:season>{item.season}</itunes:season>")
    if item.episode is not None:
        out.append(f"<itunes:episode>{item.episode}</itunes:episode>")
    out.append(optional("itunes:episodeType", item.episode_type))
    if item.block:
        out.append("<itunes:block>Yes</itunes:block>")
    out.append(optional("itunes:author", item.author))
    out.append(optional("itunes:subtitle", item.subtitle))
    out.append(optional_block("itunes:summary", item.summary))
    out.append(optional("itunes:keywords", item.keywords))
    return out


def _simple_chapters(chapters: tuple[parts.SimpleChapter, ...]) -> str:
    rows = [
        element(
            "psc:chapter",
            "",
            [
                ("start", play_time(chapter.start)),
                ("title", chapter.title),
                ("href", ascii_url(chapter.href)),
                ("image", ascii_url(chapter.image)),
            ],
        )
        for chapter in chapters
    ]
    # Declared here and not on `rss`: a stored item must not depend on its document.
    attributes = [("version", "1.2"), ("xmlns:psc", PSC)]
    return parent("psc:chapters", "".join(rows), attributes)


def play_time(seconds: float) -> str:
    """`00:02:34.500`, normal play time as Podlove Simple Chapters write it."""
    milliseconds = round(seconds * 1000)
    minutes, milliseconds = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{milliseconds // 1000:02}.{milliseconds % 1000:03}"
