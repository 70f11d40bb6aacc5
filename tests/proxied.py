"""Real nginx in front of a running site, sending media by X-Accel-Redirect."""

import getpass
import os
import shutil
import subprocess
import time
import urllib.error
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.running import request

CONFIG = """
daemon off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/error.log; {user}
events {{ worker_connections 256; }}
http {{
  access_log off; default_type application/octet-stream; client_max_body_size 0;
  client_body_temp_path {work}/body; proxy_temp_path {work}/proxy;
  fastcgi_temp_path {work}/f; uwsgi_temp_path {work}/u; scgi_temp_path {work}/s;
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://127.0.0.1:{upstream};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
    }}
    location /_protected/ {{
      internal;
      alias {media}/;
      add_header Access-Control-Allow-Origin $upstream_http_access_control_allow_origin;
      add_header Access-Control-Expose-Headers $upstream_http_access_control_expose_headers;
      add_header Content-Security-Policy $upstream_http_content_security_policy;
    }}
  }}
}}
"""


@contextmanager
def running_nginx(work: Path, port: int, upstream: int, media: Path):
    """nginx on `port` before the site on `upstream`; `media` is the site's MEDIA_ROOT."""
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed (apt-get install nginx-light)")
    work.mkdir(exist_ok=True)
    user = f"user {getpass.getuser()};" if os.geteuid() == 0 else ""
    config = work / "nginx.conf"
    config.write_text(
        CONFIG.format(work=work, port=port, upstream=upstream, media=media, user=user)
    )
    with (work / "output.log").open("wb") as output:
        process = subprocess.Popen(
            ["nginx", "-p", str(work), "-c", str(config)], stdout=output, stderr=output
        )
    try:
        wait_until_up(port, process, work)
        yield
    finally:
        process.terminate()
        process.wait(20)


def wait_until_up(port: int, process: subprocess.Popen, work: Path, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if request(f"http://127.0.0.1:{port}/healthz")[0] == 200:
                return
        except (OSError, urllib.error.URLError):
            time.sleep(0.05)
    raise AssertionError((work / "output.log").read_text() + (work / "error.log").read_text())
