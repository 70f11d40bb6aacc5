"""Content-Length only where it says something true."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


def no_length_without_body(get_response: Callable) -> Callable:
    """Middleware: 204 and 304 carry no Content-Length (RFC 9110 §8.6).

    Django's own gives them the 0 of their empty body; a cache may take that of a 304 for the
    length of what it has stored.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code in {204, 304}:
            response.headers.pop("Content-Length", None)
        return response

    return middleware
