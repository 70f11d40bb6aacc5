"""A whole feed: from an address, a file or bytes, with the older pages it points at (RFC 5005)."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from episodes.findings import Finding, Unreadable, warning
from feeds.fetching import Fetched, FetchError
from feeds.importing import ParsedFeed, parse
from feeds.importing.feed import MOST_ITEMS
from feeds.moving_in.downloads import Busy, Downloader

#: Documents that one feed may consist of.
MOST_PAGES = 200


@dataclass(frozen=True, slots=True)
class Source:
    """`name` is an address or a file's path; `data`, when given, is what stands there.

    With `must_be_address` no file of this machine is read, whatever the name looks like.
    """

    name: str
    data: bytes = b""
    must_be_address: bool = False

    @property
    def is_address(self) -> bool:
        return self.must_be_address or (not self.data and "://" in self.name)

    @property
    def digest(self) -> str:
        """The same for the same feed."""
        return hashlib.sha256(self.name.encode() + self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class WholeFeed:
    """`url` is where the feed lives: after redirects, or what a file says of itself, or ""."""

    url: str
    feed: ParsedFeed
    findings: tuple[Finding, ...] = ()


def read(source: Source, downloader: Downloader) -> WholeFeed:
    """Raises Unreadable with a sentence for the editor."""
    if source.is_address:
        answer = fetched(source.name, downloader)
        url = answer.url
        first = parse(answer.body, base_url=url, content_type=content_type(answer))
    else:
        first = parse(source.data or file_bytes(source.name))
        url = first.channel.self_url
    findings: list[Finding] = []
    items = list(first.items)
    seen = {item for item in items if item.guid}
    for page in older_pages(url, first, downloader, findings):
        # What moved from one page to the next while we read is there twice, and the same.
        items += [item for item in page.items if item not in seen]
        seen.update(item for item in page.items if item.guid)
        if len(items) > MOST_ITEMS:
            findings.append(warning("pages", f"Only {MOST_ITEMS:,} items are taken."))
            del items[MOST_ITEMS:]
            break
    return WholeFeed(url, replace(first, items=tuple(items)), tuple(findings))


def older_pages(
    url: str, first: ParsedFeed, downloader: Downloader, findings: list[Finding]
) -> Iterator[ParsedFeed]:
    """The documents after `first`, by `next`, else by `prev-archive`; each once."""
    seen, page = {url, first.channel.self_url}, first
    while True:
        pages = page.channel.pages
        following = pages.next or pages.prev_archive
        if not following or following in seen:
            return
        if len(seen) > MOST_PAGES:
            findings.append(warning("pages", f"The feed has more than {MOST_PAGES} pages."))
            return
        seen.add(following)
        try:
            answer = fetched(following, downloader)
            page = parse(answer.body, base_url=answer.url, content_type=content_type(answer))
        except Unreadable as refusal:
            findings.append(
                warning("pages", f"An older page, {following}, is missing: {refusal.message}")
            )
            return
        yield page


def document(source: Source, downloader: Downloader) -> bytes:
    """What stands at the source, whatever it is. Raises Unreadable."""
    if source.is_address:
        return fetched(source.name, downloader).body
    return source.data or file_bytes(source.name)


def fetched(url: str, downloader: Downloader) -> Fetched:
    try:
        answer = downloader.feed(url)
    except Busy as busy:
        raise Unreadable("fetch", str(busy)) from None
    except FetchError as error:
        raise Unreadable("fetch", str(error)) from None
    if answer.status in {401, 403}:
        raise Unreadable(
            "password",
            f"The server asks for a name and password ({answer.status}). Give those of the feed.",
        )
    if answer.status != 200:
        raise Unreadable("fetch", f"The server answered {answer.status} instead of a feed.")
    return answer


def content_type(answer: Fetched) -> str:
    return answer.headers.get("content-type", "")


def file_bytes(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise Unreadable("file", f"{name} cannot be read: {error.strerror}.") from None
