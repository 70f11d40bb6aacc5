"""What an import did, and what it could not do: the same record for command, desk and tests."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    SKIPPED = "skipped"  # the item is not here
    INCOMPLETE = "incomplete"  # it is here, and something of it is missing; run again
    KEPT = "kept"  # changed there and here: ours was left alone
    NOTE = "note"  # it is here, a little different from how it was there


@dataclass(frozen=True, slots=True)
class Problem:
    """`where` names the item, by its GUID or title; "show" is the show itself."""

    kind: Kind
    where: str
    message: str


@dataclass(slots=True)
class ImportReport:
    """Counts are of items; `gone` are episodes here that the feed no longer has."""

    feed: str = ""
    title: str = ""
    slug: str = ""
    dry_run: bool = False
    total: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: int = 0
    gone: int = 0
    show_changes: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)  # what a dry run would do
    problems: list[Problem] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)  # elements, see docs/feeds.md
    findings: int = 0  # oddities of the feed itself; lint_feed tells them
    refused: str = ""  # why nothing could be read

    def add(self, kind: Kind, where: str, message: str) -> None:
        if kind is Kind.SKIPPED:
            self.skipped += 1
        self.problems.append(Problem(kind, where, message))

    @property
    def exit_code(self) -> int:
        """0 when all went in, 1 when something was skipped or is incomplete, 2 when nothing was."""
        if self.refused:
            return 2
        wanting = {Kind.SKIPPED, Kind.INCOMPLETE}
        return 1 if any(problem.kind in wanting for problem in self.problems) else 0

    def as_dict(self) -> dict:
        return asdict(self)

    def lines(self) -> list[str]:
        """For people: one line of counts, then every problem with its item."""
        name = self.title or self.feed
        if self.refused:
            return [f"{name}: {self.refused}"]
        would = "would be " if self.dry_run else ""
        counts = [
            f"{self.created} {would}created",
            f"{self.updated} {would}updated",
            f"{self.unchanged} unchanged",
            f"{self.skipped} skipped",
        ]
        out = [f"{name}: {self.total} items: {', '.join(counts)}"]
        out += [f"  {line}" for line in [*self.show_changes, *self.changes]]
        if self.gone:
            out.append(f"  {self.gone} episodes here are no longer in the feed; they stay.")
        out += [f"  {one.kind}: {one.where}: {one.message}" for one in self.problems]
        if self.left_out:
            names = ", ".join(f"{name} ({count})" for name, count in self.left_out.items())
            out.append(f"  elements left out: {names}")
        if self.findings:
            out.append(f"  {self.findings} oddities of the feed: lint_feed names them.")
        return out
