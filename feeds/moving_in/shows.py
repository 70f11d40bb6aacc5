"""The channel to a show: found or made, and filled by the same rules as its episodes."""

from dataclasses import dataclass, replace

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from episodes import categories
from episodes.models import FormerShowSlug, Show
from episodes.models.show import podcast_guid
from episodes.slugs import RESERVED_SHOW_SLUGS, slug_from
from feeds.leftovers import channel_xml
from feeds.models import ImportedShow
from feeds.moving_in import rows
from feeds.moving_in.differences import Differences, compare, digest
from feeds.moving_in.downloads import Downloader
from feeds.moving_in.gathering import artwork
from feeds.moving_in.people import credit
from feeds.moving_in.report import ImportReport, Kind
from feeds.moving_in.settling import cut
from feeds.moving_in.values import in_order, listed
from feeds.records import Channel

COLUMNS = (
    "title", "tagline", "description", "language", "author", "owner_name", "owner_email",
    "owner_in_feed", "category", "category_2", "category_3", "explicit", "type", "copyright",
    "license", "license_url", "link", "medium", "locked", "complete", "blocked",
    "update_frequency", "update_rrule", "publisher_guid", "publisher_url",
)  # fmt: skip


class Refused(Exception):
    """Nothing can be imported; the message says why and what to do."""


@dataclass(slots=True)
class ShowPlan:
    show: Show
    imported: ImportedShow
    is_new: bool
    found: Differences
    values: dict[str, object]
    left: Channel


def find_show(feed_url: str, channel: Channel, slug: str) -> Show | None:
    """The show this feed was imported into, or that has its podcast GUID, or is named `slug`.

    Raises Refused when `slug` is no name that a show may have.
    """
    if slug:
        if slug_from(slug) != slug or slug in RESERVED_SHOW_SLUGS:
            raise Refused(f"“{slug}” cannot be the name of a show: use a-z, 0-9 and hyphens.")
        former = FormerShowSlug.objects.filter(slug=slug).select_related("show").first()
        return Show.objects.filter(slug=slug).first() or (former.show if former else None)
    rows = Show.objects.order_by("pk")
    found = rows.filter(imported__feed_url=feed_url).first() if feed_url else None
    return found or rows.filter(guid__in=guids(feed_url, channel)).first()


def guids(feed_url: str, channel: Channel) -> list[str]:
    """The podcast GUID that the feed states, and the one its address gives it."""
    address = channel.self_url or feed_url
    stated = channel.guid.lower()
    return [guid for guid in (stated, podcast_guid(address) if address else "") if guid]


def plan_show(
    show: Show | None, feed_url: str, original: Channel, channel: Channel, slug: str
) -> ShowPlan:
    """What the channel changes on `show`, or on a new one. A few queries for one that is there."""
    is_new = show is None
    if show is None:
        show = Show(slug=slug, imported_from=feed_url[:2000])
        show.guid = free_guid(guids(feed_url, original))
    imported = ImportedShow.objects.filter(show=show).first() if not is_new else None
    imported = imported or ImportedShow(show=show)
    values, left = coming(channel)
    current = now(show) if not is_new else dict.fromkeys(values)
    found = compare(values, current, imported.digests)
    if is_new:
        found.write = [name for name, value in values.items() if name in COLUMNS or value]
        found.keep = []
        found.digests = {name: digest(value) for name, value in values.items()}
    return ShowPlan(show, imported, is_new, found, values, left)


def free_guid(wanted: list[str]) -> str:
    """The first that is a GUID and nobody's yet; "" lets the show make one."""
    field = Show._meta.get_field("guid")
    for guid in wanted:
        try:
            field.run_validators(guid)
        except ValidationError:
            continue
        if not Show.objects.filter(guid=guid).exists():
            return guid
    return ""


