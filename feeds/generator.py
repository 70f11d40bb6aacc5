"""Channel and items to the bytes of an RSS 2.0 podcast feed. It sees records, never a model.

A feed is a head, one fragment for each item, and a tail. Fragments do not depend on the document
they stand in, so they can be stored and joined: `write(channel, items)` gives the same bytes as
`join_feed(render_channel_head(channel), map(render_item, items))`.
"""

import io
import re
from collections.abc import Callable, Iterable

from django.utils.feedgenerator import Rss201rev2Feed, Stylesheet

from feeds.namespaces import DECLARED
from feeds.records import Channel, Item
from feeds.text import scrubbed
from feeds.writing import channel as channel_writing
from feeds.writing import item as item_writing

TAIL = b"</channel></rss>"

#: What a browser shows of a feed is laid out by this; see static/feed.css for why it is CSS.
STYLESHEET = "feed.css"

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_ROOT = (
    '<rss version="2.0"'
    + "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in DECLARED.items())
    + "><channel>"
)


def write(
    channel: Channel, items: Iterable[Item], stylesheets: Iterable[Stylesheet | str] = ()
) -> bytes:
    """The whole document, UTF-8. The same records always give the same bytes."""
    return join_feed(render_channel_head(channel, stylesheets), map(render_item, items))


def render_channel_head(channel: Channel, stylesheets: Iterable[Stylesheet | str] = ()) -> bytes:
    """From the XML declaration to the last element before the first item."""
    instructions = "".join(
        f"<?xml-stylesheet {sheet if isinstance(sheet, Stylesheet) else Stylesheet(sheet)}?>\n"
        for sheet in stylesheets
    )
    inside = _clean_bytes(channel, channel_writing.children)
    return (_DECLARATION + instructions + _ROOT).encode("ascii") + inside


def render_item(item: Item) -> bytes:
    """One `<item>` with its end tag and a line break, UTF-8."""
    return b"<item>%b</item>\n" % _clean_bytes(item, item_writing.children)


def join_feed(head: bytes, fragments: Iterable[bytes]) -> bytes:
    """The document from a head and the fragments of its items, newest first."""
    document = io.BytesIO()  # grows in place, where join() would first collect every fragment
    document.write(head)
    document.writelines(fragments)
    document.write(TAIL)
    return document.getvalue()


class PodcastFeed(Rss201rev2Feed):
    """The same for `django.contrib.syndication`, which passes records through its extra kwargs.

    `feed_extra_kwargs` gives `channel`, a Channel; `item_extra_kwargs` gives `record`, an Item, or
    `fragment`, bytes that `render_item` made before. What the framework's other arguments say is
    not written: two sources for one element would end in two elements.
    """

    def __init__(self, *args, channel: Channel, **kwargs):
        super().__init__(*args, **kwargs)
        self.channel = channel

    def add_item(self, *args, record: Item | None = None, fragment: bytes | None = None, **kwargs):
        if record is None and fragment is None:
            raise TypeError("add_item() needs the item as a record, or as a rendered fragment")
        super().add_item(*args, record=record, fragment=fragment, **kwargs)

    def latest_post_date(self):
        return self.channel.last_build_date or super().latest_post_date()

    def write(self, outfile, encoding):
        """Into a binary or text file object. RSS of ours is always UTF-8 (PSP-1, Apple)."""
        if encoding.lower().replace("-", "") != "utf8":
            raise ValueError(f"Podcast feeds are UTF-8, not {encoding}")
        fragments = (
            render_item(item["record"]) if item["fragment"] is None else item["fragment"]
            for item in self.items
        )
        head = render_channel_head(self.channel, self.feed["stylesheets"] or ())
        document = join_feed(head, fragments)
        outfile.write(document.decode() if isinstance(outfile, io.TextIOBase) else document)


# Characters
#
# Looking at every text costs more than writing it. So a record is written as it is, the bytes are
# looked at once, and only a record with something to remove is scrubbed and written again.

_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n")
_C1 = re.compile(rb"\xc2[\x80-\x9f]")
_SPECIALS = re.compile(rb"\xef\xbf[\xbd-\xbf]")


def _clean_bytes[Record: (Channel, Item)](record: Record, render: Callable[[Record], str]) -> bytes:
    try:
        data = render(record).encode()
        clean = _is_clean(data)
    except UnicodeEncodeError:  # a lone surrogate
        clean = False
    if clean:
        return data
    return render(scrubbed(record)).encode()


def _is_clean(data: bytes) -> bool:
    return (
        len(data.translate(None, _CONTROLS)) == len(data)
        and not _C1.search(data)
        and not _SPECIALS.search(data)
    )
