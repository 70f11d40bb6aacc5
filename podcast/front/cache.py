"""The shared cache: what to answer from memory, and one question at a time to the application.

The promise, for a response with a lifetime of one second: a request that begins
a second or more after a change sees the change, unless the application is slow
beyond `SLOW_SECONDS` or failing and has itself allowed stale answers.
So a stale entry is never sent merely because a renewal is under way. Where
`stale-while-revalidate` is given, the renewal instead starts in the last quarter
of the lifetime and the entry, still fresh, answers meanwhile; a busy address
then never waits, and an idle one waits for the single question its first
request asks.

What clients say in Cache-Control is not obeyed: it would let anyone turn cheap
answers into work.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from time import monotonic, time

from podcast.front.coding import is_compressible
from podcast.front.entry import Body, Entry, conditions
from podcast.front.freshness import handed_on, terms
from podcast.front.store import Key, Store, common
from podcast.front.wsgi import Answer, Header, close

logger = logging.getLogger(__name__)

# Then a stale entry stands in, if stale-while-revalidate allows one that old.
SLOW_SECONDS = 2.0
# Without one, a request that waited this long for another's answer asks for itself.
PATIENCE_SECONDS = 10.0
# After a failure the application is left alone this long while stale entries stand in.
RETRY_SECONDS = 1.0
# How long, and for how many addresses, to remember that their answers are not for keeping.
PASSING_SECONDS = 5.0
PASSING_KEYS = 4096

type Ask = Callable[[list[Header], bool], Awaitable[Answer]]


class Flight:
    """One question under way; `began` is when it was asked."""

    __slots__ = ("began", "task")

    def __init__(self, began: float, task: asyncio.Task):
        self.began = began
        self.task = task


class SharedCache:
    """`budget` in bytes. With `x_accel` a cache in front of this one counts in whole seconds."""

    def __init__(self, budget: int, x_accel: bool = False):
        self.store = Store(budget)
        self.terms = handed_on if x_accel else terms
        self.flights: dict[Key, Flight] = {}
        self.passing: OrderedDict[Key, float] = OrderedDict()

    def passes(self, key: Key) -> bool:
        """Whether a recent answer showed that this address is not for keeping."""
        until = self.passing.get(key)
        if until is None:
            return False
        if monotonic() < until:
            return True
        del self.passing[key]
        return False

    def forget(self, key: Key) -> None:
        """A request that may have changed the resource succeeded (RFC 9111 §4.4)."""
        self.store.drop(key)
        for either in (common(key), (*key[:4], True)):
            self.passing.pop(either, None)
            self.flights.pop(either, None)  # its answer may be from before: nobody joins it

    def weigh(self, key: Key | None, body: Body) -> None:
        """Count a coding that was just added to `body`, if that is still what `key` holds."""
        entry = self.store.get(key) if key is not None else None
        if key is not None and entry is not None and entry.body is body:
            self.store.put(key, entry)

    async def answer(self, key: Key, start: float, ask: Ask) -> Entry | Answer | None:
        """What a GET that began at `start` gets: an entry, an answer for it alone, or None.

        None means that the request has to go to the application itself: answers
        here are not for sharing, or the wait was too long. `ask` puts a GET with
        the given extra headers to the application, as a browser's page or not.
        """
        wanted = key
        while True:
            entry = self.store.get(wanted)
            key = _asked_as(wanted, entry)
            if entry is not None:
                if entry.serves(start):
                    return entry
                if monotonic() < entry.retry_at and start < entry.broken_until:
                    return entry
            elif self.passes(key):
                return None
            flight = self.flights.get(key)
            mine = flight is None
            if flight is None:
                flight = self.ask_soon(key, entry, ask)
            outcome = await self._landing(flight, entry, start, mine)
            if outcome is None:
                if entry is not None and start < entry.slow_until:
                    logger.warning("%s is slow, sending what is stored", _name(key))
                    return entry
                return None
            if isinstance(outcome, Entry):
                if outcome.terms.varies and key != wanted:
                    continue  # pages get their own since just now
                if mine or outcome.serves(start):
                    return outcome
                continue  # it was asked before this request began and has no time left
            if outcome.status >= 500:
                if entry is not None and start < entry.broken_until:
                    close(outcome)
                    return entry
                if outcome.file is None and outcome.header(b"set-cookie") is None:
                    return outcome  # a failing application is not asked again by everyone
            return outcome if mine else None

    async def _landing(
        self, flight: Flight, entry: Entry | None, start: float, mine: bool
    ) -> Entry | Answer | None:
        """The flight's result, or None once patience ends; whoever asked it waits to the end."""
        patience: float | None = None if mine else PATIENCE_SECONDS
        if entry is not None and start < entry.slow_until:
            patience = max(0.0, flight.began + SLOW_SECONDS - monotonic())
        try:
            done, _ = await asyncio.wait({flight.task}, timeout=patience)
        except asyncio.CancelledError:
            if mine:
                flight.task.add_done_callback(_discard)
            raise
        if done:
            return flight.task.result()
        if mine:
            flight.task.add_done_callback(_discard)
        return None

    def renew_early(self, key: Key, entry: Entry, ask: Ask) -> None:
        """Start renewing an entry that is about to lose its freshness, unless someone did."""
        key = _asked_as(key, entry)
        if key not in self.flights and monotonic() >= entry.retry_at:
            self.ask_soon(key, entry, ask).task.add_done_callback(_discard)

    def ask_soon(self, key: Key, entry: Entry | None, ask: Ask) -> Flight:
        began = monotonic()
        task = asyncio.create_task(self._fetch(key, entry, began, ask))
        flight = self.flights[key] = Flight(began, task)
        task.add_done_callback(lambda _: self._landed(key, flight))
        return flight

    def _landed(self, key: Key, flight: Flight) -> None:
        if self.flights.get(key) is flight:
            del self.flights[key]

    async def _fetch(self, key: Key, entry: Entry | None, began: float, ask: Ask) -> Entry | Answer:
        clock = time()
        answer = await ask(conditions(entry) if entry is not None else [], key[4])
        made: Entry | None = None
        if answer.status == 304 and entry is not None:
            made = self._renewed(entry, answer, began, clock)
            if made is None:  # still the same, but no longer for keeping
                answer = await ask([], key[4])
        if made is None:
            made = await self._storable(answer, entry, began, clock)
        flight = self.flights.get(key)
        if flight is None or flight.task is not asyncio.current_task():
            return made or answer  # `forget` came in between: true for who asked, not to keep
        if made is not None:
            self.store.put(key, made)
            self.passing.pop(key, None)
            return made
        if answer.status >= 500 and entry is not None and monotonic() < entry.broken_until:
            logger.warning("%s answered %d, keeping what is stored", _name(key), answer.status)
            entry.retry_at = monotonic() + RETRY_SECONDS
            return answer
        self.store.drop(key)
        if answer.status < 500:
            self._pass(key)
        return answer

    def _renewed(self, entry: Entry, answer: Answer, began: float, clock: float) -> Entry | None:
        """`entry` after a 304 (RFC 9111 §4.3.4), or None if its new terms forbid keeping it."""
        headers = entry.freshened(answer.headers)
        agreed = self.terms(entry.status, headers)
        if agreed is None:
            return None
        return Entry(entry.status, headers, entry.body, agreed, began, clock)

    async def _storable(
        self, answer: Answer, entry: Entry | None, began: float, clock: float
    ) -> Entry | None:
        agreed = self.terms(answer.status, answer.headers)
        if agreed is None:
            return None
        if answer.header(b"x-accel-redirect") is not None and not agreed.shared:
            return None  # max-age speaks of the bytes; who may have them is asked each time
        if answer.file is not None:
            if answer.length > self.store.longest_body:
                return None
            answer.body = await asyncio.to_thread(answer.file.read)
            close(answer)
            answer.file = None
        body = Body(answer.body, is_compressible(answer.header(b"content-type")))
        if entry is not None and entry.body.same_as(body):
            body = entry.body  # with the codings already made of it
        made = Entry(answer.status, answer.headers, body, agreed, began, clock)
        if agreed.lifetime == 0 and not conditions(made):
            return None  # nothing to ask about it next time
        return made

    def _pass(self, key: Key) -> None:
        self.passing[key] = monotonic() + PASSING_SECONDS
        self.passing.move_to_end(key)
        while len(self.passing) > PASSING_KEYS:
            self.passing.popitem(last=False)


def _asked_as(key: Key, entry: Entry | None) -> Key:
    """The key under which to ask: one question for all, where pages get what everyone gets."""
    return key if entry is None or entry.terms.varies else common(key)


def _name(key: Key) -> str:
    return key[2].decode("latin-1")


def _discard(task: asyncio.Task) -> None:
    """Let go of an answer nobody waits for any more, and of its temporary file."""
    if task.cancelled():
        return
    if (error := task.exception()) is not None:
        logger.error("a question to the application failed", exc_info=error)
    elif isinstance(outcome := task.result(), Answer):
        close(outcome)
