"""A WSGI application that answers every address with the plain, uncached syndication feed."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "podcast.settings")

import django

django.setup()

from bench.filling import plain_feed  # noqa: E402 (after setup)
from episodes.models import Show  # noqa: E402


def application(environ, start_response):
    body = plain_feed(Show.objects.get())
    headers = [("Content-Type", "application/rss+xml"), ("Content-Length", str(len(body)))]
    start_response("200 OK", headers)
    return [body]
