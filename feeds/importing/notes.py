"""What the reader noticed: every code it can give, with its level and its words."""

from collections import Counter
from dataclasses import dataclass, field

from episodes.findings import Finding, Level

#: A feed with the same mistake in ten thousand items needs no ten thousand lines.
MOST_OF_A_KIND = 200

E, W, A = Level.ERROR, Level.WARNING, Level.ADVICE

#: code: (level, words). `{}` is filled with the value that was found.
CODES: dict[str, tuple[Level, str]] = {
    "read-not-well-formed": (
        E,
        "The document is not well-formed XML ({}); many readers stop there. It was mended.",
    ),
    "read-before-declaration": (
        E,
        "Something stands before the XML declaration; strict readers stop there. It was skipped.",
    ),
    "read-encoding": (
        E,
        "The document says it is {}, and its bytes are not. They were read as windows-1252.",
    ),
    "read-doctype": (W, "The document has a DOCTYPE, which feeds do not need. It was ignored."),
    "read-undeclared-prefix": (
        E,
        "The prefix {} is used and never declared: every element with it is lost to most readers.",
    ),
    "read-namespace": (
        W,
        "The namespace “{}” is not spelled as its owner spells it; some readers ignore all of it.",
    ),
    "read-truncated": (E, "The document ends in the middle. The last item may be incomplete."),
    "read-duplicate": (W, "There is more than one <{}>; the first was taken."),
    "read-date": (E, "“{}” is not a date in the form of RFC 2822."),
    "read-date-form": (
        W,
        "The date “{}” has a wrong weekday, or is not quite of RFC 2822; it was understood.",
    ),
    "read-duration": (E, "“{}” is not a duration. Write seconds."),
    "read-number": (E, "<{}> is not a whole number above zero."),
    "read-value": (E, "<{}> is not one of the values it may have."),
    "read-explicit-form": (W, "itunes:explicit says “{}”; only true and false are understood."),
    "read-url": (E, "“{}” is not an absolute web address; it was left out."),
    "read-url-relative": (W, "The address “{}” is not absolute; it was completed."),
    "read-incomplete": (E, "<{}> lacks an attribute or text that it must have; it was left out."),
    "read-enclosure-length": (W, "The enclosure's length “{}” is not a number of bytes."),
    "read-enclosures": (W, "The item has {} enclosures; apps take one. The first audio was taken."),
    "read-enclosure-media": (W, "The item has no enclosure; its media:content was taken."),
    "read-image-attribute": (E, "itunes:image has no href; what stands elsewhere was taken."),
    "read-active": (W, "<{}> would act in a browser; it was left out."),
    "read-too-much": (W, "There are more unknown elements than are kept; the rest was left out."),
}


@dataclass
class Notes:
    """Collects findings while one feed is read; `where` is what is being read."""

    where: str = "channel"
    base: str = ""
    found: list[Finding] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    _kinds: Counter[str] = field(default_factory=Counter)

    def add(self, code: str, value: object = "") -> None:
        self._kinds[code] += 1
        if self._kinds[code] <= MOST_OF_A_KIND:
            level, words = CODES[code]
            shown = str(value)
            shown = shown if len(shown) <= 120 else shown[:119] + "…"
            self.found.append(Finding(level, code, words.format(shown), self.where))
