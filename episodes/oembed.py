"""oEmbed 1.0 (oembed.com): how other sites put an episode's small player on their pages."""

from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csp import csp_override

from episodes.freshness import answer, open_to_all
from episodes.links import absolute, artwork_path
from episodes.methods import read_only
from episodes.models import Episode
from episodes.visibility import find_show, for_episode

WIDTH, HEIGHT = 600, 180
SMALLEST = 200

FRAMABLE: dict = {**settings.SECURE_CSP, "frame-ancestors": ["*"]}


@xframe_options_exempt
@csp_override(FRAMABLE)
@for_episode
def embed(request, episode, now):
    """The small player: artwork, title, native controls. The one page others may frame."""

    def page():
        return render(request, "embed.html", {"episode": episode, "show": episode.show})

    return open_to_all(answer(request, episode.show.edition(), now, page))


@read_only
def oembed(request):
    """`?url=<episode page>&format=json|xml&maxwidth&maxheight`.

    404 for what is unknown or not public, 501 for another format.
    """
    now = timezone.now()
    kind = request.GET.get("format", "json")
    if kind not in {"json", "xml"}:
        return HttpResponse("Only json and xml.\n", status=501, content_type="text/plain")
    episode = episode_at(request.GET.get("url", ""), now)

    def render():
        facts = describe(
            episode,
            limit(request.GET.get("maxwidth"), WIDTH),
            limit(request.GET.get("maxheight"), HEIGHT),
        )
        if kind == "json":
            return JsonResponse(facts)
        rows = "".join(f"<{key}>{escape(str(value))}</{key}>" for key, value in facts.items())
        body = f'<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>{rows}</oembed>\n'
        return HttpResponse(body, content_type="text/xml; charset=utf-8")

    return open_to_all(answer(request, episode.show.edition(), now, render))


def limit(text: str | None, default: int) -> int:
    """A consumer's maximum, never above our own size nor below what shows anything."""
    if text and text.isascii() and text.isdigit() and len(text) < 6:
        return max(SMALLEST if default == WIDTH else 60, min(default, int(text)))
    return default


def episode_at(url: str, now) -> Episode:
    """The public episode whose page is at `url` on this site. Raises Http404 for anything else."""
    parts = urlsplit(url[:2000])
    if parts.netloc and parts.netloc != urlsplit(settings.SITE_URL).netloc:
        raise Http404
    try:
        match = resolve(parts.path or "/")
    except Resolver404:
        raise Http404 from None
    if match.view_name not in {"episodes:episode", "episodes:embed", "episodes:transcript"}:
        raise Http404
    show = find_show(match.kwargs["show"], now)
    episode = (
        Episode.objects.public(now).filter(show=show, slug=match.kwargs["episode"]).first()
        if show
        else None
    )
    if episode is None:
        raise Http404
    episode.show = show
    return episode


def describe(episode: Episode, width: int, height: int) -> dict:
    show = episode.show
    address = absolute(reverse("episodes:embed", args=[show.slug, episode.slug]))
    facts = {
        "type": "rich",
        "version": "1.0",
        "title": episode.title,
        "author_name": show.title,
        "author_url": absolute(show.get_absolute_url()),
        "provider_name": show.site_title or show.title,
        "provider_url": absolute("/"),
        "cache_age": 3600,
        "width": width,
        "height": height,
        "html": render_to_string(
            "includes/embed_code.html",
            {"address": address, "title": episode.title, "width": width, "height": height},
        ).strip(),
    }
    owner = episode if episode.artwork else show
    if owner.artwork:
        facts |= {
            "thumbnail_url": absolute(artwork_path(owner, "320", "jpg")),
            "thumbnail_width": 320,
            "thumbnail_height": 320,
        }
    return facts
