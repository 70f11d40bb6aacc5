"""Backups while ten editors write, in S3, and as docs/backup.md tells people to make them.

`BACKUPS=10 make test ARGS=tests/podcast/test_backup_in_use.py` for the long form.
"""

import os
import random
import re
import threading
from contextlib import closing

import pytest
from lxml import html

from podcast.backup.directory import DirectoryPlace
from podcast.backup.places import manifest_of
from tests.conftest import CORPUS
from tests.editor import Editor
from tests.podcast.sites import empty_site, must, rows_of
from tests.running import ROOT, free_port, running_site
from tests.test_killed import ADD, recording

EDITORS = 10
BACKUPS = int(os.environ.get("BACKUPS", "2"))

pytestmark = [pytest.mark.server, pytest.mark.timeout(600 + 60 * BACKUPS)]
VTT = (CORPUS / "transcripts/namespace-example.vtt").read_bytes()


# While it is being used


def write(url: str, seed: int, stop: threading.Event, said: list) -> None:
    """Add episodes with recording and transcript, and replace recordings, until told to stop."""
    rng = random.Random(seed)
    editor = Editor(url, timeout=120)
    # A connection kept open may be closed by the server in the moment it is used again.
    editor.http.headers["Connection"] = "close"
    while not stop.is_set():
        made = editor.submit(
            ADD,
            {"show": "1", "title": f"Take {rng.getrandbits(40):x}", "status": "published",
             "_continue": "1"},
            {"audio_upload": recording(rng), "transcripts-0-upload": ("t.vtt", VTT)},
        )  # fmt: skip
        said.append(answer_of(made))
        if made.status_code == 302 and rng.random() < 0.5:
            replaced = editor.submit(made.headers["location"], {}, {"audio_upload": recording(rng)})
            said.append(answer_of(replaced))
    editor.close()


def answer_of(response) -> int | str:
    """302, or what stands in the way."""
    if response.status_code == 302:
        return 302
    errors = html.fromstring(response.text).xpath("//*[contains(@class, 'errorlist')]//text()")
    return f"{response.status_code} {' '.join(errors)}"


def by_model(rows: list[dict]) -> dict[str, dict]:
    found: dict[str, dict] = {}
    for row in rows:
        found.setdefault(row["model"], {})[row["pk"]] = row["fields"]
    return found


def test_backups_while_ten_editors_write_are_moments_of_the_site(tmp_path):
    place = tmp_path / "place"
    stop, said = threading.Event(), []
    (tmp_path / "from").mkdir()
    with running_site(tmp_path / "from", WEB_CONCURRENCY="2") as site:
        editors = [
            threading.Thread(target=write, args=(site.url, number, stop, said))
            for number in range(EDITORS)
        ]
        for editor in editors:
            editor.start()
        try:
            for _ in range(BACKUPS):
                count = len(said)
                must(site, "backup", str(place))
                while len(said) < count + EDITORS and any(e.is_alive() for e in editors):
                    stop.wait(0.05)
        finally:
            stop.set()
            for editor in editors:
                editor.join()
        assert set(said) == {302}, "every write was taken, backups or not"
        must(site, "backup", str(place))
        final = rows_of(site)
        feed = site.get("/pytorch/feed.xml")[2]

        names = DirectoryPlace(place).names()
        assert len(names) == BACKUPS + 1
        counts = []
        for number, name in enumerate(names):
            manifest = manifest_of(DirectoryPlace(place), name)
            with empty_site(tmp_path / f"to-{number}", SITE_URL=site.url) as to:
                must(to, "restore", str(place), "--at", name)
                assert "Files and rows agree." in must(to, "check_media", "--hashes")
                rows = by_model(rows_of(to))
                assert len(rows["episodes.episode"]) == manifest.rows["episodes_episode"]
                # What one save writes is there as a whole, or not at all.
                said_by = [row["episode"] for row in rows["episodes.transcript"].values()]
                assert sorted(said_by) == sorted(rows["episodes.episode"])
                counts.append(len(rows["episodes.episode"]))
                if name == names[-1]:
                    assert rows == by_model(final)
                    to.start()
                    assert to.get("/pytorch/feed.xml")[2] == feed
        assert counts == sorted(counts)
        assert counts[0] < counts[-1]


# In S3


