"""From a show to the bytes of its feed: one item rendered, the others joined.

Each `<item>` is stored under a key made of its episode's revision and of
everything else an item depends on, so a new edition costs what changed in it.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError
from django.templatetags.static import static
from django.urls import reverse
from django.utils.feedgenerator import Stylesheet

from episodes.freshness import build, present
from episodes.links import absolute
from episodes.models import Episode, EpisodeQuerySet, Show, Site
from feeds import document, parts
from feeds.generator import STYLESHEET, join_feed, render_channel_head, render_item
from feeds.models import StoredItem
from feeds.records import Channel, Item
from feeds.relations import rows, used_by, with_episode_relations, with_show_relations

#: Items of the feed over all shows.
NETWORK_ITEMS = 100

#: Stored items are rendered in groups, so that memory does not grow with the feed.
GROUP = 250

#: Trailers a channel may announce.
TRAILERS = 20


def show_feed(show: Show, now: datetime, page: int, pages: int) -> bytes:
    """The RSS of a public show's `page` at `now`. About 20 queries, however many items.

    With a shared cache one process renders an edition for all of them.
    """
    edition = show.edition()
    key = f"feed:{show.pk}:{page}:{edition.tag}:{build()}"
    if not settings.CACHE_IS_SHARED:
        return render_show_feed(show, now, page, pages)
    body = cache.get(key)
    if body is None:
        body = render_show_feed(show, now, page, pages)
        if present(edition, now) == edition.tag:  # nobody edited while it was read
            cache.set(key, body, 3600)
    return body


def render_show_feed(show: Show, now: datetime, page: int, pages: int) -> bytes:
    with_show_relations(show)
    public = Episode.objects.public(now).filter(show=show)
    trailers = list(public.filter(type=Episode.Type.TRAILER).newest_first().for_lists()[:TRAILERS])
    for trailer in trailers:
        trailer.show = show
    edition = show.edition()
    channel = document.channel_of(
        show,
        self_url=page_address(show, page),
        pages=page_links(show, page, pages),
        modified=edition.last_modified,
        newest=edition.newest,
        trailers=trailers,
        hubs=settings.WEBSUB_HUBS if page == 1 else (),  # the address that hubs are told of
    )
    start = (page - 1) * show.page_size
    window = public.newest_first()[start : start + show.page_size]
    unstored = store_missing(show, window, item_context(show))
    return join_feed(render_channel_head(channel, stylesheets()), fragments(window, unstored))


def store_missing(show: Show, window: EpisodeQuerySet, context: str) -> dict[int, bytes]:
    """Renders and stores the items of `window` that are not stored yet, a group at a time.

    Returns those that a busy database would not take.
    """
    keys = window.values_list("pk", "revision", "stored_item__key")
    # What is read from here on is of these revisions or newer, never older than its key.
    missing = [(pk, revision) for pk, revision, key in keys if key != f"{revision}-{context}"]
    used = used_by([show.pk]) if missing else set()
    unstored: dict[int, bytes] = {}
    for first in range(0, len(missing), GROUP):
        rendered = render_items(show, dict(missing[first : first + GROUP]), used)
        if not store(rendered, context):
            unstored |= {pk: xml for pk, _, xml in rendered}
    return unstored


def fragments(window: EpisodeQuerySet, unstored: dict[int, bytes]) -> Iterator[bytes]:
    """The rendered items of `window` as they come from the database, never all in memory.

    An item that vanished since `store_missing` is left out: the edition has moved
    then, and what is made of this is thrown away.
    """
    rows = window.values_list("pk", "stored_item__xml").iterator(chunk_size=GROUP)
    for pk, xml in rows:
        if pk in unstored:
            yield unstored[pk]
        elif xml is not None:
            yield bytes(xml)


def item_context(show: Show) -> str:
    """A short digest of everything outside the episode that an item depends on."""
    facts = (
        build(),
        show.slug,
        show.language,
        show.explicit,
        show.chapters_in_notes,
        seasons(show),
        document.persons(rows(show, "credits")),
        document.speaker_names(show),
    )
    return hashlib.sha256(repr(facts).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def seasons(show: Show) -> dict[int, str]:
    return {row.number: row.name for row in rows(show, "seasons")}


def render_items(
    show: Show, revisions: dict[int, int], used: set[str]
) -> list[tuple[int, int, bytes]]:
    """Key, revision and `<item>` of these episodes of a show that has rows in `used`."""
    episodes = list(Episode.objects.filter(pk__in=revisions))
    for episode in episodes:
        episode.show = show
    with_episode_relations(episodes, used)
    names, hosts = seasons(show), document.persons(rows(show, "credits"))
    return [
        (episode.pk, revisions[episode.pk], render_item(document.item_of(episode, names, hosts)))
        for episode in episodes
    ]


def store(rendered: list[tuple[int, int, bytes]], context: str) -> bool:
    """Whether the database took them; one that is busy makes the next edition slower, no more."""
    try:
        StoredItem.objects.bulk_create(
            [
                StoredItem(episode_id=pk, key=f"{revision}-{context}", xml=xml)
                for pk, revision, xml in rendered
            ],
            update_conflicts=True,
            update_fields=["key", "xml"],
            unique_fields=["episode"],
        )
    except DatabaseError:
        return False
    return True


def stylesheets() -> list[Stylesheet]:
    """What makes a feed readable for people who open it in a browser."""
    return [Stylesheet(static(STYLESHEET), mimetype="text/css", media="all")]


# Pages (RFC 5005)


def page_address(show: Show, page: int) -> str:
    address = absolute(show.get_feed_path())
    return address if page == 1 else f"{address}?page={page}"


def page_links(show: Show, page: int, pages: int) -> parts.PageLinks:
    """first, last, next and previous; a feed of one page has none but `first`."""
    if pages == 1:
        return parts.PageLinks()
    return parts.PageLinks(
        first=page_address(show, 1),
        last=page_address(show, pages),
        next=page_address(show, page + 1) if page < pages else "",
        previous=page_address(show, page - 1) if page > 1 else "",
    )


# The feed over all shows


def network_feed(site: Site, now: datetime, modified: datetime, newest: datetime | None) -> bytes:
    """The newest episodes of every public show as one feed."""
    episodes = list(
        Episode.objects.public(now).select_related("show").newest_first()[:NETWORK_ITEMS]
    )
    with_episode_relations(episodes, used_by({episode.show_id for episode in episodes}))
    channel = Channel(
        title=site.title,
        link=absolute("/"),
        description=site.description or f"The newest episodes of {site.title}.",
        language=episodes[0].show.language if episodes else "en",
        self_url=absolute(reverse("feeds:network")),
        pub_date=newest,
        last_build_date=modified.replace(microsecond=0),
        generator=document.GENERATOR,
        docs=document.DOCS,
        author=site.title,
        artwork=next((document.full_artwork(e.show) for e in episodes if e.show.artwork), ""),
        categories=tuple(
            document.category(name) for name in dict.fromkeys(e.show.category for e in episodes)
        )[:3],
        explicit=any(episode.is_explicit for episode in episodes),
        block=True,  # a feed for people; each show is listed by its own
    )
    items = (render_item(network_item(episode)) for episode in episodes)
    return join_feed(render_channel_head(channel, stylesheets()), items)


def network_item(episode: Episode) -> Item:
    show = episode.show
    return replace(
        document.item_of(episode, {}, ()),
        source=parts.SourceFeed(absolute(show.get_feed_path()), show.title),
        author=show.title,
        artwork=document.full_artwork(episode if episode.artwork else show),
    )
