"""The child of `episodes.probing`: limits first, then the job, then one answer on stdout.

Run as a script by `python -I`, never imported. The answer is eight bytes of length, that much
JSON, and the blobs it announces.
"""

import contextlib
import importlib
import json
import os
import resource
import signal
import sys


def main() -> None:
    order = json.loads(sys.argv[1])
    answer = _keep_stdout_for_the_answer()
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    # Imports are our own code and may take what they need; the file comes after the limits.
    job = importlib.import_module(order["job"])
    _limit(order["limits"])
    _leave_the_network()
    head, blobs = _run(job, order)
    text = json.dumps({**head, "blobs": [len(blob) for blob in blobs]}).encode()
    with os.fdopen(answer, "wb") as out:
        out.write(len(text).to_bytes(8) + text)
        for blob in blobs:
            out.write(blob)


def _run(job, order: dict) -> tuple[dict, list[bytes]]:
    from episodes.findings import Unreadable

    try:
        facts, blobs = job.probe(order["path"], order["options"])
    except Unreadable as refusal:
        return {
            "refused": {
                "code": refusal.code,
                "message": refusal.message,
                "where": refusal.where,
            }
        }, []
    except MemoryError:
        return {"failed": "memory"}, []
    except OSError as error:
        return {"failed": "crash", "detail": f"{error.strerror} ({error.errno})"}, []
    # The last line of defence: whatever a parser does on a hostile file, the parent hears of it.
    except Exception as error:
        return {"failed": "crash", "detail": f"{type(error).__name__}: {error}"[:300]}, []
    return {"facts": facts}, blobs


def _keep_stdout_for_the_answer() -> int:
    """A descriptor for the answer; what a library prints goes to stderr instead."""
    answer = os.dup(1)
    os.dup2(2, 1)
    return answer


def _limit(limits: dict) -> None:
    for which, value in (
        (resource.RLIMIT_AS, limits["memory"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(which, (value, value))
    # The soft limit sends SIGXCPU, whose number tells the parent that it was the time.
    resource.setrlimit(resource.RLIMIT_CPU, (limits["cpu_seconds"], limits["cpu_seconds"] + 2))
    # The parent's clock may die with the parent; this one does not.
    signal.alarm(limits["wall_seconds"] + 1)


def _leave_the_network() -> None:
    """An empty network of its own, where the kernel lets an ordinary user have one."""
    with contextlib.suppress(AttributeError, OSError):
        os.unshare(os.CLONE_NEWUSER | os.CLONE_NEWNET)


if __name__ == "__main__":
    main()