@pytest.fixture(scope="module")
def store():
    """An S3-compatible server on loopback, with a bucket for media and one for backups."""
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    settings = {
        "S3_ENDPOINT_URL": f"http://{host}:{port}",
        "S3_REGION": "us-east-1",
        "S3_ACCESS_KEY_ID": "key-of-ours",
        "S3_SECRET_ACCESS_KEY": "secret-of-ours",
    }
    client = boto3.resource(
        "s3",
        endpoint_url=settings["S3_ENDPOINT_URL"],
        region_name="us-east-1",
        aws_access_key_id="key-of-ours",
        aws_secret_access_key="secret-of-ours",
    )
    for name in ("media", "other-media", "backups"):
        client.create_bucket(Bucket=name)
    yield settings, client
    server.stop()


@pytest.mark.any_database  # of which tests/podcast/test_backup.py asks
@pytest.mark.parametrize("media", ["on disk", "in S3"])
def test_backups_in_a_bucket(media, store, tmp_path):
    settings, client = store
    place = f"s3://backups/{media.replace(' ', '-').lower()}"
    theirs, ours = dict(settings), dict(settings)
    if media == "in S3":
        theirs["MEDIA_STORE"] = "s3://media/site"
        ours["MEDIA_STORE"] = "s3://other-media"
    with empty_site(tmp_path / "from", **theirs) as site:
        must(site, "up", "--prepare-only")
        assert "11 files (11 new" in must(site, "backup", place)
        assert "11 files (0 new" in must(site, "backup", place)
        with empty_site(tmp_path / "to", **ours) as to:
            must(to, "restore", place)
            assert rows_of(to) == rows_of(site)
            assert "Files and rows agree." in must(to, "check_media", "--hashes")
            # Half a backup: its database is there, its manifest is not.
            prefix = place.removeprefix("s3://backups/")
            bucket = client.Bucket("backups")
            half = f"{prefix}/backups/20260101T000000Z/database.sqlite3"
            bucket.put_object(Key=half, Body=b"half")
            assert "20260101T000000Z" not in must(to, "backup", place, "--list")
            assert "Removed 1 old backups" in must(site, "backup", place, "--keep", "2")
            keys = [item.key for item in bucket.objects.filter(Prefix=f"{prefix}/")]
            assert half not in keys
            assert "2 backups are whole" in must(site, "backup", place, "--verify")
            file = next(key for key in keys if key.startswith(f"{prefix}/files/"))
            bucket.put_object(Key=file, Body=b"damaged")
            assert "not what was written" in must(site, "backup", place, "--verify", ends=1)
            assert "not what was written" in must(to, "restore", place, "--force", ends=2)


def test_a_bucket_that_is_not_there_is_named(store, tmp_path):
    with empty_site(tmp_path / "site", **store[0]) as site:
        said = must(site, "backup", "s3://nobody-has-this/x", ends=2)
        assert "s3://nobody-has-this/x cannot be used" in said


# The drill


def drill() -> list[str]:
    """The lines of docs/backup.md that a person would type."""
    text = (ROOT / "docs/backup.md").read_text().partition("## The drill")[2]
    return re.findall(r"^    (\S.*)$", text, re.M)


def test_the_drill_of_the_docs(tmp_path):
    """Every line, in order, beside a site that is running."""
    place = tmp_path / "srv"
    (tmp_path / "from").mkdir()
    with running_site(tmp_path / "from") as site:
        with closing(Editor(site.url)) as editor:
            editor.submit(
                ADD,
                {"show": "1", "title": "Before the drill", "status": "published"},
                {"audio_upload": recording(random.Random(1))},
            )
        with empty_site(tmp_path / "drill", SITE_URL=site.url) as to:
            database, port = to.environment.get("DATABASE_URL"), free_port()
            typed = {
                "DATA_DIR": str(tmp_path / "drill"),
                "DATABASE_URL": database,
                "BIND": f"127.0.0.1:{port}",
            }
            to.environment = dict(site.environment)
            to.url = f"http://127.0.0.1:{port}"
            for line in drill():
                words = line.replace("/srv/backups/podcast", str(place)).split()
                if words[0] == "export":
                    name = words[1].partition("=")[0]
                    if typed[name]:
                        to.environment[name] = typed[name]
                elif words[3:] == ["up"]:
                    to.start()
                else:
                    assert words[:3] == ["uv", "run", "manage.py"]
                    must(to, *words[3:])
            for path in ("/pytorch/feed.xml", "/feed.xml", "/shows.opml", "/pytorch/"):
                assert to.get(path)[2] == site.get(path)[2], path
            feed = to.get("/pytorch/feed.xml")[2].decode()
            assert "Before the drill" in feed
            for address in re.findall(r'<enclosure url="([^"]+)"', feed):
                sound = to.get(address.removeprefix(site.url))
                assert sound[0] == 200
                assert sound[2] == site.get(address.removeprefix(site.url))[2]
            with closing(Editor(to.url)):
                pass  # the editor and the password came with the rows
