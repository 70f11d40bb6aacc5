"""Pictures whose files are lost or damaged: the desk opens, and says so."""

import errno

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from lxml import html

from episodes.models import Person
from tests.conftest import CORPUS
from tests.episodes.test_desk import errors_of, form_of
from tests.episodes.test_media_check import pictured
from tests.make import make_audio_episode, make_chapter

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_media")]

DESK = "/admin/episodes"


@pytest.fixture
def owners():
    """An episode, its show, a chapter and a person, and the names of their pictures."""
    episode = make_audio_episode()
    chapter, person = make_chapter(episode), Person.objects.create(name="Ada Harbour")
    return {
        f"episode/{episode.pk}": pictured(episode),
        f"show/{episode.show.pk}": pictured(episode.show),
        f"person/{person.pk}": pictured(person, "picture", square=False),
        f"episode/chapter/{chapter.pk}": pictured(chapter, "image", square=False),
    }


DAMAGES = {
    "gone": None,
    "empty": b"",
    "no picture": b"nothing to see",
    "half": (CORPUS / "images/square-1400.jpg").read_bytes()[:9000],
    "broken PNG": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_desk_says_what_is_wrong_and_what_to_do(admin_client, owners, damage):
    for name in owners.values():
        default_storage.delete(name)
        if DAMAGES[damage] is not None:
            default_storage.save(name, ContentFile(DAMAGES[damage]))
    said = "Its file is " + ("not there" if damage == "gone" else "damaged")
    for path in owners:
        answer = admin_client.get(f"{DESK}/{path}/picture/")
        assert answer.status_code == 404
        assert said in answer.content.decode()
        assert "check_media --hashes --repair" in answer.content.decode()
        assert "no-store" in answer["Cache-Control"]
    for kind in ("episode", "show", "person"):
        assert admin_client.get(f"{DESK}/{kind}/").status_code == 200
        pk = next(path for path in owners if path.startswith(kind)).partition("/")[2]
        page = admin_client.get(f"{DESK}/{kind}/{pk}/change/")
        assert page.status_code == 200
        shown = html.fromstring(page.content).xpath("//*[@class='desk-missing']")
        # A person's form shows no picture.
        assert any(said in each.text_content() for each in shown) == (kind != "person")


def test_it_can_be_replaced_or_removed_there(admin_client):
    episode = make_audio_episode()
    default_storage.delete(pictured(episode))
    path = f"{DESK}/episode/{episode.pk}/change/"
    form = form_of(admin_client.get(path)) | {"artwork_remove": "on"}
    assert not errors_of(admin_client.post(path, form, follow=True))
    episode.refresh_from_db()
    assert not episode.artwork


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(errno.EIO, "the media store says: no"), "the media store says: no"),
        (OSError(errno.ENOSPC, "No space left"), "no room on the disk"),
    ],
)
def test_a_store_that_is_away_is_not_called_a_damaged_file(
    admin_client, owners, monkeypatch, error, says
):
    def fail(*args, **kwargs):
        raise error

    monkeypatch.setattr(type(default_storage._wrapped), "_save", fail)
    for path in owners:
        answer = admin_client.get(f"{DESK}/{path}/picture/")
        assert says in answer.content.decode()
