"""gunicorn's asgi worker with the limits it leaves out.

gunicorn 27 waits without end for the headers of a connection's first request,
counts no connections, keeps a closed connection until a stalled peer has read
what is buffered, and keeps one open for HTTP/1.0 without saying so. The tests in
tests/podcast/test_front_server.py hold each of these, since they lean on the
worker's inner names.
"""

from gunicorn.asgi import protocol
from gunicorn.workers import gasgi

from podcast.front.entry import SameHeaders

HEADER_SECONDS = 10  # for a first request to arrive whole; later ones have `keepalive`
CLOSING_SECONDS = 30  # for a peer to take the rest of the last response


class Protocol(protocol.ASGIProtocol):
    _response_buffer: bytes | None  # status line and headers, until the body goes with them

    def connection_made(self, transport):
        super().connection_made(transport)
        if self.worker.nr_conns > self.worker.worker_connections:
            transport.abort()
        elif self.reader is None:
            # The base cancels this timer once the headers are complete.
            self._keepalive_handle = self.worker.loop.call_later(
                HEADER_SECONDS, self._keepalive_timeout
            )

    def _will_close(self, request, response_requires_close):
        # A client of HTTP/1.0 that asks for keep-alive and is not told `keep-alive` waits
        # for the end of the connection (RFC 9112 §9.3): so there it ends.
        return request.version <= (1, 0) or super()._will_close(request, response_requires_close)

    def _send_response_start(self, status, headers, request, close=False):
        # What is kept goes out with the same headers each time: a tenth of all work on it.
        if type(headers) is not SameHeaders:
            super()._send_response_start(status, headers, request, close=close)
            return
        key = (status, request.version, close)
        laid_out = headers.laid_out.get(key)
        if laid_out is None:
            super()._send_response_start(status, headers, request, close=close)
            headers.laid_out[key] = self._response_buffer or b""
        else:
            self._response_buffer = laid_out

    def _close_transport(self):
        transport = self.transport
        super()._close_transport()
        if transport is not None and transport.get_write_buffer_size():
            self.worker.loop.call_later(CLOSING_SECONDS, transport.abort)


_scan = protocol._scan_response_headers


def scan_once(headers):
    """gunicorn's check of the headers, made once of those that stay the same."""
    if type(headers) is not SameHeaders:
        return _scan(headers)
    if headers.scanned is None:
        headers.scanned = _scan(headers)
    return headers.scanned


class Worker(gasgi.ASGIWorker):
    def init_process(self):
        # Asked of the base, which keeps the answer where its own methods look for it;
        # asked of a subclass, it would silently fall back to the slow parser.
        protocol.ASGIProtocol._check_h1c_protocol_available()
        gasgi.ASGIProtocol = Protocol
        protocol._scan_response_headers = scan_once
        protocol._CACHED_SERVER_HEADER = b""  # names and versions help only attackers
        super().init_process()
