"""What of a move has been seen to be done: the old address is asked, and believed.

Each check is a state, the words of what was seen, and the moment. Nothing here changes a show.
"""

from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone

from episodes.findings import Unreadable
from episodes.links import absolute
from episodes.models import Show
from feeds.fetching import REDIRECTS, FetchError, Limits, joined, opened
from feeds.importing import ParsedFeed, identity, parse
from feeds.models import ImportedShow
from feeds.moving_in.shows import guids

DONE, OPEN, UNKNOWN = "done", "open", "unknown"

#: An editor waits for this at most, and a worker too.
LIMITS = Limits(seconds=20)
MOST_HOPS = 5

#: In the order of a move: name, what it asks for.
CHECKS = {
    "here": "Every episode of the old feed is here",
    "guid": "Both feeds have the same podcast:guid, so directories know them for one show",
    "locked": "The old feed is not locked (podcast:locked), so that hosts may take it over",
    "new_feed_url": "The old feed names the new one (itunes:new-feed-url)",
    "redirect": "The old address redirects here for good (301 or 308)",
    "alive": "The old address still answers; keep it so for at least four weeks, better for ever",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the old address said: the statuses on the way, and the feed where there is one."""

    statuses: tuple[int, ...] = ()
    arrived: str = ""  # the last address
    feed: ParsedFeed | None = None
    trouble: str = ""


def check(show_id: int) -> None:
    """Asks the old address of an imported show and writes down what was seen."""
    imported = ImportedShow.objects.select_related("show").filter(show=show_id).first()
    if imported is None:
        return
    answer = ask(imported.feed_url, imported.show) if imported.feed_url else None
    moment = timezone.now()
    checks = {
        name: {"state": state, "seen": seen, "at": moment.isoformat()}
        for name, (state, seen) in judged(imported.show, answer).items()
    }
    for name, before in imported.checks.items():
        # What was seen once stays, with its moment, when it cannot be seen now.
        if checks.get(name, {}).get("state") == UNKNOWN and before.get("state") != UNKNOWN:
            checks[name] = before
    ImportedShow.objects.filter(pk=imported.pk).update(
        checks=checks, checked_at=moment, check_queued_at=None
    )


def queue(imported: ImportedShow) -> None:
    """Have the worker look; the page shows what it saw."""
    from feeds.tasks import check_move

    ImportedShow.objects.filter(pk=imported.pk).update(check_queued_at=timezone.now())
    check_move.enqueue(imported.pk)


def is_ours(url: str, show: Show) -> bool:
    """Whether an address is that of the show's feed here, under its slug of now or of before."""
    slugs = {show.slug, *show.former_slugs.values_list("slug", flat=True)}
    plain = url.partition("?")[0].partition("://")[2].rstrip("/")
    here = settings.SITE_URL.partition("://")[2]
    return plain in {f"{here}/{slug}/feed.xml" for slug in slugs}


def ask(url: str, show: Show) -> Answer:
    """Follows redirects until they lead here or nowhere; we do not ask ourselves."""
    statuses: list[int] = []
    try:
        for _ in range(MOST_HOPS):
            if is_ours(url, show):
                return Answer(tuple(statuses), url)
            with opened(url, limits=LIMITS, redirects=0) as (head, chunks):
                statuses.append(head.status)
                if head.status in REDIRECTS and "location" in head.headers:
                    url = joined(url, head.headers["location"])
                    continue
                if head.status != 200:
                    return Answer(
                        tuple(statuses), url, trouble=f"The old address answers {head.status}."
                    )
                feed = parse(
                    b"".join(chunks),
                    base_url=url,
                    content_type=head.headers.get("content-type", ""),
                )
                return Answer(tuple(statuses), url, feed)
        return Answer(tuple(statuses), url, trouble="It redirects too often.")
    except FetchError as error:
        return Answer(tuple(statuses), url, trouble=str(error))
    except Unreadable as refusal:
        return Answer(tuple(statuses), url, trouble=refusal.message)


def judged(show: Show, answer: Answer | None) -> dict[str, tuple[str, str]]:
    """State and words for each of CHECKS."""
    if answer is None:
        words = "The show came from a file that does not say where its feed is."
        return dict.fromkeys(CHECKS, (UNKNOWN, words))
    redirected = is_ours(answer.arrived, show)
    permanent = all(status in {301, 308} for status in answer.statuses)
    if redirected:
        words = "The old address leads here; what it said before does not matter any more."
        found = dict.fromkeys(CHECKS, (DONE if permanent else UNKNOWN, words))
        found["alive"] = (DONE, f"It answers {answer.statuses[0] if answer.statuses else 301}.")
        found["redirect"] = (DONE, "It redirects here for good.") if permanent else (
            OPEN,
            f"It redirects here with {answer.statuses[-1]}, which means for now only. Ask the old "
            "host for 301.",
        )  # fmt: skip
        return found
    if answer.statuses and answer.statuses[-1] in {401, 403}:
        words = "It asks for a password, so what it says cannot be seen from here."
        return {
            **dict.fromkeys(CHECKS, (UNKNOWN, words)),
            "redirect": (OPEN, elsewhere(answer)),
            "alive": (DONE, f"It answers ({answer.statuses[-1]}) and asks for a password."),
        }
    if answer.feed is None:
        return {
            **dict.fromkeys(CHECKS, (UNKNOWN, answer.trouble)),
            "redirect": (OPEN, answer.trouble),
            "alive": (OPEN, answer.trouble),
        }
    return {**of_feed(show, answer.feed), "alive": (DONE, "It answers with the feed."),
            "redirect": (OPEN, elsewhere(answer))}  # fmt: skip


def elsewhere(answer: Answer) -> str:
    if len(answer.statuses) > 1:
        return f"It redirects to {answer.arrived}, not here."
    return "It does not redirect. Ask the old host for a permanent redirect to the new feed."


def of_feed(show: Show, feed: ParsedFeed) -> dict[str, tuple[str, str]]:
    """What the old feed itself says."""
    channel, feed_here = feed.channel, absolute(show.get_feed_path())
    known = set(show.episodes.values_list("guid", flat=True))
    missing = [item for item in feed.items if identity(item) not in known]
    here = (DONE, f"All {len(feed.items)} items of its first page are here.")
    if missing:
        newest = missing[0].title or identity(missing[0])
        here = (OPEN, f"{len(missing)} are not here, such as “{newest[:100]}”. Import again.")
    stated = channel.guid.lower()
    same = show.guid.lower() in (guids("", channel) if channel.self_url or stated else ())
    guid = (DONE, f"It is {show.guid}.") if same else (
        OPEN,
        f"There it is {stated or 'not given'}, here {show.guid}.",
    )  # fmt: skip
    if not stated and not same:
        guid = (UNKNOWN, "The old feed gives none.")
    locked = (DONE, "It is not locked.")
    if channel.locked and channel.locked.locked:
        owner = f" Its owner is {channel.locked.owner}." if channel.locked.owner else ""
        locked = (OPEN, f"It is locked.{owner} Unlock it at the old host.")
    if not channel.new_feed_url:
        named = (OPEN, f"It names none. Have the old host name {feed_here}")
    elif is_ours(channel.new_feed_url, show):
        named = (DONE, f"It names {channel.new_feed_url}")
    else:
        named = (OPEN, f"It names another: {channel.new_feed_url}")
    return {"here": here, "guid": guid, "locked": locked, "new_feed_url": named}
