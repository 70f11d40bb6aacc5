"""Validators before rendering: how a public response says which edition it is.

A response's ETag is its edition and the build of the code that renders it,
nothing of the Host. It is weak because the compressed and the plain body share
it (RFC 9110 §8.8.1). A request whose validator matches is answered before
anything is rendered.
"""

import hashlib
import math
from collections.abc import Callable
from datetime import datetime
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.http import http_date

from episodes.models import Edition, Show, Site
from episodes.preconditions import evaluate

#: What may stand between a reader and us for how long. `s-maxage` bounds how far a shared
#: cache may lag behind an edit; a browser asks each time (304s are nearly free); an old copy
#: is better than an error page for a day.
PAGE = "public, max-age=0, s-maxage={shared}, stale-if-error=86400"


@cache
def build() -> str:
    """A short name for the code, templates and settings that rendered bytes depend on."""
    digest = hashlib.sha256(settings.SITE_URL.encode())
    digest.update(repr((settings.WEBSUB_HUBS, settings.TIME_ZONE)).encode())
    for folder in ("episodes", "feeds", "templates", "static"):
        root = settings.BASE_DIR / folder
        for path in sorted(root.rglob("*")):
            if path.suffix in {".py", ".html", ".css", ".js", ".svg", ".xml", ".txt"}:
                digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:8]


def etag(edition: Edition) -> str:
    return f'W/"{edition.tag}-{build()}"'


#: How long a shared cache may hold an answer, and an app a feed, unless an episode is due sooner;
#: and for how long after that either may give it out while it fetches the next.
SHARED_SECONDS, APP_SECONDS, MEANWHILE_SECONDS = 1, 300, 60

#: How old a change must be before a date tells of it. A date has a grain of one second, and an
#: edit shows when it is committed, a moment after it was dated: until then a further change may
#: come to bear the same date. Without a date an app asks by tag, or gets the whole.
SETTLING = 5

#: Another build or setting makes other bytes of the same rows, and comes with a start.
STARTED = timezone.now()

#: How often a view is begun again because somebody edited while it was rendering.
ATTEMPTS = 3


def answer(
    request: HttpRequest,
    edition: Edition,
    now: datetime,
    render: Callable[[], HttpResponse],
    cache_control: str = PAGE,
) -> HttpResponse:
    """`render()`, or 304/412 when the request's preconditions say so; fresh headers on either.

    `cache_control` may name `{shared}`, 1 second, `{app}`, five minutes, and `{meanwhile}`, the
    minute after these: all end where the next scheduled episode is due, so that no cache which
    reaches the site carries its copy past that moment.

    Whether there is anything at this address is the view's to know before it comes here: what
    does not exist is a 404 whatever validators are sent with the question (RFC 9110 §13.2.1).

    A view reads its rows one after the other, and an edit may come in between: bytes of two
    editions must not go out under the validator of one. So the edition is read again after
    rendering, and where it moved the view begins again; while it never stands still, the
    bytes go out without a validator, to be kept by nobody.
    """
    if request.method == "OPTIONS":
        return HttpResponse(status=204)
    modified = last_modified(edition, now)
    tag = etag(edition)
    response = judged(evaluate(request.headers, request.method or "", tag, modified))
    if response is None:
        response = render()
        if present(edition, now) != edition.tag:
            return _again(request, response)
    due = edition.seconds_until_due(now)
    left = math.inf if due is None else max(0, math.floor(due))
    response.headers.setdefault("ETag", tag)
    if modified is not None:
        response.headers.setdefault("Last-Modified", http_date(modified))
    app = min(APP_SECONDS, left)
    response["Cache-Control"] = cache_control.format(
        shared=min(SHARED_SECONDS, left), app=app, meanwhile=min(MEANWHILE_SECONDS, left - app)
    )
    return response


def last_modified(edition: Edition, now: datetime) -> int | None:
    """The second of the last change of what is shown, once no other change can bear it too."""
    second = int(max(edition.last_modified, STARTED).timestamp())
    return second if second + SETTLING <= now.timestamp() else None


def judged(status: int) -> HttpResponse | None:
    """The answer that preconditions make without rendering, if any."""
    match status:
        case 304:
            return HttpResponseNotModified()
        case 412:
            return HttpResponse(
                "It has changed meanwhile.\n", status=412, content_type="text/plain"
            )
    return None


def present(edition: Edition, now: datetime) -> str:
    """The tag of the edition that whatever `edition` is of has now; "" if it is gone."""
    if edition.show is None:
        return Site.current().edition(now).tag
    show = Show.objects.with_edition(now).filter(pk=edition.show).first()
    return show.edition().tag if show else ""


def _again(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The same view from its beginning, or `response` unlabelled after some attempts."""
    attempt = getattr(request, "attempt", 1)
    match = request.resolver_match
    if attempt < ATTEMPTS and match is not None:
        setattr(request, "attempt", attempt + 1)  # noqa: B010 (not an attribute of every request)
        return match.func(request, *match.args, **match.kwargs)
    response["Cache-Control"] = "no-store"
    return response


def open_to_all(response: HttpResponse) -> HttpResponse:
    """Lets pages of other sites read it: for feeds, transcripts, chapters, audio.

    A player needs the length of what it asked a range of, and the tag to ask again with.
    """
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Expose-Headers"] = "Accept-Ranges, Content-Range, ETag, Link"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
