"""The entries in memory, bounded by bytes, the least recently used leaving first."""

from collections import OrderedDict

from podcast.front.entry import Entry

# Scheme, host, path as sent, query as sent, and whether a browser opens it as a page.
type Key = tuple[str, bytes, bytes, bytes, bool]


def common(key: Key) -> Key:
    """The key of what everyone gets at this address, where pages get nothing of their own."""
    return (*key[:4], False) if key[4] else key


class Shelf:
    """One part of the store, with a budget of its own."""

    def __init__(self, budget: int):
        self.budget = budget
        self.entries: OrderedDict[Key, Entry] = OrderedDict()
        self.sizes: dict[Key, int] = {}
        self.used = 0

    def get(self, key: Key) -> Entry | None:
        entry = self.entries.get(key)
        if entry is not None:
            self.entries.move_to_end(key)
        return entry

    def put(self, key: Key, entry: Entry) -> None:
        """Keep `entry`, or weigh it again after a coding was added to it."""
        self.drop(key)
        size = entry.size
        if len(entry.body.plain) > self.budget // 2 or size > self.budget:
            return  # one body must not push out everything else
        self.entries[key] = entry
        self.sizes[key] = size
        self.used += size
        while self.used > self.budget:
            self.drop(next(iter(self.entries)))

    def drop(self, key: Key) -> None:
        if self.entries.pop(key, None) is not None:
            self.used -= self.sizes.pop(key)


class Store:
    """Two shelves, so that addresses anyone can invent never push out the site itself.

    Queries and missing pages come in endless variety; they share a quarter of
    the budget among themselves.
    """

    def __init__(self, budget: int):
        self.named = Shelf(budget - budget // 4)
        self.invented = Shelf(budget // 4)

    def get(self, key: Key) -> Entry | None:
        if key[4]:
            entry = self._at(common(key))
            if entry is not None and not entry.terms.varies:
                return entry
        return self._at(key)

    def _at(self, key: Key) -> Entry | None:
        if key[3]:
            return self.invented.get(key)
        return self.named.get(key) or self.invented.get(key)

    def put(self, key: Key, entry: Entry) -> None:
        if entry.terms.varies:
            self._drop_at(key)
        else:
            self.drop(key)  # a page of its own, kept from before, would outlive its address
            key = common(key)
        (self.invented if key[3] or entry.status != 200 else self.named).put(key, entry)

    def drop(self, key: Key) -> None:
        self._drop_at(common(key))
        self._drop_at((*key[:4], True))

    def _drop_at(self, key: Key) -> None:
        self.named.drop(key)
        self.invented.drop(key)

    @property
    def longest_body(self) -> int:
        """Bodies beyond this are never kept; a query's or a missing page's is cut sooner."""
        return self.named.budget // 2

    @property
    def used(self) -> int:
        return self.named.used + self.invented.used
