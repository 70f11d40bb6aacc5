"""How fast the front is, as ratios to nginx sending the same bytes as static files.

    python -m bench.front_bench [--seconds 3] [--rounds 3]

Needs `wrk` and `nginx` (Debian packages). Each case runs against nginx and against
gunicorn in turn, several rounds, and the medians are compared: figures of one
run on one machine, of which only the ratios mean anything elsewhere. HEAD is not
among them, because wrk waits for the body of its answers.
"""

import argparse
import gzip
import os
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORKERS = 2


@dataclass(frozen=True)
class Case:
    """One kind of request; `target` is the lowest ratio to nginx that we accept."""

    name: str
    path: str
    target: float
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 200


@dataclass(frozen=True)
class Result:
    case: Case
    nginx: float  # requests per second
    ours: float
    latency: str  # ours, median, as wrk prints it

    @property
    def ratio(self) -> float:
        return self.ours / self.nginx


CASES = [
    Case("feed, full", "/feed.xml", 0.7),
    Case("feed, gzip", "/feed.xml", 0.45, {"Accept-Encoding": "gzip"}),
    Case("feed, 304", "/feed.xml", 0.2, {"If-None-Match": "ETAG"}, 304),
    Case("page", "/page.html", 0.22),
    Case("audio, 1 MiB range", "/audio.mp3", 0.6, {"Range": "bytes=1000000-2048575"}, 206),
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port: int, seconds: float = 20) -> None:
    """Until something listens on `port`; raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"nothing listens on port {port} after {seconds} s")


def write_files(directory: Path) -> None:
    """A feed of 1.19 MB of words, a page of 20 kB, 8 MB of noise for audio."""
    dice = random.Random(1)
    words = ["".join(dice.choices("etaoinshrdlucm", k=dice.randint(2, 9))) for _ in range(4000)]
    text = " ".join(dice.choices(words, k=200_000)).encode()
    (directory / "feed.xml").write_bytes(text[:1_190_000])
    (directory / "page.html").write_bytes(text[:20_000])
    (directory / "audio.mp3").write_bytes(dice.randbytes(8_000_000))
    for name in ("feed.xml", "page.html"):
        packed = gzip.compress((directory / name).read_bytes(), 6)
        (directory / f"{name}.gz").write_bytes(packed)


@contextmanager
def process(command: list[str], port: int, **options) -> Iterator[subprocess.Popen]:
    """A server of ours that is stopped again, and that serves once this yields."""
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, **options)
        try:
            wait_for(port)
            yield server
        except TimeoutError:
            log.seek(0)
            sys.stderr.write(log.read().decode(errors="replace"))
            raise
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


@contextmanager
def nginx(directory: Path, work: Path) -> Iterator[str]:
    """nginx with `directory` as its static files; yields its origin."""
    port = free_port()
    config = work / "nginx.conf"
    config.write_text(
        f"""
        daemon off; worker_processes {WORKERS}; pid {work}/nginx.pid; error_log {work}/error.log;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000;
            gzip_static on; gzip_vary on; open_file_cache max=100;
            client_body_temp_path {work}/b; proxy_temp_path {work}/p; fastcgi_temp_path {work}/f;
            uwsgi_temp_path {work}/u; scgi_temp_path {work}/s;
            types {{ application/rss+xml xml; text/html html; audio/mpeg mp3; }}
            server {{ listen 127.0.0.1:{port}; root {directory}; }}
        }}
        """
    )
    with process(["nginx", "-p", str(work), "-c", str(config)], port):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def front(directory: Path) -> Iterator[str]:
    """gunicorn as the site starts it, with `bench.front_app` in Django's place."""
    port = free_port()
    environment = {
        **os.environ,
        "BIND": f"127.0.0.1:{port}",
        "WEB_CONCURRENCY": str(WORKERS),
        "BENCH_FILES": str(directory),
        "DATA_DIR": str(directory / "data"),
    }
    command = [sys.executable, "-m", "gunicorn", "-c", "podcast/gunicorn.py"]
    with process([*command, "bench.front_app:application"], port, cwd=ROOT, env=environment):
        yield f"http://127.0.0.1:{port}"


def etag_of(url: str) -> str:
    with urllib.request.urlopen(url) as response:  # noqa: S310 (our own server)
        return response.headers["ETag"]


def measure(origin: str, case: Case, seconds: float, connections: int = 32) -> tuple[float, str]:
    """Requests per second and median latency by wrk; raises if an answer was not `case.status`."""
    headers = dict(case.headers)
    if headers.get("If-None-Match") == "ETAG":
        headers["If-None-Match"] = etag_of(origin + case.path)
    url = origin + case.path
    command = ["wrk", "-t2", f"-c{connections}", "--latency"]
    for name, value in headers.items():
        command += ["-H", f"{name}: {value}"]
    # Looking at each answer costs wrk time, so that is done briefly and apart.
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(
            f"function response(status) if status ~= {case.status} then os.exit(3) end end"
        )
        script.flush()
        subprocess.run([*command, "-d1", "-s", script.name, url], check=True, capture_output=True)
    command += [f"-d{seconds:g}s", url]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
    median = re.search(r"^\s+50%\s+(\S+)", output, re.MULTILINE)
    if rate is None or median is None:
        raise RuntimeError(f"wrk said something unexpected:\n{output}")
    return float(rate[1]), median[1]


def compare(
    reference: str,
    subject: str,
    cases: list[Case],
    seconds: float,
    rounds: int,
    subject_path: str = "",
) -> list[Result]:
    """Each case in turn at both origins, `rounds` times, medians taken.

    `subject_path` is where the subject has it, if elsewhere.
    """
    results = []
    for case in cases:
        theirs, ours, latencies = [], [], []
        for _ in range(rounds):
            theirs.append(measure(reference, case, seconds)[0])
            there = replace(case, path=subject_path or case.path)
            rate, latency = measure(subject, there, seconds)
            ours.append(rate)
            latencies.append(latency)
        middle = latencies[ours.index(statistics.median_low(ours))]
        results.append(Result(case, statistics.median(theirs), statistics.median(ours), middle))
    return results


def table(results: list[Result], subject: str = "front") -> str:
    lines = [
        f"| case | nginx static | {subject} | median | ratio | target |  |",
        "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for result in results:
        verdict = "ok" if result.ratio >= result.case.target else "below"
        lines.append(
            f"| {result.case.name} | {result.nginx:,.0f}/s | {result.ours:,.0f}/s "
            f"| {result.latency} | {result.ratio:.2f} | {result.case.target} | {verdict} |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="cases whose name contains this")
    options = parser.parse_args()
    if missing := [tool for tool in ("wrk", "nginx") if shutil.which(tool) is None]:
        sys.stdout.write(f"skipped: {' and '.join(missing)} not installed\n")
        return 0
    cases = [case for case in CASES if (options.only or "") in case.name]
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        work = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        directory.chmod(0o755)  # nginx's workers run as another user
        write_files(directory)
        reference = stack.enter_context(nginx(directory, work))
        subject = stack.enter_context(front(directory))
        results = compare(reference, subject, cases, options.seconds, options.rounds)
    sys.stdout.write(table(results) + "\n")
    return 0 if all(result.ratio >= result.case.target for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
