"""Rules for an item's texts, identity, dates and numbers."""

import re
from collections.abc import Iterator

from feeds.addresses import extension, is_web
from feeds.lint.registry import ADVICE, ERROR, WARNING, on_item
from feeds.lint.texts import ACTIVE, RELATIVE, has_markup, quoted, size
from feeds.records import Channel, Item

_NUMBERED = re.compile(
    r"(?:#\s*\d+|(?:episode|ep|folge|épisode|s\d+\s*e)\.?\s*\d+)\b", re.IGNORECASE
)


@on_item("item-title-missing", ERROR, "RSS, Apple, PSP-1", "Give the episode a title.")
def title_missing(item: Item, channel: Channel) -> Iterator[str]:
    """An item has no title."""
    if not item.title:
        yield "The episode has no title."


@on_item("item-title-text", WARNING, "RSS, Apple", "Write the title as plain, short text.")
def title_text(item: Item, channel: Channel) -> Iterator[str]:
    """An item's title holds markup, or more than 255 characters."""
    if has_markup(item.title):
        yield f"The title {quoted(item.title)} holds markup or is escaped twice."
    if len(item.title) > 255:
        yield f"The title has {len(item.title)} characters; 255 are the most."


@on_item("item-title-numbered", ADVICE, "Apple", "Leave it to itunes:season and itunes:episode.")
def title_numbered(item: Item, channel: Channel) -> Iterator[str]:
    """An item's title repeats its number."""
    if _NUMBERED.match(item.title):
        yield f"The title {quoted(item.title)} begins with a number, which apps show beside it."


@on_item("item-title-show", ADVICE, "Apple", "Leave the show's name out.")
def title_show(item: Item, channel: Channel) -> Iterator[str]:
    """An item's title repeats the show's."""
    show = channel.title.casefold()
    title = item.title.casefold()
    if len(show) > 3 and title != show and (title.startswith(show) or title.endswith(show)):
        yield f"The title {quoted(item.title)} repeats the show's name."


@on_item("item-link-missing", WARNING, "Apple, PSP-1", "Give the episode a page.")
def link_missing(item: Item, channel: Channel) -> Iterator[str]:
    """An item has no link."""
    if not item.link:
        yield "The episode has no link to a page."


@on_item("item-description-missing", WARNING, "RSS, Apple, PSP-1", "Write a few lines of notes.")
def description_missing(item: Item, channel: Channel) -> Iterator[str]:
    """An item has no description."""
    if not item.description and not item.content:
        yield "The episode has no description."


@on_item("item-description-long", WARNING, "Apple, PSP-1", "Put all of it into content:encoded.")
def description_long(item: Item, channel: Channel) -> Iterator[str]:
    """An item's description has more than 4,000 bytes."""
    if size(item.description) > 4000:
        yield f"The description has {size(item.description)} bytes; Apple takes 4,000."


@on_item("item-notes-active", WARNING, "RSS", "Keep to paragraphs, lists, links and emphasis.")
def notes_active(item: Item, channel: Channel) -> Iterator[str]:
    """An item's notes hold script, style, forms or embedded pages."""
    for text in (item.description, item.content):
        if match := ACTIVE.search(text):
            yield f"The notes hold <{match[1].lower()}>, which apps remove or refuse."
            return


@on_item("item-notes-relative", WARNING, "RSS", "Write whole addresses.")
def notes_relative(item: Item, channel: Channel) -> Iterator[str]:
    """An item's notes hold a relative address."""
    for text in (item.description, item.content):
        if match := RELATIVE.search(text):
            yield f"The notes hold the relative address {quoted(match[1])}; in an app it is dead."
            return


@on_item("item-summary-text", WARNING, "RSS", "Write plain text of up to 4,000 characters.")
def summary_text(item: Item, channel: Channel) -> Iterator[str]:
    """An item's itunes:summary holds markup, or more than 4,000 characters."""
    if has_markup(item.summary):
        yield "The summary holds markup; apps show it as it is."
    if len(item.summary) > 4000:
        yield f"The summary has {len(item.summary)} characters; 4,000 are the most."


@on_item("item-text-long", WARNING, "Apple, PSP-1", "Shorten it to 255 characters.")
def text_long(item: Item, channel: Channel) -> Iterator[str]:
    """An item's author, subtitle or keywords have more than 255 characters."""
    for name in ("author", "subtitle", "keywords"):
        if len(getattr(item, name)) > 255:
            yield f"The {name} has {len(getattr(item, name))} characters; 255 are the most."


@on_item("item-guid-missing", ERROR, "Apple, PSP-1", "Store a guid once and never change it.")
def guid_missing(item: Item, channel: Channel) -> Iterator[str]:
    """An item has no guid."""
    if not item.guid:
        yield "The episode has no guid; apps cannot tell an edit from a new episode."


@on_item("item-guid-permalink", ERROR, "RSS", 'Say isPermaLink="false".')
def guid_permalink(item: Item, channel: Channel) -> Iterator[str]:
    """An item's guid says, or by its silence means, to be a link and is none."""
    if item.guid and item.guid_is_permalink and not is_web(item.guid):
        yield f'The guid {quoted(item.guid)} is no web address and lacks isPermaLink="false".'


@on_item("item-guid-number", WARNING, "RSS", "Use a UUID for new episodes; keep what is published.")
def guid_number(item: Item, channel: Channel) -> Iterator[str]:
    """An item's guid is a short number, which is not unique in the world."""
    if re.fullmatch(r"\d{1,6}", item.guid):
        yield f"The guid {quoted(item.guid)} is a short number, which others use too."


@on_item("item-date-missing", WARNING, "Apple, PSP-1", "Say when it was published.")
def date_missing(item: Item, channel: Channel) -> Iterator[str]:
    """An item has no date that could be read."""
    if item.pub_date is None:
        yield "The episode has no date (pubDate); apps cannot sort it."


@on_item("item-date-old", WARNING, "RSS", "Check the year.")
def date_old(item: Item, channel: Channel) -> Iterator[str]:
    """An item is older than 1990."""
    if item.pub_date and item.pub_date.year < 1990:
        yield f"The episode is dated {item.pub_date:%Y-%m-%d}."


@on_item("item-duration-missing", WARNING, "Apple, PSP-1", "Say how long it is, in seconds.")
def duration_missing(item: Item, channel: Channel) -> Iterator[str]:
    """An item has no duration that could be read."""
    if item.duration is None and item.enclosure:
        yield "The episode does not say how long it is (itunes:duration)."


@on_item("item-explicit-missing", ADVICE, "Apple, PSP-1", "Say true or false.")
def explicit_missing(item: Item, channel: Channel) -> Iterator[str]:
    """An item does not say whether it is explicit."""
    if item.explicit is None:
        yield "The episode does not say whether it is explicit (itunes:explicit)."


@on_item("item-number-missing", ERROR, "Apple, PSP-1", "Number every full episode.")
def number_missing(item: Item, channel: Channel) -> Iterator[str]:
    """A full episode of a serial show has no number."""
    if channel.type == "serial" and item.episode_type in {"", "full"} and item.episode is None:
        yield "The show is serial, and this full episode has no number (itunes:episode)."


@on_item("item-artwork-type", WARNING, "Apple", "Use JPEG or PNG, and let the address end in it.")
def artwork_type(item: Item, channel: Channel) -> Iterator[str]:
    """The address of an item's artwork does not end in .jpg, .jpeg or .png."""
    if item.artwork and extension(item.artwork) not in {"jpg", "jpeg", "png"}:
        yield f"The artwork's address {quoted(item.artwork)} does not end in .jpg or .png."
