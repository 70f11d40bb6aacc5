"""Reading strangers' files in a process that may die.

A media file of two megabytes can ask a parser for four gigabytes. So whoever opens one does it
in a child with little memory and little time, with no secrets in its environment and, where the
kernel allows, without a network. What comes back is JSON and plain bytes: nothing that a child
gone wrong could make this process run.

    answer = probe_in_child("episodes.audio.probe", path)

`job` names a module with `probe(path: str, options: dict) -> tuple[dict, list[bytes]]`. It must
not import Django: a child has to start in a tenth of a second.
"""

import contextlib
import json
import logging
import os
import secrets
import signal
import subprocess
import sys
import threading
from dataclasses import asdict, dataclass, field
from pathlib import Path

from episodes.findings import Unreadable

logger = logging.getLogger(__name__)

MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may take before the kernel, or the parent's clock, ends it. Bytes, seconds."""

    memory: int = 400 * MB
    cpu_seconds: int = 10
    # For a child that waits: one that works is ended by `cpu_seconds`, on a busy machine too.
    wall_seconds: int = 60
    open_files: int = 32
    file_bytes: int = 64 * MB
    # The parent holds the answer in memory, and it is the web server.
    answer_bytes: int = 12 * MB


@dataclass(frozen=True, slots=True)
class Answer:
    facts: dict
    blobs: tuple[bytes, ...] = field(default=(), repr=False)


class ProbeFailed(Exception):
    """The child ended without an answer. `reason` is `time`, `memory`, `size` or `crash`."""

    def __init__(self, reason: str, detail: str = ""):
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


def probe_in_child(
    job: str,
    path: str | os.PathLike,
    *,
    options: dict | None = None,
    limits: Limits = Limits(),
) -> Answer:
    """Run `job` on `path` in a child and wait for its answer.

    Raises `Unreadable` with the child's own words when the job refuses the file, and
    `ProbeFailed` when the child broke a limit or crashed. The child is gone on return.
    """
    token = secrets.token_hex(8)
    order = json.dumps(
        {
            "job": job,
            "path": os.fspath(path),
            "options": options or {},
            "limits": asdict(limits),
            "token": token,
        }
    )
    ready = _Ready.current
    child = ready.take(job) if ready else _start(order)
    timed_out = threading.Event()

    def end():
        timed_out.set()
        child.kill()

    clock = threading.Timer(limits.wall_seconds, end)
    clock.daemon = True
    clock.start()
    kept = False
    try:
        if ready:
            _send(child, order)
        answer = _read_answer(child.stdout, limits, token)
        kept = ready is not None
        return answer
    except Unreadable:
        kept = ready is not None
        raise
    except (EOFError, ProbeFailed) as error:
        child.kill() if isinstance(error, ProbeFailed) else child.wait()
        reason = _why(error, child, timed_out.is_set())
        logger.warning("%s on %s ended without an answer: %s", job, path, reason)
        raise reason from None
    finally:
        clock.cancel()
        if ready and kept:
            ready.give_back(job, child)
        else:
            _end(child)


def _start(*arguments: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-I", str(_ENTRY), *arguments],
        stdin=subprocess.PIPE if arguments[0] == "--ready" else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"LANG": "C.UTF-8", "TMPDIR": os.environ.get("TMPDIR", "/tmp")},  # noqa: S108
        cwd=_ROOT,
    )


def _send(child: subprocess.Popen, order: str) -> None:
    try:
        child.stdin.write(order.encode() + b"\n")
        child.stdin.flush()
    except OSError:
        raise EOFError from None


def _end(child: subprocess.Popen) -> None:
    with contextlib.suppress(ProcessLookupError):
        child.kill()
    for pipe in (child.stdin, child.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()
    child.wait()


class _Ready:
    """Children that have done their imports, which take longer than most files; safe for threads.

    Each forks for every file it is given, so a file meets the same limits and a fresh memory.
    """

    current: "_Ready | None" = None

    def __init__(self):
        self.idle: dict[str, list[subprocess.Popen]] = {}
        self.lock = threading.Lock()

    def take(self, job: str) -> subprocess.Popen:
        with self.lock:
            idle = self.idle.get(job)
            if idle:
                return idle.pop()
        return _start("--ready", job)

    def give_back(self, job: str, child: subprocess.Popen) -> None:
        with self.lock:
            self.idle.setdefault(job, []).append(child)

    def end(self) -> None:
        for children in self.idle.values():
            for child in children:
                _end(child)


@contextlib.contextmanager
def kept_ready():
    """Probes inside the block, in any thread, do not wait for a child's imports again."""
    if _Ready.current:
        yield
        return
    ready = _Ready.current = _Ready()
    try:
        yield
    finally:
        _Ready.current = None
        ready.end()


_ROOT = Path(__file__).resolve().parents[1]
_ENTRY = Path(__file__).resolve().with_name("probing_child.py")
_LONGEST_HEAD = 8 * MB


def _read_answer(pipe, limits: Limits, token: str) -> Answer:
    length = int.from_bytes(_exactly(pipe, 8))
    if length > _LONGEST_HEAD:
        raise ProbeFailed("size", "the facts are too long")
    try:
        head = json.loads(_exactly(pipe, length))
        sizes = [int(size) for size in head.get("blobs", ())]
    except (ValueError, TypeError, AttributeError) as error:
        raise ProbeFailed("crash", "the answer is garbled") from error
    if head.get("token") != token:
        raise ProbeFailed("crash", "the answer is to another question")
    if "refused" in head:
        refused = head["refused"]
        raise Unreadable(refused["code"], refused["message"], refused["where"])
    if "failed" in head:
        raise ProbeFailed(head["failed"], head.get("detail", ""))
    if any(size < 0 for size in sizes) or sum(sizes) > limits.answer_bytes:
        raise ProbeFailed("size", "the pictures are too large")
    return Answer(head["facts"], tuple(_exactly(pipe, size) for size in sizes))


def _exactly(pipe, count: int) -> bytes:
    data = pipe.read(count)
    if len(data) < count:
        raise EOFError
    return data


def _why(error: Exception, child: subprocess.Popen, timed_out: bool) -> ProbeFailed:
    if isinstance(error, ProbeFailed):
        return error
    if timed_out or child.returncode in (-signal.SIGXCPU, -signal.SIGALRM):
        return ProbeFailed("time")
    return ProbeFailed("crash", f"exit status {child.returncode}")
