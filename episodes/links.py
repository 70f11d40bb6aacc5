"""Absolute addresses: the one maker, always from SITE_URL, never from a Host header."""

from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse


def absolute(path: str) -> str:
    """`path` on this site as an absolute URL; an absolute URL comes back unchanged."""
    if path.startswith("/") and not path.startswith("//"):
        return settings.SITE_URL + path  # nearly always, and ten times as fast
    return urljoin(settings.SITE_URL + "/", path)


def artwork_path(owner, size: int | str, extension: str) -> str:
    """Where the artwork of a show, episode or person can be had, `size` pixels wide.

    `size` may be "full", for the picture as feeds and directories want it. The
    address holds the content's hash: another picture has another address.
    """
    return reverse(
        "episodes:artwork",
        args=[owner._meta.model_name, owner.uid, artwork_version(owner), size, extension],
    )


def artwork_version(owner) -> str:
    """From the stored name, `artwork/<uid>/<hash>.<ext>`."""
    name = getattr(owner, "picture", None) or owner.artwork
    return name.name.rpartition("/")[2].partition(".")[0]
