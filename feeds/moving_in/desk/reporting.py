"""A run's report as its page shows it: counts, and every problem beside its item."""

from dataclasses import dataclass

from django.urls import reverse

from episodes.models import Episode
from feeds.models import ImportRun
from feeds.moving_in.report import Kind

#: Lines of one kind on the page; the whole report can be fetched as text.
MOST_SHOWN = 200

COUNTS = ("created", "updated", "unchanged", "skipped")

#: In the order of what an editor must look at: heading, and what it means.
KINDS = {
    Kind.SKIPPED: ("Skipped", "These items are not here."),
    Kind.INCOMPLETE: (
        "Incomplete",
        "These are here, and something of them is missing. Run the import again to fetch it.",
    ),
    Kind.KEPT: ("Kept as edited here", "These changed there and here. Ours was left alone."),
    Kind.NOTE: ("Notes", "These are here, a little different from how they were there."),
}


@dataclass(frozen=True, slots=True)
class Row:
    """`title` and `url` are of the episode that the problem's item became, where there is one."""

    where: str
    message: str
    title: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    heading: str
    meaning: str
    rows: list[Row]
    count: int

    @property
    def more(self) -> int:
        return self.count - len(self.rows)


def counts(run: ImportRun) -> list[tuple[str, int]]:
    """What became of the items: what happened, and how often."""
    return [(name, run.report.get(name, 0)) for name in COUNTS]


def groups(run: ImportRun) -> list[Group]:
    """The problems, the worst kind first. One query for all episodes."""
    problems = run.report.get("problems", [])
    shown: dict[str, list[dict]] = {kind: [] for kind in KINDS}
    numbers = dict.fromkeys(KINDS, 0)
    for one in problems:
        numbers[one["kind"]] += 1
        if numbers[one["kind"]] <= MOST_SHOWN:
            shown[one["kind"]].append(one)
    guids = [one["where"] for rows in shown.values() for one in rows]
    known = {
        guid: (title, reverse("admin:episodes_episode_change", args=[pk]))
        for guid, title, pk in Episode.objects.filter(show=run.show_id, guid__in=guids).values_list(
            "guid", "title", "pk"
        )
    }
    return [
        Group(
            *KINDS[kind],
            [
                Row(one["where"], one["message"], *known.get(one["where"], ("", "")))
                for one in shown[kind]
            ],
            numbers[kind],
        )
        for kind in KINDS
        if numbers[kind]
    ]


def text(run: ImportRun) -> str:
    """The whole report for people, a line for each problem."""
    report = run.report
    out = [str(run), run.get_state_display()]
    if report.get("refused"):
        return "\n".join([*out, report["refused"], ""])
    out.append(", ".join(f"{number} {name}" for name, number in counts(run)))
    out += report.get("show_changes", [])
    out += report.get("changes", [])
    if report.get("gone"):
        out.append(f"{report['gone']} episodes here are no longer in the feed; they stay.")
    out += [
        f"{one['kind']}: {one['where']}: {one['message']}" for one in report.get("problems", [])
    ]
    for name in ("changes", "problems"):
        if more := report.get(f"more_{name}"):
            out.append(f"{more:,} more {name} are not kept.")
    left_out = report.get("left_out", {})
    if left_out:
        names = ", ".join(f"{name} ({number})" for name, number in left_out.items())
        out.append(f"elements left out: {names}")
    return "\n".join([*out, ""])
