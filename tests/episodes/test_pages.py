"""Pages for listeners: what they answer, how many queries they take, what they say to caches."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.core.files.storage import default_storage
from django.utils import timezone
from lxml import html
from PIL import Image

from episodes.models import Episode, Site
from tests.make import make_chapter, make_episode, make_host, make_show, make_transcript

pytestmark = pytest.mark.django_db


def fill(show, count):
    """`count` episodes; the newest with transcript, chapters and people."""
    start = timezone.now() - timedelta(days=2)
    rows = [
        Episode(
            show=show,
            title=f"Episode {n}",
            slug=f"episode-{n}",
            audio=f"audio/{n}.mp3",
            audio_bytes=1,
            audio_type="audio/mpeg",
            audio_extension="mp3",
            audio_sha256=f"{n:064x}",
            duration_ms=60_000,
            status="published",
            published_at=start + timedelta(seconds=n),
        )
        for n in range(count - 1)
    ]
    Episode.objects.bulk_create(rows)
    episode = make_episode(show)
    make_transcript(episode)
    make_chapter(episode)
    make_host(show)
    return episode


@pytest.mark.parametrize("count", [10, 1000])
def test_query_ceilings(client, count, django_assert_max_num_queries):
    Site(title="Our shows").save()
    show = make_show()
    episode = fill(show, count)
    for path, ceiling in [
        ("/", 6),
        (f"/{show.slug}/", 8),
        (f"/{show.slug}/{episode.slug}/", 8),
        (f"/{show.slug}/{episode.slug}.txt", 8),
        (f"/{show.slug}/{episode.slug}/transcript/", 6),
        (f"/{show.slug}/{episode.slug}/transcript.txt", 6),
        (f"/{show.slug}/{episode.slug}/chapters.json", 6),
        (f"/{show.slug}/{episode.slug}/embed/", 6),
    ]:
        with django_assert_max_num_queries(ceiling):
            response = client.get(path)
        assert response.status_code == 200, path


def test_a_matching_validator_costs_one_query(client, django_assert_max_num_queries):
    episode = make_episode()
    path = f"/{episode.show.slug}/feed.xml"
    tag = client.get(path)["ETag"]
    with django_assert_max_num_queries(1):
        response = client.get(path, HTTP_IF_NONE_MATCH=tag)
    assert response.status_code == 304
    assert not response.content


@pytest.mark.parametrize(
    "path", ["/", "/{show}/", "/{show}/{episode}/", "/{show}/feed.xml", "/feed.xml", "/sitemap.xml"]
)
def test_what_caches_are_told(client, path):
    episode = make_episode()
    path = path.format(show=episode.show.slug, episode=episode.slug)
    response = client.get(path)
    assert "Last-Modified" not in response  # made just now: the second may not be over
    with time_machine.travel(timezone.now() + timedelta(minutes=1), tick=False):
        what_caches_are_told(client, path)


def what_caches_are_told(client, path):
    response = client.get(path)
    assert "s-maxage=1" in response["Cache-Control"]
    assert response["Cache-Control"].startswith("public")
    assert response["ETag"].startswith('W/"')
    assert "Cookie" not in response.get("Vary", "")
    assert not response.cookies
    assert "nonce" not in response["Content-Security-Policy"]
    again = client.get(path, HTTP_IF_NONE_MATCH=response["ETag"])
    assert again.status_code == 304
    assert again["ETag"] == response["ETag"]
    assert again["Cache-Control"] == response["Cache-Control"]
    modified = client.get(path, HTTP_IF_MODIFIED_SINCE=response["Last-Modified"])
    assert modified.status_code == 304
    mismatch = client.get(
        path,
        HTTP_IF_NONE_MATCH='"other"',
        HTTP_IF_MODIFIED_SINCE=response["Last-Modified"],
    )
    assert mismatch.status_code == 200
    assert client.post(path).status_code == 405


def test_no_cache_carries_a_page_past_the_next_due_moment(client):
    show = make_show()
    make_episode(show)
    make_episode(show, published_at=timezone.now() + timedelta(milliseconds=700))
    assert "s-maxage=0" in client.get(f"/{show.slug}/feed.xml")["Cache-Control"]


def test_show_pages(client):
    show = make_show()
    fill(show, 120)
    first = client.get(f"/{show.slug}/")
    assert b"Page 1 of 3" in first.content
    assert client.get(f"/{show.slug}/?page=3").status_code == 200
    assert client.get(f"/{show.slug}/?page=1").status_code == 301
    for bad in ("0", "4", "x", "-1", "²", "999999999999999999999"):
        assert client.get(f"/{show.slug}/?page={bad}").status_code == 404, bad


def test_a_renamed_show_redirects_all_its_addresses(client):
    episode = make_episode(make_show(title="Old name"), title="One")
    make_transcript(episode)
    make_chapter(episode)
    episode.show.slug = "new-name"
    episode.show.save()
    for rest in ("", "feed.xml", "one/", "one.txt", "one/transcript/", "one/transcript.txt",
                 "one/chapters.json", "one/embed/", "feed.xml?page=2"):  # fmt: skip
        response = client.get(f"/old-name/{rest}")
        assert response.status_code == 301, rest
        assert response["Location"] == f"/new-name/{rest}"
    episode.slug = "two"
    episode.save()
    assert client.get("/new-name/one/")["Location"] == "/new-name/two/"
    assert client.get("/old-name/one/", follow=True).status_code == 200


def test_a_withdrawn_show_is_gone_and_a_hidden_one_never_was(client):
    gone = make_episode(make_show(visibility="withdrawn"))
    hidden = make_episode(make_show(visibility="hidden"))
    for rest in ("", "feed.xml", "{slug}/"):
        path = rest.format(slug=gone.slug)
        assert client.get(f"/{gone.show.slug}/{path}").status_code == 410
        path = rest.format(slug=hidden.slug)
        response = client.get(f"/{hidden.show.slug}/{path}")
        assert response.status_code == 404
        assert response.content == client.get("/never/").content


def test_hostile_text_is_text(client):
    bad = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
    show = make_show(title=bad, tagline=bad, description=bad, author=bad, copyright=bad)
    episode = make_episode(show, title=bad, summary=bad, notes=bad + "\n\n[x](javascript:alert(3))")
    make_transcript(episode, text=bad)
    make_chapter(episode, title=bad)
    make_host(show, name=bad[:100])
    base = f"/{show.slug}/{episode.slug}"
    for path in ("/", f"/{show.slug}/", f"{base}/", f"{base}/transcript/", f"{base}/embed/"):
        page = client.get(path).content.decode()
        assert "<img src=x" not in page, path
        assert "<script>alert" not in page, path
        assert 'href="javascript:' not in page, path


def test_the_404_page_is_ours_and_never_kept(client):
    response = client.get("/nothing/here/")
    assert response.status_code == 404
    assert b"Not found" in response.content
    assert response["Cache-Control"] == "no-store"


def test_link_previews_and_structured_data(client):
    episode = make_episode(title="</script><b>Loud & clear</b>")
    page = html.fromstring(client.get(episode.get_absolute_url()).content.decode())
    (card,) = page.xpath("//meta[@property='og:image']/@content")
    (facts,) = page.xpath("//script[@type='application/ld+json']/text()")
    facts = json.loads(facts)
    assert facts["name"] == episode.title
    assert facts["timeRequired"] == "PT1M1S"
    assert facts["associatedMedia"]["contentUrl"].endswith(episode.get_audio_path())
    assert facts["image"] == card

    path = card.removeprefix("https://podcast.example.org")
    response = client.get(path)
    assert response["Content-Type"] == "image/jpeg"
    stored = response["X-Accel-Redirect"].removeprefix("/_protected/")
    with default_storage.open(stored) as file, Image.open(file) as image:
        assert image.size == (1200, 630)

    episode.title = "Another title"
    episode.save()
    moved = client.get(path)
    assert moved.status_code == 301
    assert moved["Location"] != path
    assert client.get(moved["Location"]).status_code == 200
