"""`make run`: production-safe, idempotent, stopped cleanly; wrong settings stop the start."""

import os
import signal
import subprocess
import sys

import pytest

from tests.running import ROOT, running_site

pytestmark = pytest.mark.server


def test_it_comes_up_safely_and_stops_cleanly(tmp_path):
    with running_site(tmp_path, prepared=False, ADMIN_PASSWORD="") as site:
        log = site.log.read_text()
        assert f"{site.url}/admin/" in log
        assert "First editor: editor   password: " in log
        status, headers, body = site.get("/")
        assert status == 200
        assert b"PyTorch" in body
        assert headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "set-cookie" not in headers
        assert site.get("/pytorch/nothing/")[0] == 404
        assert site.get("/", Host="evil.example")[0] == 400
        key = tmp_path / "secret_key"
        assert key.stat().st_mode & 0o777 == 0o600
        site.process.send_signal(signal.SIGINT)
        assert site.process.wait(timeout=30) == 0
        first_key = key.read_text()
        again = site.manage("up", "--prepare-only")
        assert again.returncode == 0
        assert "password" not in again.stdout
        assert "Loaded" not in again.stdout
        assert key.read_text() == first_key


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("BIND", "nonsense", "HOST:PORT"),
        ("SITE_URL", "podcast.example.org", "https://"),
        ("SITE_URL", "https://x.example/path", "https://"),
        ("SITE_URL", "http://[::1", "an address"),
        ("MEDIA_STORE", "/mnt/media", "s3://bucket/prefix"),
        ("MEDIA_PUBLIC_URL", "media.example.org", "https://"),
        ("DEBUG", "perhaps", "on or off"),
        ("WEB_CONCURRENCY", "many", "a whole number"),
        ("WEB_CONCURRENCY", "0", "from 1 to 64"),
        ("SECRET_KEY", "short", "at least 32"),
        ("DATABASE_URL", "mysql://u:secret@h/x", "postgres://"),
        ("CACHE_URL", "memcached://h", "redis://"),
        ("DATA_DIR", "/proc/nothing", "directory"),
    ],
)
def test_a_wrong_setting_stops_the_start_by_name(tmp_path, name, value, says):
    environment = {**os.environ, "DATA_DIR": str(tmp_path), name: value}
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert name in last
    assert says in last
    assert "secret@" not in done.stderr
