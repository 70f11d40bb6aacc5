"""The child of `episodes.probing`: limits first, then the job, then one answer on stdout.

Run as a script by `python -I`, never imported. The answer is eight bytes of length, that much
JSON, and the blobs it announces. With `--ready JOB` it imports the job first and then forks a
child for each order that comes in, one line each, until there are no more.
"""

import contextlib
import importlib
import json
import os
import resource
import signal
import sys


def main() -> None:
    if sys.argv[1] == "--ready":
        stay_ready(sys.argv[2])
    else:
        order = json.loads(sys.argv[1])
        answer_to(order, _import(order["job"]))


def stay_ready(name: str) -> None:
    """Fork for each order. A child that ends badly takes this process with it, the same way."""
    job = _import(name)
    while line := sys.stdin.buffer.readline():
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            nothing = os.open(os.devnull, os.O_RDONLY)
            os.dup2(nothing, 0)
            answer_to(order, job)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
            os.kill(os.getpid(), os.WTERMSIG(status))
        if status:
            os._exit(1)


def _import(name: str):
    # Imports are our own code and may take what they need; the file comes after the limits.
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return importlib.import_module(name)


def answer_to(order: dict, job) -> None:
    answer = _keep_stdout_for_the_answer()
    _limit(order["limits"])
    _leave_the_network()
    head, blobs = _run(job, order)
    head |= {"blobs": [len(blob) for blob in blobs], "token": order.get("token", "")}
    text = json.dumps(head).encode()
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
