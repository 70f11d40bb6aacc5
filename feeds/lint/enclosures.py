"""Rules for enclosures: Apple decides by the extension, apps by the type."""

import re
from collections.abc import Iterator

from feeds.addresses import extension
from feeds.lint.registry import ADVICE, ERROR, WARNING, on_item
from feeds.lint.texts import quoted
from feeds.records import Channel, Item

#: What each extension may be called. The first name is the one to write.
TYPES = {
    "mp3": ("audio/mpeg", "audio/mp3", "audio/mpeg3", "audio/x-mpeg"),
    "m4a": ("audio/x-m4a", "audio/m4a", "audio/mp4"),
    "mp4": ("video/mp4", "audio/mp4"),
    "m4v": ("video/x-m4v", "video/m4v", "video/mp4"),
    "mov": ("video/quicktime",),
    "pdf": ("application/pdf",),
    "aac": ("audio/aac", "audio/aacp"),
    "ogg": ("audio/ogg", "application/ogg", "video/ogg", "audio/opus"),
    "oga": ("audio/ogg", "application/ogg"),
    "opus": ("audio/ogg", "audio/opus"),
    "flac": ("audio/flac", "audio/x-flac"),
    "wav": ("audio/wav", "audio/x-wav", "audio/wave"),
    "webm": ("audio/webm", "video/webm"),
    "m3u8": ("application/x-mpegurl", "application/vnd.apple.mpegurl"),
}
#: What Apple's list for RSS holds.
_APPLE = {"mp3", "m4a", "mp4", "m4v", "mov", "pdf"}
_PREFIX = re.compile(r"(?:/|,)(?:https?:/{0,2})?(?=[\w-]+(?:\.[\w-]+)*\.[a-z]{2,10}/)", re.I)


@on_item("enclosure-missing", ERROR, "Apple, PSP-1, Spotify", "Attach the recording.")
def missing(item: Item, channel: Channel) -> Iterator[str]:
    """An item has no enclosure that could be read."""
    if item.enclosure is None:
        yield "The episode has no enclosure; apps show nothing to play."


@on_item("enclosure-length", ERROR, "RSS, Apple, Spotify", "Say how many bytes the file has.")
def length(item: Item, channel: Channel) -> Iterator[str]:
    """An enclosure does not say its length, or says 0."""
    if item.enclosure and not item.enclosure.length and extension(item.enclosure.url) != "m3u8":
        yield "The enclosure does not say how many bytes it has."


@on_item("enclosure-type", ERROR, "RSS, Apple, Spotify", "Say the file's media type.")
def media_type(item: Item, channel: Channel) -> Iterator[str]:
    """An enclosure does not say its type, or not one of a form that exists."""
    if item.enclosure and not re.fullmatch(r"[\w.+-]+/[\w.+-]+(?:;.*)?", item.enclosure.type):
        yield f"The enclosure's type is {quoted(item.enclosure.type)}."


@on_item("enclosure-type-mismatch", ERROR, "Apple", "Let type and extension say the same.")
def mismatch(item: Item, channel: Channel) -> Iterator[str]:
    """An enclosure's type contradicts its extension."""
    if not item.enclosure or not item.enclosure.type:
        return
    names = TYPES.get(extension(item.enclosure.url))
    if names and item.enclosure.type.partition(";")[0].strip().lower() not in names:
        yield (
            f"The enclosure ends in .{extension(item.enclosure.url)} and says to be "
            f"{item.enclosure.type}; write {names[0]}."
        )


@on_item("enclosure-extension", WARNING, "Apple", "Let the path end in the file's extension.")
def no_extension(item: Item, channel: Channel) -> Iterator[str]:
    """An enclosure's path does not end in an extension that is known."""
    if item.enclosure and extension(item.enclosure.url) not in TYPES:
        yield f"The enclosure's address {quoted(item.enclosure.url)} ends in no known extension."


@on_item("enclosure-format", WARNING, "Apple", "Publish MP3; other formats fit beside it.")
def audio_format(item: Item, channel: Channel) -> Iterator[str]:
    """An enclosure is of a format that Apple does not list."""
    kind = extension(item.enclosure.url) if item.enclosure else ""
    if kind in TYPES and kind not in _APPLE | {"m3u8"}:
        yield f"The enclosure is .{kind}, which Apple does not list."


@on_item("enclosure-playlist", ERROR, "Apple", "Move it to podcast:alternateEnclosure.")
def playlist(item: Item, channel: Channel) -> Iterator[str]:
    """An enclosure is a playlist (.m3u8)."""
    if item.enclosure and extension(item.enclosure.url) == "m3u8":
        yield "The enclosure is a playlist; apps want a file."


@on_item("enclosure-insecure", ADVICE, "Apple", "Serve recordings by https.")
def insecure(item: Item, channel: Channel) -> Iterator[str]:
    """An enclosure is served by http."""
    if item.enclosure and item.enclosure.url.startswith("http:"):
        yield "The enclosure is served by http; some apps and networks refuse it."


@on_item("enclosure-prefixes", WARNING, "apps", "Keep one analytics prefix at most.")
def prefixes(item: Item, channel: Channel) -> Iterator[str]:
    """An enclosure's address passes through three hosts or more."""
    if not item.enclosure:
        return
    path = item.enclosure.url.partition("://")[2]
    if len(_PREFIX.findall(path)) >= 2:
        yield f"The enclosure {quoted(item.enclosure.url, 100)} passes through many hosts."
