"""A WSGI application that answers as the site's views do, without their work."""

import os
from pathlib import Path

from django.conf import settings

from podcast.front import Front, Options

FILES = Path(os.environ["BENCH_FILES"])
FEED = (FILES / "feed.xml").read_bytes()
PAGE = (FILES / "page.html").read_bytes()
SHORT = "public, max-age=300, s-maxage=1, stale-while-revalidate=60, stale-if-error=86400"
COMMON = [
    ("Cache-Control", SHORT),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("Last-Modified", "Tue, 01 Dec 2026 06:00:00 GMT"),
]


def site(environ, start_response):
    path = environ["PATH_INFO"]
    if path == "/audio.mp3":
        headers = [("Content-Type", "audio/mpeg"), ("X-Accel-Redirect", "/_protected/audio.mp3")]
        start_response("200 OK", [*headers, ("ETag", '"audio"'), *COMMON])
        return []
    body, kind = (FEED, "application/rss+xml") if path == "/feed.xml" else (PAGE, "text/html")
    headers = [("ETag", f'W/"{len(body)}"'), *COMMON]
    if environ.get("HTTP_IF_NONE_MATCH") == headers[0][1]:
        start_response("304 Not Modified", headers)
        return []
    start_response("200 OK", [("Content-Type", f"{kind}; charset=utf-8"), *headers])
    return [body]


application = Front(
    site,
    Options(
        media_root=FILES,
        spool_directory=FILES,
        hosts=frozenset((settings.BIND.encode(),)),
        cache_bytes=settings.FRONT_CACHE_BYTES,
        threads=settings.FRONT_THREADS,
    ),
)
