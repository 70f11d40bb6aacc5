"""Typed readers for environment variables that refuse nonsense by name.

django-environ parses; these add what it leaves out: a wrong value stops the
start with the variable's name, what was found and what was expected.
"""

import os
import secrets
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


def wrong(name: str, value: str, expected: str) -> ImproperlyConfigured:
    """The one error for a wrong setting; never shows a secret's value in full."""
    shown = value if len(value) <= 60 else value[:57] + "…"
    return ImproperlyConfigured(f"{name}={shown!r} is not usable: expected {expected}.")


def split(name: str, value: str):
    """urlsplit for settings: what is no address at all is refused by name."""
    try:
        return urlsplit(value)
    except ValueError as error:
        raise wrong(name, redacted(value), f"an address ({error})") from None


def text(name: str, default: str = "") -> str:
    """A variable that is set and blank counts as unset: compose files and `.env` leave them so."""
    return env.str(name, default="").strip() or default


def boolean(name: str, default: bool) -> bool:
    value = text(name, "on" if default else "off").lower()
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise wrong(name, value, "on or off (also true/false, yes/no, 1/0)")


def integer(name: str, default: int, minimum: int = 0, maximum: int = 2**40) -> int:
    value = text(name, str(default))
    try:
        number = int(value)
    except ValueError:
        raise wrong(name, value, "a whole number") from None
    if not minimum <= number <= maximum:
        raise wrong(name, value, f"a whole number from {minimum} to {maximum}")
    return number


def names(name: str, default: list[str]) -> list[str]:
    """A comma-separated list; blanks around the commas are ignored."""
    value = text(name)
    return [part.strip() for part in value.split(",") if part.strip()] if value else default


def networks(name: str, default: list[str]) -> list[str]:
    """A comma-separated list of IP addresses and CIDR networks."""
    found = names(name, default)
    for part in found:
        try:
            ip_network(part, strict=False)
        except ValueError:
            raise wrong(name, part, "IP addresses or networks like 10.0.0.0/8") from None
    return found


def origin(name: str, default: str) -> str:
    """An absolute http(s) address without path, query or trailing slash."""
    value = text(name, default).rstrip("/")
    parts = split(name, value)
    try:
        port_ok = parts.port is None or parts.port > 0
    except ValueError:
        port_ok = False
    plain = not (parts.path or parts.query or parts.fragment or parts.username)
    if parts.scheme not in {"http", "https"} or not parts.hostname or not port_ok or not plain:
        raise wrong(name, value, "an address like https://podcast.example.org")
    return value


def address(name: str) -> str:
    """An absolute http(s) address, perhaps with a path, without a trailing slash; or ''."""
    value = text(name).rstrip("/")
    parts = split(name, value)
    if value and (parts.scheme not in {"http", "https"} or not parts.hostname or parts.query):
        raise wrong(name, value, "an address like https://media.example.org")
    return value


def media_store(name: str, folder: Path, public_url: str) -> dict:
    """Where media lie: `folder` on this disk, or `s3://bucket/prefix`."""
    value = text(name)
    if not value:
        base_url = f"{public_url}/" if public_url else None
        return {
            "BACKEND": "episodes.storage.DurableStorage",
            "OPTIONS": {"location": folder, "base_url": base_url},
        }
    parts = split(name, value)
    if parts.scheme != "s3" or not parts.hostname:
        raise wrong(name, value, "empty (this disk) or s3://bucket/prefix")
    options = bucket_options(name, value) | {"public_url": public_url}
    return {"BACKEND": "episodes.bucket.MediaBucket", "OPTIONS": options}


