"""Rules for the Podcasting 2.0 namespace."""

import re
from collections.abc import Iterator

from feeds.lint.registry import (
    ADVICE,
    ERROR,
    WARNING,
    Place,
    on_both,
    on_channel,
    on_feed,
    on_item,
    where_of,
)
from feeds.lint.texts import quoted
from feeds.records import Channel, Item

MEDIUMS = {"podcast", "music", "video", "film", "audiobook", "newsletter", "blog", "course"}
TRANSCRIPTS = {
    "text/vtt", "text/html", "text/plain", "text/srt", "application/json", "application/srt",
    "application/x-subrip",
}  # fmt: skip
SOCIAL = {
    "disabled", "activitypub", "twitter", "lightning", "atproto", "hive", "matrix", "nostr",
}  # fmt: skip
CHATS = {"irc", "xmpp", "nostr", "matrix"}


@on_channel("medium-unknown", ERROR, "namespace", "Choose one of the list, usually podcast.")
def medium_unknown(channel: Channel) -> Iterator[str]:
    """The podcast:medium is not in the namespace's list."""
    known = MEDIUMS | {f"{medium}L" for medium in MEDIUMS} | {"publisher", "mixed"}
    if channel.medium and channel.medium not in known:
        yield f"{quoted(channel.medium)} is not a medium that apps know."


@on_item("transcript-missing", ADVICE, "Apple, PSP-1, namespace", "Upload a transcript.")
def transcript_missing(item: Item, channel: Channel) -> Iterator[str]:
    """An item has no transcript."""
    if item.enclosure and not item.transcripts:
        yield "The episode has no transcript, for those who cannot or would not listen."


@on_item("transcript-vtt", ADVICE, "Apple", "Add WebVTT, which has times and speakers.")
def transcript_vtt(item: Item, channel: Channel) -> Iterator[str]:
    """An item has transcripts, and none of them is WebVTT."""
    if item.transcripts and "text/vtt" not in {link.type for link in item.transcripts}:
        yield "None of the transcripts is WebVTT, which Apple and browsers prefer."


@on_item("transcript-type", ERROR, "namespace, Apple", "Say the type that the file is served with.")
def transcript_type(item: Item, channel: Channel) -> Iterator[str]:
    """A transcript says no type, or one that apps do not know."""
    for link in item.transcripts:
        if link.type.partition(";")[0].strip().lower() not in TRANSCRIPTS:
            yield f"The transcript {quoted(link.url)} is of type {quoted(link.type)}."


@on_item("chapters-type", ERROR, "namespace", "Write application/json+chapters.")
def chapters_type(item: Item, channel: Channel) -> Iterator[str]:
    """The podcast:chapters says no type, or one that apps do not know."""
    known = {"application/json+chapters", "application/json"}
    if item.chapters and item.chapters.type not in known:
        yield f"The chapters are of type {quoted(item.chapters.type)}."


@on_item("insecure-resource", ERROR, "namespace", "Serve it by https.")
def insecure_resource(item: Item, channel: Channel) -> Iterator[str]:
    """A transcript or chapters file is served by http, which apps and browsers refuse."""
    links = [link.url for link in item.transcripts]
    links += [item.chapters.url] if item.chapters else []
    for url in links:
        if url.startswith("http:"):
            yield f"{quoted(url)} is served by http; the namespace asks for https."
            return


@on_item("soundbite-outside", ERROR, "namespace", "Choose a stretch within the recording.")
def soundbite_outside(item: Item, channel: Channel) -> Iterator[str]:
    """A soundbite ends beyond the recording."""
    for bite in item.soundbites:
        if item.duration and bite.start_time + bite.duration > item.duration + 1:
            yield f"The soundbite at {bite.start_time:g} s ends beyond the {item.duration} s."


@on_item("soundbite-length", ADVICE, "namespace", "Choose 15 to 120 seconds.")
def soundbite_length(item: Item, channel: Channel) -> Iterator[str]:
    """A soundbite is shorter than 15 seconds or longer than 120."""
    for bite in item.soundbites:
        if not 15 <= bite.duration <= 120:
            yield f"The soundbite at {bite.start_time:g} s lasts {bite.duration:g} s."


@on_item("persons-without-host", WARNING, "namespace", "Repeat the hosts beside the guests.")
def persons_without_host(item: Item, channel: Channel) -> Iterator[str]:
    """An item names guests and no host, and so takes the show's hosts away."""
    if channel.persons and item.persons:
        roles = {(person.role or "host").lower() for person in item.persons}
        if roles == {"guest"}:
            yield "The episode names only guests; its persons replace the show's hosts in apps."


@on_item("alternate-incomplete", ERROR, "namespace", "Give a type and at least one source.")
def alternate_incomplete(item: Item, channel: Channel) -> Iterator[str]:
    """A podcast:alternateEnclosure lacks its type or has no source."""
    for row in item.alternate_enclosures:
        if not row.type or not row.sources:
            yield "An alternate enclosure lacks its type or its podcast:source."


@on_item("alternate-default", ERROR, "namespace", "Mark one, the same file as the enclosure.")
def alternate_default(item: Item, channel: Channel) -> Iterator[str]:
    """Two alternate enclosures say to be the default."""
    if sum(row.default for row in item.alternate_enclosures) > 1:
        yield "More than one alternate enclosure says to be the default."


