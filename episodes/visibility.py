"""The one way from an address to a show or an episode that may be shown."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps

from django.db.models import Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.utils import timezone

from episodes.freshness import open_to_all
from episodes.methods import read_only
from episodes.models import Episode, FormerEpisodeSlug, FormerShowSlug, Show, Site


def moved(request: HttpRequest, **changes) -> HttpResponse:
    """301 to this same view with some of its arguments changed; the query is kept."""
    match = request.resolver_match
    path = reverse(match.view_name, kwargs={**match.kwargs, **changes})
    query = request.META.get("QUERY_STRING", "")
    response = HttpResponsePermanentRedirect(f"{path}?{query}" if query else path)
    response["Cache-Control"] = "public, max-age=3600, s-maxage=1"
    return open_to_all(response)


def gone() -> HttpResponse:
    response = HttpResponse(
        "This show was withdrawn.\n", status=410, content_type="text/plain; charset=utf-8"
    )
    response["Cache-Control"] = "public, max-age=3600, s-maxage=1"
    return open_to_all(response)


def find_show(slug: str, now: datetime) -> Show | None:
    """The show at `slug`, with its edition and the site's title. One query."""
    return (
        Show.objects.with_edition(now)
        .annotate(site_title=Subquery(Site.objects.values("title")[:1]))
        .filter(slug=slug)
        .first()
    )


def for_show(view: Callable) -> Callable:
    """Gives `view(request, show, now, …)` the public show that its address names.

    `now` is the request's one reading of the clock. A former slug redirects,
    a withdrawn show is gone, and a hidden one never existed.
    """

    @wraps(view)
    def find(request, show, **kwargs):
        now = timezone.now()
        row = find_show(show, now)
        if row is None:
            former = FormerShowSlug.objects.select_related("show").filter(slug=show).first()
            if former is None or former.show.visibility == Show.Visibility.HIDDEN:
                raise Http404
            return moved(request, show=former.show.slug)
        if row.visibility == Show.Visibility.WITHDRAWN:
            return gone()
        if not row.is_public:
            raise Http404
        return view(request, row, now, **kwargs)

    return read_only(find)


def for_episode(view: Callable) -> Callable:
    """As `for_show`; gives `view(request, episode, now, …)` with `episode.show` filled."""

    @for_show
    @wraps(view)
    def find(request, show, now, episode, **kwargs):
        row = Episode.objects.public(now).filter(show=show, slug=episode).first()
        if row is None:
            former = (
                FormerEpisodeSlug.objects.select_related("episode__show")
                .filter(show=show, slug=episode)
                .first()
            )
            if former is None or not former.episode.is_public(now):
                raise Http404
            return moved(request, show=former.episode.show.slug, episode=former.episode.slug)
        row.show = show
        return view(request, row, now, **kwargs)

    return find
