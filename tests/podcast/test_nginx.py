"""The example configuration, in a real nginx: what the site promises holds through it."""

import gzip
import time
from urllib.parse import urlsplit

import brotli
import feedparser
import pytest

from tests.conftest import CORPUS
from tests.editor import Editor
from tests.nginx import nginx_before_site
from tests.running import request

pytestmark = [pytest.mark.server, pytest.mark.any_database]

SOUND = CORPUS / "audio" / "cbr-128k-10s.mp3"


@pytest.fixture(scope="module")
def nginx(tmp_path_factory):
    with nginx_before_site(tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("ng")) as up:
        yield up


@pytest.fixture(scope="module")
def feed(nginx) -> str:
    """The path of the demo show's feed."""
    parsed = feedparser.parse(nginx.get("/feed.xml")[2])
    return urlsplit(parsed.entries[0].source.href).path


@pytest.fixture(scope="module")
def audio(nginx, feed) -> str:
    parsed = feedparser.parse(nginx.get(feed)[2])
    return urlsplit(parsed.entries[0].enclosures[0].href).path


@pytest.fixture(scope="module")
def editor(nginx):
    editor = Editor(nginx.url)
    yield editor
    editor.close()


def episode_form(editor) -> str:
    """The address of the newest episode's form."""
    page = editor.http.get("/admin/episodes/episode/").text
    numbers = [part.split("/")[0] for part in page.split("/admin/episodes/episode/")]
    number = next(n for n in numbers if n.isdigit())
    return f"/admin/episodes/episode/{number}/change/"


def test_the_feed_names_the_address_of_nginx(nginx, feed):
    body = nginx.get(feed)[2].decode()
    assert f"{nginx.url}/audio/" in body
    assert nginx.site.url not in body


def test_the_second_poll_is_answered_by_nginx(nginx, feed):
    for _ in range(20):
        assert nginx.get(feed, X_Mark="poll")[0] == 200
    assert "HIT" in nginx.cache_statuses("poll", 20)


def test_a_matching_poll_is_a_304_from_the_cache_with_its_headers(nginx, feed):
    until = time.monotonic() + 30
    while "last-modified" not in (headers := nginx.get(feed)[1]):
        assert time.monotonic() < until  # a site that just started gives no date yet
        time.sleep(0.2)
    status, again, body = nginx.get(feed, If_None_Match=headers["etag"])
    assert (status, body) == (304, b"")
    assert again["etag"] == headers["etag"]
    assert again["cache-control"] == headers["cache-control"]
    assert nginx.get(feed, If_Modified_Since=headers["last-modified"])[0] == 304
    assert nginx.get(feed, If_None_Match='W/"another"')[0] == 200


def test_each_coding_is_the_same_text(nginx, feed):
    plain = nginx.get(feed)[2]
    for asked, name, decode in [
        ("gzip", "gzip", gzip.decompress),
        ("gzip, deflate, br", "br", brotli.decompress),
        ("br;q=0, gzip;q=0.5", "gzip", gzip.decompress),
        ("gzip;q=0", None, bytes),
    ]:
        status, headers, body = nginx.get(feed, Accept_Encoding=asked)
        assert (status, headers.get("content-encoding")) == (200, name), asked
        assert decode(body) == plain
        assert headers["vary"] == "Accept-Encoding, Sec-Fetch-Dest"


def test_a_person_and_an_app_get_the_feed_under_a_type_each(nginx, feed):
    for _ in range(2):
        for asked, kind in [
            ({"Sec_Fetch_Dest": "document"}, "text/xml"),
            ({}, "application/rss+xml"),
        ]:
            status, headers, body = nginx.get(feed, **asked)
            assert (status, headers["content-type"]) == (200, f"{kind}; charset=utf-8")
            assert body == nginx.get(feed)[2]
    page = "/pytorch/"
    for asked in ({}, {"Sec_Fetch_Dest": "document"}, {"Sec_Fetch_Dest": "iframe"}):
        assert nginx.get(page, X_Mark="page", **asked)[0] == 200
    assert nginx.cache_statuses("page", 3).count("MISS") == 1  # a page is kept once


def test_head_is_get_without_its_body(nginx, feed):
    got, head = nginx.get(feed), nginx.get(feed, "HEAD")
    assert head[0] == 200
    assert head[2] == b""
    assert head[1]["etag"] == got[1]["etag"]


def test_an_edit_is_there_within_a_second_and_at_once_for_the_editor(nginx, feed, editor):
    path = episode_form(editor)
    nginx.get(feed)
    title = f"Retitled at {time.time()}"
    assert editor.submit(path, {"title": title}).status_code == 302
    saved = time.monotonic()
    assert title in editor.http.get(feed).text
    while time.monotonic() < saved + 1.0:
        nginx.get(feed)
        time.sleep(0.05)
    assert title in nginx.get(feed)[2].decode()


def test_what_an_editor_sees_is_kept_for_nobody(nginx, editor):
    for _ in range(2):
        editor.http.get("/", headers={"X-Mark": "editor"})
    assert nginx.cache_statuses("editor", 2) == ["BYPASS", "BYPASS"]