def coming(channel: Channel) -> tuple[dict[str, object], Channel]:
    """The values a show can hold, and the record of what it cannot."""
    names = [categories.join(row.name, row.child or None) for row in channel.categories] + ["", ""]
    owner, frequency = channel.owner, channel.update_frequency
    left: dict = {
        name: getattr(channel, name)
        for name in (
            "ttl", "managing_editor", "web_master", "rss_categories", "summary", "subtitle",
            "keywords", "trailers", "image_srcset", "remote_items", "extra_xml",
        )
    }  # fmt: skip
    values: dict[str, object] = {
        "title": channel.title,
        "tagline": cut(channel.subtitle, 255),
        "description": channel.description,
        "language": channel.language,
        "author": channel.author,
        "owner_name": owner.name if owner else "",
        "owner_email": owner.email if owner else "",
        "owner_in_feed": owner is not None,
        "category": names[0],
        "category_2": names[1],
        "category_3": names[2],
        "explicit": bool(channel.explicit),
        "type": channel.type,
        "copyright": channel.copyright,
        "link": channel.link,
        "medium": channel.medium,
        "locked": bool(channel.locked and channel.locked.locked),
        "complete": channel.complete,
        "blocked": channel.block,
        "license": "",
        "license_url": "",
        "update_frequency": "",
        "update_rrule": "",
        "publisher_guid": "",
        "publisher_url": "",
        "persons": tuple((p.name, p.role, p.group) for p in channel.persons),
    }
    if (own := channel.license) and own.name and len(own.name) <= 128 and len(own.url) <= 500:
        values |= {"license": own.name, "license_url": own.url}
    else:
        left["license"] = own
    if frequency and not frequency.complete and not frequency.dtstart and _fits(frequency):
        values |= {"update_frequency": frequency.text, "update_rrule": frequency.rrule}
    else:
        left["update_frequency"] = frequency
    publisher = channel.publisher
    plain = publisher and not publisher.item_guid and not publisher.title
    if plain and len(publisher.feed_guid) == 36 and publisher.medium == "publisher":
        values |= {
            "publisher_guid": publisher.feed_guid,
            "publisher_url": publisher.feed_url[:500],
        }
    else:
        left["publisher"] = publisher
    for kind in rows.KINDS_OF_SHOWS:
        can, cannot = rows.held(kind, listed(getattr(channel, kind)), rows.KINDS_OF_SHOWS)
        values[kind] = in_order(kind, can)
        left[kind] = (cannot[0] if cannot else None) if kind == "chat" else tuple(cannot)
    return values, Channel(**left)


def _fits(frequency) -> bool:
    return len(frequency.text) <= 128 and len(frequency.rrule) <= 255


def now(show: Show) -> dict[str, object]:
    values: dict[str, object] = {name: getattr(show, name) for name in COLUMNS}
    values["persons"] = tuple(
        (row.person.name, row.role, row.group) for row in show.credits.select_related("person")
    )
    for kind, (name, _, back) in rows.KINDS_OF_SHOWS.items():
        values[kind] = in_order(kind, map(back, getattr(show, name).all()))
    return values


def write_show(
    plan: ShowPlan,
    original: Channel,
    channel: Channel,
    feed_url: str,
    mode: str,
    downloader: Downloader,
    report: ImportReport,
) -> Show:
    """The show's rows, after its artwork was fetched. One transaction."""
    show, imported = plan.show, plan.imported
    left, new_artwork = fetch_artwork(plan, channel, downloader, report)
    before = show.imported_xml
    with transaction.atomic():
        for name in plan.found.write:
            if name in COLUMNS:
                setattr(show, name, plan.values[name])
        show.imported_xml = channel_xml(left)
        show.imported_from = show.imported_from or feed_url[:2000]
        if plan.is_new or plan.found.write or new_artwork or show.imported_xml != before:
            show.save()
        for name in plan.found.write:
            if name in rows.KINDS_OF_SHOWS:
                rows.replace_rows(show, name, plan.values[name], rows.KINDS_OF_SHOWS)  # type: ignore[arg-type]
            elif name == "persons":
                credit(show, channel.persons)
        imported.show = show
        imported.feed_url = feed_url[:2000] or imported.feed_url
        imported.audio = mode
        imported.record = channel_xml(original)
        imported.digests = plan.found.digests
        imported.imported_at = timezone.now()
        imported.save()
    return show


def fetch_artwork(
    plan: ShowPlan, channel: Channel, downloader: Downloader, report: ImportReport
) -> tuple[Channel, bool]:
    """Fetches the show's picture where it is new there and nobody put another one here.

    Returns what is left over by now, and whether there is a new picture.
    """
    show, imported, url = plan.show, plan.imported, channel.artwork
    ours = digest(show.artwork.name or "") == imported.digests.get("artwork")
    if not url or (show.artwork and (not ours or imported.sources.get("artwork") == url)):
        plan.found.digests.setdefault("artwork", imported.digests.get("artwork", ""))
        return plan.left, False
    problems: list[str] = []
    name = artwork(url, show, downloader, problems)
    for message in problems:
        report.add(Kind.INCOMPLETE, "show", message)
    if not name:
        return plan.left if show.artwork else replace(plan.left, artwork=url), False
    plan.found.digests["artwork"] = digest(name)
    imported.sources = {**imported.sources, "artwork": url}
    return plan.left, True
