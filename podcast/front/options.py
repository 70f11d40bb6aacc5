"""What the site tells the front."""

from dataclasses import dataclass
from pathlib import Path

from podcast.front.peers import Networks


@dataclass(frozen=True, slots=True)
class Options:
    """What the front is told about the site; sizes in bytes.

    `hosts` are the exact Host values whose answers may be kept; others are
    served by the application, unkept, which refuses those it does not know.
    With `x_accel` an nginx before the front sends the files and spends the freshness.
    A request may carry `upload_limit` bytes below `upload_prefix` with a session
    cookie, and `body_limit` bytes elsewhere.
    """

    media_root: Path
    spool_directory: Path
    hosts: frozenset[bytes]
    session_cookie: bytes = b"sessionid"
    protected_prefix: str = "/_protected/"
    x_accel: bool = False
    upload_prefix: bytes = b"/admin/"
    upload_limit: int = 2 * 1024**3
    body_limit: int = 3 * 1024**2
    cache_bytes: int = 64 * 1024**2
    threads: int = 4
    trusted_proxies: Networks = ()
