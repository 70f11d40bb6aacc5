"""The picture for shared links says what its page says."""

from datetime import UTC, datetime

import pytest

from episodes import artwork, cards
from tests.make import make_episode

pytestmark = pytest.mark.django_db


def test_the_date_is_that_of_the_page(client, settings, monkeypatch):
    settings.TIME_ZONE = "Asia/Tokyo"
    drawn = []
    monkeypatch.setattr(
        artwork, "open_graph_card", lambda *said: drawn.append(said) or b"a picture"
    )
    episode = make_episode(published_at=datetime(2026, 3, 5, 20, tzinfo=UTC))
    cards.card_of(episode)
    assert drawn[0][-1] == "6 March 2026"
    assert "6 March 2026" in client.get(episode.get_absolute_url()).content.decode()
