"""Killed at any moment, the site shows the old state or the new one, and never half of it.

`KILL_ROUNDS=100 make test ARGS=tests/test_killed.py` for the long form.
"""

import os
import random
import threading
import time

import httpx
import pytest

from tests.conftest import CORPUS
from tests.editor import Editor
from tests.running import running_site

ROUNDS = int(os.environ.get("KILL_ROUNDS", "4"))

pytestmark = [pytest.mark.server, pytest.mark.timeout(600 + 30 * ROUNDS)]
ADD = "/admin/episodes/episode/add/"
TORN = (
    "recording-missing",
    "wrong-length",
    "wrong-content",
    "picture-missing",
    "upload-missing",
    "upload-damaged",
)


def recording(rng: random.Random) -> tuple[str, bytes]:
    """A recording no other call gives: the same sound behind another tag."""
    name = rng.choice(["cbr-128k-10s.mp3", "id3v23-3-chapters-cover.mp3"])
    # ID3v1 at the end: 128 bytes, a title of 30.
    tag = b"TAG" + rng.randbytes(12).hex().encode().ljust(30, b"\0") + b"\0" * 94 + b"\xff"
    return name, (CORPUS / "audio" / name).read_bytes() + tag


def work(url: str, seed: int, stop: threading.Event) -> None:
    """Upload, replace, publish and withdraw until the server is gone."""
    rng = random.Random(seed)
    try:
        editor = Editor(url, timeout=15)
        while not stop.is_set():
            name, sound = recording(rng)
            published = rng.choice(["draft", "published"])
            changes = {"show": "1", "title": f"Take {rng.getrandbits(40):x}", "status": published}
            files = {"audio_upload": (name, sound)}
            if rng.random() < 0.4:
                vtt = (CORPUS / "transcripts/namespace-example.vtt").read_bytes()
                files["transcripts-0-upload"] = ("t.vtt", vtt)
            made = editor.submit(ADD, {**changes, "_continue": "1"}, files)
            path = made.headers.get("location")
            if path and rng.random() < 0.7:
                editor.submit(path, {"status": "published"}, {"audio_upload": recording(rng)})
    except (httpx.HTTPError, AssertionError, IndexError):
        pass  # the server died under it, which is the point


def make_old(folder) -> None:
    then = time.time() - 7 * 86400
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, (then, then))


def test_no_episode_ever_points_at_a_torn_file(tmp_path):
    rng = random.Random(20260305)
    with running_site(tmp_path, WEB_CONCURRENCY="2") as site:
        # Tags are written into copies, so that a kill may fall into that as well.
        tags_on = "from episodes.models import Show; Show.objects.update(write_tags=True)"
        assert site.manage("shell", "-c", tags_on).returncode == 0
        for number in range(ROUNDS):
            stop = threading.Event()
            workers = [
                threading.Thread(target=work, args=(site.url, number * 10 + n, stop))
                for n in range(3)
            ]
            for worker in workers:
                worker.start()
            time.sleep(rng.uniform(0.5, 4))
            site.kill()
            stop.set()
            for worker in workers:
                worker.join()

            make_old(tmp_path / "media")
            make_old(tmp_path / "uploads")
            found = site.manage("check_media", "--hashes")
            assert not any(line.startswith(TORN) for line in found.stdout.splitlines()), found
            site.manage("check_media", "--hashes", "--repair", "--yes")
            clean = site.manage("check_media", "--hashes")
            assert clean.returncode == 0, clean.stdout + clean.stderr
            assert list((tmp_path / "uploads").iterdir()) == []

            site.start()
            status, _, body = site.get("/pytorch/feed.xml")
            assert status == 200
            for address in set(enclosures(body.decode())):
                status, *_ = site.get(address.removeprefix(site.url), Range="bytes=0-9")
                assert status == 206, address


def enclosures(feed: str) -> list[str]:
    return [part.partition('"')[0] for part in feed.split('<enclosure url="')[1:]]
