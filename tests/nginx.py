"""A real nginx before a running site, with `docs/nginx.conf` as it is documented."""

import os
import shutil
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.running import ROOT, free_port, request, running_site

EXAMPLE = ROOT / "docs" / "nginx.conf"


class Nginx:
    """`url` is what the world sees; `site` is the gunicorn behind it."""

    def __init__(self, url: str, site, log: Path):
        self.url = url
        self.site = site
        self.log = log

    def get(self, path: str, method: str = "GET", **headers) -> tuple[int, dict, bytes]:
        return request(self.url + path, method, headers)

    def cache_statuses(self, mark: str, count: int) -> list[str]:
        """What nginx's cache did for the `count` requests that had the header `X-Mark: <mark>`.

        HIT, MISS, REVALIDATED, BYPASS or -. nginx writes its log after it has answered, each
        worker in its own time: so this waits for all of them.
        """
        until = time.monotonic() + 20
        while time.monotonic() < until:
            lines = [line.split() for line in self.log.read_text().splitlines()]
            found = [line[1] for line in lines if line[0] == mark and len(line) == 2]
            if len(found) >= count:
                return found
            time.sleep(0.01)
        raise AssertionError(f"nginx logged {len(found)} of {count} requests marked {mark}")


def configuration(work: Path, port: int, site, log: bool) -> str:
    """The example with its three changes made, inside a minimal main configuration."""
    example = EXAMPLE.read_text()
    for documented, ours in {
        "listen 80;": f"listen 127.0.0.1:{port};",
        "server_name podcast.example.org;": "server_name 127.0.0.1;",
        "server 127.0.0.1:8000;": f"server {site.url.removeprefix('http://')};",
        "/srv/podcast/nginx-cache": f"{work}/cache",
        "/srv/podcast/var/": f"{site.data_dir}/",
    }.items():
        assert documented in example, f"{EXAMPLE.name} no longer says {documented}"
        example = example.replace(documented, ours)
    user = "user root;" if os.geteuid() == 0 else ""  # the data directory is its owner's alone
    return f"""
        {user} daemon off; worker_processes 2; pid {work}/nginx.pid; error_log {work}/error.log;
        events {{ worker_connections 2048; }}
        http {{
            log_format cache '$http_x_mark $upstream_cache_status';
            access_log {f"{work}/cache.log cache" if log else "off"};
            keepalive_requests 100000000;
            client_body_temp_path {work}/b; proxy_temp_path {work}/p; fastcgi_temp_path {work}/f;
            uwsgi_temp_path {work}/u; scgi_temp_path {work}/s;
            {example}
        }}
        """


@contextmanager
def nginx_before_site(data_dir: Path, work: Path, *, log: bool = True, **settings: str):
    """A site as the example's comments say to set it up, with nginx before it."""
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed (apt-get install nginx-light)")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    asked = {"SITE_URL": url, "BEHIND_PROXY": "on", "X_ACCEL": "on"}
    with running_site(data_dir, **asked, **settings) as site:
        path = work / "nginx.conf"
        path.write_text(configuration(work, port, site, log))
        said = work / "stderr.txt"
        with said.open("wb") as output:
            command = ["nginx", "-p", str(work), "-c", str(path)]
            server = subprocess.Popen(command, stderr=output)
        try:
            until = time.monotonic() + 20
            while time.monotonic() < until:
                if server.poll() is not None:
                    raise AssertionError(said.read_text())
                try:
                    if request(f"{url}/healthz")[0] == 200:
                        break
                except OSError:
                    time.sleep(0.05)
            yield Nginx(url, site, work / "cache.log")
        finally:
            server.terminate()
            server.wait(10)
