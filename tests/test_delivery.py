"""Media behave the same wherever they lie: on disk, behind nginx, in a store, in a private store.

Each place is a real site with a real editor; listeners follow redirects as podcast apps do.
"""

import hashlib
import hmac
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import httpx
import pytest
from mutagen.id3 import ID3

from tests.conftest import CORPUS
from tests.editor import Editor
from tests.ffmpeg import sound_of
from tests.nginx import nginx_before_site
from tests.running import RunningSite, running_site
from tests.stores import BUCKET, KEYS, REGION, running_store

pytestmark = [pytest.mark.server, pytest.mark.any_database]

ADD = "/admin/episodes/episode/add/"
FIRST = (CORPUS / "audio/cbr-128k-10s.mp3").read_bytes()
SECOND = (CORPUS / "audio/m4a-3-chapters-faststart.m4a").read_bytes()
COVER = (CORPUS / "images/square-1400.png").read_bytes()
TITLE = "Über “Größe” / 日本"


@dataclass
class Place:
    """A site whose media lie in one kind of place; `stored(name)` tells headers kept there."""

    url: str
    site: RunningSite
    editor: Editor
    listener: httpx.Client
    kind: str
    stored: Callable[[str], dict] | None = None

    def get(self, path: str, **headers) -> httpx.Response:
        """The last answer after redirects."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.listener.get(path, headers=names)


@pytest.fixture(scope="class", params=["disk", "nginx", "public store", "private store"])
def place(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("place")
    kind = request.param
    if kind == "disk":
        with running_site(folder) as site:
            yield from at(site.url, site, kind)
    elif kind == "nginx":
        with nginx_before_site(folder, tmp_path_factory.mktemp("nginx")) as front:
            yield from at(front.url, front.site, kind)
    else:
        with running_store() as store:
            settings = dict(store.settings)
            if kind == "public store":
                store.open_to_all()
                settings["MEDIA_PUBLIC_URL"] = f"{store.url}/{BUCKET}"
            with running_site(folder, **settings) as site:
                yield from at(site.url, site, kind, store.head)


def at(url, site, kind, stored=None):
    editor = Editor(url)
    with httpx.Client(base_url=url, follow_redirects=True, timeout=30) as listener:
        yield Place(url, site, editor, listener, kind, stored)
    editor.close()


def publish(place: Place, title: str, status="published", files=None) -> str:
    """An episode with the first recording; the path of its change form."""
    changes = {"show": "1", "title": title, "status": status, "_continue": "1"}
    files = {"audio_upload": ("take.mp3", FIRST)} | (files or {})
    saved = place.editor.submit(ADD, changes, files)
    assert saved.status_code == 302, saved.text
    return saved.headers["location"]


def enclosure(place: Place, title: str, other_than: str = "") -> tuple[str, int, str]:
    """Address, length and type of the newest episode with this title, from the feed.

    The front may give the edition before this one for a second.
    """
    pattern = re.compile(
        f"<title>{re.escape(title)}</title>.*?"
        r'<enclosure url="([^"]+)" length="(\d+)" type="([^"]+)"',
        re.DOTALL,
    )
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        found = pattern.search(place.get("/pytorch/feed.xml").text)
        if found and found[1] != other_than:
            assert found[1].startswith(place.url)
            return found[1], int(found[2]), found[3]
        time.sleep(0.1)
    raise AssertionError(f"{title} is not in the feed")


class TestDelivery:
    def test_tags_are_written_into_what_listeners_get(self, place, tmp_path):
        switch = "from episodes.models import Show; Show.objects.update(write_tags={})"
        assert place.site.manage("shell", "-c", switch.format(True)).returncode == 0
        publish(place, "Tagged here")
        assert place.site.manage("shell", "-c", switch.format(False)).returncode == 0
        address, length, _ = enclosure(place, "Tagged here")
        (tmp_path / "got.mp3").write_bytes(place.get(address).raise_for_status().content)
        assert (tmp_path / "got.mp3").stat().st_size == length
        assert ID3(tmp_path / "got.mp3")["TIT2"].text == ["Tagged here"]
        assert sound_of(tmp_path / "got.mp3") == sound_of(CORPUS / "audio/cbr-128k-10s.mp3")
        found = place.site.manage("check_media", "--hashes")
        assert found.returncode == 0, found.stdout

    def test_the_recording_can_be_had_whole_and_in_parts(self, place):
        publish(place, "Whole and parts")
        address, length, kind = enclosure(place, "Whole and parts")
        whole = place.get(address)
        assert (whole.status_code, whole.content) == (200, FIRST)
        assert length == len(FIRST) == int(whole.headers["content-length"])
        assert whole.headers["content-type"] == kind == "audio/mpeg"
        assert whole.headers["accept-ranges"] == "bytes"
        assert "immutable" in whole.headers["cache-control"]
        head = place.listener.head(address)
        assert (head.status_code, head.content) == (200, b"")
        assert int(head.headers["content-length"]) == len(FIRST)
        for asked, start, stop in (
            ("bytes=0-1", 0, 2),
            ("bytes=100-199", 100, 200),
            ("bytes=160000-", 160000, len(FIRST)),
            ("bytes=-500", len(FIRST) - 500, len(FIRST)),
        ):
            part = place.get(address, Range=asked)
            assert (part.status_code, part.content) == (206, FIRST[start:stop]), asked
            assert part.headers["content-range"] == f"bytes {start}-{stop - 1}/{len(FIRST)}"
        beyond = place.get(address, Range=f"bytes={len(FIRST)}-")
        assert beyond.status_code == 416
        assert place.get(address, If_None_Match=whole.headers["etag"]).status_code == 304

    def test_a_kept_file_gets_a_name_a_listener_can_read(self, place):
        publish(place, TITLE)
        address, *_ = enclosure(place, TITLE)
        sent = place.get(address).headers["content-disposition"]
        name = "".join(c for c in f"PyTorch Daily - {TITLE}.mp3" if c not in '/"')
        assert sent.startswith("inline;")
        assert quote("Über “Größe”", safe="") in sent
        assert sent.endswith(".mp3")
        assert name.isprintable()

    def test_what_lies_in_a_store_says_what_it_is(self, place):
        files = {"artwork_upload": ("cover.png", COVER)}
        publish(place, "Stored with its type", files=files)
        if place.stored is None:
            return  # a disk keeps bytes alone; what the site says of them is tested above
        names = place.site.manage("shell", "-v", "0", "-c", LATEST).stdout.split()
        audio, artwork = place.stored(names[0]), place.stored(names[1])
        assert audio["ContentType"] == "audio/mpeg"
        assert audio["ContentLength"] == len(FIRST)
        assert "Stored%20with%20its%20type.mp3" in audio["ContentDisposition"]
        assert "immutable" in audio["CacheControl"]
        assert artwork["ContentType"] in ("image/jpeg", "image/png")
        original = place.stored(names[1].rpartition(".")[0] + "-original")
        assert original["ContentType"] == "application/octet-stream"
        assert original["ContentDisposition"] == "attachment"

    def test_artwork_comes_in_every_size(self, place):
        path = publish(place, "With a cover", files={"artwork_upload": ("cover.png", COVER)})
        page = place.get("/pytorch/with-a-cover/").text
        for address in set(re.findall(r'(/artwork/episode/[^" ]+)', page)):
            picture = place.get(address)
            assert picture.status_code == 200, address
            ending = address.rpartition(".")[2]
            assert picture.headers["content-type"] == {
                "jpg": "image/jpeg", "webp": "image/webp", "png": "image/png",
            }[ending]  # fmt: skip
            assert picture.content[:4] in (b"\xff\xd8\xff\xe0", b"RIFF", b"\x89PNG")
            assert place.listener.head(address).status_code == 200
        inside = place.editor.http.get(path.replace("change", "picture"), follow_redirects=True)
        assert inside.headers["content-type"] == "image/jpeg"

    def test_a_replaced_recording_has_a_new_address_and_the_old_one_leads_there(self, place):
        path = publish(place, "Replaced")
        old, *_ = enclosure(place, "Replaced")
        saved = place.editor.submit(path, {}, {"audio_upload": ("take.m4a", SECOND)})
        assert saved.status_code == 302
        new, length, kind = enclosure(place, "Replaced", other_than=old)
        assert (length, kind) == (len(SECOND), "audio/x-m4a")
        answer = place.listener.get(old, follow_redirects=False)
        assert answer.status_code == 301
        assert place.url + answer.headers["location"] == new
        assert place.get(old, Range="bytes=0-9").content == SECOND[:10]
        assert place.get(new).content == SECOND

    def test_a_draft_shows_to_its_editor_alone(self, place):
        path = publish(place, "Not for you", status="draft")
        inside = place.editor.http.get(path.replace("change", "recording"), follow_redirects=True)
        assert inside.content == FIRST
        published = publish(place, "Soon withdrawn")
        address, *_ = enclosure(place, "Soon withdrawn")
        saved = place.editor.submit(published, {"status": "draft"})
        assert saved.status_code == 302
        answer = place.listener.get(address, follow_redirects=False)
        assert answer.status_code == 404
        assert hashlib.sha256(FIRST).hexdigest() not in str(answer.headers)
        assert place.get("/_protected/audio/x").status_code == 404

    def test_web_players_of_other_sites_may_read_it(self, place):
        publish(place, "Embedded elsewhere")
        address, *_ = enclosure(place, "Embedded elsewhere")
        answer = place.listener.get(address, follow_redirects=False)
        assert answer.headers["access-control-allow-origin"] == "*"

    def test_files_and_rows_agree_afterwards(self, place):
        checked = place.site.manage("check_media", "--hashes")
        assert checked.returncode == 0, checked.stdout + checked.stderr
        assert "agree" in checked.stdout


LATEST = (
    "from episodes.models import Episode as E; e = E.objects.latest('pk'); "
    "print(e.audio.name, e.artwork.name)"
)


def test_a_private_store_is_asked_with_the_method_that_was_signed(tmp_path):
    with running_store() as store, running_site(tmp_path, **store.settings) as site:
        feed = site.get("/pytorch/feed.xml")[2].decode()
        address = re.search(r'<enclosure url="([^"]+)"', feed).group(1)
        for method in ("GET", "HEAD"):
            answer = httpx.request(method, address)
            assert answer.status_code == 302
            assert "private" in answer.headers["cache-control"]
            assert signature_for(method, answer.headers["location"])
            assert httpx.request(method, answer.headers["location"]).status_code == 200


def test_a_store_that_is_away_is_said_beside_the_field(tmp_path):
    with running_store() as store, running_site(tmp_path, **store.settings) as site:
        editor = Editor(site.url, timeout=120)
        form = {"show": "1", "title": "Kept text", "status": "published"}
        store.server.stop()
        for field, file in (
            ("audio_upload", ("take.mp3", FIRST)),
            ("artwork_upload", ("cover.png", COVER)),
        ):
            answer = editor.submit(ADD, form, {field: file})
            assert answer.status_code == 200
            assert "could not be stored (the media store says" in answer.text
            assert "Kept text" in answer.text
        assert site.get("/pytorch/")[0] == 200
        editor.close()


def signature_for(method: str, url: str) -> bool:
    """Whether `url` is signed for `method` (AWS Signature Version 4, query parameters)."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    signature = query.pop("X-Amz-Signature")
    canonical = "\n".join(
        [
            method,
            parts.path,
            urlencode(sorted(query.items()), quote_via=quote, safe="-_.~"),
            f"host:{parts.netloc}\n",
            "host",
            "UNSIGNED-PAYLOAD",
        ]
    )
    day, scope = query["X-Amz-Date"][:8], query["X-Amz-Credential"].partition("/")[2]
    text = "\n".join(
        [
            "AWS4-HMAC-SHA256",
            query["X-Amz-Date"],
            scope,
            hashlib.sha256(canonical.encode()).hexdigest(),
        ]
    )
    key = ("AWS4" + KEYS["S3_SECRET_ACCESS_KEY"]).encode()
    for step in (day, REGION, "s3", "aws4_request"):
        key = hmac.digest(key, step.encode(), "sha256")
    return hmac.digest(key, text.encode(), "sha256").hex() == signature
