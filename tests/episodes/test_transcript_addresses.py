"""Where transcripts are found: versions, languages, and speakers under the names they have."""

import re

import pytest
from lxml import html

from episodes.models import Person, SpeakerName
from tests.make import make_episode, make_show, make_transcript

pytestmark = pytest.mark.django_db

CUES = [
    [0, 2000, "SPEAKER_00", "Hello there."],
    [2500, 4500, "SPEAKER_01", "Good morning to you."],
    [83_600, 85_000, "SPEAKER_00", "Later."],
    [83_900, 86_000, "SPEAKER_00", "Much later."],
]


@pytest.fixture
def episode():
    episode = make_episode(make_show(slug="talk"), slug="first")
    make_transcript(episode, cues=CUES, text="Hello there.", format="vtt")
    return episode


def links(client) -> dict[str, str]:
    """Extension → address as the feed says it."""
    feed = client.get("/talk/feed.xml").content.decode()
    found = re.findall(r'<podcast:transcript url="https://podcast.example.org(/[^"]+)"', feed)
    return {re.search(r"\.(\w+)\?", path)[1]: path for path in found}


def test_an_address_in_the_feed_never_changes_what_it_gives(client, episode):
    path = links(client)["vtt"]
    assert re.fullmatch(r"/talk/first/transcript\.vtt\?v=[0-9a-f]{12}", path)
    response = client.get(path)
    assert response["Cache-Control"] == "public, max-age=31536000, immutable, s-maxage=1"
    assert response["Access-Control-Allow-Origin"] == "*"
    plain = client.get("/talk/first/transcript.vtt")
    assert plain.content == response.content
    assert "immutable" not in plain["Cache-Control"]
    old = client.get("/talk/first/transcript.vtt?v=000000000000")
    assert old.content == response.content
    assert "immutable" not in old["Cache-Control"]


def test_naming_a_speaker_shows_everywhere_under_new_addresses(client, episode):
    before = links(client)
    assert set(before) == {"vtt", "srt", "json", "html", "txt"}
    SpeakerName.objects.create(
        show=episode.show, label="SPEAKER_00", person=Person.objects.create(name="Ada Harbour")
    )
    after = links(client)
    for extension, path in after.items():
        assert path != before[extension]
        text = client.get(path).content.decode()
        assert "Ada Harbour" in text, extension
        assert "SPEAKER_00" not in text, extension
        assert "SPEAKER_01" in text, extension
    page = client.get("/talk/first/transcript/").content.decode()
    assert "Ada Harbour" in page
    assert "SPEAKER_00" not in page
    Person.objects.filter(name="Ada Harbour").update(name="Ada H.")
    assert links(client)["vtt"] != after["vtt"]
    assert "Ada H." in client.get(links(client)["vtt"]).content.decode()


def test_labels_in_plain_text_are_named_too(client):
    episode = make_episode(make_show(slug="talk"), slug="first")
    make_transcript(episode, text="Host: Hello.\n\nGuest: Good morning.\n\nHost: Well then.")
    person = Person.objects.create(name="Ada Harbour")
    SpeakerName.objects.create(show=episode.show, label="Host", person=person)
    for path in ("transcript/", "transcript.txt", "transcript.html"):
        text = client.get(f"/talk/first/{path}").content.decode()
        assert "Ada Harbour" in text
        assert "Guest" in text


def test_each_language_has_its_page_and_its_files(client, episode):
    make_transcript(episode, language="de", text="Guten Tag.")
    page = html.fromstring(client.get("/talk/first/transcript/?lang=de").content)
    assert page.xpath("//link[@rel='canonical']/@href") == [
        "https://podcast.example.org/talk/first/transcript/?lang=de"
    ]
    assert page.xpath("//link[@rel='alternate']/@hreflang") == ["en", "de"]
    assert page.xpath("//*[@aria-current='true']/text()") == ["Deutsch"]
    paths = page.xpath("//p[contains(@class, 'transcript-formats')]/a/@href")
    assert paths
    for path in paths:
        assert path.startswith("/talk/first/transcript.de.")
        assert "Guten Tag" in client.get(path).content.decode()
    assert client.get("/talk/first/transcript/?lang=fr").status_code == 404


def test_every_cue_has_a_place_and_no_two_the_same(client, episode):
    page = html.fromstring(client.get("/talk/first/transcript/").content)
    ids = page.xpath("//*[@class='cue']/@id")
    assert ids == ["t=0", "t=2", "t=83"]
    assert page.xpath("//a[@class='stamp']/@href") == ["#t=0", "#t=2", "#t=83"]
    assert len(page.xpath("//*[@class='cue']")) == 4
