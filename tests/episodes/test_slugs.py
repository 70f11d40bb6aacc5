"""Slugs from titles in any script, unique per show, kept when the title changes."""

import pytest
from django.core.exceptions import ValidationError

from episodes.models import Episode, FormerEpisodeSlug, Show
from episodes.slugs import MAX_LENGTH, slug_from
from tests.make import NOON, make_episode, make_show


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        (
            "All-Gather Showdown and Stack-Aware Merges",
            "all-gather-showdown-and-stack-aware-merges",
        ),
        ("Ärger über Öl", "arger-uber-ol"),
        ("What's new?", "whats-new"),
        ("  --  ", ""),
        ("🎉🎉", ""),
        ("日本語だけ", ""),
        ("日本語 and English", "and-english"),
        ("a" * 300, "a" * MAX_LENGTH),
        ("../../etc/passwd", "etc-passwd"),
    ],
)
def test_slug_from_title(title, slug):
    assert slug_from(title) == slug


def test_a_long_title_is_cut_at_a_word():
    slug = slug_from("word " * 60)
    assert len(slug) <= MAX_LENGTH
    assert slug.endswith("word")


@pytest.mark.django_db
@pytest.mark.parametrize("title", ["🎉", "日本語だけ", "…"])
def test_a_title_without_a_letter_still_gets_a_slug(title):
    assert make_episode(title=title, published_at=NOON).slug == "episode-2026-03-05"
    assert make_show(title=title).slug == "show"


@pytest.mark.django_db
def test_slugs_are_unique_in_a_show_and_kept():
    show = make_show()
    first, second = make_episode(show, title="Same"), make_episode(show, title="Same")
    assert (first.slug, second.slug) == ("same", "same-2")
    assert make_episode(title="Same").slug == "same"
    second.title = "Different now"
    second.save()
    assert second.slug == "same-2"


@pytest.mark.django_db
def test_a_changed_slug_leaves_its_old_one_behind():
    episode = make_episode(title="Before")
    episode.slug = "after"
    episode.save()
    assert FormerEpisodeSlug.objects.get().slug == "before"
    other = make_episode(episode.show, title="Before")
    assert other.slug == "before-2"
    episode.slug = "before"
    episode.save()
    assert [row.slug for row in FormerEpisodeSlug.objects.all()] == ["after"]


@pytest.mark.django_db
def test_slugs_of_the_site_itself_are_refused():
    show = Show(title="Admin", slug="admin", description="x")
    with pytest.raises(ValidationError, match="belongs to the site itself"):
        show.full_clean()
    assert make_show(title="Admin").slug == "admin-2"


@pytest.mark.django_db
def test_duplicates_are_refused_with_words():
    first = make_episode(title="One")
    second = Episode(show=first.show, title="Two", slug="one", guid=first.guid)
    with pytest.raises(ValidationError) as refused:
        second.full_clean()
    text = " ".join(refused.value.messages)
    assert "has this slug" in text
    assert "has this GUID" in text
