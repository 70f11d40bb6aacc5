"""The whole import, from an address or a file to rows: `import_feed(source, options)`.

Items go in from the oldest to the newest, each in a transaction of its own, while a few threads
fetch the files of the next ones. Memory does not grow with the feed beyond its text.
"""

import fcntl
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

from django.db import DatabaseError

from episodes.findings import Unreadable
from episodes.models import Episode, Show
from episodes.probing import kept_ready
from feeds.models import AudioMode
from feeds.moving_in import episodes, shows
from feeds.moving_in.downloads import Downloader, folder
from feeds.moving_in.gathering import Gathered, gather
from feeds.moving_in.report import ImportReport, Kind
from feeds.moving_in.settling import People, dates, settled_channel, settled_item
from feeds.moving_in.source import Source, WholeFeed, read
from feeds.records import Channel, Item

LONGEST_GUID = 1000


@dataclass(frozen=True, slots=True)
class Options:
    """`limit`: the newest so many items. `at_once`: files fetched side by side."""

    audio: str = AudioMode.COPY
    dry_run: bool = False
    slug: str = ""
    limit: int = 0
    auth: tuple[str, str] | None = None
    at_once: int = 3


#: Called with (items done, items in all, what just happened).
Progress = Callable[[int, int, str], None]


def nothing(done: int, total: int, what: str) -> None:
    pass


def import_feed(
    source: Source, options: Options = Options(), progress: Progress = nothing
) -> ImportReport:
    """Brings a show in, or up to date. Everything that went wrong is in the report."""
    report = ImportReport(feed=source.name, dry_run=options.dry_run)
    downloader = Downloader(home=source.name if source.is_address else "", auth=options.auth)
    try:
        with alone(source), kept_ready():
            whole = read(source, downloader)
            report.title = whole.feed.channel.title
            report.findings = len(whole.feed.findings)
            report.left_out = dict(whole.feed.skipped)
            for finding in whole.findings:
                report.add(Kind.INCOMPLETE, "show", finding.message)
            _Import(whole, options, downloader, report, progress).run()
    except Unreadable as refusal:
        report.refused = refusal.message
    except shows.Refused as refusal:
        report.refused = str(refusal)
    return report


@contextmanager
def alone(source: Source) -> Iterator[None]:
    """Holds the only import of a feed on this machine. Raises Refused when there is one."""
    folder().mkdir(mode=0o750, exist_ok=True)
    path = folder() / f"{source.digest[:40]}.lock"
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise shows.Refused("This feed is being imported already.") from None
        yield


