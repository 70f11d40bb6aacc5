"""What is not published cannot be seen: every public address, asked for every hidden state."""

from datetime import timedelta

import pytest
from django.utils import timezone

from episodes.models import Credit, Person
from tests.make import (
    make_audio_episode,
    make_chapter,
    make_episode,
    make_show,
    make_transcript,
)

pytestmark = pytest.mark.django_db

WORD = "Xylophonequux"


def addresses(episode) -> dict[str, list[str]]:
    """For each URL name the addresses under which something of `episode` might show."""
    show, slug = episode.show.slug, episode.slug
    base = f"/{show}/{slug}"
    uid = episode.uid
    return {
        "episodes:home": ["/", "/?page=2", f"/?q={WORD}"],
        "episodes:healthz": ["/healthz"],
        "episodes:robots": ["/robots.txt"],
        "episodes:favicon": ["/favicon.ico"],
        "episodes:sitemap": ["/sitemap.xml", "/sitemap.xml?page=1"],
        "episodes:llms": ["/llms.txt"],
        "episodes:search": [
            f"/search/?q={WORD}",
            "/search/?q=title",
            "/search/?q=said",
            f"/search/?q=notes&show={show}",
        ],
        "episodes:opensearch": ["/opensearch.xml"],
        "episodes:oembed": [
            f"/oembed?url=https://podcast.example.org{base}/",
            f"/oembed?url={base}/&format=xml",
        ],
        "episodes:audio": [
            episode.get_audio_path() or f"/audio/{uid}/abc/{slug}.mp3",
            f"/audio/{uid}/000000000000/x.mp3",
        ],
        "episodes:artwork": [
            f"/artwork/episode/{uid}/abc/full.jpg",
            f"/artwork/show/{episode.show.uid}/abc/full.jpg",
            f"/artwork/chapter/{uid}/abc/full.jpg",
        ],
        "episodes:show": [f"/{show}/", f"/{show}/?page=1", f"/{show}/?page=2"],
        "episodes:episode_text": [f"{base}.txt"],
        "episodes:episode": [f"{base}/"],
        "episodes:transcript": [f"{base}/transcript/", f"{base}/transcript/?lang=en"],
        "episodes:transcript_file": [
            f"{base}/transcript{infix}.{ext}"
            for infix in ("", ".en")
            for ext in ("vtt", "srt", "json", "txt", "html")
        ],
        "episodes:embed": [f"{base}/embed/"],
        "episodes:chapters": [f"{base}/chapters.json"],
        "feeds:network": ["/feed.xml"],
        "feeds:opml": ["/shows.opml"],
        "feeds:show": [f"/{show}/feed.xml", f"/{show}/feed.xml?page=1", f"/{show}/feed.xml?page=2"],
    }


CASES = [
    "episodes:home", "episodes:healthz", "episodes:favicon", "episodes:robots",
    "episodes:sitemap", "episodes:llms",
    "episodes:search", "episodes:opensearch",
    "episodes:oembed", "episodes:audio", "episodes:artwork", "episodes:show",
    "episodes:episode_text", "episodes:episode", "episodes:transcript",
    "episodes:transcript_file", "episodes:embed", "episodes:chapters", "feeds:network",
    "feeds:opml", "feeds:show",
]  # fmt: skip


def hidden_states():
    soon = timezone.now() + timedelta(hours=1)
    return {
        "draft": lambda show: make_audio_episode(show, live=False, **texts()),
        "scheduled": lambda show: make_audio_episode(show, published_at=soon, **texts()),
        "withdrawn": withdrawn,
        "hidden show": lambda show: make_audio_episode(
            make_show(visibility="hidden", title=f"{WORD} show", tagline=WORD), **texts()
        ),
        "withdrawn show": lambda show: make_audio_episode(
            make_show(visibility="withdrawn", title=f"{WORD} show", tagline=WORD), **texts()
        ),
    }


def texts():
    return {"title": f"{WORD} title", "summary": f"{WORD} summary", "notes": f"{WORD} notes"}


def withdrawn(show):
    episode = make_audio_episode(show, **texts())
    episode.withdraw()
    episode.save()
    return episode


REQUESTS = [
    {},
    {"HTTP_RANGE": "bytes=0-10"},
    {"HTTP_IF_NONE_MATCH": "*"},
    {"HTTP_IF_MODIFIED_SINCE": "Thu, 01 Jan 2099 00:00:00 GMT"},
    {"HTTP_ACCEPT": "text/html"},
    {"HTTP_COOKIE": "sessionid=forged"},
]


@pytest.mark.parametrize("state", hidden_states().keys())
def test_no_trace_anywhere(client, state):
    show = make_show(title="Open show")
    make_episode(show, title="Open episode")
    episode = hidden_states()[state](show)
    make_transcript(episode, text=f"{WORD} was said")
    make_chapter(episode, title=f"{WORD} chapter", image=f"artwork/{episode.uid}/abc.jpg")
    Credit.objects.create(person=Person.objects.create(name=f"{WORD} guest"), episode=episode)
    traces = [WORD.lower(), str(episode.uid), episode.audio_sha256, str(episode.guid)]

    asked = addresses(episode)
    assert set(asked) == set(CASES)
    own = {
        "episodes:audio", "episodes:episode_text", "episodes:episode", "episodes:transcript",
        "episodes:transcript_file", "episodes:embed", "episodes:chapters", "episodes:oembed",
    }  # fmt: skip
    for name, paths in asked.items():
        for path in paths:
            for headers in REQUESTS:
                for method in (client.get, client.head, client.options):
                    response = method(path, **headers)
                    text = (response.content.decode() + str(response.headers)).lower()
                    for trace in traces:
                        # An address may be repeated to whoever sent it, never told.
                        if trace in path.lower():
                            continue
                        assert trace not in text, f"{trace} at {path} ({response.status_code})"
                    if name in own:
                        assert response.status_code in {404, 410}, path
                        assert "X-Accel-Redirect" not in response, path


def test_a_draft_looks_like_nothing_at_all(client):
    show = make_show()
    draft = make_episode(show, live=False)
    real = client.get(f"/{show.slug}/{draft.slug}/")
    never = client.get(f"/{show.slug}/never-existed/")
    assert real.status_code == never.status_code == 404
    assert real.content == never.content
    assert dict(real.headers) == dict(never.headers)


@pytest.mark.parametrize("method", ["get", "options", "post", "delete"])
@pytest.mark.parametrize("path", ["", "feed.xml", "feed.xml?page=2", "one/", "one/chapters.json"])
def test_a_hidden_show_looks_like_nothing_at_all(client, method, path):
    make_episode(make_show(slug="hidden", visibility="hidden"), slug="one")
    real = getattr(client, method)(f"/hidden/{path}")
    never = getattr(client, method)(f"/nothing/{path}")
    assert real.status_code == never.status_code
    assert real.status_code == (405 if method in {"post", "delete"} else 404)
    assert real.content == never.content
    assert dict(real.headers) == dict(never.headers)


def test_what_goes_live_is_everywhere(client):
    """The crawl above can fail: the same words are found once the episode is public."""
    show = make_show()
    episode = make_audio_episode(show, **texts())
    make_transcript(episode, text=f"{WORD} was said")
    make_chapter(episode, title=f"{WORD} chapter")
    base = f"/{show.slug}/{episode.slug}/"
    for path in ("/", f"/{show.slug}/", base, f"/{show.slug}/feed.xml", "/search/?q=said"):
        assert WORD in client.get(path).content.decode(), path
    assert "X-Accel-Redirect" in client.get(episode.get_audio_path())
