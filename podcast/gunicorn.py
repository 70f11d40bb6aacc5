"""gunicorn's settings: `gunicorn -c podcast/gunicorn.py`.

Production values; the address and the number of workers come from the site's
settings, and everything may be overridden on the command line.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "podcast.settings")

from django.conf import settings

wsgi_app = "podcast.asgi:application"
bind = settings.BIND
workers = settings.WEB_CONCURRENCY
worker_class = "podcast.front.worker.Worker"
worker_connections = 2000
backlog = 512
http_parser = "auto"
asgi_loop = "auto"
asgi_lifespan = "on"

# The heartbeat, and the longest silence inside a request's body; not a limit on requests.
timeout = 30
# On reload and stop downloads get this long to end; players resume a cut one by Range.
graceful_timeout = settings.GRACEFUL_TIMEOUT
keepalive = 75 if settings.BEHIND_PROXY else 5

limit_request_line = 4094
limit_request_fields = 64
limit_request_field_size = 8190
header_map = "drop"
forwarded_allow_ips = ",".join(settings.TRUSTED_PROXIES)

# A guard against slow leaks. Rare, because a new worker begins with an empty cache and
# ends the downloads of the old one.
max_requests = 1_000_000
max_requests_jitter = 100_000

# The heartbeat file must not wait for a disk.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108

control_socket_disable = True
accesslog = None
errorlog = "-"


def post_worker_init(worker):
    from podcast.keeper import keep_database_open

    keep_database_open()
