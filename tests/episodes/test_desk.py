"""The desk: publishing by form, bad input refused beside its field, actions, preview."""

import errno
import os
import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.db import connection
from django.utils import timezone
from lxml import html

from episodes import artwork, audio
from episodes.models import Episode, FormerRecording, Show
from episodes.storage import DurableStorage
from episodes.views import server_error
from tests.conftest import CORPUS
from tests.make import make_audio_episode, make_episode, make_show

pytestmark = pytest.mark.django_db

ADD = "/admin/episodes/episode/add/"


@pytest.fixture
def desk(admin_client):
    return admin_client


def form_of(response) -> dict:
    """The values a browser would send back from the page's change form."""
    page = html.fromstring(response.content)
    form = next(f for f in page.forms if f.get("id", "").endswith("_form"))
    return {k: v for k, v in form.form_values() if not k.startswith("_")}


def errors_of(response) -> dict[str, str]:
    """Field name → message, from the page as an editor sees it."""
    page = html.fromstring(response.content)
    found = {}
    for errors in page.xpath("//ul[contains(@class, 'errorlist')]"):
        text = " ".join(errors.text_content().split())
        row = errors.xpath("ancestor::*[contains(@class, 'form-row')][1]")
        names = row[0].xpath(".//*[@name]/@name") if row else ["form"]
        found[",".join(names)] = text
    return found


def corpus(name: str, kind: str = "audio") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, (CORPUS / kind / name).read_bytes())


def test_an_episode_is_published_from_a_recording_and_a_transcript(desk, client):
    show = make_show()
    form = form_of(desk.get(ADD)) | {
        "show": show.pk,
        "status": "published",
        "audio_upload": corpus("id3v23-3-chapters-cover.mp3"),
        "transcripts-0-upload": corpus("speech-151s.vtt", "transcripts"),
        "transcripts-0-language": "en",
    }
    response = desk.post(ADD, form, follow=True)
    assert not errors_of(response), errors_of(response)
    episode = Episode.objects.get()
    assert episode.title  # taken from the tag
    assert episode.audio_bytes == 293218
    assert episode.audio_type == "audio/mpeg"
    assert abs(episode.duration_ms - 60056) < 100
    assert episode.chapters.count() == 3
    assert episode.transcripts.get().has_cues
    assert default_storage.size(episode.audio.name) == 293218
    assert episode.is_public(timezone.now())
    assert client.get(episode.get_absolute_url()).status_code == 200
    assert "Taken over from the file" in response.content.decode()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("zero-bytes.mp3", "empty"),
        ("text-named.mp3", ""),
        ("html-404-page-named.mp3", ""),
        ("jpeg-named.mp3", ""),
        ("zeros-3000-bytes.mp3", ""),
        ("m4a-truncated-no-moov.m4a", ""),
    ],
)
def test_what_is_no_recording_is_refused_beside_the_field(desk, name, says):
    show = make_show()
    before = default_storage.listdir("")
    form = form_of(desk.get(ADD)) | {
        "show": show.pk, "title": "Mine", "notes": "Kept text", "audio_upload": corpus(name),
    }  # fmt: skip
    response = desk.post(ADD, form)
    assert response.status_code == 200
    errors = errors_of(response)
    assert "audio_upload" in errors
    assert says in errors["audio_upload"]
    assert len(errors["audio_upload"]) > 15
    assert "Kept text" in response.content.decode()
    assert not Episode.objects.exists()
    assert default_storage.listdir("") == before


def test_a_mislabelled_recording_is_taken_for_what_it_is(desk):
    form = form_of(desk.get(ADD)) | {
        "show": make_show().pk, "title": "M4A", "audio_upload": corpus("m4a-named.mp3"),
    }  # fmt: skip
    response = desk.post(ADD, form, follow=True)
    episode = Episode.objects.get()
    assert episode.audio_extension == "m4a"
    assert episode.get_audio_path().endswith(".m4a")
    assert "warning" in response.content.decode()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("text-named.png", ""),
        ("svg-named.png", ""),
        ("zero-bytes.jpg", ""),
        ("too-small-1300.jpg", "1300"),
        ("not-square-1920x1080.jpg", "1920"),
        ("truncated-3000.jpg", ""),
        ("bomb-30000x30000-1bit.png", ""),
    ],
)
def test_a_picture_that_is_not_one_is_refused_beside_the_field(desk, name, says):
    show = make_show()
    path = f"/admin/episodes/show/{show.pk}/change/"
    form = form_of(desk.get(path)) | {"title": "Changed", "artwork_upload": corpus(name, "images")}
    response = desk.post(path, form)
    errors = errors_of(response)
    field = next(key for key in errors if "artwork_upload" in key)
    assert says in errors[field]
    assert Show.objects.get().title == show.title


