"""The site as gunicorn's asgi worker serves it: the front, and Django behind it."""

from django.conf import settings

from podcast.front import Front, Options
from podcast.front.peers import networks
from podcast.wsgi import application as django


def cached_hosts() -> frozenset[bytes]:
    """The Host values under which answers are kept: the site's own, and exact allowed names.

    A wildcard, or any other port, would let a client invent hosts without end.
    """
    ports = {"", f":{settings.BIND.rpartition(':')[2]}"}
    names = {name for name in settings.ALLOWED_HOSTS if not name.startswith((".", "*"))}
    hosts = {settings.SITE.netloc} | {name + port for name in names for port in ports}
    return frozenset(host.lower().encode() for host in hosts if host.isascii())


application = Front(
    django,
    Options(
        media_root=settings.MEDIA_ROOT,
        spool_directory=settings.FILE_UPLOAD_TEMP_DIR,
        hosts=cached_hosts(),
        session_cookie=settings.SESSION_COOKIE_NAME.encode(),
        protected_prefix=settings.FRONT_PROTECTED_PREFIX,
        x_accel=settings.X_ACCEL,
        upload_limit=settings.UPLOAD_MAX_BYTES,
        cache_bytes=settings.FRONT_CACHE_BYTES,
        threads=settings.FRONT_THREADS,
        trusted_proxies=networks(settings.TRUSTED_PROXIES),
    ),
)
