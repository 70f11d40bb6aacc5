"""check_media: every way in which files and rows can differ is found, said and mended."""

import dataclasses
import hashlib
import os
import shutil
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.utils import timezone

from episodes import artwork, artwork_files, media_check, pictures
from episodes.cards import card_of
from episodes.media_check import find_problems, stored_files
from episodes.models import Episode, FormerRecording, Person, Show
from tests.conftest import CORPUS
from tests.make import make_chapter, make_episode
from tests.stores import BUCKET, KEYS, REGION, running_store

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_media")]

SOUND = b"sound " * 1000


def recorded(data: bytes = SOUND, **changes) -> Episode:
    """An episode whose file and row agree."""
    episode = make_episode(**changes)
    digest = hashlib.sha256(data).hexdigest()
    name = f"audio/{episode.uid}/{digest}.mp3"
    default_storage.save(name, ContentFile(data))
    Episode.objects.filter(pk=episode.pk).update(
        audio=name, audio_bytes=len(data), audio_sha256=digest
    )
    episode.refresh_from_db()
    return episode


def codes(**options) -> list[str]:
    return [problem.code for problem in find_problems(**options)]


def path_of(name: str) -> Path:
    return Path(settings.MEDIA_ROOT, name)


def age(path: Path, days: float = 1) -> None:
    then = time.time() - days * 86400
    os.utime(path, (then, then))


def repair(*, clean: bool = True) -> None:
    call_command("check_media", "--repair", "--yes", "--hashes")
    if clean:
        assert codes(hashes=True) == []


def test_all_is_well(capsys):
    recorded()
    call_command("check_media", "--hashes")
    assert "Files and rows agree." in capsys.readouterr().out


def test_a_missing_recording_is_withdrawn_or_copied():
    lost, twin = recorded(), recorded()
    path_of(lost.audio.name).unlink()
    assert codes() == ["recording-missing"]
    repair()  # the same bytes lie with the other episode
    assert path_of(lost.audio.name).read_bytes() == SOUND
    shutil.rmtree(path_of("audio"))
    repair(clean=False)
    lost.refresh_from_db()
    assert lost.status == Episode.Status.DRAFT
    twin.refresh_from_db()
    assert twin.status == Episode.Status.DRAFT


def test_a_wrong_length_is_corrected_only_when_the_content_is_right():
    episode = recorded()
    Episode.objects.filter(pk=episode.pk).update(audio_bytes=1)
    assert codes() == ["wrong-length"]
    repair()
    episode.refresh_from_db()
    assert episode.audio_bytes == len(SOUND)


def test_changed_content_of_the_same_length_needs_hashes():
    episode = recorded()
    path_of(episode.audio.name).write_bytes(SOUND.replace(b"s", b"z"))
    assert codes() == []
    assert codes(hashes=True) == ["wrong-content"]
    with pytest.raises(SystemExit):
        repair()  # it is no audio: nothing is taken over
    assert codes(hashes=True) == ["wrong-content"]


def test_changed_content_that_is_audio_can_be_taken_over():
    episode = recorded()
    data = (CORPUS / "audio/cbr-128k-10s.mp3").read_bytes()
    path_of(episode.audio.name).write_bytes(data)
    old = path_of(episode.audio.name)
    repair()
    episode.refresh_from_db()
    assert episode.audio_bytes == len(data)
    assert episode.audio_sha256 == hashlib.sha256(data).hexdigest()
    assert path_of(episode.audio.name) != old


def test_unused_files_go_when_they_are_old_enough():
    recorded()
    for name in ("audio/nobody/1.mp3", "artwork/x/abc.jpg", "derived/ab/abc-96.jpg"):
        default_storage.save(name, ContentFile(b"x"))
    assert codes() == []
    for folder in ("audio/nobody/1.mp3", "artwork/x/abc.jpg", "derived/ab/abc-96.jpg"):
        age(path_of(folder))
    assert codes() == ["file-unused"] * 3
    repair()
    assert not path_of("derived/ab/abc-96.jpg").exists()


def test_pictures_with_their_originals_and_derivatives_stay():
    episode = recorded()
    names = ["artwork/x/abc.jpg", "artwork/x/abc-original", "derived/ab/abc-96.webp"]  # no pictures
    for name in names:
        default_storage.save(name, ContentFile(b"x"))
        age(path_of(name))
    Episode.objects.filter(pk=episode.pk).update(artwork=names[0])
    assert codes() == []
    path_of(names[0]).unlink()
    assert codes() == ["picture-missing"]
    repair(clean=False)
    episode.refresh_from_db()
    assert not episode.artwork


