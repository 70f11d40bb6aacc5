"""So many requests a minute for each client, and a word on when to come back."""

import time
from ipaddress import ip_address

from django.core.cache import cache
from django.http import HttpRequest

WINDOW = 60


def seconds_to_wait(request: HttpRequest, name: str, per_minute: int) -> int:
    """0 when this request may go on; it is counted. Otherwise how long until the next may.

    Minutes are those of the clock. The client is REMOTE_ADDR, which the front has
    taken from X-Forwarded-For where a trusted proxy stands before it; an IPv6
    client is its /64, for one household has that many addresses. The count is in
    the cache: with the in-process one, each worker counts for itself.
    """
    if not per_minute:
        return 0
    now = time.time()
    key = f"throttle:{name}:{_client(request)}:{int(now // WINDOW)}"
    cache.add(key, 0, WINDOW + 5)
    try:
        count = cache.incr(key)
    except ValueError:  # forgotten between the two, as caches may
        return 0
    return 0 if count <= per_minute else max(1, round(WINDOW - now % WINDOW))


def _client(request: HttpRequest) -> str:
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return "unknown"
    if address.version == 6:
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else address.exploded[:19]
    return str(address)
