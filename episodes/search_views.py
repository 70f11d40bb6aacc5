"""The search page, and what tells browsers that there is one."""

from functools import cache

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from episodes import search as searching
from episodes.freshness import answer
from episodes.links import absolute
from episodes.methods import read_only
from episodes.models import FormerShowSlug, Show, Site
from episodes.searching.query import LONGEST_QUERY, Query, parse
from episodes.slugs import MAX_LENGTH
from episodes.throttle import seconds_to_wait
from episodes.views import page_number

#: Nobody between us and the reader keeps it, and the reader asks each time: results are true
#: to the second, and no cache fills with what strangers type.
CACHE_CONTROL = "private, no-cache"


@read_only
def search(request):
    """Episodes and transcripts: `?q=`, within one show with `&show=<slug>`, `&page=`."""
    now = timezone.now()
    query = parse(request.GET.get("q", ""))
    if query.terms and (wait := seconds_to_wait(request, "search", settings.SEARCH_PER_MINUTE)):
        return too_many(request, query, wait)
    show = wanted_show(request.GET.get("show", ""))
    number = page_number(request)
    if number > searching.MOST_EPISODES // searching.PER_PAGE:
        raise Http404
    site = Site.current()

    @cache
    def found():
        ranked = searching.rank(query, now, show)
        return ranked, Paginator(ranked.keys, searching.PER_PAGE)

    if number > 1 and number > found()[1].num_pages:
        raise Http404

    def page():
        ranked, paginator = found()
        context = {
            "site_title": site.title,
            "query": query,
            "longest": LONGEST_QUERY,
            "within": show,
            "page": paginator.page(number),
            "count": len(ranked.keys),
            "is_cut": ranked.is_cut,
            "hits": searching.hits(query, ranked.page(number), now),
            "shows": searching.shows(query) if number == 1 and show is None else [],
        }
        return render(request, "search.html", context)

    return unlisted(answer(request, site.edition(now), now, page, CACHE_CONTROL))


def wanted_show(slug: str) -> Show | None:
    """The public show to search in; None for all. Raises Http404 for any other."""
    if not slug:
        return None
    if len(slug) > MAX_LENGTH or not slug.replace("-", "").replace("_", "").isalnum():
        raise Http404
    show = Show.objects.filter(slug=slug).first()
    if show is None:
        former = FormerShowSlug.objects.select_related("show").filter(slug=slug).first()
        show = former.show if former else None
    if show is None or not show.is_public:
        raise Http404
    return show


def too_many(request: HttpRequest, query: Query, wait: int) -> HttpResponse:
    context = {"site_title": Site.current().title, "query": query, "wait": wait}
    response = render(request, "429.html", context, status=429)
    response["Retry-After"] = str(wait)
    response["Cache-Control"] = "no-store"
    return unlisted(response)


def unlisted(response: HttpResponse) -> HttpResponse:
    """Search engines list what is found, not the finding."""
    response["X-Robots-Tag"] = "noindex"
    return response


@read_only
def opensearch(request):
    """OpenSearch 1.1 description: lets a browser search here from its address bar."""
    now = timezone.now()
    site = Site.current()

    def description():
        address = absolute(reverse("episodes:search"))
        body = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
            f"  <ShortName>{escape(site.title[:16])}</ShortName>\n"
            f"  <Description>{escape(f'Episodes and transcripts of {site.title}')}</Description>\n"
            "  <InputEncoding>UTF-8</InputEncoding>\n"
            f'  <Url type="text/html" template="{escape(address)}?q={{searchTerms}}"/>\n'
            "</OpenSearchDescription>\n"
        )
        kind = "application/opensearchdescription+xml; charset=utf-8"
        return HttpResponse(body, content_type=kind)

    return answer(request, site.edition(now), now, description)
