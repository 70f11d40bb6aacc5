"""What may be asked of a public address: GET and HEAD, and by OPTIONS what those are."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

METHODS = ("GET", "HEAD", "OPTIONS")

#: What a script of another site may send along: conditions and ranges, and what players and
#: libraries add by habit. Answers depend on no other header, and none of them on who asks.
ASKED_WITH = (
    "Range, If-Range, If-None-Match, If-Modified-Since, If-Match, If-Unmodified-Since, "
    "Cache-Control, Pragma, User-Agent, X-Requested-With"
)

#: Browsers cut this to their own longest: two hours in Chromium, a day in Firefox.
PREFLIGHT_SECONDS = 86_400


def read_only(view: Callable) -> Callable:
    """`view` for GET and HEAD; 204 for OPTIONS where GET finds something; 405 for the rest.

    To OPTIONS the view itself decides, so that an address which GET does not find is not found
    either, whatever the reason; but nothing is rendered for it (`episodes.freshness.answer`), and
    where GET redirects it does not, since browsers let no preflight be redirected.
    """

    @wraps(view)
    def judged(request: HttpRequest, *args, **kwargs):
        match request.method:
            case "GET" | "HEAD":
                return view(request, *args, **kwargs)
            case "OPTIONS":
                response = view(request, *args, **kwargs)
                return response if response.status_code >= 400 else options(response)
        return HttpResponseNotAllowed(METHODS)

    # Nothing is written here: a POST is to hear 405, not that it lacks a token.
    setattr(judged, "csrf_exempt", True)  # noqa: B010 (Django's name for it)
    return judged


def options(response: HttpResponse) -> HttpResponse:
    """The answer to OPTIONS where GET would give `response`; to a CORS preflight, if that is open.

    It is the same whatever the preflight asks for, so it varies by nothing.
    """
    answer = HttpResponse(status=204, headers={"Allow": ", ".join(METHODS)})
    del answer["Content-Type"]
    for name in ("Access-Control-Allow-Origin", "Cross-Origin-Resource-Policy"):
        if name in response:
            answer[name] = response[name]
    if "Access-Control-Allow-Origin" in response:
        answer["Access-Control-Allow-Methods"] = answer["Allow"]
        answer["Access-Control-Allow-Headers"] = ASKED_WITH
        answer["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
    return answer
