"""An old host on loopback: a feed with its audio, artwork, transcripts and chapters."""

import json
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from xml.sax.saxutils import escape

from tests.conftest import CORPUS
from tests.server import serving

SOUND = (CORPUS / "audio/mono-48khz.mp3").read_bytes()
VTT = b"WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ada>Hello there.\n\n00:02.000 --> 00:04.000\nBye.\n"
SRT = b"1\n00:00:00,000 --> 00:00:02,000\nHello from SubRip.\n"
CHAPTERS = json.dumps(
    {
        "version": "1.2.0",
        "chapters": [{"startTime": 0, "title": "In"}, {"startTime": 2, "title": "Out"}],
    }
).encode()
START = datetime(2024, 1, 1, 6, tzinfo=UTC)


def sound(number: int) -> bytes:
    """A recording no other number has: the same sound behind another ID3v1 tag."""
    return SOUND + b"TAG" + f"take {number}".encode().ljust(124, b"\0") + b"\xff"


def cover() -> bytes:
    from episodes import artwork

    return artwork.placeholder("Harbour Line", seed="old")


class OldHost:
    """What it answers is in `files`: path → (body, media type); `seen` are the paths asked for."""

    def __init__(self, episodes: int = 3, extra: str = "", head: str = ""):
        self.base = ""
        self.number = episodes
        self.extra, self.head = extra, head
        self.files: dict[str, tuple[bytes, str]] = {}
        self.titles: dict[int, str] = {}
        self.status: dict[str, list[int]] = {}  # answers given first, one after the other
        self.headers: dict[str, dict[str, str]] = {}
        self.password: str | None = None
        self.ranges: list[tuple[str, str]] = []

    def item(self, number: int) -> str:
        title = self.titles.get(number, f"Episode {number}")
        date = format_datetime(START + timedelta(days=number))
        return (
            f"<item><title>{escape(title)}</title><guid isPermaLink='false'>old-{number}</guid>"
            f"<pubDate>{date}</pubDate><description>&lt;p&gt;All &lt;b&gt;about&lt;/b&gt; "
            f"{number}.&lt;/p&gt;</description>"
            f"<enclosure url='{self.base}/{number}.mp3' length='{len(sound(number))}' "
            f"type='audio/mpeg'/>{self.extra.replace('BASE', self.base)}</item>"
        )

    def feed(self, numbers=None, head: str = "") -> bytes:
        numbers = numbers or range(self.number, 0, -1)
        return (
            '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
            ' xmlns:podcast="https://podcastindex.org/namespace/1.0"'
            ' xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Harbour Line</title>'
            "<description>Briefings.</description><language>en</language>"
            f"{self.head.replace('BASE', self.base)}{head}"
            f"{''.join(map(self.item, numbers))}</channel></rss>"
        ).encode()

    def answer(self, handler) -> None:
        path = handler.path.partition("?")[0]
        waiting = self.status.get(path)
        if waiting:
            handler.reply(waiting.pop(0), b"", **self.headers.get(path, {}))
            return
        if self.password is not None and handler.headers.get("Authorization") != self.password:
            handler.reply(401, b"")
            return
        if path == "/feed.xml" and path not in self.files:
            handler.reply(200, self.feed(), Content_Type="application/rss+xml")
        elif path in self.files:
            body, kind = self.files[path]
            self.send(handler, path, body, kind)
        elif path.endswith(".mp3") and path[1:-4].isdigit():
            self.send(handler, path, sound(int(path[1:-4])), "audio/mpeg")
        else:
            handler.reply(404, b"")

    def send(self, handler, path, body, kind) -> None:
        asked = handler.headers.get("Range", "")
        self.ranges.append((path, asked))
        tag = f'"{len(body)}"'
        if asked and handler.headers.get("If-Range") == tag:
            start = int(asked.removeprefix("bytes=").partition("-")[0])
            piece = body[start:]
            place = f"bytes {start}-{len(body) - 1}/{len(body)}"
            handler.reply(206, piece, Content_Range=place, ETag=tag, Content_Type=kind)
        else:
            handler.reply(200, body, ETag=tag, Content_Type=kind)

    @contextmanager
    def running(self):
        with serving(self.answer) as (base, seen):
            self.base, self.requests = base, seen
            yield self

    @property
    def url(self) -> str:
        return f"{self.base}/feed.xml"

    def asked(self, path: str) -> int:
        return sum(one[1] == path for one in self.requests)
