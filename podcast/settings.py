"""The only settings file, in Django's own order. Values come from the environment.

Every setting has a default that works on one machine; docs/settings.md lists
them all. A wrong value stops the start with its name (podcast/env.py).
"""

import sys
from pathlib import Path
from urllib.parse import urlsplit

from django.utils.csp import CSP

from podcast import env

BASE_DIR = Path(__file__).resolve().parent.parent
if (BASE_DIR / ".env").exists():
    env.env.read_env(BASE_DIR / ".env")

DATA_DIR = env.directory("DATA_DIR", BASE_DIR / "var")
BIND = env.bind("BIND", "127.0.0.1:8000")
SITE_URL = env.origin("SITE_URL", f"http://{BIND.replace('0.0.0.0', '127.0.0.1')}")
SITE = urlsplit(SITE_URL)
HTTPS = SITE.scheme == "https"

# Core

DEBUG = env.boolean("DEBUG", False)
SECRET_KEY = env.secret_key("SECRET_KEY", DATA_DIR)
SECRET_KEY_FALLBACKS = env.names("SECRET_KEY_FALLBACKS", [])
ALLOWED_HOSTS = env.names(
    "ALLOWED_HOSTS", sorted({SITE.hostname or "localhost", "localhost", "127.0.0.1", "[::1]"})
)
CSRF_TRUSTED_ORIGINS = [SITE_URL]
ROOT_URLCONF = "podcast.urls"
WSGI_APPLICATION = "podcast.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
TIME_ZONE = env.text("TIME_ZONE", "UTC")
USE_TZ = True
USE_I18N = True

INSTALLED_APPS = [
    "podcast",
    "feeds",
    "episodes",
    "django_tasks_db",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

# Public pages touch neither the session nor CSRF, so they set no cookie and can be cached.
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "podcast.lengths.no_length_without_body",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["episodes.templatetags.episodes"],
        },
    }
]

# Database: SQLite set up to keep its promises (docs/operations.md), or PostgreSQL by URL.
# IMMEDIATE because deferred transactions of several writers fail instead of waiting;
# FULL because a publish that was confirmed must survive a power cut. No mmap.

DATABASES = {"default": env.database("DATABASE_URL", f"sqlite:///{DATA_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
            "PRAGMA journal_size_limit=67108864; PRAGMA cache_size=-16000; "
            "PRAGMA temp_store=MEMORY"
        ),
    }
else:
    DATABASES["default"] |= {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault(
        "options", "-c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000"
    )

CACHES = {"default": env.cache("CACHE_URL")}
CACHE_IS_SHARED = "Redis" in CACHES["default"]["BACKEND"]

# Sign-in. Sessions are written at sign-in and sign-out only, never per click.

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
LOGIN_URL = "admin:login"
SESSION_ENGINE = "django.contrib.sessions.backends.db"
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_NAME = "__Host-sessionid" if HTTPS else "sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken" if HTTPS else "csrftoken"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"

# Security headers

SECURE_SSL_REDIRECT = env.boolean("SECURE_SSL_REDIRECT", False)
SECURE_HSTS_SECONDS = env.integer("SECURE_HSTS_SECONDS", 3600 if HTTPS else 0)
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.boolean("BEHIND_PROXY", False) else None
)
X_FRAME_OPTIONS = "DENY"
MEDIA_PUBLIC_URL = env.address("MEDIA_PUBLIC_URL")
# Pages play and show what comes from here; the content policy names every origin.
MEDIA_ORIGINS = [*env.names("MEDIA_ORIGINS", []), *env.media_origins(MEDIA_PUBLIC_URL)]
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF, CSP.NONCE],
    "img-src": [CSP.SELF, "data:", *MEDIA_ORIGINS],
    "media-src": [CSP.SELF, "https:", *MEDIA_ORIGINS],
    "connect-src": [CSP.SELF],
    "font-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
    "object-src": [CSP.NONE],
}

# Files. Uploads land beside the media they become, so that a move is one rename.

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = DATA_DIR / "media"
FILE_UPLOAD_TEMP_DIR = DATA_DIR / "uploads"
for _folder in (MEDIA_ROOT, FILE_UPLOAD_TEMP_DIR, STATIC_ROOT):
    _folder.mkdir(mode=0o750, exist_ok=True)
FILE_UPLOAD_HANDLERS = ["episodes.uploads.RoomyUploadHandler"]
FILE_UPLOAD_PERMISSIONS = 0o640
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o750
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
DATA_UPLOAD_MAX_NUMBER_FILES = 100
UPLOAD_MAX_BYTES = env.integer("UPLOAD_MAX_BYTES", 2 * 1024**3, minimum=1024**2)

STORAGES = {
    "default": env.media_store("MEDIA_STORE", MEDIA_ROOT, MEDIA_PUBLIC_URL),
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "podcast.static_names.ManifestStorage"
    },
}
MEDIA_ON_DISK = STORAGES["default"]["BACKEND"] == "episodes.storage.DurableStorage"
# Off: the front (or nginx) sends files from MEDIA_ROOT. On: a redirect to where they are.
MEDIA_REDIRECT = bool(MEDIA_PUBLIC_URL) or not MEDIA_ON_DISK
# Recordings that were replaced stay this long, for apps that still hold the old address.
KEEP_RECORDINGS_DAYS = env.integer("KEEP_RECORDINGS_DAYS", 30, maximum=36500)

WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = 3600

# Background work

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}}

# Searches a minute for each client; 0 is no limit.

SEARCH_PER_MINUTE = env.integer("SEARCH_PER_MINUTE", 60, maximum=1_000_000)

# Requests to other servers: public addresses only, unless the operator allows more.

FETCH_PRIVATE = env.boolean("FETCH_PRIVATE", False)
FETCH_PORTS = [int(port) for port in env.names("FETCH_PORTS", [])]

# Feeds

WEBSUB_HUBS = env.names("WEBSUB_HUBS", [])
PODPING_TOKEN = env.text("PODPING_TOKEN")
PODPING_URL = env.text("PODPING_URL", "https://podping.cloud/")

# Logging: to standard error, one line each.

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.text("LOG_LEVEL", "INFO").upper()},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # A line for each request that an import makes would bury what it says of itself.
        "httpx": {"handlers": [], "level": "WARNING", "propagate": True},
    },
}

WEB_CONCURRENCY = env.integer("WEB_CONCURRENCY", 2, minimum=1, maximum=64)
TESTING = "pytest" in sys.modules

# The front (podcast/front): what stands before Django on the embedded default.
# Threads wait for the database more than they compute, and the interpreter computes on
# one at a time: four per worker keep a slow query from stopping the rest, more only
# multiply connections.

FRONT_CACHE_BYTES = env.integer("FRONT_CACHE_BYTES", 64 * 1024**2)  # per worker
FRONT_THREADS = env.integer("FRONT_THREADS", 4, minimum=1, maximum=64)  # per worker
FRONT_PROTECTED_PREFIX = "/_protected/"
# The nginx before our front sends the files and spends the second of freshness: docs/nginx.conf.
X_ACCEL = env.boolean("X_ACCEL", False)
BEHIND_PROXY = env.boolean("BEHIND_PROXY", False)
TRUSTED_PROXIES = env.networks("TRUSTED_PROXIES", ["127.0.0.1", "::1"] if BEHIND_PROXY else [])
GRACEFUL_TIMEOUT = env.integer("GRACEFUL_TIMEOUT", 120, minimum=1, maximum=3600)