def test_a_good_picture_becomes_the_artwork(desk, client):
    show = make_show()
    path = f"/admin/episodes/show/{show.pk}/change/"
    form = form_of(desk.get(path)) | {"artwork_upload": corpus("square-3000.jpg", "images")}
    response = desk.post(path, form, follow=True)
    assert not errors_of(response)
    show.refresh_from_db()
    page = client.get(f"/{show.slug}/").content.decode()
    source = re.search(r'<img src="([^"]+)"', page).group(1)
    assert client.get(source)["X-Accel-Redirect"].startswith("/_protected/derived/")
    assert desk.get(f"/admin/episodes/show/{show.pk}/picture/").status_code == 200


def test_duplicates_and_missing_audio_are_refused_with_words(desk):
    first = make_episode()
    form = form_of(desk.get(ADD)) | {
        "show": first.show_id, "title": "Two", "slug": first.slug, "guid": first.guid,
        "status": "published",
    }  # fmt: skip
    response = desk.post(ADD, form)
    text = " ".join(errors_of(response).values())
    assert "needs audio before it can be published" in text
    assert "has this slug" in text
    assert "has this GUID" in text
    assert Episode.objects.count() == 1


def test_replacing_a_recording_keeps_guid_and_old_address(desk, client):
    episode = make_audio_episode()
    old_path, guid = episode.get_audio_path(), episode.guid
    path = f"/admin/episodes/episode/{episode.pk}/change/"
    form = form_of(desk.get(path)) | {"audio_upload": corpus("cbr-128k-10s.mp3")}
    response = desk.post(path, form, follow=True)
    assert not errors_of(response)
    episode.refresh_from_db()
    assert episode.guid == guid
    assert episode.get_audio_path() != old_path
    assert client.get(old_path)["Location"] == episode.get_audio_path()
    former = FormerRecording.objects.get()
    assert default_storage.exists(former.audio.name)


def test_two_editors_do_not_overwrite_each_other(desk):
    episode = make_episode(title="Start")
    path = f"/admin/episodes/episode/{episode.pk}/change/"
    mine = form_of(desk.get(path)) | {"title": "Mine"}
    other = Episode.objects.get(pk=episode.pk)
    other.title = "Theirs"
    other.save()
    response = desk.post(path, mine)
    assert "Somebody else saved this" in response.content.decode()
    assert "Theirs" in response.content.decode()
    assert Episode.objects.get().title == "Theirs"
    again = form_of(response)
    assert again["title"] == "Mine"
    assert desk.post(path, again).status_code == 302
    assert Episode.objects.get().title == "Mine"


def test_actions(desk):
    show = make_show()
    ready, bare = make_episode(show, live=False), make_episode(show, live=False)
    Episode.objects.filter(pk=bare.pk).update(audio="", audio_bytes=0, audio_sha256="")
    path = "/admin/episodes/episode/"

    def act(action, **more):
        data = {"action": action, "_selected_action": [ready.pk, bare.pk], **more}
        return desk.post(path, data, follow=True).content.decode()

    text = act("publish_now")
    assert "1 episode published" in text
    assert "has no audio yet" in text
    assert Episode.objects.public(timezone.now()).get() == ready
    assert "2 episodes withdrawn" in act("withdraw")
    assert not Episode.objects.public(timezone.now()).exists()
    assert "Schedule episodes" in act("schedule")
    tomorrow = timezone.now() + timedelta(days=1)
    text = act("schedule", at_0=f"{tomorrow:%Y-%m-%d}", at_1="09:00", every="0")
    assert "1 episode scheduled" in text
    ready.refresh_from_db()
    assert ready.published_at.date() == tomorrow.date()
    assert LogEntry.objects.count() >= 3


def test_lists_show_the_states_at_a_flat_cost(desk, django_assert_max_num_queries):
    show = make_show()
    for _ in range(30):
        make_episode(show)
    make_episode(show, live=False)
    make_episode(show, published_at=timezone.now() + timedelta(days=1))
    with django_assert_max_num_queries(14):
        text = desk.get("/admin/episodes/episode/").content.decode()
    assert "Draft" in text
    assert "Scheduled" in text
    assert "Live" in text
    for query in ("state=draft", "state=scheduled", "state=live", "transcript=no", "q=Episode"):
        assert desk.get(f"/admin/episodes/episode/?{query}").status_code == 200


def test_preview_is_for_editors_and_never_kept(desk, client):
    episode = make_audio_episode(live=False, title="Not yet")
    path = f"/admin/episodes/episode/{episode.pk}/preview/"
    response = desk.get(path)
    assert "Not yet" in response.content.decode()
    assert {"private", "no-store"} <= set(response["Cache-Control"].split(", "))
    assert "noindex" in response["X-Robots-Tag"]
    recording = desk.get(f"/admin/episodes/episode/{episode.pk}/recording/")
    assert recording["X-Accel-Redirect"]
    assert "no-store" in recording["Cache-Control"]
    client.logout()
    assert client.get(path).status_code == 302


