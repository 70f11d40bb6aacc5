"""Every write that can change what the public sees moves the revision, in its transaction."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.db import models, transaction
from django.utils import timezone

from episodes.models import (
    Chapter,
    Credit,
    Episode,
    Funding,
    Person,
    Revised,
    Show,
    Site,
    Transcript,
)
from tests.make import make_chapter, make_episode, make_host, make_show, make_transcript

pytestmark = pytest.mark.django_db


def revision(show) -> int:
    return Show.objects.values_list("revision", flat=True).get(pk=show.pk)


@pytest.fixture
def episode():
    episode = make_episode()
    make_transcript(episode)
    make_chapter(episode)
    make_host(episode.show)
    Credit.objects.create(person=Person.objects.create(name="Guest"), episode=episode)
    Funding.objects.create(show=episode.show, url="https://example.org/", text="Support")
    return episode


WRITES = {
    "save show": lambda e: e.show.save(),
    "save episode": lambda e: e.save(),
    "update shows": lambda e: Show.objects.filter(pk=e.show_id).update(tagline="New"),
    "update episodes": lambda e: Episode.objects.filter(pk=e.pk).update(title="New"),
    "update through relation": lambda e: e.show.episodes.update(title="New"),
    "bulk_update": lambda e: Episode.objects.bulk_update([e], ["title"]),
    "bulk_create chapters": lambda e: Chapter.objects.bulk_create(
        [Chapter(episode=e, start_ms=5000, title="Later")]
    ),
    "save transcript": lambda e: e.transcripts.get().save(),
    "update transcripts": lambda e: Transcript.objects.update(text="Other words"),
    "delete transcript": lambda e: e.transcripts.get().delete(),
    "delete transcripts": lambda e: Transcript.objects.all().delete(),
    "delete chapter": lambda e: e.chapters.get().delete(),
    "rename host": lambda e: Person.objects.filter(name="Ada Harbour").update(name="Ada H."),
    "rename guest": lambda e: Person.objects.get(name="Guest").save(),
    "delete guest": lambda e: Person.objects.get(name="Guest").delete(),
    "delete credit": lambda e: Credit.objects.filter(show=e.show).delete(),
    "change funding": lambda e: Funding.objects.update(text="Give"),
    "delete funding": lambda e: Funding.objects.get().delete(),
    "delete episode": lambda e: Episode.objects.get(pk=e.pk).delete(),
    "delete episodes": lambda e: Episode.objects.filter(pk=e.pk).delete(),
    "rename site": lambda e: Site(pk=1, title="Other").save(),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_write_moves_show_and_site(episode, write):
    before, site_before = revision(episode.show), Site.current().revision
    write(episode)
    assert revision(episode.show) > before
    assert Site.current().revision > site_before


@pytest.mark.parametrize("name", ["save transcript", "delete chapter", "rename guest"])
def test_what_hangs_on_an_episode_moves_its_own_revision(episode, name):
    before = Episode.objects.get(pk=episode.pk).revision
    WRITES[name](episode)
    assert Episode.objects.get(pk=episode.pk).revision > before


def test_a_row_loaded_earlier_never_writes_an_old_revision_back():
    show = make_show()
    stale = Show.objects.get(pk=show.pk)
    for _ in range(3):
        Show.objects.get(pk=show.pk).save()
    before = revision(show)
    stale.save()
    assert revision(show) == before + 1


def test_moving_an_episode_moves_both_shows():
    episode, other = make_episode(), make_show()
    first, second = revision(episode.show), revision(other)
    old = episode.show
    episode.show = other
    episode.save()
    assert revision(old) > first
    assert revision(other) > second


def test_deleting_a_show_moves_the_site():
    episode = make_episode()
    before = Site.current().revision
    episode.show.delete()
    assert Site.current().revision > before


def test_a_write_rolled_back_moves_nothing(episode):
    before = revision(episode.show)
    with pytest.raises(RuntimeError), transaction.atomic():
        episode.save()
        raise RuntimeError
    assert revision(episode.show) == before


def test_revised_at_never_moves_backwards(episode):
    later = timezone.now() + timedelta(hours=2)
    Show.objects.filter(pk=episode.show_id).update(tagline="x")
    models.QuerySet(Show).filter(pk=episode.show_id).update(revised_at=later)
    episode.save()
    assert Show.objects.get(pk=episode.show_id).revised_at == later


def test_every_model_with_a_way_to_a_show_is_revised():
    """A new model that hangs on a show or an episode says whether the public sees it."""
    private = {"GlossaryTerm", "FormerRecording", "TranscriptCorrection", "SearchEntry"}
    for model in apps.get_app_config("episodes").get_models():
        owners = {f.related_model for f in model._meta.fields if f.is_relation}
        if owners & {Show, Episode, Transcript} and model.__name__ not in private:
            assert issubclass(model, Revised), model
            assert model.show_paths, model
