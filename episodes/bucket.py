"""Media in an S3-compatible store, through django-storages.

Needs the extra `s3` (`uv sync --extra s3`). An object appears whole or not at all, so what
`DurableStorage` does with syncs and renames the store does by itself.
"""

import os
from urllib.parse import quote

from botocore.exceptions import ClientError
from django.core.cache import cache
from storages.backends.s3 import S3Storage
from storages.utils import clean_name

from episodes.audio.kinds import MEDIA_TYPES
from episodes.storage import IMMUTABLE

#: Python's table of extensions lacks some of these, or calls them something else.
TYPES = {**MEDIA_TYPES, "webp": "image/webp"}


class MediaBucket(S3Storage):
    """`public_url`, if given, is where the world reads the bucket: a CDN, or the bucket itself.

    Without it, addresses are signed and last an hour.
    """

    def __init__(self, public_url: str = "", **options):
        super().__init__(**options)
        self.public_url = public_url

    def get_object_parameters(self, name):
        parameters = {"CacheControl": IMMUTABLE}
        extension = name.rpartition(".")[2]
        if extension in TYPES:
            parameters["ContentType"] = TYPES[extension]
        return parameters

    def _save(self, name, content):
        saved = super()._save(name, content)
        cache.set(_known(name), True, 86400)
        return saved

    def exists(self, name):
        """One request to the store a day for each name that is there."""
        if cache.get(_known(name)):
            return True
        there = super().exists(name)
        if there:
            cache.set(_known(name), True, 86400)
        return there

    def delete(self, name):
        cache.delete(_known(name))
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
        for item in self.bucket.objects.filter(Prefix=start):
            yield os.path.relpath(item.key, root or "."), item.size, item.last_modified


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
