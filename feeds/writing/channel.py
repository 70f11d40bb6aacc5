"""The channel's own elements, all of which stand before its first item."""

from feeds.addresses import ascii_url
from feeds.records import Channel
from feeds.writing import item as item_writing
from feeds.writing import podcast
from feeds.writing.markup import (
    element,
    flag,
    optional,
    optional_block,
    parent,
    quote,
    rfc2822,
)


def children(channel: Channel) -> str:
    out = [optional("title", channel.title), optional("link", ascii_url(channel.link))]
    out += _atom_links(channel)
    # Plain text by the profile; in an item the same element is HTML.
    out.append(optional_block("description", channel.description))
    out.append(optional("language", channel.language))
    out.append(optional("copyright", channel.copyright))
    if channel.pub_date:
        out.append(f"<pubDate>{rfc2822(channel.pub_date)}</pubDate>")
    if channel.last_build_date:
        out.append(f"<lastBuildDate>{rfc2822(channel.last_build_date)}</lastBuildDate>")
    out.append(optional("generator", channel.generator))
    out.append(optional("docs", ascii_url(channel.docs)))
    if channel.ttl:
        out.append(f"<ttl>{channel.ttl}</ttl>")
    out.append(optional("managingEditor", channel.managing_editor))
    out.append(optional("webMaster", channel.web_master))
    out += [
        element("category", category.text, [("domain", category.domain)])
        for category in channel.rss_categories
    ]
    if channel.image:
        out.append(_image(channel))
    out += _itunes(channel)
    out += podcast.of_channel(channel)
    out += podcast.shared(channel)
    out += channel.extra_xml
    out += [item_writing.live(live_item) for live_item in channel.live_items]
    return "".join(out)


def _atom_links(channel: Channel) -> list[str]:
    pages = channel.pages
    feeds = {
        "self": channel.self_url,
        "first": pages.first,
        "previous": pages.previous,  # RFC 5005 §3; "prev" is what others wrongly write
        "next": pages.next,
        "last": pages.last,
        "prev-archive": pages.prev_archive,
    }
    out = [
        f'<atom:link rel="{rel}" type="application/rss+xml" href="{quote(ascii_url(url))}"/>'
        for rel, url in feeds.items()
        if url
    ]
    out += [f'<atom:link rel="hub" href="{quote(ascii_url(hub))}"/>' for hub in channel.hubs]
    return out


def _image(channel: Channel) -> str:
    image = channel.image
    inside = [
        optional("url", ascii_url(image.url)),
        optional("title", image.title),
        optional("link", ascii_url(image.link)),
        f"<width>{image.width}</width>" if image.width else "",
        f"<height>{image.height}</height>" if image.height else "",
    ]
    return parent("image", "".join(inside))


def _itunes(channel: Channel) -> list[str]:
    out = [optional("itunes:author", channel.author)]
    if channel.explicit is not None:
        out.append(f"<itunes:explicit>{flag(channel.explicit)}</itunes:explicit>")
    if channel.artwork:
        out.append(element("itunes:image", "", [("href", ascii_url(channel.artwork))]))
    for category in channel.categories:
        child = element("itunes:category", "", [("text", category.child)]) if category.child else ""
        attributes = [("text", category.name)]
        out.append(
            parent("itunes:category", child, attributes)
            if child
            else element("itunes:category", "", attributes)
        )
    out.append(optional("itunes:type", channel.type))
    if channel.owner:
        name = optional("itunes:name", channel.owner.name)
        out.append(parent("itunes:owner", name + optional("itunes:email", channel.owner.email)))
    # Apple: only "Yes" has an effect, anything else is as absent.
    if channel.block:
        out.append("<itunes:block>Yes</itunes:block>")
    if channel.complete:
        out.append("<itunes:complete>Yes</itunes:complete>")
    out.append(optional("itunes:new-feed-url", ascii_url(channel.new_feed_url)))
    out.append(optional("itunes:subtitle", channel.subtitle))
    out.append(optional_block("itunes:summary", channel.summary))
    out.append(optional("itunes:keywords", channel.keywords))
    return out
