"""Tags in the recording that listeners get: when they are written, and what else stays true."""

import hashlib
from datetime import timedelta

import mutagen
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from mutagen.id3 import ID3

from episodes import artwork, tagging
from episodes.audio import read_audio
from episodes.media_check import find_problems
from episodes.models import Chapter, Episode, FormerRecording
from tests import ffmpeg
from tests.conftest import CORPUS
from tests.episodes.test_chapters_at_the_desk import path_of, row
from tests.episodes.test_desk import ADD, corpus, errors_of, form_of
from tests.episodes.test_writing_tags import CHAPTERS, tagged
from tests.make import make_chapter, make_show

# Not in one transaction: what comes after the form's own is what is tested.
pytestmark = [
    pytest.mark.usefixtures("own_media"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("readers_ready"),
]

LIST = "/admin/episodes/episode/"


@pytest.fixture
def show():
    show = make_show(title="Harbour Line", write_tags=True)
    data = (CORPUS / "images/square-1400.jpg").read_bytes()
    name = f"artwork/{show.uid}/{hashlib.sha256(data).hexdigest()[:16]}.jpg"
    picture = ContentFile(data)
    show.artwork.name = default_storage.save(name, picture)
    default_storage.save(name.replace(".jpg", "-original"), picture)
    show.save()
    return show


def add(client, show, name="cbr-128k-10s.mp3", **changes) -> Episode:
    form = form_of(client.get(ADD)) | {
        "show": show.pk, "title": "Angles & “ampersands”", "status": "published", "number": "7",
        "audio_upload": corpus(name), **row(0, start="0:02", title="Zwei"), **changes,
    }  # fmt: skip
    response = client.post(ADD, form, follow=True)
    assert not errors_of(response), errors_of(response)
    return Episode.objects.select_related("show").latest("pk")


def save(client, episode, **changes):
    form = form_of(client.get(path_of(episode))) | changes
    response = client.post(path_of(episode), form, follow=True)
    assert not errors_of(response), errors_of(response)
    episode.refresh_from_db()
    return response


def act(client, action: str, *episodes, **further):
    chosen = {"action": action, "_selected_action": [episode.pk for episode in episodes]}
    response = client.post(LIST, chosen | further, follow=True)
    for episode in episodes:
        episode.refresh_from_db()
    return response


def bytes_of(name: str) -> bytes:
    with default_storage.open(name) as file:
        return file.read()


def served(client, episode, tmp_path):
    """The file behind the enclosure, as it is sent; its row is true of it."""
    answer = client.get(episode.get_audio_path())
    name = answer["X-Accel-Redirect"].removeprefix("/_protected/")
    path = tmp_path / f"served.{episode.audio_extension}"
    path.write_bytes(bytes_of(name))
    data = path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == episode.audio_sha256
    assert episode.audio_version == episode.audio_sha256[:12]
    assert len(data) == episode.audio_bytes
    assert round(read_audio(path).duration * 1000) == episode.duration_ms
    feed = client.get(episode.show.get_feed_path()).content.decode()
    assert f'length="{len(data)}"' in feed
    assert episode.get_audio_path() in feed
    return path


def test_a_published_episode_carries_its_tags(admin_client, client, show, tmp_path):
    picture = corpus("not-square-1920x1080.jpg", "images")
    episode = add(admin_client, show, **{"chapters-0-image_upload": picture})
    assert episode.status == "published"
    path = served(client, episode, tmp_path)
    tag = ID3(path)
    assert (tag["TIT2"].text, tag["TALB"].text, tag["TRCK"].text) == (
        ["Angles & “ampersands”"], ["Harbour Line"], ["7"]
    )  # fmt: skip
    assert tag.getall("APIC")[0].data[:3] == b"\xff\xd8\xff"
    chapter = tag.getall("CHAP")[0]
    assert (chapter.start_time, chapter.sub_frames["TIT2"].text) == (2000, ["Zwei"])
    assert chapter.sub_frames.getall("APIC")
    seen = ffmpeg.probe(path)
    assert seen["format"]["tags"]["title"] == "Angles & “ampersands”"
    assert seen["chapters"][0]["tags"]["title"] == "Zwei"
    assert ffmpeg.sound_of(path) == ffmpeg.sound_of(CORPUS / "audio/cbr-128k-10s.mp3")
    # Made for the same sound, so nothing is in doubt, and one version was ever offered.
    assert Chapter.objects.get().recording == episode.audio_sha256
    assert not FormerRecording.objects.exists()


def test_the_upload_is_kept_as_it_came(admin_client, show):
    episode = add(admin_client, show)
    data = (CORPUS / "audio/cbr-128k-10s.mp3").read_bytes()
    assert bytes_of(episode.audio_original.name) == data
    assert episode.audio_original_sha256 == hashlib.sha256(data).hexdigest()
    assert episode.audio_original_bytes == len(data)
    assert "file-unused" not in [each.code for each in find_problems(hashes=True)]


def test_pictures_of_chapters_in_the_upload_are_taken_over_and_stay(
    admin_client, client, show, tmp_path, monkeypatch
):
    locked, prepare = [], artwork.prepare_in_child

    def watching(*args, **kwargs):
        locked.append(connection.in_atomic_block)
        return prepare(*args, **kwargs)

    monkeypatch.setattr(artwork, "prepare_in_child", watching)
    made, *_ = tagged(tmp_path, CORPUS / "audio/cbr-128k-10s.mp3")
    sound = SimpleUploadedFile("with-pictures.mp3", made.read_bytes())
    form = form_of(admin_client.get(ADD)) | {
        "show": show.pk, "status": "published", "audio_upload": sound,
    }  # fmt: skip
    assert not errors_of(admin_client.post(ADD, form, follow=True))
    episode = Episode.objects.select_related("show").get()
    assert locked, "the cover's and the chapters' picture"
    assert not any(locked), "before the transaction"
    assert episode.artwork
    rows = list(episode.chapters.all())
    assert [bool(row.image) for row in rows] == [bool(each.image) for each in CHAPTERS]
    assert [row.hidden for row in rows] == [not each.toc for each in CHAPTERS]
    assert rows[1].image.name == rows[2].image.name
    inside = read_audio(served(client, episode, tmp_path)).chapters
    assert [bool(each.image) for each in inside] == [bool(each.image) for each in CHAPTERS]
    assert "picture-missing" not in [each.code for each in find_problems()]


def test_off_is_off(admin_client, show):
    show.write_tags = False
    show.save()
    episode = add(admin_client, show)
    data = (CORPUS / "audio/cbr-128k-10s.mp3").read_bytes()
    assert episode.audio_sha256 == hashlib.sha256(data).hexdigest()
    assert (episode.audio_original.name, episode.tags_written) == ("", "")


@pytest.mark.parametrize(
    "name",
    ["m4a-3-chapters-faststart.m4a", "vorbis-10s.ogg", "flac-10s-cover.flac", "wav-pcm16-10s.wav"],
)
def test_other_kinds_of_files(admin_client, client, show, tmp_path, name):
    episode = add(admin_client, show, name)
    path = served(client, episode, tmp_path)
    facts = read_audio(path)
    assert (facts.tags.title, facts.tags.number) == ("Angles & “ampersands”", 7)
    assert [(each.start, each.title) for each in facts.chapters] == [(2.0, "Zwei")]
    assert mutagen.File(path) is not None


def test_what_takes_no_tags_is_served_as_it_came(admin_client, client, show):
    form = form_of(admin_client.get(ADD)) | {
        "show": show.pk, "title": "Raw", "status": "published",
        "audio_upload": corpus("adts-aac-10s.aac"),
    }  # fmt: skip
    page = admin_client.post(ADD, form, follow=True).content.decode()
    assert "No tags were written into the recording of “Raw”: audio/aac files take none." in page
    episode = Episode.objects.get()
    assert episode.status == "published"
    assert episode.audio_original.name == ""
    assert client.get(episode.get_audio_path()).status_code == 200


def test_a_damaged_tag_is_left_alone(admin_client, show):
    form = form_of(admin_client.get(ADD)) | {
        "show": show.pk, "title": "Odd", "status": "published",
        "audio_upload": corpus("id3-size-field-larger-than-file.mp3"),
    }  # fmt: skip
    page = admin_client.post(ADD, form, follow=True).content.decode()
    assert "No tags were written into the recording of “Odd”" in page
    assert Episode.objects.get().status == "published"


def test_a_draft_is_tagged_when_it_goes_out_and_follows_the_desk_until_then(
    admin_client, client, show, tmp_path
):
    episode = add(admin_client, show, status="draft")
    assert episode.tags_written == ""
    form = {"title": "Scheduled now", "status": "published"}
    tomorrow = timezone.localtime() + timedelta(days=1)
    form |= {"published_at_0": f"{tomorrow:%Y-%m-%d}", "published_at_1": f"{tomorrow:%H:%M:%S}"}
    save(admin_client, episode, **form)
    first = episode.audio_sha256
    assert ID3(default_storage.path(episode.audio.name))["TIT2"].text == ["Scheduled now"]
    save(admin_client, episode, title="Renamed in time")
    assert episode.audio_sha256 != first
    assert ID3(default_storage.path(episode.audio.name))["TIT2"].text == ["Renamed in time"]
    assert episode.audio_original.name


def test_actions_of_the_list_write_them_first(admin_client, client, show, tmp_path):
    episode = add(admin_client, show, status="draft", **{"chapters-TOTAL_FORMS": "0"})
    act(admin_client, "publish_now", episode)
    assert episode.status == "published"
    assert ID3(served(client, episode, tmp_path))["TALB"].text == ["Harbour Line"]


def test_a_public_recording_stays_until_it_is_asked_for(admin_client, client, show, tmp_path):
    episode = add(admin_client, show)
    before, address = episode.audio_sha256, episode.get_audio_path()
    save(admin_client, episode, title="Renamed later")
    assert episode.audio_sha256 == before
    page = admin_client.get(path_of(episode)).content.decode()
    assert "Its tags are older than what you see here." in page
    revision = show.__class__.objects.get(pk=show.pk).revision
    act(admin_client, "write_tags", episode)
    assert episode.audio_sha256 != before
    assert ID3(served(client, episode, tmp_path))["TIT2"].text == ["Renamed later"]
    assert client.get(address).status_code == 301
    assert client.get(address)["Location"].endswith(episode.get_audio_path())
    assert show.__class__.objects.get(pk=show.pk).revision > revision
    assert Chapter.objects.get().recording == episode.audio_sha256
    assert FormerRecording.objects.get().sha256 == before
    page = admin_client.get(path_of(episode)).content.decode()
    assert "Its tags are what you see here." in page
    again = act(admin_client, "write_tags", episode).content.decode()
    assert "are up to date" in again
    assert FormerRecording.objects.count() == 1


def test_another_recording_gets_its_tags_and_both_old_files_are_kept(
    admin_client, client, show, tmp_path
):
    episode = add(admin_client, show)
    old = {episode.audio.name, episode.audio_original.name}
    save(admin_client, episode, audio_upload=corpus("vbr-with-xing.mp3"))
    path = served(client, episode, tmp_path)
    assert ID3(path)["TIT2"].text == [episode.title]
    assert ffmpeg.sound_of(path) == ffmpeg.sound_of(CORPUS / "audio/vbr-with-xing.mp3")
    assert {former.audio.name for former in FormerRecording.objects.all()} == old
    assert "file-unused" not in [each.code for each in find_problems(hashes=True)]


def test_chapters_past_the_end_are_not_in_the_file(admin_client, client, show, tmp_path):
    episode = add(admin_client, show)
    make_chapter(episode, 8000, "At the end", recording="ab" * 32)
    make_chapter(episode, 15_000, "Of a longer one", recording="ab" * 32)
    act(admin_client, "write_tags", episode)
    chapters = read_audio(served(client, episode, tmp_path)).chapters
    assert [each.title for each in chapters] == ["Zwei", "At the end"]
    assert chapters[-1].end == episode.duration_ms / 1000


def test_a_row_that_moved_meanwhile_is_left_alone(show, admin_client, monkeypatch):
    episode = add(admin_client, show, status="draft")
    store = tagging._store

    def slow(*args):
        Episode.objects.filter(pk=episode.pk).update(title="Somebody else's")
        return store(*args)

    monkeypatch.setattr(tagging, "_store", slow)
    outcome = tagging.write_tags(episode)
    assert "meanwhile" in outcome.reason
    episode.refresh_from_db()
    assert (episode.title, episode.tags_written) == ("Somebody else's", "")


def test_a_full_disk_leaves_the_upload_and_no_debris(show, admin_client, monkeypatch, settings):
    from pathlib import Path

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tagging.shutil, "copyfileobj", full)
    form = form_of(admin_client.get(ADD)) | {
        "show": show.pk, "title": "Full", "status": "published",
        "audio_upload": corpus("cbr-128k-10s.mp3"),
    }  # fmt: skip
    page = admin_client.post(ADD, form, follow=True).content.decode()
    assert "No space left on device" in page
    episode = Episode.objects.get()
    assert (episode.status, episode.tags_written) == ("published", "")
    assert not list(Path(settings.FILE_UPLOAD_TEMP_DIR).glob("tags-*"))


def test_check_media_goes_back_to_the_upload(show, admin_client):
    episode = add(admin_client, show)
    default_storage.delete(episode.audio.name)
    call_command("check_media", "--repair", "--yes", "--hashes")
    episode.refresh_from_db()
    data = (CORPUS / "audio/cbr-128k-10s.mp3").read_bytes()
    assert episode.audio_sha256 == hashlib.sha256(data).hexdigest()
    assert episode.status == "published"
    assert Chapter.objects.get().recording == episode.audio_sha256
    assert [each.code for each in find_problems(hashes=True)] == []


def test_check_media_says_that_the_upload_is_gone(show, admin_client):
    episode = add(admin_client, show)
    default_storage.delete(episode.audio_original.name)
    assert [each.code for each in find_problems()] == ["upload-missing"]
    call_command("check_media", "--repair", "--yes")
    assert [each.code for each in find_problems(hashes=True)] == []
    episode.refresh_from_db()
    # From then on, what listeners hear is what tags are written into.
    episode.title = "From the copy"
    episode.save()
    assert tagging.write_tags(episode).written
