"""Independent readers: feedparser and podcastparser read what we hold; gPodder's gpo subscribes."""

import hashlib
import io
import os
import shutil
import subprocess
from calendar import timegm
from datetime import UTC, datetime

import feedparser
import podcastparser
import pytest
from django.core.management import call_command

from episodes.models import Episode, Show
from tests.conftest import CORPUS


@pytest.fixture
def demo(db, capsys):
    call_command("demo")
    return Show.objects.get(slug="pytorch")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_feedparser_reads_what_the_database_holds(client, demo):
    feed = feedparser.parse(client.get("/pytorch/feed.xml").content)
    assert not feed.bozo
    assert feed.feed.title == demo.title
    assert feed.feed.language == demo.language
    assert feed.feed.author == demo.author
    episodes = list(Episode.objects.filter(show=demo).newest_first())
    assert [entry.title for entry in feed.entries] == [e.title for e in episodes]
    for entry, episode in zip(feed.entries, episodes, strict=True):
        assert entry.id == episode.guid
        assert timegm(entry.published_parsed) == int(episode.published_at.timestamp())
        assert entry.link == "https://podcast.example.org" + episode.get_absolute_url()
        (enclosure,) = entry.enclosures
        assert enclosure.href == "https://podcast.example.org" + episode.get_audio_path()
        assert int(enclosure.length) == episode.audio_bytes
        assert enclosure.type == episode.audio_type
        assert int(entry.itunes_duration) == episode.seconds


def test_podcastparser_reads_what_the_database_holds(client, demo):
    feed = podcastparser.parse(
        "https://podcast.example.org/pytorch/feed.xml",
        io.BytesIO(client.get("/pytorch/feed.xml").content),
    )
    assert feed["title"] == demo.title
    assert feed["description"] == demo.description
    episodes = list(Episode.objects.filter(show=demo).newest_first())
    assert [row["guid"] for row in feed["episodes"]] == [e.guid for e in episodes]
    for row, episode in zip(feed["episodes"], episodes, strict=True):
        assert row["title"] == episode.title
        assert row["total_time"] == episode.seconds
        assert datetime.fromtimestamp(row["published"], UTC) == episode.published_at
        assert row["enclosures"][0]["file_size"] == episode.audio_bytes


@pytest.mark.server
def test_gpodder_subscribes_and_downloads_the_same_bytes(site, tmp_path):
    gpo = shutil.which("gpo")
    if gpo is None:
        pytest.skip("gPodder's gpo is not installed (apt-get install gpodder)")
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))},
        "GPODDER_HOME": str(tmp_path / "home"),
        "GPODDER_DOWNLOAD_DIR": str(tmp_path / "downloads"),
        "PATH": "/usr/bin:/bin",
    }

    def run(*arguments):
        done = subprocess.run(
            [gpo, *arguments], env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    feed = f"{site.url}/pytorch/feed.xml"
    run("subscribe", feed)
    assert "All-Gather Showdown" in run("episodes", feed)
    run("download", feed)
    hashes = {
        hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (tmp_path / "downloads").rglob("*.mp3")
    }
    newest = (CORPUS / "audio/speech-151s-mono-32k.mp3").read_bytes()
    assert hashlib.sha256(newest).hexdigest() in hashes
    assert len(hashes) >= 9
