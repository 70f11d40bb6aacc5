"""A job in a child: its answer, its refusal, and every way in which it may end badly."""

import os
import resource
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from episodes.findings import Unreadable
from episodes.probing import Limits, ProbeFailed, kept_ready, probe_in_child


@pytest.fixture(autouse=True, params=["started", "ready"])
def child(request):
    """Every promise holds for a child that is started and for one that forks when it is asked."""
    if request.param == "started":
        yield
    else:
        before = children()
        with kept_ready():
            yield
        assert children() == before


def run(behave, path="/nowhere", **limits):
    return probe_in_child(
        "tests.episodes.probing_jobs", path, options={"behave": behave}, limits=Limits(**limits)
    )


def test_the_answer_comes_back_with_its_blobs():
    answer = run("answer", path="/a file.mp3")
    assert answer.facts["path"] == "/a file.mp3"
    assert answer.blobs == (b"one", b"", b"three")


def test_the_child_knows_no_django():
    assert not [name for name in run("answer").facts["modules"] if name.startswith("django")]


def test_the_child_has_limits_and_no_secrets(monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "hush")
    facts = run("surroundings").facts
    assert facts["limits"] == {
        "RLIMIT_AS": 400 * 1024 * 1024,
        "RLIMIT_CPU": 10,
        "RLIMIT_NOFILE": 32,
        "RLIMIT_FSIZE": 64 * 1024 * 1024,
    }
    assert "hush" not in facts["environment"].values()


def test_a_refusal_keeps_the_jobs_own_words():
    with pytest.raises(Unreadable, match="choose a pear") as refusal:
        run("refuse")
    assert (refusal.value.code, refusal.value.where) == ("not-a-pear", "byte 3")


@pytest.mark.parametrize(
    ("behave", "reason", "limits"),
    [
        ("take_memory", "memory", {}),
        ("work_for_ever", "time", {"cpu_seconds": 1}),
        ("sleep_for_ever", "time", {"wall_seconds": 1}),
        ("die", "crash", {}),
        ("stumble", "crash", {}),
        ("bring_too_much", "size", {}),
    ],
)
def test_a_child_that_ends_badly_is_told_apart(behave, reason, limits):
    started = time.monotonic()
    with pytest.raises(ProbeFailed) as failure:
        run(behave, **limits)
    assert failure.value.reason == reason
    assert time.monotonic() - started < 5


def test_no_child_is_left_behind():
    with pytest.raises(ProbeFailed):
        run("sleep_for_ever", wall_seconds=1)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_printing_does_not_garble_the_answer():
    assert run("print_noise").facts == {"quiet": True}


def test_a_file_that_grows_too_large_is_stopped(tmp_path):
    with pytest.raises(ProbeFailed):
        run("write_too_much", path=str(tmp_path / "big"), file_bytes=1 << 20)
    assert (tmp_path / "big").stat().st_size <= 1 << 20


def can_leave_the_network():
    leave = "import os; os.unshare(os.CLONE_NEWUSER | os.CLONE_NEWNET)"
    return not subprocess.run([sys.executable, "-c", leave], capture_output=True).returncode


def test_the_child_reaches_no_network():
    if not can_leave_the_network():
        pytest.skip("this kernel gives ordinary users no network namespaces")
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        assert run("call_home", path=f"{host}:{port}").facts == {"reached": False}


def test_a_greedy_child_costs_its_parent_nothing():
    run("answer")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ProbeFailed):
        run("take_memory")
    with pytest.raises(ProbeFailed):
        run("bring_too_much")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024


def test_one_that_ended_badly_does_not_trouble_the_next():
    assert run("answer").blobs
    for behave in ("die", "stumble", "take_memory"):
        with pytest.raises(ProbeFailed):
            run(behave)
        assert run("answer").facts["path"] == "/nowhere"


def children():
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())