@dataclass(slots=True)
class _Import:
    whole: WholeFeed
    options: Options
    downloader: Downloader
    report: ImportReport
    progress: Progress
    done: int = 0

    def run(self) -> None:
        feed, options, report = self.whole.feed, self.options, self.report
        people = People.of(feed.channel, feed.items)
        channel = settled_channel(feed.channel, people, feed.items)
        show = shows.find_show(self.whole.url, feed.channel, options.slug)
        plan = shows.plan_show(show, self.whole.url, feed.channel, channel, options.slug)
        for name in plan.found.keep:
            report.add(Kind.KEPT, "show", f"{name} was changed here and there; ours was kept.")
        if show:
            report.show_changes = [f"show: {name} changes" for name in plan.found.write]
        else:
            report.show_changes = [f"show: “{channel.title}” is new"]
        if options.dry_run:
            show = plan.show
        else:
            show = shows.write_show(
                plan, feed.channel, channel, self.whole.url, options.audio, self.downloader, report
            )
        report.slug = show.slug
        self.items(show, channel, people, plan.is_new)

    def items(self, show: Show, channel: Channel, people: People, is_new: bool) -> None:
        items = self.whole.feed.items
        self.report.total = len(items)
        moments = dates(self.whole.feed.channel, items)
        known = {} if is_new and self.options.dry_run else episodes.known_items(show)
        chosen: list[tuple[Item, Item]] = []
        told: set[str] = set()
        for item, date in zip(items, moments, strict=True):
            settled = settled_item(item, channel, people, date)
            if settled.artwork == channel.artwork:
                settled = replace(settled, artwork="")
            if reason := refusal(settled, told):
                self.report.add(Kind.SKIPPED, settled.guid or settled.title, reason)
                continue
            told.add(settled.guid)
            chosen.append((item, settled))
        self.report.gone = len(known.keys() - told)
        if self.options.limit:
            chosen = chosen[: self.options.limit]
        plans = (
            (
                settled,
                episodes.plan(show, item, settled, self.options.audio, known.get(settled.guid)),
            )
            for item, settled in reversed(chosen)
        )
        self.done = self.report.skipped
        if self.options.dry_run:
            for settled, plan in plans:
                self.foresee(settled, plan)
        else:
            self.carry_out(plans)

    def foresee(self, settled: Item, plan: episodes.Plan | None) -> None:
        """What `write` would do, as far as it can be known without fetching."""
        if plan is None:
            self.unchanged(settled)
            return
        values, _ = episodes.coming(plan, Gathered())
        found = episodes.differences(plan, values)
        for name in found.keep:
            self.kept(plan, name)
        if plan.is_new:
            self.report.created += 1
            self.report.changes.append(f"new: {settled.title} ({plan.where})")
        elif found.write or plan.wanted != type(plan.wanted)():
            self.report.updated += 1
            names = [*found.write, *(k for k in ("audio", "artwork", "chapters", "transcripts")
                                     if getattr(plan.wanted, k))]  # fmt: skip
            self.report.changes.append(f"change: {settled.title}: {', '.join(names)}")
        else:
            self.report.unchanged += 1

    def carry_out(self, plans: Iterator[tuple[Item, episodes.Plan | None]]) -> None:
        """Fetches ahead in threads, writes here, in order."""
        under_way: deque[tuple[episodes.Plan, Future[Gathered]]] = deque()
        with ThreadPoolExecutor(self.options.at_once, thread_name_prefix="import") as pool:
            try:
                for settled, plan in plans:
                    if plan is None:
                        self.leave(settled)
                        continue
                    future = pool.submit(
                        gather, plan.item, plan.episode, plan.wanted, self.downloader
                    )
                    under_way.append((plan, future))
                    if len(under_way) > self.options.at_once * 2:
                        self.finish(*under_way.popleft())
                while under_way:
                    self.finish(*under_way.popleft())
            finally:
                self.downloader.stopped.set()
                pool.shutdown(wait=True, cancel_futures=True)

    def leave(self, item: Item) -> None:
        """The item is whole; killed after its row was written, a run left its download behind."""
        if item.enclosure and self.options.audio == AudioMode.COPY:
            self.downloader.forget(item.enclosure.url)
        self.unchanged(item)

    def finish(self, plan: episodes.Plan, future: "Future[Gathered]") -> None:
        got = future.result()
        try:
            outcome = episodes.write(plan, got)
        except DatabaseError as error:
            self.report.add(
                Kind.SKIPPED, plan.where, f"It could not be stored: {str(error).splitlines()[0]}"
            )
        else:
            if plan.item.enclosure:
                self.downloader.forget(plan.item.enclosure.url)
            self.tell(plan, outcome)
        finally:
            if got.audio:
                got.audio.close()
        self.step(plan.item.title)

    def tell(self, plan: episodes.Plan, outcome: episodes.Outcome) -> None:
        report = self.report
        if outcome.created:
            report.created += 1
        elif outcome.changed:
            report.updated += 1
        else:
            report.unchanged += 1
        for message in outcome.problems:
            report.add(Kind.INCOMPLETE, plan.where, message)
        for name in outcome.kept:
            self.kept(plan, name)
        if not plan.item.enclosure:
            report.add(Kind.NOTE, plan.where, "The item has no audio; it is here as a draft.")
        elif plan.episode.status == Episode.Status.DRAFT and outcome.created:
            report.add(Kind.NOTE, plan.where, "It stays a draft until its audio is here.")

    def kept(self, plan: episodes.Plan, name: str) -> None:
        self.report.add(Kind.KEPT, plan.where, f"{name} was changed here and there; ours was kept.")

    def unchanged(self, item: Item) -> None:
        self.report.unchanged += 1
        self.step(item.title)

    def step(self, title: str) -> None:
        self.done += 1
        self.progress(self.done, self.report.total, title)


def refusal(item: Item, told: set[str]) -> str:
    """Why an item cannot come in, or ""."""
    if not item.guid:
        return "It has no GUID, audio, link or title to know it by."
    if len(item.guid) > LONGEST_GUID:
        return f"Its GUID has {len(item.guid):,} letters; at most {LONGEST_GUID:,} are kept."
    if item.guid in told:
        return "Another item above has the same GUID; apps show the first only."
    return ""