PICTURE = CORPUS / "images/square-1400.jpg"


def pictured(owner, attribute: str = "artwork", **options) -> str:
    """The stored name of a picture that `owner` is given as at the desk."""
    upload = ContentFile(PICTURE.read_bytes(), name="cover.jpg")
    pictures.attach_artwork(owner, upload, attribute, **options)
    owner.save()
    return getattr(owner, attribute).name


@pytest.fixture(params=["on disk", "in a store"])
def place(request, own_media, settings):
    """Media on disk, and in an S3-compatible store."""
    if request.param == "on disk":
        yield
        return
    with running_store() as store:
        options = {
            "bucket_name": BUCKET, "location": "media", "endpoint_url": store.url,
            "region_name": REGION, "addressing_style": "path", "querystring_auth": True,
            "access_key": KEYS["S3_ACCESS_KEY_ID"], "secret_key": KEYS["S3_SECRET_ACCESS_KEY"],
        }  # fmt: skip
        settings.MEDIA_ON_DISK = False
        settings.STORAGES = {
            **settings.STORAGES,
            "default": {"BACKEND": "episodes.bucket.MediaBucket", "OPTIONS": options},
        }
        yield


def content_of(name: str) -> bytes:
    with default_storage.open(name) as file:
        return file.read()


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("damage", ["gone", "empty", "changed"])
def test_a_picture_is_made_again_from_its_original(damage, client):
    episode = recorded()
    name, before = pictured(episode), episode.show.revision
    data = content_of(name)
    small = artwork_files.derivative(name, "96", "jpg")
    assert codes(hashes=True) == []
    if damage == "gone":
        default_storage.delete(name)
    else:
        default_storage.save(name, ContentFile(b"" if damage == "empty" else data[::-1]))
        default_storage.save(small, ContentFile(b""))
    found = [each for each in find_problems(hashes=True) if each.name == name]
    code = "picture-missing" if damage == "gone" else "picture-damaged"
    assert [(each.code, each.question) for each in found] == [(code, "Make it again?")]
    unread = [each.name for each in find_problems()]
    assert (name in unread) == (damage != "changed")
    repair()
    episode.refresh_from_db()
    assert episode.artwork.name == name
    assert content_of(name) == data
    assert content_of(artwork_files.derivative(name, "96", "jpg"))
    assert Show.objects.get(pk=episode.show_id).revision > before


@pytest.mark.usefixtures("place")
def test_pictures_of_people_and_shared_ones_of_chapters():
    episode = recorded()
    person = Person.objects.create(name="Ada Harbour")
    portrait = pictured(person, "picture", square=False)
    first = make_chapter(episode, start_ms=0)
    shared = pictured(first, "image", square=False)
    second = make_chapter(episode, start_ms=5000, image=shared)
    for name in (portrait, shared):
        default_storage.delete(name)
    assert codes() == ["picture-missing"] * 2
    repair()
    second.refresh_from_db()
    person.refresh_from_db()
    assert content_of(second.image.name)
    assert content_of(person.picture.name)


def test_a_picture_that_is_encoded_otherwise_by_now_gets_another_name(monkeypatch):
    episode = recorded()
    name = pictured(episode)
    before = episode.show.revision
    path_of(name).write_bytes(b"")
    prepare = artwork.prepare_in_child

    def other(*args, **kwargs):
        made = prepare(*args, **kwargs)
        data = made.data + b"\0"
        return dataclasses.replace(made, data=data, sha256=hashlib.sha256(data).hexdigest())

    monkeypatch.setattr(artwork, "prepare_in_child", other)
    age(path_of(name))
    repair(clean=False)  # the file of the old name is nobody's now
    repair()
    episode.refresh_from_db()
    assert episode.artwork.name != name
    assert content_of(episode.artwork.name)
    assert Show.objects.get(pk=episode.show_id).revision > before


@pytest.mark.parametrize("original", [None, b"", b"no picture"])
def test_a_damaged_picture_without_a_usable_original_is_forgotten(original):
    episode = recorded()
    name = pictured(episode)
    path_of(name).write_bytes(b"")
    kept = path_of(f"{name.rpartition('.')[0]}-original")
    if original is None:
        kept.unlink()
    else:
        kept.write_bytes(original)
    assert [each.question for each in find_problems()] == ["Forget the picture?"]
    repair()
    episode.refresh_from_db()
    assert not episode.artwork


