"""Rules for the show's own elements."""

import re
from collections.abc import Iterator

from episodes import categories
from feeds.addresses import extension
from feeds.lint.registry import ADVICE, ERROR, WARNING, on_channel
from feeds.lint.texts import has_markup, quoted, size
from feeds.parts import Category
from feeds.records import Channel

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_EMAIL = re.compile(r"[^@\s<>]{1,64}@[^@\s<>]{1,255}")


@on_channel("title-missing", ERROR, "RSS, Apple, PSP-1", "Give the show a title.")
def title_missing(channel: Channel) -> Iterator[str]:
    """The show has no title."""
    if not channel.title:
        yield "The show has no title."


@on_channel("title-text", WARNING, "RSS, Apple", "Write the title as plain, short text.")
def title_text(channel: Channel) -> Iterator[str]:
    """The show's title holds markup, or more than 255 characters."""
    if has_markup(channel.title):
        yield f"The title {quoted(channel.title)} holds markup or is escaped twice."
    if len(channel.title) > 255:
        yield f"The title has {len(channel.title)} characters; 255 are the most."


@on_channel("link-missing", ERROR, "RSS, PSP-1", "Give the address of the show's page.")
def link_missing(channel: Channel) -> Iterator[str]:
    """The show has no link."""
    if not channel.link:
        yield "The show has no link to its page."


@on_channel("description-missing", ERROR, "RSS, Apple, PSP-1", "Say in a few lines what it is.")
def description_missing(channel: Channel) -> Iterator[str]:
    """The show has no description."""
    if not channel.description:
        yield "The show has no description."


@on_channel("description-text", WARNING, "RSS, Apple", "Write plain text of up to 4,000 bytes.")
def description_text(channel: Channel) -> Iterator[str]:
    """The show's description holds markup, or more than 4,000 bytes."""
    if has_markup(channel.description):
        yield "The show's description holds markup or is escaped twice; apps show it as it is."
    if size(channel.description) > 4000:
        yield f"The show's description has {size(channel.description)} bytes; Apple takes 4,000."


@on_channel("language-missing", ERROR, "Apple, PSP-1", "Choose the language that is spoken.")
def language_missing(channel: Channel) -> Iterator[str]:
    """The show says no language."""
    if not channel.language:
        yield "The feed does not say which language is spoken."


@on_channel("language-form", ERROR, "RSS, Apple", "Write a code such as en, en-us or zh-Hant.")
def language_form(channel: Channel) -> Iterator[str]:
    """The language is not an ISO 639 code with an optional region."""
    if channel.language and not _LANGUAGE.fullmatch(channel.language):
        yield f"{quoted(channel.language)} is not the code of a language."


@on_channel("artwork-missing", ERROR, "Apple, PSP-1", "Upload a square picture, 3000 pixels wide.")
def artwork_missing(channel: Channel) -> Iterator[str]:
    """The show has no itunes:image."""
    if not channel.artwork:
        yield "The show has no artwork (itunes:image)."


@on_channel("artwork-type", WARNING, "Apple", "Use JPEG or PNG, and let the address end in it.")
def artwork_type(channel: Channel) -> Iterator[str]:
    """The address of the artwork does not end in .jpg, .jpeg or .png."""
    if channel.artwork and extension(channel.artwork) not in {"jpg", "jpeg", "png"}:
        yield f"The artwork's address {quoted(channel.artwork)} does not end in .jpg or .png."


@on_channel("category-missing", ERROR, "Apple, PSP-1", "Choose a category of Apple's list.")
def category_missing(channel: Channel) -> Iterator[str]:
    """The show has no itunes:category."""
    if not channel.categories:
        yield "The show has no category (itunes:category)."


@on_channel("category-unknown", ERROR, "Apple", "Choose from Apple's list, capitals included.")
def category_unknown(channel: Channel) -> Iterator[str]:
    """A category is not in Apple's list, or not under that parent."""
    for row in channel.categories:
        pair = (row.name, row.child or None)
        if not categories.is_current(*pair) and not categories.is_retired(*pair):
            yield f"{quoted(_shown(row))} is not one of Apple's categories."


@on_channel("category-retired", WARNING, "Apple", "Choose one of the present list.")
def category_retired(channel: Channel) -> Iterator[str]:
    """A category was in Apple's list until 2019."""
    for row in channel.categories:
        if categories.is_retired(row.name, row.child or None):
            instead = categories.resolve(row.name, row.child or None)
            hint = f"; the nearest now is {quoted(instead)}" if instead else ""
            yield f"{quoted(_shown(row))} is a category no more{hint}."


def _shown(category: Category) -> str:
    return categories.join(category.name, category.child or None)


@on_channel("explicit-missing", ERROR, "Apple, PSP-1", "Say true or false.")
def explicit_missing(channel: Channel) -> Iterator[str]:
    """The show does not say whether it is explicit."""
    if channel.explicit is None:
        yield "The show does not say whether it is explicit (itunes:explicit)."


