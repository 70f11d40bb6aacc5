"""What crawlers and language models are told: sitemap.xml, robots.txt and llms.txt."""

from xml.sax.saxutils import escape

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import timezone

from episodes.freshness import answer
from episodes.links import absolute
from episodes.methods import read_only
from episodes.models import Episode, Show, Site
from episodes.plain import rfc3339
from episodes.views import page_number

#: The protocol allows 50,000 addresses a file (sitemaps.org); an episode has up to two.
EPISODES_PER_FILE = 20_000
NEWEST_IN_LLMS = 30

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


@read_only
def sitemap(request):
    """One file while there are few episodes; an index of `?page=n` files beyond."""
    now = timezone.now()
    site = Site.current()
    public = Episode.objects.public(now)

    page = page_number(request) if "page" in request.GET else None

    def files() -> int:
        return max(1, -(-public.count() // EPISODES_PER_FILE))

    if page is not None and page > 1 and page > files():
        raise Http404

    def render():
        parts = files() if page is None else 1
        body = index(parts) if parts > 1 else urlset(public, page or 1)
        return HttpResponse(body, content_type="application/xml; charset=utf-8")

    return answer(request, site.edition(now), now, render)


def index(files: int) -> bytes:
    address = absolute(reverse("episodes:sitemap"))
    rows = "".join(f"<sitemap><loc>{address}?page={n}</loc></sitemap>" for n in range(1, files + 1))
    return f'{_DECLARATION}\n<sitemapindex xmlns="{_NAMESPACE}">{rows}</sitemapindex>\n'.encode()


def urlset(public, number: int) -> bytes:
    lines = [_DECLARATION, f'<urlset xmlns="{_NAMESPACE}">']
    if number == 1:
        lines.append(entry("/", None))
        shows = Show.objects.public()
        lines += [entry(show.get_absolute_url(), show.revised_at) for show in shows]
    start = (number - 1) * EPISODES_PER_FILE
    rows = public.newest_first().values_list("show__slug", "slug", "revised_at", "published_at")
    for show, slug, revised_at, published_at in rows[start : start + EPISODES_PER_FILE]:
        path = reverse("episodes:episode", args=[show, slug])
        lines.append(entry(path, max(revised_at, published_at)))
    return "\n".join([*lines, "</urlset>", ""]).encode()


def entry(path: str, modified) -> str:
    changed = f"<lastmod>{rfc3339(modified)}</lastmod>" if modified else ""
    return f"<url><loc>{escape(absolute(path))}</loc>{changed}</url>"


@read_only
def robots(request):
    lines = [
        "User-agent: *",
        "Disallow: /admin/",
        "Disallow: /search/",
        f"Sitemap: {absolute(reverse('episodes:sitemap'))}",
        "",
    ]
    body = "\n".join(lines)
    response = HttpResponse(body, content_type="text/plain; charset=utf-8")
    response["Cache-Control"] = "public, max-age=3600"
    return response


@read_only
def llms(request):
    """The site in a page of Markdown for language models (llmstxt.org)."""
    now = timezone.now()
    site = Site.current()

    def render():
        lines = [f"# {site.title}", ""]
        if site.description:
            lines += [f"> {' '.join(site.description.split())}", ""]
        lines += ["## Shows", ""]
        for show in Show.objects.public():
            about = show.tagline or " ".join(show.description.split())[:200]
            lines.append(f"- [{show.title}]({absolute(show.get_absolute_url())}): {about}")
        lines += ["", "## Newest episodes, as plain text with transcript excerpts", ""]
        newest = Episode.objects.public(now).newest_first().for_lists()[:NEWEST_IN_LLMS]
        for episode in newest:
            address = absolute(
                reverse("episodes:episode_text", args=[episode.show.slug, episode.slug])
            )
            summary = " ".join(episode.summary.split())
            lines.append(f"- [{episode.show.title}: {episode.title}]({address}): {summary}")
        return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")

    return answer(request, site.edition(now), now, render)
