"""Slow listeners: many connections that read a recording at a few kB a second, on one thread."""

import asyncio
import statistics
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

PIECE_SECONDS = 0.25


@dataclass(frozen=True)
class Report:
    text: str
    good: bool


async def listen(origin: str, path: str, rate: int, stop: asyncio.Event) -> int:
    """Reads at `rate` bytes a second until told to stop; the bytes read, or -1 on a bad answer."""
    site = urlsplit(origin)
    # A small buffer, so that the slowness reaches the server.
    reader, writer = await asyncio.open_connection(site.hostname, site.port, limit=16 * 1024)
    got = -1
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {site.netloc}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            return -1
        got = 0
        while not stop.is_set():
            piece = await reader.read(int(rate * PIECE_SECONDS))
            if not piece:
                return -1 if got < 20_000_000 else got
            got += len(piece)
            await asyncio.sleep(PIECE_SECONDS)
    finally:
        writer.close()
    return got


@asynccontextmanager
async def listeners(origin: str, path: str, count: int, rate: int):
    """`count` slow listeners while the block runs; then all must have been served."""
    stop = asyncio.Event()
    tasks = [asyncio.create_task(listen(origin, path, rate, stop)) for _ in range(count)]
    await asyncio.sleep(1)
    served: list[int] = []
    yield served
    stop.set()
    served += await asyncio.gather(*tasks)


async def ask(origin: str, path: str, times: int, pause: float = 0.005) -> list[float]:
    """Latencies in ms of `times` GETs over one connection after the other; raises if not 200."""
    site = urlsplit(origin)
    took = []
    for _ in range(times):
        began = time.perf_counter()
        reader, writer = await asyncio.open_connection(site.hostname, site.port)
        try:
            lines = f"GET {path} HTTP/1.1\r\nHost: {site.netloc}\r\nConnection: close\r\n\r\n"
            writer.write(lines.encode())
            body = await asyncio.wait_for(reader.read(-1), 10)
            if not body.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(f"{path} answered {body[:60]!r}")
        finally:
            writer.close()
        took.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(pause)
    return took


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


async def _report(origin: str, feed: str, page: str, audio: str) -> Report:
    await ask(origin, page, 20)
    idle = await ask(origin, page, 400)
    async with listeners(origin, audio, 24, 32_000) as served:
        polls = await ask(origin, feed, 200)
    held = sum(n > 0 for n in served)
    async with listeners(origin, audio, 200, 16_000) as crowd:
        busy = await ask(origin, page, 400)
    slow = sum(n > 0 for n in crowd)
    ratio = p95(busy) / p95(idle)
    text = (
        f"24 listeners at 32 kB/s ({held} served): 200 of 200 polls answered, "
        f"median {statistics.median(polls):.1f} ms, p95 {p95(polls):.1f} ms\n"
        f"200 listeners at 16 kB/s ({slow} served): page p95 {p95(busy):.1f} ms, "
        f"idle {p95(idle):.1f} ms, ratio {ratio:.2f} (target at most 3)\n"
    )
    return Report(text, held == 24 and slow == 200 and ratio <= 3)


def report(origin: str, feed: str, page: str, audio: str) -> Report:
    """Polls during 24 listeners at 32 kB/s, and pages during 200 at 16 kB/s against idle."""
    return asyncio.run(_report(origin, feed, page, audio))
