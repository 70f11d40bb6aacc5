"""A real site for tests: `manage.py up` in a data directory of its own, on a free port."""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parent.parent
PASSWORD = "correct horse battery"


@dataclass
class RunningSite:
    url: str
    data_dir: Path
    log: Path
    environment: dict
    process: subprocess.Popen | None = None

    def start(self) -> None:
        """`manage.py up`; returns when the site answers."""
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=ROOT,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        wait_until_up(self)

    def stop(self) -> None:
        """Ctrl-C, and a kill for what does not listen."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """SIGKILL for every process of the site, as a power cut would."""
        family = [self.process.pid, *descendants(self.process.pid)]
        for pid in family:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(10)
        deadline = time.monotonic() + 10
        while any(is_running(pid) for pid in family) and time.monotonic() < deadline:
            time.sleep(0.01)

    def get(self, path: str, **headers) -> tuple[int, dict, bytes]:
        """Status, headers (lower-case names) and body; redirects are not followed."""
        return request(self.url + path, headers=headers)

    def manage(self, *arguments: str, **run) -> subprocess.CompletedProcess:
        """A management command on this site's data."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            **run,
        )


def descendants(pid: int) -> list[int]:
    """Children and children's children, by /proc."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, task.read_text().split()):
                found += [child, *descendants(child)]
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args, **kwargs):
        return None


_opener = urllib.request.build_opener(NoRedirects)


def request(url: str, method="GET", headers=None, data=None) -> tuple[int, dict, bytes]:
    asked = urllib.request.Request(url, data=data, method=method)
    for name, value in (headers or {}).items():
        asked.add_header(name.replace("_", "-"), value)
    try:
        with _opener.open(asked, timeout=30) as response:
            body = response.read()
            return response.status, {k.lower(): v for k, v in response.headers.items()}, body
    except urllib.error.HTTPError as response:
        with response:
            body = response.read()
            return response.code, {k.lower(): v for k, v in response.headers.items()}, body


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def on_server(url: str, statement: str) -> bool:
    """Whether the PostgreSQL server at `url` did in a minute what was asked of it.

    To create and drop databases it waits for every one of its processes (PostgreSQL 15 and newer:
    `ProcSignalBarrier`), with no end of its own.
    """
    import psycopg

    limits = "-c statement_timeout=60000"
    with psycopg.connect(url, autocommit=True, connect_timeout=10, options=limits) as connection:
        try:
            connection.execute(statement)
        except psycopg.errors.QueryCanceled:
            return False
    return True


def own_database(url: str, template: str = "") -> str:
    """A new database on the PostgreSQL server at `url`, or '' for SQLite."""
    if not url.startswith("postgres"):
        return ""
    like = f' TEMPLATE "{urlsplit(template).path[1:]}"' if template else ""
    for _ in range(3):
        name = f"site_{uuid.uuid4().hex[:12]}"
        if on_server(url, f'CREATE DATABASE "{name}"{like}'):
            return urlsplit(url)._replace(path=f"/{name}").geturl()
    raise AssertionError(f"PostgreSQL made no database in three minutes: {url}")


def drop_database(url: str, own: str) -> None:
    """One that the server does not get rid of in a minute is left to it: no test is about that."""
    if own:
        on_server(url, f'DROP DATABASE IF EXISTS "{urlsplit(own).path[1:]}" WITH (FORCE)')


#: Settings of a running site that change nothing of what `up` prepares.
SAME_SITE = {
    "WEB_CONCURRENCY", "X_ACCEL", "BEHIND_PROXY", "TRUSTED_PROXIES", "FRONT_THREADS",
    "FRONT_CACHE_BYTES", "ALLOWED_HOSTS", "UPLOAD_MAX_BYTES", "SITE_URL",
}  # fmt: skip

#: One folder for all workers of a test run, named and removed by tests/conftest.py.
PREPARED = Path(os.environ.get("PREPARED_SITE") or tempfile.mkdtemp(prefix="prepared-site-"))


def is_new(data_dir: Path) -> bool:
    return not any((data_dir / name).exists() for name in ("db.sqlite3", "secret_key"))


def copy_of_prepared(data_dir: Path, outer: str) -> str:
    """What `up` prepares, in `data_dir` and in a database whose URL is returned ('': SQLite)."""
    PREPARED.mkdir(exist_ok=True)
    with (PREPARED / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = PREPARED / "database"
        if not known.exists():
            source = own_database(outer)
            environment = {
                **os.environ,
                "DATA_DIR": str(PREPARED / "data"),
                "ADMIN_PASSWORD": PASSWORD,
                "DJANGO_SETTINGS_MODULE": "podcast.settings",
                **({"DATABASE_URL": source} if source else {}),
            }
            command = [sys.executable, "manage.py", "up", "--prepare-only"]
            subprocess.run(
                command, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=180
            )
            known.write_text(source)
        own = own_database(outer, known.read_text())
    shutil.copytree(PREPARED / "data", data_dir, dirs_exist_ok=True)
    return own


@contextmanager
def running_site(data_dir: Path, *, prepared: bool = True, **settings: str):
    """`manage.py up` until the block ends, then Ctrl-C. `settings` go into its environment.

    A new site begins as a copy of one that was prepared once for the whole run; not so with
    `prepared=False`, nor where its media or its demo would not be the same.
    """
    port = free_port()
    outer = os.environ.get("DATABASE_URL", "")
    if prepared and not (settings.keys() - SAME_SITE) and is_new(data_dir):
        own = copy_of_prepared(data_dir, outer)
    else:
        own = own_database(outer)
    environment = {
        **{k: v for k, v in os.environ.items() if k not in {"ALLOWED_HOSTS", "DATABASE_URL"}},
        "DATA_DIR": str(data_dir),
        "BIND": f"127.0.0.1:{port}",
        "SITE_URL": f"http://127.0.0.1:{port}",
        "ADMIN_PASSWORD": PASSWORD,
        "DJANGO_SETTINGS_MODULE": "podcast.settings",
        **({"DATABASE_URL": own} if own else {}),
        **settings,
    }
    site = RunningSite(f"http://127.0.0.1:{port}", data_dir, data_dir / "up.log", environment)
    try:
        site.start()
        yield site
    finally:
        site.stop()
        drop_database(outer, own)


def wait_until_up(site: RunningSite, seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if site.process.poll() is not None:
            break
        try:
            if site.get("/healthz")[0] == 200:
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"The site did not come up:\n{site.log.read_text()}")
