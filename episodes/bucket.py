"""Media in an S3-compatible store, through django-storages.

Needs the extra `s3` (`uv sync --extra s3`). An object appears whole or not at all, so what
`DurableStorage` does with syncs and renames the store does by itself.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.cache import cache
from storages.backends.s3 import S3Storage
from storages.utils import clean_name

from episodes.audio.kinds import MEDIA_TYPES
from episodes.file_names import disposition
from episodes.storage import IMMUTABLE

#: Of everything that is stored; Python's table lacks some, or calls them something else.
TYPES = {**MEDIA_TYPES, "jpg": "image/jpeg", "png": "image/png", "webp": "image/webp"}

#: What nobody should open in a browser: originals of pictures, as strangers made them.
UNKNOWN = "application/octet-stream"

#: Objects that are read here are spooled to disk beyond this.
KEPT_IN_MEMORY = 8 * 1024 * 1024

CONNECT_SECONDS, READ_SECONDS, ATTEMPTS = 5, 60, 3


class MediaBucket(S3Storage):
    """`public_url`, if given, is where the world reads the bucket: a CDN, or the bucket itself.

    Without it, addresses are signed and last an hour. A store that does not answer, or refuses,
    is an OSError that says so.
    """

    def __init__(self, public_url: str = "", **options):
        options.setdefault(
            "client_config",
            Config(
                s3={"addressing_style": options.get("addressing_style")},
                signature_version=options.get("signature_version"),
                connect_timeout=CONNECT_SECONDS,
                read_timeout=READ_SECONDS,
                retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
            ),
        )
        options.setdefault("max_memory_size", KEPT_IN_MEMORY)
        super().__init__(**options)
        self.public_url = public_url

    def get_object_parameters(self, name):
        return {
            "CacheControl": IMMUTABLE,
            "ContentType": TYPES.get(name.rpartition(".")[2], UNKNOWN),
        }

    def _get_write_parameters(self, name, content=None):
        """`content.download_name` is what listeners' computers shall call the file."""
        parameters = super()._get_write_parameters(name, content)
        if parameters["ContentType"] == UNKNOWN:
            parameters["ContentDisposition"] = "attachment"
        elif download_name := getattr(content, "download_name", ""):
            parameters["ContentDisposition"] = disposition(download_name)
        return parameters

    def _save(self, name, content):
        with _as_oserror():
            saved = super()._save(name, content)
        cache.set(_known(name), True, 86400)
        return saved

    def _open(self, name, mode="rb"):
        with _as_oserror():
            return super()._open(name, mode)

    def exists(self, name):
        """One request to the store a day for each name that is there."""
        if cache.get(_known(name)):
            return True
        with _as_oserror():
            there = super().exists(name)
        if there:
            cache.set(_known(name), True, 86400)
        return there

    def delete(self, name):
        cache.delete(_known(name))
        with _as_oserror():
            super().delete(name)

    def url(self, name, parameters=None, expire=None, http_method=None):
        if not self.public_url:
            return super().url(name, parameters, expire, http_method)
        key = "/".join(part for part in (self.location.strip("/"), name) if part)
        return f"{self.public_url}/{quote(key)}"

    def stream(self, name: str):
        """As `DurableStorage.stream`: read as it comes, so that memory does not grow with it."""
        return read_object(self.bucket, self._normalize_name(clean_name(name)))

    def walk(self, prefix: str):
        """`(name, bytes, last modified)` of every object below `prefix`, a thousand a request."""
        root = self.location.strip("/")
        start = f"{root}/{prefix}" if root else prefix
        with _as_oserror():
            for item in self.bucket.objects.filter(Prefix=start):
                yield os.path.relpath(item.key, root or "."), item.size, item.last_modified


@contextmanager
def _as_oserror() -> Iterator[None]:
    """What the store's library raises is no OSError, and a store that is away is just that."""
    try:
        yield
    except (BotoCoreError, Boto3Error, ClientError) as error:
        raise OSError(errno.EIO, f"the media store says: {error}") from error


def read_object(bucket, key: str):
    """The object's bytes as they come. Raises FileNotFoundError when it is not there."""
    try:
        return bucket.Object(key).get()["Body"]
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") in {"NoSuchKey", "404"}:
            raise FileNotFoundError(f"There is no object {key}.") from None
        raise OSError(f"The object {key} could not be read: {error}") from None


def _known(name: str) -> str:
    return "bucket:" + quote(name)