@pytest.mark.parametrize("name", ["show", "episode", "person", "site"])
def test_every_form_opens(desk, name):
    make_audio_episode()
    assert desk.get(f"/admin/episodes/{name}/").status_code == 200
    assert desk.get(f"/admin/episodes/{name}/add/").status_code in {200, 403}


def test_a_temporary_upload_is_moved_not_copied(settings, db):
    settings.FILE_UPLOAD_TEMP_DIR.mkdir(exist_ok=True)
    upload = TemporaryUploadedFile("a.mp3", "audio/mpeg", 4, None)
    upload.write(b"abcd")
    upload.flush()
    upload.seek(0)
    import os

    inode = os.stat(upload.temporary_file_path()).st_ino
    for _ in range(2):
        name = default_storage.save("audio/moved/one.mp3", upload)
        assert os.stat(default_storage.path(name)).st_ino == inode
    upload.close()
    assert default_storage.size(name) == 4
    assert not [f for f in os.listdir(settings.FILE_UPLOAD_TEMP_DIR) if f.startswith("staged")]


def full_disk(*args, **kwargs):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_said_beside_the_field_and_changes_nothing(desk, monkeypatch):
    episode = make_audio_episode()
    path = f"/admin/episodes/episode/{episode.pk}/change/"
    form = form_of(desk.get(path)) | {"audio_upload": corpus("cbr-128k-10s.mp3")}
    episode.refresh_from_db()
    monkeypatch.setattr("episodes.storage.DurableStorage._save", full_disk)
    errors = errors_of(desk.post(path, form))
    assert "No space left" in errors["audio_upload"]
    kept = Episode.objects.get()
    assert (kept.audio.name, kept.revision) == (episode.audio.name, episode.revision)


def test_a_disk_that_fills_while_the_upload_arrives_is_said_on_a_page(rf):
    try:
        full_disk()
    except OSError:
        response = server_error(rf.post(ADD))
    assert response.status_code == 507
    assert "no room left" in response.content.decode()


# While one editor's file is read, others save


@pytest.mark.django_db(transaction=True)
def test_files_are_read_and_stored_once_and_before_the_database_is_locked(desk, monkeypatch):
    read, stored = [], []
    save = DurableStorage._save

    def storing(self, name, content):
        if "-original" in name or name.startswith("audio/"):
            stored.append((name, connection.in_atomic_block))
        return save(self, name, content)

    monkeypatch.setattr(DurableStorage, "_save", storing)

    def watched(name, reader):
        def watching(*args, **kwargs):
            read.append((name, connection.in_atomic_block))
            return reader(*args, **kwargs)

        return watching

    monkeypatch.setattr(audio, "read_audio", watched("audio", audio.read_audio))
    prepare = watched("picture", artwork.prepare_in_child)
    monkeypatch.setattr(artwork, "prepare_in_child", prepare)
    form = form_of(desk.get(ADD)) | {
        "show": make_show().pk, "title": "Read ahead", "audio_upload": corpus("cbr-128k-10s.mp3"),
        "artwork_upload": corpus("square-1400.png", "images"),
    }  # fmt: skip
    assert desk.post(ADD, form).status_code == 302
    assert sorted(read) == [("audio", False), ("picture", False)]
    episode = Episode.objects.get()
    assert episode.artwork
    original = f"{episode.artwork.name.partition('.')[0]}-original"
    assert sorted(stored) == [(original, False), (episode.audio.name, False)]
    path = f"/admin/episodes/episode/{episode.pk}/change/"
    changed = {"audio_upload": corpus("id3v23-3-chapters-cover.mp3")}
    assert desk.post(path, form_of(desk.get(path)) | changed).status_code == 302
    episode.refresh_from_db()
    assert (episode.audio.name, False) in stored[2:]
    assert len([name for name, _ in stored[2:] if name.startswith("audio/")]) == 1


def test_a_form_that_is_not_in_order_stores_no_recording(desk, own_media, settings):
    form = form_of(desk.get(ADD)) | {
        "show": make_show().pk, "published_at_0": "soon", "audio_upload": corpus("cbr-128k-10s.mp3")
    }  # fmt: skip
    assert desk.post(ADD, form).status_code == 200
    assert not [path for path in settings.MEDIA_ROOT.rglob("*") if path.is_file()]


def test_who_may_not_save_makes_the_server_read_nothing(client, django_user_model, monkeypatch):
    client.force_login(django_user_model.objects.create_user("reader", is_staff=True))
    monkeypatch.setattr(audio, "read_audio", lambda *a, **k: pytest.fail("was read"))
    answer = client.post(ADD, {"audio_upload": corpus("cbr-128k-10s.mp3")})
    assert answer.status_code == 403
