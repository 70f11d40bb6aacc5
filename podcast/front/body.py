"""Request bodies: counted as they arrive, on disk when they are not small.

Neither gunicorn nor ASGI limits a body, so this does. Nothing here holds a
thread while a client dawdles: pieces are gathered on the event loop and written
by the disk pool a megabyte at a time.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic
from typing import IO, Any

KEPT_IN_MEMORY = 64 * 1024
WRITTEN_AT_ONCE = 1024 * 1024
LINGER_SECONDS = 2.0

# Slower than this over all, after the first minute, is not a connection worth keeping.
SLOWEST_BYTES_PER_SECOND = 1024
PATIENCE_SECONDS = 60


class BodyRefused(Exception):
    """The body will not be read to its end; answer `status` and close the connection."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


class ClientGone(Exception):
    """The client left, or sent nothing for longer than the server waits."""


async def read_body(
    receive: Callable[[], Awaitable[dict[str, Any]]],
    declared: int | None,
    limit: int,
    directory: Path,
    disk: Executor,
) -> tuple[IO[bytes], int]:
    """The body as a file at its beginning, and its length; the caller closes it.

    `declared` is Content-Length, None when the body comes in chunks. Raises
    `BodyRefused` before reading anything when it already exceeds `limit`, or what
    the disk still holds.
    The file has no name, so whatever ends this process also removes it.
    """
    no_room = BodyRefused(
        507,
        "There is no room left on the server's disk to receive this. Nothing was changed. Go "
        "back: what you wrote is still in the form. Make room and send it again.",
    )
    too_large = BodyRefused(413, f"This request is larger than the {limit} bytes allowed here.")
    if declared is not None and declared > limit:
        raise too_large
    if declared is not None and declared > KEPT_IN_MEMORY and declared > _room(directory):
        raise no_room
    loop = asyncio.get_running_loop()
    started = monotonic()
    body: IO[bytes] = BytesIO()
    waiting: list[bytes] = []
    length = held = 0
    try:
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            if piece := message.get("body", b""):
                length += len(piece)
                if length > limit:
                    raise too_large
                waiting.append(piece)
                held += len(piece)
            more = message.get("more_body", False)
            if length > KEPT_IN_MEMORY and isinstance(body, BytesIO):
                body = await loop.run_in_executor(disk, _temporary, directory)
            if held >= WRITTEN_AT_ONCE or (held and not more):
                pieces, waiting, held = b"".join(waiting), [], 0
                if isinstance(body, BytesIO):
                    body.write(pieces)
                else:
                    await loop.run_in_executor(disk, body.write, pieces)
            if not more:
                if isinstance(body, BytesIO):
                    body.seek(0)
                else:
                    await loop.run_in_executor(disk, body.seek, 0)  # writes what is buffered
                return body, length
            spent = monotonic() - started
            if spent > PATIENCE_SECONDS and length < spent * SLOWEST_BYTES_PER_SECOND:
                raise BodyRefused(408, "The request arrived too slowly.")
    except BaseException as error:
        disk.submit(body.close)  # giving gigabytes back to the file system takes a while
        if isinstance(error, OSError):
            raise no_room from error
        raise


def _temporary(directory: Path) -> IO[bytes]:
    return TemporaryFile(dir=directory, prefix="body-")


def _room(directory: Path) -> int:
    """Bytes that can still be written below `directory`."""
    facts = os.statvfs(directory)
    return facts.f_bavail * facts.f_frsize


async def linger(receive: Callable[[], Awaitable[dict[str, Any]]]) -> None:
    """Go on reading, unseen and for a while, what a refused client still sends.

    Closing at once would reset the connection and take the answer with it.
    """
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            while (await receive())["type"] == "http.request":
                pass
    except TimeoutError:
        pass