@on_both("value-recipients", ERROR, "namespace", "Name at least one recipient and the method.")
def value_recipients(record: Channel | Item) -> Iterator[str]:
    """A podcast:value lacks type, method or recipients."""
    for value in record.values:
        if not value.type or not value.method or not value.recipients:
            yield "A value block lacks its type, method or recipients."


@on_both("social-incomplete", ERROR, "namespace", "Name the protocol and the root post.")
def social_incomplete(record: Channel | Item) -> Iterator[str]:
    """A podcast:socialInteract lacks its address, or names an unknown protocol."""
    for row in record.social_interacts:
        if row.protocol.lower() not in SOCIAL:
            yield f"{quoted(row.protocol)} is not a protocol for comments that apps know."
        elif not row.uri and row.protocol.lower() != "disabled":
            yield "The link to comments has no address (uri)."


@on_both("chat-incomplete", ERROR, "namespace", "Name server and protocol.")
def chat_incomplete(record: Channel | Item) -> Iterator[str]:
    """A podcast:chat lacks its server or names an unknown protocol."""
    chat = record.chat
    if chat and (not chat.server or chat.protocol.lower() not in CHATS):
        yield "The chat room lacks its server, or its protocol is not one that apps know."


@on_both("location-form", WARNING, "namespace", "Write geo:48.2,16.4, R113314 and AT.")
def location_form(record: Channel | Item) -> Iterator[str]:
    """The geo, osm or country of a podcast:location is not of the form it has."""
    forms = {"geo": r"geo:-?[\d.]+,-?[\d.]+.*", "osm": r"[NWR]\d+(#\d+)?", "country": r"[A-Z]{2}"}
    for row in record.locations:
        for name, form in forms.items():
            text = getattr(row, name)
            if text and not re.fullmatch(form, text, re.IGNORECASE):
                yield f"The location's {name} is {quoted(text)}."


@on_both("text-long", WARNING, "namespace", "Shorten it; aggregators cut it.")
def text_long(record: Channel | Item) -> Iterator[str]:
    """A text of the namespace is longer than its limit (32, 128 or 4,000 characters)."""
    texts = [("person", person.name, 128) for person in record.persons]
    texts += [("funding", row.text, 128) for row in record.funding]
    texts += [("location", row.name, 128) for row in record.locations]
    texts += [("txt", row.text, 4000) for row in record.text_records]
    texts += [("txt's purpose", row.purpose, 128) for row in record.text_records]
    if record.license:
        texts.append(("license", record.license.name, 128))
    if isinstance(record, Channel):
        texts += [("trailer", row.title, 128) for row in record.trailers]
        if record.update_frequency:
            texts.append(("updateFrequency", record.update_frequency.text, 128))
    else:
        texts += [("soundbite", row.title, 128) for row in record.soundbites]
        if record.podcast_season:
            texts.append(("season", record.podcast_season.name, 128))
        if record.podcast_episode:
            texts.append(("episode's display", record.podcast_episode.display, 32))
        texts += [("alternateEnclosure", row.title, 32) for row in record.alternate_enclosures]
    for name, text, limit in texts:
        if len(text) > limit:
            yield f"The podcast:{name} has {len(text)} characters; {limit} are the most."


@on_channel("trailer-incomplete", ERROR, "namespace", "Give the trailer a title and a date.")
def trailer_incomplete(channel: Channel) -> Iterator[str]:
    """A podcast:trailer lacks its title or date."""
    for row in channel.trailers:
        if not row.title or row.pubdate is None:
            yield f"The trailer {quoted(row.url)} lacks its title or its date."


@on_channel("remote-item-guid", ERROR, "namespace", "Give the podcast:guid of the other feed.")
def remote_item_guid(channel: Channel) -> Iterator[str]:
    """A podcast:remoteItem lacks its feedGuid."""
    rows = [*channel.podroll, *channel.remote_items]
    rows += [channel.publisher] if channel.publisher else []
    for row in rows:
        if not row.feed_guid:
            yield f"The remote item {quoted(row.feed_url)} has no feedGuid."


@on_channel("update-frequency-start", ERROR, "namespace", "Add dtstart, or take COUNT out.")
def update_frequency_start(channel: Channel) -> Iterator[str]:
    """A podcast:updateFrequency counts and does not say from when."""
    frequency = channel.update_frequency
    if frequency and "COUNT=" in frequency.rrule.upper() and frequency.dtstart is None:
        yield "The rhythm counts episodes (COUNT) and does not say from when (dtstart)."


@on_feed("live-item-incomplete", ERROR, "namespace", "Give it a guid and a podcast:contentLink.")
def live_item_incomplete(channel: Channel, items: tuple[Item, ...]) -> Iterator[Place]:
    """A live item lacks its guid or contentLink, or ends before it begins."""
    for live in channel.live_items:
        if not live.item.guid or not live.item.content_links:
            yield where_of(live.item), "The live item lacks its guid or a podcast:contentLink."
        if live.end and live.end <= live.start:
            yield where_of(live.item), "The live item ends before it begins."


@on_feed("transcript-language", ADVICE, "namespace", "Name the language of every transcript.")
def transcript_language(channel: Channel, items: tuple[Item, ...]) -> Iterator[Place]:
    """An item has transcripts with and without a language."""
    for item in items:
        named = {bool(link.language) for link in item.transcripts}
        if len(named) == 2:
            yield where_of(item), "Some transcripts name their language and some do not."
