"""Many apps poll while editors edit: no validator ever lies, and nobody sees an error.

`POLL_SECONDS=60 make test ARGS=tests/podcast/test_polling.py` for the long form.
"""

import gzip
import hashlib
import os
import random
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.conftest import CORPUS
from tests.editor import Editor
from tests.running import running_site

SECONDS = float(os.environ.get("POLL_SECONDS", "12"))

pytestmark = [pytest.mark.server, pytest.mark.timeout(600 + 2 * SECONDS)]
CLIENTS = 50
POLLS = 1000

#: The longest a public response may lag, and what the clock of a busy test machine may add.
LAG, SLACK = 1.0, 0.3

DESK = "/admin/episodes/episode/"


class World:
    """What the polls and the edits agree on: which bytes each validator stood for."""

    def __init__(self):
        self.lock = threading.Lock()
        self.bytes_of: dict[str, str] = {}
        self.dates: dict[str, set[str]] = {}
        self.saved: list[tuple[float, int]] = []
        self.statuses: dict[int, int] = {}
        self.wrong: list[str] = []

    def promise(self, etag: str, body: bytes) -> None:
        digest = hashlib.sha256(body).hexdigest()
        with self.lock:
            if self.bytes_of.setdefault(etag, digest) != digest:
                self.wrong.append(f"{etag} stood for two bodies")

    def due(self, moment: float) -> int:
        """The newest edit that a request beginning at `moment` has to show."""
        with self.lock:
            done = [number for at, number in self.saved if at <= moment - LAG - SLACK]
        return max(done, default=0)


def poll(url: str, feed: str, seed: int, polls: int, world: World, pause: float) -> None:
    """One app: remembers its validators as apps do, and looks at every answer."""
    rng = random.Random(seed)
    etag = date = ""
    seen = b""
    coding = rng.choice(["gzip", "identity", "br", "zstd"])
    with httpx.Client(base_url=url, timeout=30) as http:
        for _ in range(polls):
            time.sleep(pause * rng.uniform(0.5, 1.5))
            headers = {"Accept-Encoding": coding}
            if etag and rng.random() < 0.8:
                headers["If-None-Match"] = etag
            elif date and rng.random() < 0.5:
                headers["If-Modified-Since"] = date
            began = time.monotonic()
            due = world.due(began)
            answer = http.request(rng.choice(["GET"] * 9 + ["HEAD"]), feed, headers=headers)
            with world.lock:
                world.statuses[answer.status_code] = world.statuses.get(answer.status_code, 0) + 1
            if answer.status_code == 200 and answer.request.method == "GET":
                seen, etag = answer.content, answer.headers["etag"]
                date = answer.headers.get("last-modified", "")
                world.promise(etag, seen)
            elif answer.status_code == 304:
                if "If-None-Match" in headers and answer.headers["etag"] != etag:
                    world.wrong.append(f"304 with {answer.headers['etag']} to {etag}")
            else:
                continue
            shown = max(map(int, re.findall(rb"edit no (\d+)", seen)), default=0)
            if shown < due:
                world.wrong.append(f"edit {due} was due, {shown} was shown to {headers}")


def edit(url: str, seed: int, stop: threading.Event, world: World) -> None:
    """One editor: numbers each edit in the show's description, with much else between them."""
    rng = random.Random(seed)
    editor = Editor(url)
    listed = editor.http.get(DESK).text
    paths = sorted(set(re.findall(rf"{DESK}\d+/change/", listed)))
    number = 0
    while not stop.is_set():
        number += 1
        show = editor.submit(
            "/admin/episodes/show/1/change/", {"description": f"A briefing, edit no {number}."}
        )
        assert show.status_code == 302, show.text
        with world.lock:
            world.saved.append((time.monotonic(), number))
        path = rng.choice(paths)
        match rng.randrange(5):
            case 0:
                done = editor.submit(path, {"title": f"Title {rng.getrandbits(32)}"})
            case 1:
                done = editor.submit(path, {"status": "draft"})
            case 2:
                done = editor.submit(path, {"status": "published"})
            case 3:
                vtt = (CORPUS / "transcripts/namespace-example.vtt").read_bytes()
                vtt += f"\n\n01:00:00.000 --> 01:00:01.000\nTake {rng.random()}.\n".encode()
                done = editor.submit(
                    path,
                    {"transcripts-0-language": "en", "transcripts-0-replace": "on"},
                    {"transcripts-0-upload": ("t.vtt", vtt)},
                )
            case _:
                chosen = [other.split("/")[-3] for other in rng.sample(paths, 3)]
                done = editor.http.post(
                    DESK,
                    data={
                        "csrfmiddlewaretoken": editor.http.cookies["csrftoken"],
                        "action": rng.choice(["publish_now", "withdraw"]),
                        "_selected_action": chosen,
                    },
                    headers={"Referer": url + DESK},
                )
        assert done.status_code in (200, 302), done.text
        time.sleep(rng.uniform(0, 0.2))
    editor.close()


@pytest.fixture(scope="module")
def busy_site(tmp_path_factory):
    with running_site(tmp_path_factory.mktemp("polled"), WEB_CONCURRENCY="2") as running:
        yield running


def test_a_thousand_polls_during_random_editing_are_told_the_truth(busy_site):
    world = World()
    stop = threading.Event()
    feed = "/pytorch/feed.xml"
    pause = SECONDS * CLIENTS / POLLS
    with ThreadPoolExecutor(CLIENTS + 1) as threads:
        editing = threads.submit(edit, busy_site.url, 1, stop, world)
        jobs = [
            threads.submit(poll, busy_site.url, feed, seed, POLLS // CLIENTS, world, pause)
            for seed in range(CLIENTS)
        ]
        for job in jobs:
            job.result()
        stop.set()
        editing.result()
    assert world.wrong == []
    assert sum(world.statuses.values()) == POLLS
    assert set(world.statuses) == {200, 304}
    assert world.saved, "nothing was edited"
    assert len(world.bytes_of) > SECONDS / 5, "too few editions were seen to prove anything"
    time.sleep(max(0, world.saved[-1][0] + LAG + SLACK - time.monotonic()))
    status, _, body = busy_site.get(feed, Accept_Encoding="gzip")
    assert status == 200
    assert f"edit no {world.saved[-1][1]}" in gzip.decompress(body).decode()
