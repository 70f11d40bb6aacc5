"""One rule, two faces: `public(now)` and `is_public(now)` always agree."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from episodes.models import Episode, Show
from tests.make import NOON, make_episode, make_show

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("visibility", "status", "at", "public"),
    [
        ("public", "published", NOON - HOUR, True),
        ("public", "published", NOON, True),
        ("public", "published", NOON + timedelta(microseconds=1), False),
        ("public", "draft", NOON - HOUR, False),
        ("public", "draft", None, False),
        ("hidden", "published", NOON - HOUR, False),
        ("withdrawn", "published", NOON - HOUR, False),
    ],
)
def test_both_faces_agree(visibility, status, at, public):
    episode = make_episode(make_show(visibility=visibility), status=status, published_at=at)
    assert episode.is_public(NOON) is public
    assert Episode.objects.public(NOON).filter(pk=episode.pk).exists() is public


def test_the_edition_moves_when_the_clock_passes_a_date():
    show = make_show()
    make_episode(show, published_at=NOON + HOUR)

    def edition(now):
        return Show.objects.with_edition(now).get(pk=show.pk).edition()

    assert edition(NOON).newest is None
    assert edition(NOON).due == NOON + HOUR
    assert edition(NOON).tag == edition(NOON + HOUR - timedelta(seconds=1)).tag
    assert edition(NOON).tag != edition(NOON + HOUR).tag
    assert edition(NOON + HOUR).due is None


def test_nearby_fills_up_from_the_other_side():
    show = make_show()
    episodes = [make_episode(show, published_at=NOON + i * HOUR) for i in range(12)]
    rows = Episode.objects.filter(show=show)

    def near(index, count=8):
        return [episodes.index(row) for row in rows.nearby(episodes[index], count)]

    assert near(5) == [9, 8, 7, 6, 4, 3, 2, 1]
    assert near(11) == [10, 9, 8, 7, 6, 5, 4, 3]
    assert near(0) == [8, 7, 6, 5, 4, 3, 2, 1]
    assert near(10) == [11, 9, 8, 7, 6, 5, 4, 3]
    assert near(5, 20) == [11, 10, 9, 8, 7, 6, 4, 3, 2, 1, 0]


def test_nearby_tells_episodes_of_one_moment_apart():
    show = make_show()
    same = [make_episode(show, published_at=NOON) for _ in range(4)]
    assert Episode.objects.nearby(same[1]) == [same[3], same[2], same[0]]


def test_publishing_keeps_a_date_that_has_passed():
    episode = make_episode(published_at=NOON - HOUR)
    episode.withdraw()
    episode.publish(NOON)
    assert episode.published_at == NOON - HOUR


def test_publishing_without_audio_is_refused():
    episode = make_episode(live=False, audio="", audio_bytes=0, audio_sha256="")
    with pytest.raises(ValidationError, match="no audio"):
        episode.publish(NOON)


@pytest.mark.parametrize(
    "changes",
    [
        {"published_at": None},
        {"audio": ""},
        {"audio_bytes": 0},
        {"audio_url": "https://example.org/a.mp3"},
        {"season": 0},
        {"number": 0},
        {"slug": ""},
        {"guid": ""},
    ],
)
def test_the_database_refuses_what_must_not_be(changes):
    episode = make_episode()
    with pytest.raises(IntegrityError), transaction.atomic():
        Episode.objects.filter(pk=episode.pk).update(**changes)
