"""Slugs: short ASCII names for addresses, from titles in any script."""

import re
import unicodedata

#: First path segments that belong to the site itself, so no show may have them.
RESERVED_SHOW_SLUGS = frozenset(
    {
        "admin", "api", "artwork", "audio", "embed", "feed", "feeds", "healthz", "login",
        "logout", "media", "oembed", "preview", "private", "protected", "readyz", "robots",
        "search", "shows", "sitemap", "static", "well-known",
    }
)  # fmt: skip

#: Second path segments that belong to the show, so no episode may have them.
RESERVED_EPISODE_SLUGS = frozenset({"about", "embed", "episodes", "feed", "people", "search"})

MAX_LENGTH = 100


def slug_from(title: str, fallback: str = "") -> str:
    """A slug for `title`: lower-case ASCII letters, digits and single hyphens.

    Letters with marks lose them. A title without one ASCII letter or digit
    (only emoji, only CJK) gives a slug of `fallback`, cut at a word boundary.
    """
    ascii_text = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_text.replace("'", "")).strip("-")
    if len(slug) > MAX_LENGTH:
        slug = slug[: MAX_LENGTH + 1].rpartition("-")[0][:MAX_LENGTH] or slug[:MAX_LENGTH]
    return slug or (slug_from(fallback) if fallback else "")


def free_slug(wanted: str, taken) -> str:
    """`wanted`, or `wanted-2`, `wanted-3`… : the first for which `taken(slug)` is false."""
    slug, number = wanted, 2
    while taken(slug):
        suffix = f"-{number}"
        slug = wanted[: MAX_LENGTH - len(suffix)].rstrip("-") + suffix
        number += 1
    return slug
