"""The running site with a show of 500 episodes, as ratios to nginx sending the same bytes.

    python -m bench.site_bench [--seconds 3] [--rounds 3] [--items 500]

Three tables of one run on one machine: gunicorn as `make run` starts it; the same site
through docs/nginx.conf; a plain uncached syndication feed of the same rows. Then slow
listeners: 24 at 32 kB/s while apps poll, and 200 at 16 kB/s while pages are read.
Needs `wrk`, `nginx` and `hey` (Debian: wrk, nginx-light, hey).
"""

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from bench import listeners
from bench.front_bench import (
    ROOT,
    WORKERS,
    Case,
    Result,
    compare,
    free_port,
    nginx,
    process,
    table,
)
from tests.nginx import nginx_before_site
from tests.running import RunningSite, request, running_site

GZIP = {"Accept-Encoding": "gzip"}
RANGE = {"Range": "bytes=1000000-2048575"}

# Targets: straight from gunicorn, and behind the documented nginx.
CASES = [
    (Case("feed, full", "feed", 0.7), 0.7),
    (Case("feed, gzip", "feed", 0.45, GZIP), 0.7),
    (Case("feed, 304", "feed", 0.2, {"If-None-Match": "ETAG"}, 304), 0.8),
    (Case("feed, HEAD", "feed", 0.2, {}, 200), 0.7),
    (Case("episode page", "page", 0.22), 0.7),
    (Case("audio, 1 MiB range", "audio", 0.6, RANGE, 206), 0.8),
]


def addresses(site: RunningSite) -> dict[str, str]:
    """Paths of the feed, the newest episode's page and its recording, from the site's own feed."""
    feed = "/bench/feed.xml"
    status, _, body = site.get(feed)
    if status != 200:
        raise RuntimeError(f"{feed} answered {status}")
    text = body.decode()
    audio = re.search(r'<enclosure url="http://[^/"]+([^"]+)"', text)
    page = re.search(r"<item>.*?<link>http://[^/<]+([^<]+)</link>", text, re.DOTALL)
    if audio is None or page is None:
        raise RuntimeError("the feed has no episode")
    return {"feed": feed, "page": page[1], "audio": audio[1]}


def keep_as_files(site: RunningSite, paths: dict[str, str], directory: Path) -> dict[str, str]:
    """What the site answers, as files for nginx; their paths."""
    names = {"feed": "feed.xml", "page": "page.html", "audio": "audio.mp3"}
    for kind, name in names.items():
        body = site.get(paths[kind])[2]
        (directory / name).write_bytes(body)
        if kind != "audio":
            (directory / f"{name}.gz").write_bytes(gzip.compress(body, 6))
    return {kind: f"/{name}" for kind, name in names.items()}


def heads(origin: str, path: str, seconds: float) -> tuple[float, str]:
    """HEAD requests per second by `hey`, since wrk waits for the body of each answer."""
    command = ["hey", "-m", "HEAD", "-c", "32", "-z", f"{seconds:g}s"]
    output = subprocess.run(
        [*command, origin + path], check=True, capture_output=True, text=True
    ).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
    median = re.search(r"50% in ([\d.]+) secs", output)
    if rate is None or median is None or not re.search(r"\[200\]\s+\d+ responses\s*$", output):
        raise RuntimeError(f"hey said something unexpected:\n{output}")
    return float(rate[1]), f"{float(median[1]) * 1000:.2f}ms"


def compare_all(
    static: str, files: dict[str, str], origin: str, paths: dict[str, str], options, behind: bool
) -> list[Result]:
    results = []
    for case, target in CASES:
        if options.only and options.only not in case.name:
            continue
        case = replace(case, target=target if behind else case.target)
        if case.name.endswith("HEAD"):
            theirs, ours = [], []
            for _ in range(options.rounds):
                theirs.append(heads(static, files[case.path], options.seconds))
                ours.append(heads(origin, paths[case.path], options.seconds))
            rate, latency = sorted(ours)[len(ours) // 2]
            results.append(Result(case, sorted(theirs)[len(theirs) // 2][0], rate, latency))
            continue
        results += compare(
            static,
            origin,
            [replace(case, path=files[case.path])],
            options.seconds,
            options.rounds,
            subject_path=paths[case.path],
        )
    return results


@contextmanager
def plain(data_dir: Path) -> Iterator[str]:
    """gunicorn with sync workers and the plain feed, on the same rows."""
    port = free_port()
    environment = {**os.environ, "DATA_DIR": str(data_dir), "SITE_URL": f"http://127.0.0.1:{port}"}
    command = [sys.executable, "-m", "gunicorn", "-w", str(WORKERS), "-b", f"127.0.0.1:{port}"]
    with process([*command, "bench.plain_app:application"], port, cwd=ROOT, env=environment):
        yield f"http://127.0.0.1:{port}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--items", type=int, default=500)
    parser.add_argument("--only", help="cases whose name contains this")
    options = parser.parse_args()
    if missing := [tool for tool in ("wrk", "nginx", "hey") if shutil.which(tool) is None]:
        sys.stdout.write(f"skipped: {' and '.join(missing)} not installed\n")
        return 0
    say = sys.stdout.write
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        data, static_files, work = folder / "data", folder / "static", folder / "work"
        for path in (data, static_files, work):
            path.mkdir()
        environment = {**os.environ, "DATA_DIR": str(data)}
        filling = [sys.executable, "-m", "bench.filling", str(options.items)]
        subprocess.run(filling, check=True, cwd=ROOT, env=environment)
        with running_site(data) as site:
            paths = addresses(site)
            files = keep_as_files(site, paths, static_files)
            with nginx(static_files, work) as static:
                straight = compare_all(static, files, site.url, paths, options, behind=False)
            say(f"gunicorn as `make run` starts it, {options.items} episodes\n\n")
            say(table(straight, "the site") + "\n\n")
            calm = listeners.report(site.url, paths["feed"], paths["page"], paths["audio"])
            say(calm.text + "\n")
        (folder / "nginx").mkdir()
        with (
            nginx_before_site(data, folder / "nginx", log=False) as before,
            nginx(static_files, work) as static,
        ):
            paths = {**paths, "audio": addresses(before.site)["audio"]}
            behind = compare_all(static, files, before.url, paths, options, behind=True)
            say("through docs/nginx.conf\n\n" + table(behind, "nginx, site") + "\n\n")
        with plain(data) as origin:
            request(origin)
            began = time.perf_counter()
            for _ in range(3):
                request(origin)
            each = (time.perf_counter() - began) / 3
        feed = next((r for r in straight if r.case.name == "feed, full"), None)
        say(f"plain uncached syndication feed: {each * 1000:,.0f} ms for one; ")
        if feed is not None:
            say(f"its {WORKERS} workers give {WORKERS / each:,.1f}/s at best, ")
            say(f"the site {feed.ours * each / WORKERS:,.0f} times as many\n")
    results = straight + behind
    return 0 if calm.good and all(r.ratio >= r.case.target for r in results) else 1


if __name__ == "__main__":
    sys.exit(main())
