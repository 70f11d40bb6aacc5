"""The demo show: the acceptance page, byte for byte."""

import json
import re

import pytest
from django.core.management import call_command
from lxml import html

from episodes.models import Episode, Person, Show
from tests.conftest import SEED

pytestmark = pytest.mark.django_db

PAGE = "/pytorch/all-gather-showdown-and-stack-aware-merges"


@pytest.fixture
def demo(capsys):
    call_command("demo")
    return Show.objects.get(slug="pytorch")


def test_plain_text_is_the_seed_byte_for_byte(client, demo):
    response = client.get(f"{PAGE}.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.rstrip(b"\n") == (SEED / "episode-page.txt").read_bytes().rstrip(b"\n")


def test_page_shows_the_same_facts_in_the_same_order(client, demo):
    seed = (SEED / "episode-page.txt").read_text().splitlines()
    page = html.fromstring(client.get(f"{PAGE}/").content)
    main = page.get_element_by_id("content")
    text = " ".join(main.text_content().split())
    facts = [
        seed[0], seed[1], "Duration:", "Episode overview", seed[4], seed[5], "Published",
        "Transcript excerpt", *seed[11:17], "Nearby episodes from PyTorch",
        *[line[2:] for line in seed if line.startswith("- ")][3:],
    ]  # fmt: skip
    position = 0
    for fact in facts:
        found = text.find(fact, position)
        assert found >= 0, f"{fact!r} is missing or out of order"
        position = found
    times = {element.get("datetime") for element in main.iter("time")}
    assert {"PT2M31S", "2026-10-05T13:00:40Z"} <= times
    hrefs = {element.get("href") for element in page.iter("a", "link")}
    assert {"/pytorch/", "/pytorch/feed.xml", f"{PAGE}/transcript/"} <= hrefs
    nearby = main.xpath("//ul[@class='nearby']/li/a")
    assert len(nearby) == 8
    assert all(client.get(link.get("href")).status_code == 200 for link in nearby)
    source = main.xpath("//audio/source")[0]
    assert re.match(r"/audio/[0-9a-f-]{36}/[0-9a-f]{12}/.+\.mp3$", source.get("src"))


def test_loading_again_changes_nothing(demo, capsys):
    def state():
        rows = Show.objects.values(), Episode.objects.order_by("pk").values()
        return json.dumps([list(r) for r in rows], default=str)

    before = state()
    call_command("demo")
    assert "nothing changed" in capsys.readouterr().out
    assert state() == before


def test_every_older_episode_has_something_true_to_show(client, demo):
    for episode in demo.episodes.all():
        assert episode.seconds >= 5
        assert episode.transcripts.exists()
        page = client.get(episode.get_absolute_url()).content.decode()
        assert "Transcript excerpt" in page


def test_removing_takes_all_of_it(demo, capsys):
    call_command("demo", remove=True)
    assert not Show.objects.exists()
    assert not Episode.objects.exists()
    assert not Person.objects.exists()
    call_command("demo", remove=True)
    assert "not here" in capsys.readouterr().out
