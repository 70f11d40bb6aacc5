"""A real site for tests: `manage.py up` in a data directory of its own, on a free port."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parent.parent
PASSWORD = "correct horse battery"


@dataclass
class RunningSite:
    url: str
    data_dir: Path
    process: subprocess.Popen
    log: Path
    environment: dict

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


def own_database(url: str) -> str:
    """A new database on the PostgreSQL server at `url`, or '' for SQLite."""
    if not url.startswith("postgres"):
        return ""
    import psycopg

    name = f"site_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return urlsplit(url)._replace(path=f"/{name}").geturl()


def drop_database(url: str, own: str) -> None:
    if own:
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            name = urlsplit(own).path[1:]
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@contextmanager
def running_site(data_dir: Path, **settings: str):
    """`manage.py up` until the block ends, then Ctrl-C. `settings` go into its environment."""
    port = free_port()
    outer = os.environ.get("DATABASE_URL", "")
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
    log = data_dir / "up.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    site = RunningSite(f"http://127.0.0.1:{port}", data_dir, process, log, environment)
    try:
        wait_until_up(site)
        yield site
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
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
