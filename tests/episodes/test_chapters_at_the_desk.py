"""Chapters as rows at the desk: times, links, pictures; on the page, in the file, in the notes."""

import json

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from episodes.media_check import find_problems
from episodes.models import Chapter, Episode
from tests.episodes.test_desk import ADD, corpus, errors_of, form_of
from tests.make import make_audio_episode, make_chapter, make_show

pytestmark = pytest.mark.django_db


def path_of(episode) -> str:
    return f"/admin/episodes/episode/{episode.pk}/change/"


def row(number: int, **values) -> dict:
    """The fields of one more row in a form that has `number` already."""
    return {
        "chapters-TOTAL_FORMS": str(number + 1),
        **{f"chapters-{number}-{name}": value for name, value in values.items()},
    }


@pytest.fixture
def episode():
    return make_audio_episode(title="With chapters", duration_ms=61_000)


def save(client, episode, changes):
    form = form_of(client.get(path_of(episode))) | changes
    return client.post(path_of(episode), form, follow=True)


def chapters_json(client, episode) -> list[dict]:
    answer = client.get(f"{episode.get_absolute_url()}chapters.json")
    return json.loads(answer.content)["chapters"]


def test_an_uploaded_picture_is_on_the_page_and_in_the_file(admin_client, client, episode):
    picture = corpus("not-square-1920x1080.jpg", "images")
    response = save(
        admin_client, episode, row(0, start="0:30", title="Slides", image_upload=picture)
    )
    assert not errors_of(response)
    chapter = Chapter.objects.get()
    assert chapter.recording == episode.audio_sha256
    listed = chapters_json(client, episode)
    assert [entry["title"] for entry in listed] == ["Slides"]
    address = listed[0]["img"]
    assert address.startswith("https://podcast.example.org/artwork/chapter/")
    assert client.get(address)["X-Accel-Redirect"].startswith("/_protected/derived/")
    assert client.get(address)["Content-Type"] == "image/jpeg"
    page = client.get(episode.get_absolute_url()).content.decode()
    assert 'class="chapter-picture"' in page
    assert f"/artwork/chapter/{episode.uid}/" in page
    inside = admin_client.get(f"/admin/episodes/episode/chapter/{chapter.pk}/picture/")
    assert inside.status_code == 200
    assert "picture-missing" not in [problem.code for problem in find_problems()]


def test_a_picture_elsewhere_is_in_the_file(admin_client, client, episode):
    response = save(
        admin_client, episode, row(0, start="0", title="Far", image_url="https://example.org/a.jpg")
    )
    assert not errors_of(response)
    assert chapters_json(client, episode)[0]["img"] == "https://example.org/a.jpg"


def test_a_picture_can_be_replaced_and_taken_away(admin_client, client, episode):
    picture = corpus("square-1400.jpg", "images")
    save(admin_client, episode, row(0, start="0", title="One", image_upload=picture))
    before = chapters_json(client, episode)[0]["img"]
    other = corpus("gray-1400.jpg", "images")
    save(admin_client, episode, {"chapters-0-image_upload": other})
    after = chapters_json(client, episode)[0]["img"]
    assert after != before
    assert client.get(before).status_code == 404
    save(admin_client, episode, {"chapters-0-image_remove": "on"})
    assert "img" not in chapters_json(client, episode)[0]
    assert client.get(after).status_code == 404
    assert default_storage.exists(f"artwork/{episode.uid}")


def test_a_new_episode_takes_chapters_with_pictures_at_once(admin_client, client):
    form = form_of(admin_client.get(ADD)) | {
        "show": make_show().pk, "title": "New", "status": "published",
        "audio_upload": corpus("cbr-128k-10s.mp3"),
        **row(0, start="0:02", title="Two", image_upload=corpus("square-1400.jpg", "images")),
    }  # fmt: skip
    response = admin_client.post(ADD, form, follow=True)
    assert not errors_of(response)
    episode = Episode.objects.get()
    chapter = Chapter.objects.get()
    assert chapter.image.name.startswith(f"artwork/{episode.uid}/")
    assert chapter.recording == episode.audio_sha256