def bucket_options(name: str, value: str) -> dict:
    """What django-storages wants to know of `s3://bucket/prefix`, with the `S3_` settings."""
    parts = split(name, value)
    if parts.scheme != "s3" or not parts.hostname:
        raise wrong(name, value, "s3://bucket/prefix")
    if find_spec("storages") is None or find_spec("boto3") is None:
        raise wrong(name, value, "the extra for object storage: uv sync --extra s3")
    options: dict = {
        "bucket_name": parts.hostname,
        "location": parts.path.strip("/"),
        "endpoint_url": address("S3_ENDPOINT_URL") or None,
        "region_name": text("S3_REGION") or None,
        "signature_version": "s3v4",
        "addressing_style": "path" if text("S3_ENDPOINT_URL") else None,
    }
    if key := text("S3_ACCESS_KEY_ID"):
        options |= {"access_key": key, "secret_key": text("S3_SECRET_ACCESS_KEY")}
    return options


def media_origins(public_url: str) -> list[str]:
    """The origins of the addresses that media are redirected to."""
    value = public_url or (address("S3_ENDPOINT_URL") if text("MEDIA_STORE") else "")
    if not value:
        bucket = urlsplit(text("MEDIA_STORE")).hostname
        return ["https://*.amazonaws.com"] if bucket else []
    parts = urlsplit(value)
    return [f"{parts.scheme}://{parts.netloc}"]


def bind(name: str, default: str) -> str:
    """HOST:PORT as gunicorn takes it; IPv6 in brackets."""
    value = text(name, default)
    host, _, port = value.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise wrong(name, value, "HOST:PORT, for example 127.0.0.1:8000")
    return value


def directory(name: str, default: Path) -> Path:
    """A directory that exists or can be made, and that can be written to."""
    path = Path(text(name, str(default))).expanduser().absolute()
    try:
        path.mkdir(mode=0o750, parents=True, exist_ok=True)
    except OSError as error:
        raise wrong(name, str(path), f"a directory that can be made ({error.strerror})") from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise wrong(name, str(path), "a directory this user may write to (check its owner)")
    return path


def one_of(name: str, default: str, choices: set[str]) -> str:
    value = text(name, default)
    if value not in choices:
        raise wrong(name, value, "one of " + ", ".join(sorted(choices)))
    return value


def database(name: str, default: str) -> dict:
    """A database URL: sqlite or postgres."""
    value = text(name, default)
    try:
        config = env.db_url_config(value)
    except Exception as error:  # django-environ raises several kinds here
        raise wrong(name, redacted(value), f"a database URL ({error})") from None
    if config.get("ENGINE") not in {
        "django.db.backends.sqlite3",
        "django.db.backends.postgresql",
    }:
        raise wrong(
            name,
            redacted(value),
            "sqlite:////path/to/file or postgres://user:password@host:5432/name",
        )
    return config


def cache(name: str) -> dict:
    """A cache URL: empty (in-process), redis:// or valkey://."""
    value = text(name)
    if not value:
        return {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": "podcast",
            "OPTIONS": {"MAX_ENTRIES": 2000},
        }
    parts = split(name, value)
    schemes = {"redis": "redis", "rediss": "rediss", "valkey": "redis", "valkeys": "rediss"}
    if parts.scheme not in schemes or not parts.hostname:
        raise wrong(name, redacted(value), "redis://host:6379/0 or valkey://host:6379/0")
    return {
        "BACKEND": "podcast.cache.ForgivingRedisCache",
        "LOCATION": schemes[parts.scheme] + value[len(parts.scheme) :],
        "KEY_PREFIX": "podcast",
        "OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5},
    }


def redacted(url: str) -> str:
    """`url` with its password replaced, fit for a message or a log."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.rpartition("@")[2]
    if parts.password is None:
        return url
    return url.replace(f":{parts.password}@", ":…@", 1)


def secret_key(name: str, data_dir: Path) -> str:
    """The setting, or a key generated once into `data_dir` and readable by us alone."""
    value = text(name)
    if value:
        if len(value) < 32:
            raise wrong(name, value[:3] + "…", "at least 32 characters, or leave it unset")
        return value
    path = data_dir / "secret_key"
    if not path.exists():
        temporary = data_dir / f".secret_key.{os.getpid()}"
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(50))
        try:
            os.link(temporary, path)  # the first of several starters wins
        except FileExistsError:
            pass
        finally:
            temporary.unlink()
    return path.read_text().strip()
