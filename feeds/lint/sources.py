"""What `lint_feed` may be given: a show's slug, a file or an address; each becomes a ParsedFeed."""

from dataclasses import replace
from pathlib import Path

from django.utils import timezone

from episodes.findings import Unreadable
from episodes.models import Episode, Show
from feeds import rendering
from feeds.fetching import FetchError, fetch
from feeds.importing import ParsedFeed, parse


def read(name: str) -> ParsedFeed:
    """The feed that `name` means: an address, else an existing file, else a show.

    Raises Unreadable with the reason for an editor.
    """
    if "://" in name:
        return from_url(name)
    path = Path(name)
    if path.is_file():
        try:
            return parse(path.read_bytes())
        except OSError as error:
            raise Unreadable("file", f"The file cannot be read: {error.strerror}.") from None
    return from_show(name)


def from_url(url: str) -> ParsedFeed:
    try:
        answer = fetch(url)
    except FetchError as error:
        raise Unreadable("fetch", str(error)) from None
    if answer.status != 200:
        raise Unreadable("fetch", f"The server answered {answer.status} instead of a feed.")
    return parse(
        answer.body, base_url=answer.url, content_type=answer.headers.get("content-type", "")
    )


def from_show(slug: str) -> ParsedFeed:
    """The feed of a show as it would be served now, public or not, all its pages together."""
    now = timezone.now()
    show = Show.objects.with_edition(now).filter(slug=slug).first()
    if show is None:
        raise Unreadable(
            "no-such-feed",
            f"There is no show “{slug}” and no such file. Give a show's slug, a file or a URL.",
        )
    count = Episode.objects.public(now).filter(show=show).count()
    pages = max(1, -(-count // show.page_size))
    feeds = [
        parse(rendering.render_show_feed(show, now, page, pages)) for page in range(1, pages + 1)
    ]
    return replace(
        feeds[0],
        items=tuple(item for feed in feeds for item in feed.items),
        findings=tuple(finding for feed in feeds for finding in feed.findings),
    )
