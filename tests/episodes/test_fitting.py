"""A replaced recording leaves doubt about transcript and chapters, until an editor ends it."""

import pytest

from episodes.fitting import in_doubt
from episodes.models import Chapter, Episode, Transcript
from tests.episodes.test_desk import corpus, errors_of, form_of
from tests.make import make_audio_episode, make_chapter, make_episode, make_transcript

pytestmark = pytest.mark.django_db

LIST = "/admin/episodes/episode/"
NOTICE = "Made for an earlier recording"


@pytest.fixture
def replaced(admin_client):
    """An episode whose recording was replaced at the desk after its words were made."""
    episode = make_audio_episode(title="Replaced")
    make_transcript(episode, recording=episode.audio_sha256)
    make_chapter(episode, 0, recording=episode.audio_sha256)
    make_chapter(episode, 5000, "Second", recording=episode.audio_sha256)
    path = path_of(episode)
    assert NOTICE not in admin_client.get(path).content.decode()
    form = form_of(admin_client.get(path)) | {"audio_upload": corpus("cbr-128k-10s.mp3")}
    response = admin_client.post(path, form, follow=True)
    assert not errors_of(response)
    return Episode.objects.get()


def path_of(episode) -> str:
    return f"{LIST}{episode.pk}/change/"


def test_the_form_says_what_is_in_doubt(admin_client, replaced):
    assert str(in_doubt(replaced)) == "the transcript (en) and 2 chapters"
    page = admin_client.get(path_of(replaced)).content.decode()
    assert NOTICE in page
    assert "The transcript (en) and 2 chapters: check against the present audio" in page


def test_one_click_confirms_and_saves_what_else_was_written(admin_client, replaced):
    path = path_of(replaced)
    form = form_of(admin_client.get(path)) | {"summary": "Changed too", "_still_fits": "It fits"}
    response = admin_client.post(path, form, follow=True)
    page = response.content.decode()
    assert response.redirect_chain[-1][0] == path
    assert "Confirmed for the present recording: 3" in page
    assert NOTICE not in page
    after = Episode.objects.get()
    assert after.summary == "Changed too"
    assert after.revision > replaced.revision
    for rows in (Transcript.objects, Chapter.objects):
        assert set(rows.values_list("recording", flat=True)) == {after.audio_sha256}


def test_the_list_finds_them_and_confirms_many(admin_client, replaced):
    make_episode(title="Never replaced")
    unknown = make_episode(title="Nobody knows")
    make_transcript(unknown)
    page = admin_client.get(f"{LIST}?fit=earlier").content.decode()
    assert "1 episode" in page
    assert "Never replaced" not in page
    data = {"action": "still_fit", "_selected_action": [replaced.pk, unknown.pk]}
    assert "Confirmed" in admin_client.post(LIST, data, follow=True).content.decode()
    assert not in_doubt(replaced)
    assert Transcript.objects.get(episode=unknown).recording == ""
    assert "0 episodes" in admin_client.get(f"{LIST}?fit=earlier").content.decode()


def test_a_chapter_that_is_changed_by_hand_is_in_doubt_no_more(admin_client, replaced):
    path = path_of(replaced)
    form = form_of(admin_client.get(path)) | {"chapters-1-title": "Second, moved"}
    assert admin_client.post(path, form).status_code == 302
    assert str(in_doubt(replaced)) == "the transcript (en) and 1 chapter"
