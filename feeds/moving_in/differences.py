"""What a second run may touch: a value that nobody changed here since the last import.

For every value of a show or episode a digest of what the last import wrote is kept. A value that
still has it is the feed's; one that has not was edited here, and stays.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field


def digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(slots=True)
class Differences:
    """`write`: names to be taken from the feed. `keep`: changed there, but edited here."""

    write: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)


def compare(
    incoming: Mapping[str, object], current: Mapping[str, object], before: Mapping[str, str]
) -> Differences:
    """Both mappings have the same names; `before` are the digests of the last import, or empty.

    A difference is told once: a value that is kept counts as seen.
    """
    found = Differences(digests=dict(before))
    for name, value in incoming.items():
        new, here, last = digest(value), digest(current[name]), before.get(name)
        if new == here:
            found.digests[name] = new
            continue
        if here == last or (last is None and not current[name]):
            found.write.append(name)
        elif new != last:
            found.keep.append(name)
        found.digests[name] = new
    return found
