"""The channel's own elements to a Channel; the mirror of `feeds.writing.channel`."""

from feeds import parts
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
from feeds.importing.item import live_items
from feeds.records import Channel

KNOWN = {
    "title", "link", "description", "language", "copyright", "pubdate", "lastbuilddate",
    "generator", "docs", "ttl", "managingeditor", "webmaster", "category", "image", "item", "items",
    "textinput", "cloud", "skiphours", "skipdays", "rating",
    "atom:link",
    "itunes:author", "itunes:explicit", "itunes:image", "itunes:category", "itunes:type",
    "itunes:owner", "itunes:block", "itunes:complete", "itunes:new-feed-url", "itunes:subtitle",
    "itunes:summary", "itunes:keywords",
    *podcast.SHARED, *podcast.OF_CHANNEL,
}  # fmt: skip

#: Known, and left out on purpose: they speak of the old host's services, or nobody reads them.
_DROPPED = ("textinput", "cloud", "skiphours", "skipdays", "rating")


def channel(node: Node) -> Channel:
    for name in _DROPPED:
        if node.has(name):
            node.notes.skipped[name] += node.count(name)
    link = node.web("link")
    # What is relative in a feed that does not say where it is, is relative to its site.
    node.notes.base = node.notes.base or link
    atom = _atom_links(node)
    return Channel(
        title=node.line("title"),
        link=link,
        description=node.block("description"),
        language=node.line("language"),
        copyright=node.line("copyright"),
        self_url=next(iter(atom.get("self", ())), ""),
        hubs=tuple(dict.fromkeys(atom.get("hub", ()))),
        pages=parts.PageLinks(
            first=next(iter(atom.get("first", ())), ""),
            last=next(iter(atom.get("last", ())), ""),
            next=next(iter(atom.get("next", ())), ""),
            previous=next(iter([*atom.get("previous", ()), *atom.get("prev", ())]), ""),
            prev_archive=next(iter(atom.get("prev-archive", ())), ""),
        ),
        pub_date=date(node, "pubDate"),
        last_build_date=date(node, "lastBuildDate"),
        generator=node.line("generator"),
        docs=node.web("docs"),
        ttl=positive(node, "ttl"),
        managing_editor=node.line("managingEditor"),
        web_master=node.line("webMaster"),
        image=_image(node),
        rss_categories=rss_categories(node),
        author=node.line("itunes:author"),
        artwork=artwork(node),
        categories=_categories(node),
        explicit=explicit(node),
        type=enumerated(node, "itunes:type", {"episodic", "serial"}),
        owner=_owner(node),
        block=yes(node, "itunes:block"),
        complete=yes(node, "itunes:complete"),
        new_feed_url=node.web("itunes:new-feed-url"),
        summary=node.block("itunes:summary"),
        subtitle=node.line("itunes:subtitle"),
        keywords=node.line("itunes:keywords"),
        live_items=live_items(node),
        extra_xml=extra_xml(node, KNOWN),
        **podcast.shared(node),
        **podcast.of_channel(node),
    )


def _atom_links(node: Node) -> dict[str, list[str]]:
    links: dict[str, list[str]] = {}
    for row in node.all("atom:link"):
        url = row.web_attribute("href")
        if url:
            links.setdefault(row.attribute("rel").lower(), []).append(url)
    return links


def _categories(node: Node) -> tuple[parts.Category, ...]:
    found = []
    for row in node.all("itunes:category"):
        name = row.attribute("text") or row.own_line()
        children = [child.attribute("text") for child in row.all("itunes:category")]
        if name:
            found += [parts.Category(name, child) for child in children if child] or [
                parts.Category(name)
            ]
    return tuple(dict.fromkeys(found))


def _image(node: Node) -> parts.ChannelImage | None:
    image = node.first("image")
    url = image.web("url") if image else ""
    if not image or not url:
        return None
    return parts.ChannelImage(
        url,
        title=image.line("title"),
        link=image.web("link"),
        width=values.whole(image.line("width"), least=1),
        height=values.whole(image.line("height"), least=1),
    )


def _owner(node: Node) -> parts.Owner | None:
    owner = node.first("itunes:owner")
    if owner is None:
        return None
    found = parts.Owner(owner.line("itunes:name"), owner.line("itunes:email"))
    return found if found != parts.Owner() else None
