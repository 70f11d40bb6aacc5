"""Rules over the feed as a whole: order, repetition, numbers."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise

from feeds.lint.registry import ADVICE, CHANNEL, ERROR, WARNING, Place, on_feed, where_of
from feeds.records import Channel, Item


@on_feed("no-items", ERROR, "Apple", "Publish an episode before you submit the feed.")
def no_items(channel: Channel, items: tuple[Item, ...]) -> Iterator[Place]:
    """The feed has no item."""
    if not items and not channel.medium.endswith("L") and channel.medium != "publisher":
        yield CHANNEL, "The feed has no episodes; directories refuse it."


@on_feed("guid-duplicate", ERROR, "RSS, Apple, PSP-1", "Give each episode its own guid.")
def guid_duplicate(channel: Channel, items: tuple[Item, ...]) -> Iterator[Place]:
    """Two items have the same guid; the second is lost."""
    for guid, count in Counter(item.guid for item in items if item.guid).items():
        if count > 1:
            yield guid, f"{count} episodes have this guid; apps show one of them."


@on_feed("enclosure-duplicate", ERROR, "Apple", "Give each episode its own file.")
def enclosure_duplicate(channel: Channel, items: tuple[Item, ...]) -> Iterator[Place]:
    """Two items have the same enclosure; Apple ignores the second."""
    seen: dict[str, Item] = {}
    for item in items:
        if not item.enclosure:
            continue
        first = seen.setdefault(item.enclosure.url, item)
        if first is not item:
            yield (
                where_of(item),
                f"The enclosure is that of “{first.title or where_of(first)}” too.",
            )


@on_feed("order", WARNING, "apps", "Write the newest episode first.")
def order(channel: Channel, items: tuple[Item, ...]) -> Iterator[Place]:
    """The items are not newest first."""
    dates = [item.pub_date for item in items if item.pub_date]
    if any(later > earlier for earlier, later in pairwise(dates)):
        yield CHANNEL, "The episodes are not newest first; some apps show the wrong one as newest."


@on_feed("number-duplicate", WARNING, "Apple", "Number the episodes of a season one by one.")
def number_duplicate(channel: Channel, items: tuple[Item, ...]) -> Iterator[Place]:
    """Two full items have the same season and number."""
    numbered = defaultdict(list)
    for item in items:
        if item.episode is not None and item.episode_type in {"", "full"}:
            numbered[item.season, item.episode].append(item)
    for (season, number), rows in numbered.items():
        if len(rows) > 1:
            place = f"season {season}, episode {number}" if season else f"episode {number}"
            yield where_of(rows[1]), f"{len(rows)} episodes say to be {place}."


@on_feed("many-items", ADVICE, "apps", "Page the feed (RFC 5005), or keep it below 1,000 items.")
def many_items(channel: Channel, items: tuple[Item, ...]) -> Iterator[Place]:
    """The document holds more than 1,000 items."""
    if len(items) > 1000:
        yield CHANNEL, f"The document holds {len(items):,} episodes; every poll carries them all."
