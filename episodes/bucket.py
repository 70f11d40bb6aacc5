"""Media in an S3-compatible store, through django-storages.

Needs the extra `s3` (`uv sync --extra s3`). An object appears whole or not at all, so what
`DurableStorage` does with syncs and renames the store does by itself.
"""

import contextlib
import os
from urllib.parse import quote

from botocore.exceptions import ClientError
from django.core.cache import cache
from storages.backends.s3 import S3Storage

#: Types that Python's table of extensions lacks or calls something else than podcast apps do.
TYPES = {
    "aac": "audio/aac",
    "aiff": "audio/aiff",
    "flac": "audio/flac",
    "m4a": "audio/x-m4a",
    "m4v": "video/x-m4v",
    "mka": "audio/matroska",
    "opus": "audio/ogg",
    "wav": "audio/wav",
    "webm": "audio/webm",
    "webp": "image/webp",
}

#: Names hold a hash of the content, so an object never changes.
IMMUTABLE = "public, max-age=31536000, immutable"


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
        with contextlib.suppress(ClientError):
            if self.size(name) == content.size:
                return name
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

    def walk(self, prefix: str):
        """`(name, bytes, last modified)` of every object below `prefix`, a thousand a request."""
        root = self.location.strip("/")
        start = f"{root}/{prefix}" if root else prefix
        for item in self.bucket.objects.filter(Prefix=start):
            yield os.path.relpath(item.key, root or "."), item.size, item.last_modified


def _known(name: str) -> str:
    return "bucket:" + quote(name)
