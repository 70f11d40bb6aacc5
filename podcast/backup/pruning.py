"""Let old backups go, and the files that none of those left refers to."""

from dataclasses import dataclass

from podcast.backup.alone import alone
from podcast.backup.places import Place, manifest_of


@dataclass(slots=True)
class Pruned:
    backups: int = 0
    files: int = 0
    bytes: int = 0


def prune(place: Place, keep: int) -> Pruned:
    """Keep the newest `keep` (at least 1). Raises Damaged, before any file is removed, when a
    backup that stays cannot say what it needs."""
    with alone():
        pruned = Pruned()
        names = place.names()
        needed = {file.sha256 for name in names[-keep:] for file in manifest_of(place, name).media}
        for name in names[:-keep]:
            place.remove(name)
            pruned.backups += 1
        for sha256, size in place.files().items():
            if sha256 not in needed:
                place.remove_file(sha256)
                pruned.files += 1
                pruned.bytes += size
        return pruned