@pytest.mark.parametrize(
    ("values", "field", "says"),
    [
        ({"start": "2:00", "title": "Late"}, "start", "The audio ends at 1:01"),
        ({"start": "soon", "title": "When"}, "start", "1:23 or 1:02:03"),
        ({"start": "0:75", "title": "Odd"}, "start", "1:23 or 1:02:03"),
        ({"start": "1:60:00", "title": "Odd"}, "start", "1:23 or 1:02:03"),
        ({"start": "0:10"}, "title", "Give the chapter a title"),
        ({"start": "0:10", "title": "X", "url": "javascript:alert(1)"}, "url", "URL"),
        ({"start": "0:10", "title": "X", "image_url": "ftp://a.example/b"}, "image_url", "URL"),
    ],
)
def test_what_is_wrong_with_a_row_is_said_in_the_row(admin_client, episode, values, field, says):
    errors = errors_of(save(admin_client, episode, row(0, **values)))
    found = next(text for key, text in errors.items() if f"chapters-0-{field}" in key)
    assert says in found
    assert not Chapter.objects.exists()


def test_a_picture_that_is_none_is_refused_in_the_row(admin_client, episode):
    changes = row(0, start="0", title="One", image_upload=corpus("svg-named.png", "images"))
    errors = errors_of(save(admin_client, episode, changes))
    assert any("image_upload" in key for key in errors)
    assert not Chapter.objects.exists()


def test_a_new_recording_is_what_chapters_are_measured_by(admin_client, episode):
    changes = row(0, start="0:30", title="Fits the old one") | {
        "audio_upload": corpus("cbr-128k-10s.mp3")
    }
    errors = errors_of(save(admin_client, episode, changes))
    assert "The audio ends at 0:10" in " ".join(errors.values())


def test_chapters_of_a_longer_recording_stay_and_are_marked(admin_client, episode):
    make_chapter(episode, start_ms=50_000, title="Of before", recording=episode.audio_sha256)
    response = save(admin_client, episode, {"audio_upload": corpus("cbr-128k-10s.mp3")})
    assert not errors_of(response)
    episode.refresh_from_db()
    assert episode.duration_ms < 11_000
    chapter = episode.chapters.get()
    assert chapter.start_ms == 50_000
    assert chapter.recording != episode.audio_sha256
    moved = save(admin_client, episode, {"chapters-0-start": "0:40"})
    assert "before this" in " ".join(errors_of(moved).values())


def test_a_hidden_chapter_is_in_the_file_and_in_no_list(admin_client, client, episode):
    episode.show.chapters_in_notes = True
    episode.show.save()
    make_chapter(episode, 0, "Seen")
    save(admin_client, episode, row(1, start="0:20", title="Unseen", hidden="on"))
    assert [entry.get("toc") for entry in chapters_json(client, episode)] == [None, False]
    page = client.get(episode.get_absolute_url()).content.decode()
    feed = client.get(episode.show.get_feed_path()).content.decode()
    for text in (page, feed):
        assert "Seen" in text
        assert "Unseen" not in text
    assert 'type="application/json+chapters"' in feed


def test_a_start_moved_behind_the_old_end_takes_the_end_with_it(admin_client, client, episode):
    make_chapter(episode, 0, "Read from a file", end_ms=10_000)
    response = save(admin_client, episode, {"chapters-0-start": "0:20"})
    assert not errors_of(response)
    chapter = episode.chapters.get()
    assert (chapter.start_ms, chapter.end_ms) == (20_000, None)


def test_chapters_from_a_file_are_measured_by_the_recording_too(admin_client, episode):
    late = SimpleUploadedFile("c.txt", b"0:00 Start\n0:50 Fits\n1:30 Late\n2:00 Later\n")
    said = save(admin_client, episode, {"chapters_upload": late}).content.decode()
    assert "The audio ends at 1:01, before 2 of these chapters" in said
    fits = SimpleUploadedFile("c.txt", b"0:00 Start\n0:50 Fits\n")
    said = save(admin_client, episode, {"chapters_upload": fits}).content.decode()
    assert "The audio ends at" not in said


def test_chapters_come_from_the_notes_when_the_editor_asks(admin_client, client, episode):
    notes = "We talk.\n\n- 0:00 Hello\n- 0:20 Tides\n- 0:40 Goodbye\n"
    save(admin_client, episode, {"notes": notes})
    assert not episode.chapters.exists()
    response = save(admin_client, episode, {"chapters_from_notes": "on"})
    assert not errors_of(response)
    assert [entry["title"] for entry in chapters_json(client, episode)] == [
        "Hello", "Tides", "Goodbye",
    ]  # fmt: skip
    asked = {"notes": "Nothing of the kind.", "chapters_from_notes": "on"}
    assert "no list of chapters" in " ".join(errors_of(save(admin_client, episode, asked)).values())
    assert episode.chapters.count() == 3