@on_channel("author-missing", WARNING, "Apple, PSP-1, Spotify", "Name who publishes the show.")
def author_missing(channel: Channel) -> Iterator[str]:
    """The show has no itunes:author."""
    if not channel.author:
        yield "The show names no author (itunes:author)."


@on_channel("self-missing", WARNING, "PSP-1, RSS", "Write the feed's own address into it.")
def self_missing(channel: Channel) -> Iterator[str]:
    """The feed has no atom:link rel="self"."""
    if not channel.self_url:
        yield 'The feed does not say its own address (atom:link rel="self").'


@on_channel("guid-missing", WARNING, "PSP-1, namespace", "Add podcast:guid and never change it.")
def guid_missing(channel: Channel) -> Iterator[str]:
    """The show has no podcast:guid."""
    if not channel.guid:
        yield "The show has no podcast:guid, by which it is known wherever it moves."


@on_channel("guid-form", ERROR, "namespace", "Use the UUID made from the feed's first address.")
def guid_form(channel: Channel) -> Iterator[str]:
    """The podcast:guid is not a UUID."""
    if channel.guid and not _UUID.fullmatch(channel.guid):
        yield f"The podcast:guid {quoted(channel.guid)} is not a UUID."


@on_channel("locked-missing", ADVICE, "PSP-1, namespace", "Add podcast:locked.")
def locked_missing(channel: Channel) -> Iterator[str]:
    """The feed does not say whether other hosts may import it."""
    if channel.locked is None:
        yield "The feed does not say whether other hosts may import it (podcast:locked)."


@on_channel("owner-email", WARNING, "RSS", "Give the address, or leave the owner out.")
def owner_email(channel: Channel) -> Iterator[str]:
    """The itunes:owner has no e-mail address, or not one."""
    if channel.owner and not _EMAIL.fullmatch(channel.owner.email):
        yield "The owner (itunes:owner) has no e-mail address."


@on_channel("owner-public", ADVICE, "Spotify, YouTube", "Leave it out once you are verified.")
def owner_public(channel: Channel) -> Iterator[str]:
    """An e-mail address is public, which some directories verify by and spammers read."""
    if channel.owner and channel.owner.email:
        yield "The owner's e-mail address is public; directories verify by it, spammers read it."


@on_channel("blocked", ADVICE, "Apple", "Remove itunes:block when the show shall be found.")
def blocked(channel: Channel) -> Iterator[str]:
    """The feed asks not to be listed."""
    if channel.block:
        yield "The feed asks Apple not to list the show (itunes:block)."


@on_channel("complete", ADVICE, "Apple", "Remove itunes:complete before the next episode.")
def complete(channel: Channel) -> Iterator[str]:
    """The feed says that no episode will follow."""
    if channel.complete:
        yield "The feed says that no episode will follow (itunes:complete); apps stop asking."


@on_channel("moved", WARNING, "Apple", "Read the feed at its new address.")
def moved(channel: Channel) -> Iterator[str]:
    """The feed names another address as its new one."""
    if channel.new_feed_url and channel.new_feed_url != channel.self_url:
        yield f"The feed says that it moved to {channel.new_feed_url}"


@on_channel("image-mismatch", WARNING, "RSS", "Repeat title and link of the show.")
def image_mismatch(channel: Channel) -> Iterator[str]:
    """Title or link of the RSS image differ from the show's."""
    image = channel.image
    if image and image.title != channel.title:
        yield f"The image's title {quoted(image.title)} is not the show's."
    if image and image.link != channel.link:
        yield f"The image's link {quoted(image.link)} is not the show's."


@on_channel("image-size", ERROR, "RSS", "Leave width and height out.")
def image_size(channel: Channel) -> Iterator[str]:
    """The RSS image says to be wider than 144 or higher than 400 pixels."""
    image = channel.image
    if image and ((image.width or 0) > 144 or (image.height or 0) > 400):
        yield "The image's width or height is beyond what RSS allows (144, 400)."


@on_channel("author-long", WARNING, "Apple, PSP-1", "Shorten it to 255 characters.")
def author_long(channel: Channel) -> Iterator[str]:
    """Author, subtitle, keywords or copyright have more than 255 characters."""
    for name in ("author", "subtitle", "keywords", "copyright"):
        if len(getattr(channel, name)) > 255:
            yield f"The show's {name} has {len(getattr(channel, name))} characters; 255 are most."


@on_channel("web-master-form", WARNING, "RSS", "Write mail@host (Real Name), or leave it out.")
def web_master_form(channel: Channel) -> Iterator[str]:
    """The managingEditor or webMaster is not an address followed by a name."""
    for name, text in (
        ("managingEditor", channel.managing_editor),
        ("webMaster", channel.web_master),
    ):
        if text and not re.fullmatch(r"[^@\s]{1,64}@[^@\s]{1,255} \(.{1,255}\)", text):
            yield f"{name} says {quoted(text)}."
