"""gunicorn's asgi worker with the limits it leaves out.

gunicorn 27 waits without end for the headers of a connection's first request,
counts no connections, and keeps a closed connection until a stalled peer has
read what is buffered. The tests in tests/podcast/test_front_server.py hold each
of these, since they lean on the worker's inner names.
"""

from gunicorn.asgi import protocol
from gunicorn.workers import gasgi

HEADER_SECONDS = 10  # for a first request to arrive whole; later ones have `keepalive`
CLOSING_SECONDS = 30  # for a peer to take the rest of the last response


class Protocol(protocol.ASGIProtocol):
    def connection_made(self, transport):
        super().connection_made(transport)
        if self.worker.nr_conns > self.worker.worker_connections:
            transport.abort()
        elif self.reader is None:
            # The base cancels this timer once the headers are complete.
            self._keepalive_handle = self.worker.loop.call_later(
                HEADER_SECONDS, self._keepalive_timeout
            )

    def _close_transport(self):
        transport = self.transport
        super()._close_transport()
        if transport is not None and transport.get_write_buffer_size():
            self.worker.loop.call_later(CLOSING_SECONDS, transport.abort)


class Worker(gasgi.ASGIWorker):
    def init_process(self):
        # Asked of the base, which keeps the answer where its own methods look for it;
        # asked of a subclass, it would silently fall back to the slow parser.
        protocol.ASGIProtocol._check_h1c_protocol_available()
        gasgi.ASGIProtocol = Protocol
        protocol._CACHED_SERVER_HEADER = b""  # names and versions help only attackers
        super().init_process()
