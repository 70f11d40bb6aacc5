"""Which addresses are on the public internet."""

import ipaddress

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE = ipaddress.ip_network("::/96")
_ISATAP = 0x00005EFE  # RFC 5214: the interface's half ends in an IPv4 address
_INWARD = [
    ipaddress.ip_network(network)
    for network in (
        "168.63.129.16/32",  # a host's own services in Azure, at an address that looks public
        "192.88.99.0/24",  # relays of 6to4, RFC 7526
        "2001:20::/28",  # identifiers that are no addresses, RFC 7343
        "3fff::/20",  # documentation, RFC 9637
    )
]


def is_public(address: str) -> bool:
    """Whether an IP address is one on the public internet.

    Stricter than `ipaddress.is_global`, which says yes to multicast and to
    IPv6 forms that carry an IPv4 address (mapped, compatible, 6to4, NAT64).
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and (ip in _NAT64 or ip in _COMPATIBLE):
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None or int(ip) >> 32 & 0xFDFFFFFF == _ISATAP:
            # A tunnel to our own network is our own network; a tunnel elsewhere is nobody's need.
            return False
        if ip.is_site_local:
            return False
    if any(ip in network for network in _INWARD):
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)
