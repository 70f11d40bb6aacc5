"""The shared cache, made forgiving: an engine that is away is a cache that is empty."""

import logging

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def forgiving(name: str, fallback):
    """The method `name` of RedisCache; on an engine fault it logs and gives `fallback(self, args)`.

    A cache may forget at any time, so nothing may fail because it did.
    """
    inner = getattr(RedisCache, name)

    def method(self, *args, **kwargs):
        try:
            return inner(self, *args, **kwargs)
        except (RedisError, OSError) as error:
            logger.warning("cache %s failed, going on without: %s", name, error)
            return fallback(*args, **kwargs)

    method.__name__ = name
    return method


class ForgivingRedisCache(RedisCache):
    """Django's Redis/Valkey cache in which every failure is a miss."""

    get = forgiving("get", lambda key, default=None, version=None: default)
    get_many = forgiving("get_many", lambda *args, **kwargs: {})
    set = forgiving("set", lambda *args, **kwargs: None)
    set_many = forgiving("set_many", lambda data, *args, **kwargs: list(data))
    add = forgiving("add", lambda *args, **kwargs: True)
    touch = forgiving("touch", lambda *args, **kwargs: False)
    delete = forgiving("delete", lambda *args, **kwargs: False)
    delete_many = forgiving("delete_many", lambda *args, **kwargs: None)
    has_key = forgiving("has_key", lambda *args, **kwargs: False)
    incr = forgiving("incr", lambda key, delta=1, version=None: delta)
    clear = forgiving("clear", lambda *args, **kwargs: False)
