"""Foreign records as our rows can say them: everything that changes on the way in changes here.

`settled_item` and `settled_channel` are pure and idempotent. What they change is the list in
docs/moving.md of what cannot be equal after a move; all else comes back as it was.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from episodes import categories
from feeds import parts
from feeds.importing import identity
from feeds.moving_in.texts import notes_and_summary, plain, shortened
from feeds.records import Channel, Item
from feeds.text import line

_GUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

LARGEST_NUMBER = 2_147_483_647  # of a database's integer
LONGEST_TITLE = 255
LONGEST_NAME = 128


@dataclass(frozen=True, slots=True)
class People:
    """One page and one picture for each name in a feed: the first that it gives."""

    known: dict[str, parts.Person]

    @classmethod
    def of(cls, channel: Channel, items: tuple[Item, ...]) -> "People":
        known: dict[str, parts.Person] = {}
        for person in (*channel.persons, *(p for item in items for p in item.persons)):
            name = cut(person.name, LONGEST_NAME)
            before = known.get(name, parts.Person(name))
            known[name] = replace(
                before,
                href=before.href or fitting(person.href, 500),
                img=before.img or fitting(person.img, 1000),
            )
        return cls(known)

    def settled(self, persons: tuple[parts.Person, ...]) -> tuple[parts.Person, ...]:
        """Roles and groups in lower case, with their defaults; each role of a person once."""
        out: dict[tuple[str, str], parts.Person] = {}
        for person in persons:
            name = cut(person.name, LONGEST_NAME)
            role = cut(person.role.lower(), 60) or "host"
            group = cut(person.group.lower(), 60) or "cast"
            known = self.known.get(name, parts.Person(name))
            out.setdefault((name, role), replace(known, role=role, group=group))
        return tuple(out.values())


def settled_item(item: Item, channel: Channel, people: People, date: datetime | None) -> Item:
    """The item with safe notes as `content`, a plain `summary` and no `description`.

    `date` is for an item that has none.
    """
    notes, summary = notes_and_summary(item.description, item.content, item.summary)
    title = title_of(item, summary)
    season = item.season or (item.podcast_season.number if item.podcast_season else None)
    season = season if season and season <= LARGEST_NUMBER else None
    number, shown = numbers(item)
    itunes_title = item.itunes_title if item.itunes_title != title else ""
    return replace(
        item,
        title=title,
        guid=identity(item),
        guid_is_permalink=False,
        link="",
        pub_date=item.pub_date or date,
        description="",
        content=notes,
        summary=summary,
        itunes_title=itunes_title,
        explicit=bool(channel.explicit) if item.explicit is None else item.explicit,
        artwork="" if item.artwork == channel.artwork else item.artwork,
        season=season,
        episode=number,
        episode_type=item.episode_type or "full",
        persons=people.settled(item.persons),
        podcast_season=settled_season(item.podcast_season, season),
        podcast_episode=settled_number(item.podcast_episode, number, shown),
        locations=settled_locations(item.locations),
        simple_chapters=() if item.chapters else item.simple_chapters,
    )


def title_of(item: Item, summary: str) -> str:
    """The title; for an item without one what comes nearest."""
    name = item.enclosure.url.rpartition("/")[2].partition("?")[0] if item.enclosure else ""
    found = item.title or item.itunes_title or line(summary)[:80] or name or "Untitled"
    return cut(found, LONGEST_TITLE)


def numbers(item: Item) -> tuple[int | None, str]:
    """The number in whole, and what is shown instead: a name, or a number with a fraction."""
    number, podcast = item.episode, item.podcast_episode
    if podcast is None:
        return _whole(number), ""
    fraction = podcast.number != podcast.number.to_integral_value()
    if number is None and not fraction and podcast.number <= LARGEST_NUMBER:
        number = int(podcast.number)
    number = _whole(number)
    if podcast.display:
        return number, cut(podcast.display, 32)
    differs = number is None or podcast.number != number
    return number, format(podcast.number, "f")[:32] if differs else ""


def _whole(number: int | None) -> int | None:
    return number if number and 1 <= number <= LARGEST_NUMBER else None


def settled_season(given: parts.Season | None, season: int | None) -> parts.Season | None:
    if season is None:
        return given
    name = cut(given.name, LONGEST_NAME) if given and given.number == season else ""
    return parts.Season(season, name)


def settled_number(
    given: parts.EpisodeNumber | None, number: int | None, shown: str
) -> parts.EpisodeNumber | None:
    """What `feeds.document` makes of number and text."""
    try:
        exact = Decimal(shown)
        if exact.is_finite() and exact >= 0 and exact != number:
            return parts.EpisodeNumber(exact)
    except ArithmeticError:
        pass
    if number is None:
        return given
    return parts.EpisodeNumber(Decimal(number), shown)


def settled_locations(locations: tuple[parts.Location, ...]) -> tuple[parts.Location, ...]:
    """`rel` has a default, and countries are written in capitals."""
    return tuple(
        replace(place, rel=place.rel or "subject", country=place.country.upper())
        for place in locations
    )


def settled_channel(channel: Channel, people: People, items: tuple[Item, ...]) -> Channel:
    """The channel without what speaks of the old host, in the shape of a show.

    A trailer that is also an item is said by that item's episode.
    """
    own = {item.enclosure.url for item in items if item.enclosure}
    description = plain(channel.description) or plain(channel.summary)
    summary = "" if line(plain(channel.summary)) == line(description) else channel.summary
    owner = channel.owner if channel.owner and "@" in channel.owner.email else None
    frequency = channel.update_frequency
    if frequency and not frequency.text and frequency.rrule:
        frequency = replace(frequency, text=frequency.rrule)
    license_ = channel.license
    return replace(
        channel,
        title=cut(channel.title, LONGEST_TITLE) or "Untitled show",
        link=fitting(channel.link, 500),
        description=shortened(description) or cut(channel.title, 255) or "Untitled show",
        language=settled_language(channel.language),
        copyright=cut(channel.copyright, 255),
        self_url="",
        hubs=(),
        pages=parts.PageLinks(),
        pub_date=None,
        last_build_date=None,
        generator="",
        docs="",
        image=None,
        artwork=channel.artwork or (channel.image.url if channel.image else ""),
        author=cut(channel.author or (channel.owner.name if channel.owner else ""), 255),
        categories=settled_categories(channel.categories),
        explicit=bool(channel.explicit),
        type=channel.type or "episodic",
        owner=parts.Owner(cut(owner.name, 255), owner.email) if owner else None,
        new_feed_url="",
        summary=summary,
        guid=channel.guid.lower() if _GUID.fullmatch(channel.guid) else "",
        locked=parts.Locked(
            channel.locked.locked if channel.locked else True, owner.email if owner else ""
        ),
        medium=cut(channel.medium, 20) or "podcast",
        uses_podping=False,
        trailers=tuple(trailer for trailer in channel.trailers if trailer.url not in own),
        persons=people.settled(channel.persons),
        locations=settled_locations(channel.locations),
        license=license_,
        update_frequency=frequency,
    )


def settled_language(language: str) -> str:
    """A code that readers know; feeds without one are taken for English, as apps take them."""
    from episodes.models.validators import language_code

    code = language.strip().replace("_", "-")
    return code if language_code.regex.search(code) and len(code) <= 35 else "en"


def settled_categories(given: tuple[parts.Category, ...]) -> tuple[parts.Category, ...]:
    """At most three of Apple's present ones; Technology for a feed that names none of them."""
    found = dict.fromkeys(
        name for name in (categories.resolve(row.name, row.child or None) for row in given) if name
    )
    names = list(found)[:3] or ["Technology"]
    pairs = [categories.split(name) for name in names]
    return tuple(parts.Category(parent, child or "") for parent, child in pairs)


def dates(channel: Channel, items: tuple[Item, ...]) -> list[datetime]:
    """A date for each item: its own, else one that keeps its place among the others.

    That is a second before the item above it, or a second after the one below if that is earlier:
    a neighbour with a date far in the future shall not hide it. A feed without any date has its
    channel's, and without that the beginning of 1970.
    """
    start = channel.pub_date or channel.last_build_date or datetime(1970, 1, 2, tzinfo=UTC)
    if not any(item.pub_date for item in items):
        return [start - timedelta(seconds=number) for number in range(len(items))]
    below: list[datetime | None] = []
    last: datetime | None = None
    for item in reversed(items):
        last = item.pub_date or (last + timedelta(seconds=1) if last else None)
        below.append(last)
    out: list[datetime] = []
    above: datetime | None = None
    for item, under in zip(items, reversed(below), strict=True):
        over = above - timedelta(seconds=1) if above else None
        above = item.pub_date or min(moment for moment in (over, under) if moment)
        out.append(above)
    return out


def fitting(url: str, longest: int) -> str:
    """A URL cannot be cut: one that is too long is none."""
    return url if len(url) <= longest else ""


def cut(text: str, longest: int) -> str:
    text = line(text)
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
