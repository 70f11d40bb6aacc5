"""From an ASGI request to a WSGI call and back: PEP 3333 on a thread, without an event loop.

The call runs to its end on one thread of the pool, `close()` included, so that
what the application keeps per thread (its database connection) is opened and
given back there. A slow client never holds that thread: the answer's chunks are
joined in memory up to `KEPT_IN_MEMORY` bytes and in a temporary file beyond.
"""

import logging
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO, Any
from urllib.parse import unquote_to_bytes

logger = logging.getLogger(__name__)

KEPT_IN_MEMORY = 4 * 1024 * 1024

type Header = tuple[bytes, bytes]

# About this connection or this proxy, not for the application. `proxy` would
# become HTTP_PROXY, which some HTTP clients obey. What a trusted proxy said of the
# client is already in `scheme` and `client` (podcast/front/peers.py).
NOT_PASSED = frozenset(
    b"connection keep-alive proxy-connection te trailer transfer-encoding upgrade expect "
    b"proxy proxy-authorization content-length content-type "
    b"forwarded x-forwarded-for x-forwarded-proto x-forwarded-protocol x-forwarded-ssl "
    b"x-forwarded-host x-forwarded-port x-real-ip x-accel-redirect".split()
)


@dataclass(slots=True)
class Answer:
    """A whole response; `headers` have lower-case names. `body` or, when large, `file`."""

    status: int
    headers: list[Header]
    body: bytes = b""
    file: IO[bytes] | None = None
    length: int = 0

    def header(self, name: bytes) -> bytes | None:
        """The first value of `name` (lower case)."""
        return next((value for key, value in self.headers if key == name), None)


def close(answer: Answer) -> None:
    if answer.file is not None:
        answer.file.close()


def plain(status: int, message: str, *headers: Header) -> Answer:
    """A short answer of the front's own, in text that a person can read."""
    body = message.encode() + b"\n"
    own = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    return Answer(status, [*own, *headers], body, length=len(body))


def environ(
    scope: dict[str, Any], headers: Iterable[Header], body: IO[bytes], length: int
) -> dict[str, Any]:
    """The WSGI environment for `scope` with these headers and a body of `length` bytes.

    Names with `_` are dropped, because `X_A` and `X-A` would become one variable.
    Repeated headers are joined in order (RFC 9110 §5.3; cookies by `;`).
    """
    server = scope.get("server") or ("localhost", None)
    client = scope.get("client") or ("", 0)
    path = unquote_to_bytes(scope["raw_path"]).decode("latin-1")
    result = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or (443 if scope["scheme"] == "https" else 80)),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "CONTENT_LENGTH": str(length) if length else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in headers:
        if name == b"content-type":
            result["CONTENT_TYPE"] = value.decode("latin-1")
        if name in NOT_PASSED or b"_" in name:
            continue
        key = "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
        text = value.decode("latin-1")
        if key in result:
            text = result[key] + ("; " if name == b"cookie" else ",") + text
        result[key] = text
    return result


def call(application: Callable, environment: dict[str, Any]) -> Answer:
    """Run the application to the end, and close the request's body.

    An exception of the application's own becomes a plain 500.
    """
    try:
        return _collect(application, environment)
    except Exception:
        logger.exception("%s %s failed", environment["REQUEST_METHOD"], environment["PATH_INFO"])
        return plain(500, "The server met an error it did not expect.")
    finally:
        environment["wsgi.input"].close()


def _collect(application: Callable, environment: dict[str, Any]) -> Answer:
    started: list[tuple[int, list[Header]]] = []
    output: IO[bytes] = BytesIO()
    written = 0

    def write(chunk: bytes) -> None:
        nonlocal output, written
        written += len(chunk)
        if written > KEPT_IN_MEMORY and isinstance(output, BytesIO):
            memory, output = output, TemporaryFile(prefix="answer-")  # noqa: SIM115 (sent later)
            output.write(memory.getbuffer())
        output.write(chunk)

    def start_response(status: str, headers: list[tuple[str, str]], exc_info=None):
        if exc_info is None and started:
            raise RuntimeError("start_response was called twice")
        lowered = [(k.lower().encode("latin-1"), v.encode("latin-1")) for k, v in headers]
        started[:] = [(int(status[:3]), lowered)]
        return write

    chunks = application(environment, start_response)
    try:
        for chunk in chunks:
            write(chunk)
        if not started:
            raise RuntimeError("the application did not call start_response")
    except BaseException:
        output.close()
        raise
    finally:
        if (close := getattr(chunks, "close", None)) is not None:
            close()
    status, headers = started[0]
    if isinstance(output, BytesIO):
        return Answer(status, headers, output.getvalue(), length=written)
    output.seek(0)  # writes what is buffered, and stands where its reader begins
    return Answer(status, headers, file=output, length=written)
