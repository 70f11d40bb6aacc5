"""Podping: telling all who listen that a feed has changed, through a gateway to the network.

The network's own writing side is a block chain with accounts of its own; the gateway takes a plain
request from whoever has its token, which is all a publisher needs.
"""

from urllib.parse import urlencode

from feeds.fetching import FetchError, Limits, opened

LIMITS = Limits(max_bytes=64 * 1024, seconds=10)


def podping(gateway: str, token: str, feed_url: str, medium: str = "podcast") -> None:
    """Say that `feed_url` changed. Raises FetchError when the gateway does not take it."""
    asked = f"{gateway}?{urlencode({'url': feed_url, 'reason': 'update', 'medium': medium})}"
    own = {"Authorization": token}
    with opened(asked, headers=own, redirects=0, limits=LIMITS) as (head, chunks):
        if not 200 <= head.status < 300:
            words = b"".join(chunks)[:200].decode("utf-8", "replace").strip()
            raise FetchError(f"The gateway answered {head.status}: {words}")