@pytest.mark.usefixtures("place")
def test_a_replaced_recording_is_what_its_row_says_or_removed():
    episode = recorded()
    name = f"audio/{episode.uid}/old.mp3"
    default_storage.save(name, ContentFile(b"old"))
    former = FormerRecording.objects.create(
        episode=episode, sha256=hashlib.sha256(b"old").hexdigest(), extension="mp3",
        audio=name, audio_bytes=4,
    )  # fmt: skip
    assert codes() == ["wrong-length"]
    repair()
    former.refresh_from_db()
    assert former.audio_bytes == 3
    default_storage.save(name, ContentFile(b"odd"))
    assert codes() == []
    assert codes(hashes=True) == ["former-recording-damaged"]
    default_storage.save(name, ContentFile(b"older"))
    assert codes() == ["former-recording-damaged"]
    repair()
    former.refresh_from_db()
    assert former.audio.name == ""
    assert name not in [file.name for file in stored_files()]


def test_files_that_go_while_they_are_looked_at_are_no_problem(monkeypatch):
    episode = recorded()
    pictured(episode)
    (path_of("audio") / "gone.mp3").symlink_to(path_of("nothing"))
    assert codes(hashes=True) == []
    (path_of("audio") / "gone.mp3").unlink()
    files = list(stored_files())
    shutil.rmtree(path_of("audio"))
    shutil.rmtree(path_of("artwork"))
    monkeypatch.setattr(media_check, "stored_files", lambda: files)
    assert codes(hashes=True) == []


def test_link_preview_cards_stay_until_the_episode_has_another():
    episode = recorded()
    age(path_of(card_of(episode)))
    assert codes() == []
    episode.title = "Another"
    episode.save()
    assert codes() == ["file-unused"]
    repair()


def test_the_same_recording_sent_again_mends_a_damaged_file():
    episode = recorded()
    path_of(episode.audio.name).write_bytes(SOUND.replace(b"s", b"z"))
    default_storage.save(episode.audio.name, ContentFile(SOUND))
    assert codes(hashes=True) == []


def test_replaced_recordings_are_kept_for_a_while(settings):
    episode = recorded()
    name = f"audio/{episode.uid}/old.mp3"
    default_storage.save(name, ContentFile(b"old"))
    age(path_of(name), days=400)
    former = FormerRecording.objects.create(
        episode=episode, sha256="0" * 64, extension="mp3", audio=name, audio_bytes=3
    )
    assert codes() == []
    FormerRecording.objects.update(replaced_at=timezone.now() - timedelta(days=31))
    assert codes() == ["recording-expired"]
    settings.KEEP_RECORDINGS_DAYS = 40
    assert codes() == []
    settings.KEEP_RECORDINGS_DAYS = 30
    repair()
    assert not path_of(name).exists()
    former.refresh_from_db()
    assert former.audio.name == ""


def test_uploads_that_were_cut_off_are_debris(tmp_path):
    recorded()
    left = tmp_path / "uploads" / "body-abc"
    left.write_bytes(b"half")
    assert codes() == []
    age(left, days=2)
    assert codes() == ["upload-cut-off"]
    repair()
    assert not left.exists()


def test_an_upload_that_ends_while_it_is_looked_at_is_no_debris(tmp_path):
    recorded()
    (tmp_path / "uploads" / "gone").symlink_to(tmp_path / "nothing")
    assert codes() == []


def test_a_kept_upload_of_another_length_is_found_without_hashes():
    episode = recorded()
    name = f"audio/{episode.uid}/upload.mp3"
    default_storage.save(name, ContentFile(SOUND + b"as it came"))
    Episode.objects.filter(pk=episode.pk).update(
        audio_original=name,
        audio_original_bytes=len(SOUND) + 10,
        audio_original_sha256=hashlib.sha256(SOUND + b"as it came").hexdigest(),
    )
    assert codes() == []
    path_of(name).write_bytes(SOUND)
    assert codes() == ["upload-damaged"]


def test_nothing_is_mended_without_a_yes(monkeypatch, capsys):
    recorded()
    default_storage.save("audio/nobody/1.mp3", ContentFile(b"x"))
    age(path_of("audio/nobody/1.mp3"))
    monkeypatch.setattr("builtins.input", lambda question: "n")
    with pytest.raises(SystemExit) as end:
        call_command("check_media", "--repair")
    assert end.value.code == 1
    assert path_of("audio/nobody/1.mp3").exists()
    assert "1 left" in capsys.readouterr().out
