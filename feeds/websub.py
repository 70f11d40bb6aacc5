"""WebSub (W3C): telling a hub that a feed has a new edition."""

from feeds.fetching import FetchError, Limits, opened

#: A hub that does not answer soon is asked again later.
LIMITS = Limits(max_bytes=64 * 1024, seconds=10)


def ping(hub: str, feed_url: str) -> None:
    """Announce `feed_url` to `hub`. Raises FetchError when the hub does not accept it.

    The form fields are the habit of the public hubs; the standard leaves
    publishing open.
    """
    form = {"hub.mode": "publish", "hub.url": feed_url}
    with opened(hub, method="POST", data=form, limits=LIMITS) as (head, chunks):
        if not 200 <= head.status < 300:
            words = b"".join(chunks)[:200].decode("utf-8", "replace").strip()
            raise FetchError(f"The hub answered {head.status}: {words}")
