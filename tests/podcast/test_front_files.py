"""The front sending files that the application points at, as nginx's internal location does."""

import asyncio

import pytest

from tests.podcast.fronts import Site, closing, fetch, make_front

pytestmark = pytest.mark.any_database  # the front knows none

BYTES = bytes(range(256)) * 40
ETAG = '"abc"'


class Pointing(Site):
    """Answers every address with an X-Accel-Redirect to `target`."""

    target = "/_protected/audio/one.mp3"

    def __call__(self, environ, start_response):
        self.asked.append(environ)
        headers = [
            ("Content-Type", "audio/mpeg"),
            ("X-Accel-Redirect", self.target),
            ("ETag", ETAG),
            ("Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT"),
            ("Cache-Control", "public, max-age=31536000, immutable"),
            ("Access-Control-Allow-Origin", "*"),
            *self.headers,
        ]
        start_response("200 OK", headers)
        return [b""]


@pytest.fixture
def site():
    return Pointing()


@pytest.fixture
def run(site, tmp_path):
    folder = tmp_path / "media" / "audio"
    folder.mkdir(parents=True)
    (folder / "one.mp3").write_bytes(BYTES)
    (tmp_path / "secret").write_bytes(b"secret")

    def run(work, **options):
        async def main():
            front = make_front(site, tmp_path, **options)
            return await closing(front, work(front))

        return asyncio.run(main())

    return run


@pytest.mark.parametrize("kept", [False, True], ids=["asked each time", "kept for a second"])
@pytest.mark.parametrize(
    ("asked", "status", "body", "span"),
    [
        ({}, 200, BYTES, None),
        ({"Range": "bytes=0-99"}, 206, BYTES[:100], "bytes 0-99/10240"),
        ({"Range": "bytes=10000-"}, 206, BYTES[10000:], "bytes 10000-10239/10240"),
        ({"Range": "bytes=-5"}, 206, BYTES[-5:], "bytes 10235-10239/10240"),
        ({"Range": "bytes=20000-"}, 416, b"", "bytes */10240"),
        ({"Range": "lines=1-2"}, 200, BYTES, None),
        ({"Range": "bytes=0-9", "If-Range": ETAG}, 206, BYTES[:10], "bytes 0-9/10240"),
        ({"Range": "bytes=0-9", "If-Range": '"old"'}, 200, BYTES, None),
        ({"If-None-Match": ETAG}, 304, b"", None),
        ({"If-None-Match": '"old"'}, 200, BYTES, None),
        ({"If-Modified-Since": "Wed, 01 Jan 2025 00:00:00 GMT"}, 304, b"", None),
        ({"If-Match": '"old"'}, 412, b"", None),
    ],
)
def test_ranges_and_conditions(run, site, kept, asked, status, body, span):
    if kept:
        site.headers = [("X-Accel-Expires", "1")]

    async def work(front):
        await fetch(front)
        got = await fetch(front, headers=asked)
        assert (got.status, got.body, got["content-range"]) == (status, body, span)
        assert got["x-accel-redirect"] is None
        assert got["x-accel-expires"] is None
        if status in (200, 206):
            assert got["accept-ranges"] == "bytes"
            assert got["access-control-allow-origin"] == "*"
        assert len(site.asked) == (1 if kept and "If-Match" not in asked else 2)

    run(work)


def test_a_kept_answer_is_asked_again_after_its_second(run, site):
    """So that a withdrawn recording is gone, whatever Cache-Control says of its bytes."""
    site.headers = [("X-Accel-Expires", "1")]

    async def work(front):
        await fetch(front)
        site.target = "/_protected/audio/none.mp3"
        await asyncio.sleep(1.05)
        assert (await fetch(front)).status == 404

    run(work)


def test_head_tells_the_length(run, site):
    async def work(front):
        got = await fetch(front, method="HEAD")
        assert (got.status, got["content-length"]) == (200, str(len(BYTES)))

    run(work)


@pytest.mark.parametrize(
    "target",
    [
        "/_protected/../secret",
        "/_protected/%2e%2e/secret",
        "/_protected/audio/../../secret",
        "/_protected//secret",
        "/secret",
        "/_protected/audio",
        "/_protected/audio/one.mp3%00",
    ],
)
def test_nothing_outside_the_media_directory_is_sent(run, site, target):
    site.target = target

    async def work(front):
        assert (await fetch(front)).status == 404

    run(work)


def test_the_internal_address_is_nobodys(run, site):
    async def work(front):
        assert (await fetch(front, "/_protected/audio/one.mp3")).status == 404
        assert not site.asked

    run(work)


def test_with_nginx_in_front_the_name_is_handed_on(run, site):
    site.headers = [("X-Accel-Expires", "1")]

    async def work(front):
        for _ in range(2):
            got = await fetch(front, headers={"Range": "bytes=0-9"})
            assert (got.status, got.body) == (200, b"")
            assert got["x-accel-redirect"] == site.target
            assert got["content-type"] == "audio/mpeg"
        assert len(site.asked) == 1

    run(work, x_accel=True)
