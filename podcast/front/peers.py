"""Who is at the other end: the client's address, as far as a trusted proxy vouches for it."""

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

type Networks = tuple[IPv4Network | IPv6Network, ...]


def networks(names: Iterable[str]) -> Networks:
    """Addresses and CIDR networks as `ipaddress` reads them; raises ValueError."""
    return tuple(ip_network(name, strict=False) for name in names)


def client_address(peer: str, forwarded_for: str | None, trusted: Networks) -> str:
    """The address to hold responsible for a request that `peer` sent us.

    Proxies append to X-Forwarded-For, so it is read from the right, and only as
    far as each address it names is itself a trusted proxy. What a client wrote
    further left is never believed. Anything unreadable ends the walk.
    """
    address = peer
    hops = [hop.strip() for hop in (forwarded_for or "").split(",") if hop.strip()]
    while hops and _is_trusted(address, trusted):
        hop = hops.pop()
        try:
            address = str(ip_address(hop))
        except ValueError:
            break
    return address


def _is_trusted(address: str, trusted: Networks) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in trusted)
