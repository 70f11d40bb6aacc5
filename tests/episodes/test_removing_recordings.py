"""A recording is taken off an episode at the desk: for audio elsewhere, or for none."""

from unittest.mock import ANY

import pytest
from django.core.files.storage import default_storage

from episodes.media_check import find_problems
from episodes.models import Episode, FormerRecording, Show
from tests.episodes.test_chapters_at_the_desk import path_of
from tests.episodes.test_desk import ADD, corpus, errors_of, form_of
from tests.make import make_audio_episode, make_chapter, make_show

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_media", "readers_ready")]

ELSEWHERE = "https://example.org/first.mp3"
OF_IT = {"audio_bytes": "4321", "audio_type": "audio/mpeg", "duration_ms": "90000"}


@pytest.fixture
def desk(admin_client):
    return admin_client


def save(desk, episode, **changes):
    response = desk.post(
        path_of(episode), form_of(desk.get(path_of(episode))) | changes, follow=True
    )
    episode.refresh_from_db()
    return response


def test_it_moves_to_another_host(desk, client):
    episode = make_audio_episode()
    old, name, show = episode.get_audio_path(), episode.audio.name, episode.show
    before = Show.objects.get(pk=show.pk).revision
    response = save(desk, episode, audio_remove="on", audio_url=ELSEWHERE, **OF_IT)
    assert not errors_of(response)
    assert "kept for 30 days" in response.content.decode()
    assert (episode.status, episode.audio.name, episode.audio_url) == ("published", "", ELSEWHERE)
    assert (episode.audio_bytes, episode.audio_type, episode.duration_ms) == (
        4321, "audio/mpeg", 90_000
    )  # fmt: skip
    assert (episode.audio_sha256, episode.audio_extension, episode.audio_facts) == ("", "", {})
    former = FormerRecording.objects.get()
    assert former.audio.name == name
    assert default_storage.exists(name)
    assert Show.objects.get(pk=show.pk).revision > before
    answer = client.get(old)
    assert (answer.status_code, answer["Location"]) == (302, ELSEWHERE)
    feed = client.get(show.get_feed_path()).content.decode()
    assert f'url="{ELSEWHERE}"' in feed
    assert 'length="4321"' in feed
    assert "file-unused" not in [each.code for each in find_problems()]


def test_a_published_episode_keeps_its_audio(desk, client):
    episode = make_audio_episode()
    name = episode.audio.name
    response = save(desk, episode, audio_remove="on")
    assert "A published episode needs audio" in errors_of(response)["audio_remove"]
    assert episode.audio.name == name
    assert client.get(episode.get_audio_path()).status_code == 200
    assert not FormerRecording.objects.exists()


def test_a_draft_may_have_none_and_another_one_later(desk, client):
    episode = make_audio_episode()
    old = episode.get_audio_path()
    make_chapter(episode, recording=episode.audio_sha256)
    response = save(desk, episode, audio_remove="on", status="draft")
    assert not errors_of(response)
    assert not episode.has_audio
    assert (episode.audio_bytes, episode.audio_type, episode.duration_ms) == (0, "", 0)
    assert client.get(old).status_code == 404
    page = desk.get(path_of(episode)).content.decode()
    assert "audio_remove" not in page
    assert "Made for an earlier recording" in page
    response = save(desk, episode, status="published", audio_upload=corpus("cbr-128k-10s.mp3"))
    assert not errors_of(response)
    answer = client.get(old)
    assert (answer.status_code, answer["Location"]) == (301, episode.get_audio_path())


def test_the_upload_under_a_recording_with_tags_is_kept_too(desk):
    episode = make_audio_episode(live=False)
    upload = f"audio/{episode.uid}/upload.mp3"
    default_storage.save(upload, corpus("cbr-128k-10s.mp3"))
    Episode.objects.filter(pk=episode.pk).update(
        audio_original=upload, audio_original_bytes=7, audio_original_sha256="5" * 64,
        tags_written="9" * 64,
    )  # fmt: skip
    name = episode.audio.name
    save(desk, episode, audio_remove="on", status="draft")
    assert (episode.audio_original.name, episode.tags_written) == ("", "")
    assert {former.audio.name for former in FormerRecording.objects.all()} == {name, upload}


def test_another_recording_in_the_same_form_replaces_it(desk):
    episode = make_audio_episode()
    old = episode.audio.name
    upload = corpus("cbr-128k-10s.mp3")
    response = save(desk, episode, audio_remove="on", audio_upload=upload)
    assert not errors_of(response)
    assert episode.audio
    assert episode.audio.name != old
    assert FormerRecording.objects.get().audio.name == old


def test_an_upload_that_is_refused_removes_nothing(desk):
    episode = make_audio_episode()
    old = episode.audio.name
    response = save(desk, episode, audio_remove="on", audio_upload=corpus("jpeg-named.mp3"))
    assert errors_of(response) == {"audio_upload": ANY}
    assert episode.audio.name == old


def test_an_address_beside_a_recording_is_refused_with_the_way_out(desk):
    episode = make_audio_episode()
    response = save(desk, episode, audio_url=ELSEWHERE)
    assert "This episode has a recording here: tick" in errors_of(response)["audio_url"]
    assert (episode.audio_url, bool(episode.audio)) == ("", True)


def test_a_wrong_address_is_what_is_said(desk):
    episode = make_audio_episode()
    response = save(desk, episode, audio_remove="on", audio_url="nowhere")
    assert list(errors_of(response)) == ["audio_url"]
    assert episode.audio


def test_what_a_file_says_of_itself_cannot_be_typed_over(desk):
    episode = make_audio_episode()
    before = (episode.audio_bytes, episode.audio_type, episode.duration_ms)
    form = form_of(desk.get(path_of(episode)))
    assert (form["audio_bytes"], form.get("audio_type"), form["duration_ms"]) == ("0", None, "0")
    response = save(desk, episode, title="Another", **OF_IT)
    assert not errors_of(response)
    assert episode.title == "Another"
    assert (episode.audio_bytes, episode.audio_type, episode.duration_ms) == before


def test_audio_elsewhere_is_still_described_by_hand(desk):
    form = form_of(desk.get(ADD)) | {
        "show": make_show().pk, "title": "Elsewhere", "status": "published",
        "audio_url": ELSEWHERE, **OF_IT,
    }  # fmt: skip
    assert not errors_of(desk.post(ADD, form, follow=True))
    episode = Episode.objects.get()
    assert (episode.audio_bytes, episode.duration_ms) == (4321, 90_000)
    save(desk, episode, duration_ms="91000")
    assert episode.duration_ms == 91_000
