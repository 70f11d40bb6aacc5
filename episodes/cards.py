"""The picture that stands for an episode where its link is shared (Open Graph)."""

import hashlib

from django.core.files.storage import default_storage
from django.urls import reverse
from django.utils import timezone

from episodes.artwork_files import made_once
from episodes.models import Episode

#: In the place of a width in the addresses of artwork.
CARD = "card"
WIDTH, HEIGHT = 1200, 630


def card_version(episode: Episode) -> str:
    """Moves with everything the card shows, so that a card at its address never changes."""
    return hashlib.sha256(repr(_facts(episode)).encode("utf-8", "replace")).hexdigest()[:16]


def card_path(episode: Episode) -> str:
    return reverse(
        "episodes:artwork", args=["episode", episode.uid, card_version(episode), CARD, "jpg"]
    )


def card_name(episode: Episode) -> str:
    """Where the card is stored, once it is drawn."""
    version = card_version(episode)
    return f"derived/{version[:2]}/{version}-{CARD}.jpg"


def card_of(episode: Episode) -> str:
    """The stored name of the card, drawn now if it is not there yet."""

    def draw() -> bytes:
        from episodes import artwork

        picture = None
        if name := _artwork_name(episode):
            with default_storage.open(name) as file:
                picture = file.read()
        _, show, title, date = _facts(episode)
        return artwork.open_graph_card(picture, show, title, date)

    return made_once(card_name(episode), draw)


def _facts(episode: Episode) -> tuple[str, str, str, str]:
    day = timezone.localtime(episode.published_at) if episode.published_at else None
    return (
        _artwork_name(episode),
        episode.show.title,
        episode.title,
        f"{day:%-d %B %Y}" if day else "",
    )


def _artwork_name(episode: Episode) -> str:
    file = episode.artwork or episode.show.artwork
    return file.name if file else ""
