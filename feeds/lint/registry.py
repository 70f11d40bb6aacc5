"""Rules and their register, filled when the modules of rules are imported."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from episodes.findings import Finding, Level
from feeds.importing.notes import CODES
from feeds.records import Channel, Item

type Place = tuple[str, str]  # where, message
type Check = Callable[[Channel, tuple[Item, ...]], Iterator[Place]]

CHANNEL = "channel"

ERROR, WARNING, ADVICE = Level.ERROR, Level.WARNING, Level.ADVICE

_ORDER = [ERROR, WARNING, ADVICE]


@dataclass(frozen=True, slots=True)
class LintFinding(Finding):
    """A finding with `who` minds and `mend`, the way out; `where` is "channel" or a guid."""

    who: str = ""
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """`says` is what the rule looks for, `check` gives a place and a message for each hit."""

    code: str
    level: Level
    who: str
    says: str
    mend: str
    check: Check


#: By code. A code keeps its meaning for ever.
RULES: dict[str, Rule] = {}


def lint(
    channel: Channel, items: Iterable[Item], findings: Iterable[Finding] = ()
) -> tuple[LintFinding, ...]:
    """What the rules find, errors first; `findings` of the reader are put among them."""
    items = tuple(items)
    found = [
        LintFinding(row.level, row.code, row.message, row.where, _reader(row.code), "")
        for row in findings
    ]
    for rule in RULES.values():
        found += [
            LintFinding(rule.level, rule.code, message, where, rule.who, rule.mend)
            for where, message in rule.check(channel, items)
        ]
    return tuple(sorted(found, key=lambda row: _ORDER.index(row.level)))


def where_of(item: Item) -> str:
    """How a finding names an item."""
    return item.guid or item.title or (item.enclosure.url if item.enclosure else "") or "an item"


def on_feed(code: str, level: Level, who: str, mend: str):
    """A rule over the whole feed; its function yields places and messages."""

    def register(check: Check) -> Check:
        if code in RULES or code in CODES:
            raise ValueError(f"There are two rules called {code}")
        says = (check.__doc__ or "").strip().partition("\n")[0]
        RULES[code] = Rule(code, level, who, says, mend, check)
        return check

    return register


def on_channel(code: str, level: Level, who: str, mend: str):
    """A rule over the channel alone; its function yields messages."""

    def register(check: Callable[[Channel], Iterator[str]]):
        def over(channel: Channel, items: tuple[Item, ...]) -> Iterator[Place]:
            for message in check(channel):
                yield CHANNEL, message

        over.__doc__ = check.__doc__
        on_feed(code, level, who, mend)(over)
        return check

    return register


def on_item(code: str, level: Level, who: str, mend: str):
    """A rule over one item at a time; its function takes item and channel, yields messages."""

    def register(check: Callable[[Item, Channel], Iterator[str]]):
        def over(channel: Channel, items: tuple[Item, ...]) -> Iterator[Place]:
            for item in items:
                for message in check(item, channel):
                    yield where_of(item), message

        over.__doc__ = check.__doc__
        on_feed(code, level, who, mend)(over)
        return check

    return register


def on_both(code: str, level: Level, who: str, mend: str):
    """A rule over what channel, items and live items have in common; it yields messages."""

    def register(check: Callable[[Channel | Item], Iterator[str]]):
        def over(channel: Channel, items: tuple[Item, ...]) -> Iterator[Place]:
            for message in check(channel):
                yield CHANNEL, message
            for item in (*items, *(live.item for live in channel.live_items)):
                for message in check(item):
                    yield where_of(item), message

        over.__doc__ = check.__doc__
        on_feed(code, level, who, mend)(over)
        return check

    return register


def _reader(code: str) -> str:
    return "XML" if code in _XML_CODES else "RSS"


_XML_CODES = {
    "read-not-well-formed",
    "read-before-declaration",
    "read-encoding",
    "read-doctype",
    "read-undeclared-prefix",
    "read-namespace",
    "read-truncated",
}
