"""OPML 2.0 (opml.org/spec2.opml): lists of feeds, out."""

from collections.abc import Iterable
from datetime import datetime
from email.utils import format_datetime
from xml.sax.saxutils import escape, quoteattr

from episodes.links import absolute
from episodes.models import Show
from episodes.notes import clean_text


def shows_opml(title: str, modified: datetime, shows: Iterable[Show]) -> bytes:
    """One outline a show: its title, feed, page, description and language."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<opml version="2.0">',
        "<head>",
        f"<title>{escape(clean_text(title))}</title>",
        f"<dateModified>{format_datetime(modified.replace(microsecond=0))}</dateModified>",
        "<docs>http://opml.org/spec2.opml</docs>",
        "</head>",
        "<body>",
    ]
    for show in shows:
        attributes = {
            "type": "rss",
            "version": "RSS2",
            "text": show.title,
            "title": show.title,
            "description": " ".join(show.description.split()),
            "language": show.language,
            "htmlUrl": absolute(show.get_absolute_url()),
            "xmlUrl": show.new_feed_url or absolute(show.get_feed_path()),
        }
        pairs = " ".join(f"{k}={quoteattr(clean_text(v))}" for k, v in attributes.items())
        lines.append(f"<outline {pairs}/>")
    return "\n".join([*lines, "</body>", "</opml>", ""]).encode()