@pytest.mark.parametrize(
    ("cookie", "editor"),
    [("sessionid=a", True), ("theme=dark; __Host-sessionid=a", True), ("x-sessionid=a", False)],
)
def test_an_editor_is_known_by_the_cookie_of_http_and_of_https(nginx, cookie, editor):
    mark = f"cookie-{cookie.partition('=')[0]}"
    nginx.get("/", Cookie=cookie, X_Mark=mark)
    (status,) = nginx.cache_statuses(mark, 1)
    assert (status == "BYPASS") is editor


def test_audio_is_sent_by_nginx_with_the_sites_headers(nginx, audio):
    status, headers, body = nginx.get(audio)
    assert status == 200
    assert headers["content-type"] == "audio/mpeg"
    assert headers["accept-ranges"] == "bytes"
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["access-control-allow-origin"] == "*"
    assert headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert "filename*=UTF-8''" in headers["content-disposition"]
    assert "x-accel-redirect" not in headers
    assert len(body) == int(headers["content-length"])
    # The bytes did not come through gunicorn: it left them to nginx.
    status, headers, none = request(nginx.site.url + audio)
    assert headers["x-accel-redirect"].startswith("/_protected/")
    assert none == b""


def test_a_browser_may_ask_before_it_asks(nginx, feed, audio):
    """A player on another site sends a preflight for a range or a condition."""
    episode = audio.rpartition("/")[0]
    for url in (nginx.url, nginx.site.url):
        for path in (feed, audio, f"{episode}/older.mp3"):
            status, headers, body = request(
                url + path,
                "OPTIONS",
                {
                    "Origin": "https://player.example",
                    "Access-Control-Request-Method": "GET",
                    "Access-Control-Request-Headers": "if-none-match,range",
                },
            )
            assert (status, body) == (204, b""), path
            assert headers["access-control-allow-origin"] == "*"
            assert "If-None-Match" in headers["access-control-allow-headers"]
            assert "Range" in headers["access-control-allow-headers"]
            assert headers["allow"] == headers["access-control-allow-methods"]
            assert "content-length" not in headers
            assert "x-accel-redirect" not in headers
            status, headers, _ = request(url + path, "POST", {}, b"a=b")
            assert (status, headers["allow"]) == (405, "GET, HEAD, OPTIONS")
        assert request(f"{url}/nothing/feed.xml", "OPTIONS")[0] == 404
    part = nginx.get(audio, Range="bytes=0-9")[1]
    assert "Content-Range" in part["access-control-expose-headers"]


def test_ranges(nginx, audio):
    _, headers, whole = nginx.get(audio)
    status, part, body = nginx.get(audio, Range="bytes=100-199")
    assert (status, body) == (206, whole[100:200])
    assert part["content-range"] == f"bytes 100-199/{len(whole)}"
    assert part["access-control-allow-origin"] == "*"
    assert nginx.get(audio, Range="bytes=-50")[2] == whole[-50:]
    assert nginx.get(audio, Range=f"bytes={len(whole)}-")[0] == 416
    assert nginx.get(audio, Range="bytes=0-9", If_Range=headers["etag"])[0] == 206
    assert nginx.get(audio, Range="bytes=0-9", If_Range='"another"')[0] == 200
    assert nginx.get(audio, If_None_Match=headers["etag"])[0] == 304
    many = "bytes=" + ",".join(f"{n}-{n + 50}" for n in range(400))
    status, _, body = nginx.get(audio, Range=many)
    assert (status, body) == (200, whole)
    assert nginx.get(audio, "HEAD")[1]["content-length"] == str(len(whole))


def test_the_storage_path_is_nobodys_address(nginx, audio):
    inside = request(nginx.site.url + audio)[1]["x-accel-redirect"]
    assert nginx.get(inside)[0] == 404
    assert nginx.get("/_protected/")[0] == 404
    assert nginx.get("/_protected/../db.sqlite3")[0] == 404


def test_an_upload_through_nginx_replaces_the_recording(nginx, feed, audio, editor):
    path = episode_form(editor)
    answer = editor.submit(
        path, {}, {"audio_upload": ("new.mp3", SOUND.read_bytes() + b"\0" * 4_000_000)}
    )
    assert answer.status_code == 302, answer.text
    time.sleep(1.1)
    entries = feedparser.parse(nginx.get(feed)[2]).entries
    now = {urlsplit(entry.enclosures[0].href).path for entry in entries}
    fresh = [a for a in now if len(nginx.get(a)[2]) > 4_000_000]
    assert len(fresh) == 1


def test_a_withdrawn_recording_is_gone_with_its_next_request(nginx, feed, editor):
    path = episode_form(editor)
    entries = feedparser.parse(editor.http.get(feed).content).entries
    title = editor.form(path)["title"]
    audio = next(urlsplit(e.enclosures[0].href).path for e in entries if e.title == title)
    assert nginx.get(audio)[0] == 200
    assert editor.submit(path, {"status": "draft"}).status_code == 302
    time.sleep(1.05)
    assert nginx.get(audio)[0] == 404
    assert title not in nginx.get(feed)[2].decode()
