"""The feeds as HTTP: validators first, rendering only when they ask for it."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from episodes.delivery import permanently
from episodes.freshness import answer, open_to_all
from episodes.methods import read_only
from episodes.models import Episode, Show, Site
from episodes.views import page_number
from episodes.visibility import for_show
from feeds import rendering
from feeds.opml import shows_opml

RSS = "application/rss+xml; charset=utf-8"

#: For a person who opens the feed in a browser: the same bytes under the type whose
#: stylesheets browsers follow. Chromium shows the source of application/rss+xml.
READABLE = "text/xml; charset=utf-8"

#: A podcast app may keep its copy five minutes, a cache between us and it one second; sooner
#: when an episode falls due. Down or overloaded, yesterday's feed is better than none.
FEED = (
    "public, max-age={app}, s-maxage={shared}, "
    "stale-while-revalidate={meanwhile}, stale-if-error=86400"
)


def feed_response(body: bytes, content_type: str = RSS) -> HttpResponse:
    return HttpResponse(body, content_type=content_type)


def name_hubs(response: HttpResponse, self_url: str) -> HttpResponse:
    """Where WebSub subscribers look before they read the feed (W3C WebSub §4)."""
    links = [f'<{hub}>; rel="hub"' for hub in settings.WEBSUB_HUBS]
    if links:
        response["Link"] = ", ".join([*links, f'<{self_url}>; rel="self"'])
    return response


def for_either(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The feed for apps, or as a page for the person a browser opens it for (Sec-Fetch-Dest)."""
    page = request.headers.get("Sec-Fetch-Dest") == "document"
    if page and response.headers.get("Content-Type") == RSS:
        response["Content-Type"] = READABLE
    patch_vary_headers(response, ["Sec-Fetch-Dest"])
    return open_to_all(response)


def pages_of(show: Show, now) -> int:
    """How many pages the show's feed has: at least the first."""
    count = Episode.objects.public(now).filter(show=show).count()
    return max(1, -(-count // show.page_size))


@for_show
def show(request, show, now):
    """The show's feed. A poll whose validator matches costs the one query that found the show."""
    if show.new_feed_url:
        return permanently(show.new_feed_url)
    page = page_number(request)
    if page == 1 and "page" in request.GET:
        return permanently(show.get_feed_path())

    if page > 1 and page > pages_of(show, now):
        raise Http404

    def render():
        response = feed_response(rendering.show_feed(show, now, page, pages_of(show, now)))
        return name_hubs(response, rendering.page_address(show, 1)) if page == 1 else response

    return for_either(request, answer(request, show.edition(), now, render, FEED))


@read_only
def network(request):
    """The newest episodes of all public shows."""
    now = timezone.now()
    site = Site.current()
    edition = site.edition(now)

    def render():
        return feed_response(
            rendering.network_feed(site, now, edition.last_modified, edition.newest)
        )

    return for_either(request, answer(request, edition, now, render, FEED))


@read_only
def opml(request):
    """All public shows, for podcast apps that import lists (OPML 2.0)."""
    now = timezone.now()
    site = Site.current()
    edition = site.edition(now)

    def render():
        body = shows_opml(site.title, edition.last_modified, Show.objects.public())
        return feed_response(body, "text/x-opml; charset=utf-8")

    return open_to_all(answer(request, edition, now, render, FEED))
