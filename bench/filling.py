"""A show of many episodes to measure with, and the feed a Django project has without us.

python -m bench.filling 500      into DATA_DIR, with a recording of 20 MB for the newest
"""

import os
import random
import sys


def fill(items: int):
    """A show of episodes with notes, four chapters, a transcript and two people each."""
    from datetime import timedelta

    from django.utils import timezone

    from episodes.models import Chapter, Credit, Episode, Person, Show, Transcript
    from episodes.notes import render_notes

    show = Show.objects.create(
        title="Bench", description="A show.", author="Ada", page_size=max(items, 1)
    )
    dice = random.Random(7)
    words = ["".join(dice.choices("etaoinshrdlucm", k=dice.randint(2, 9))) for _ in range(4000)]

    def some(count: int) -> str:
        return " ".join(dice.choices(words, k=count))

    def notes_of(n: int) -> str:
        links = "".join(f"- a [link](https://example.org/{n}/{k})\n" for k in range(6))
        return f"We talk about **{some(2)}**.\n\n{links}\n" + "\n\n".join(
            some(70) for _ in range(3)
        )

    start = timezone.now() - timedelta(days=30)
    Episode.objects.bulk_create(
        [
            Episode(
                show=show,
                title=f"Episode {n} & more",
                slug=f"episode-{n}",
                summary=some(20),
                notes=notes,
                notes_html=render_notes(notes),
                audio=f"audio/{n}.mp3",
                audio_bytes=1_000_000 + n,
                audio_type="audio/mpeg",
                audio_extension="mp3",
                audio_sha256=f"{n:064x}",
                duration_ms=600_000,
                status="published",
                published_at=start + timedelta(seconds=n),
            )
            for n in range(items)
            for notes in [notes_of(n)]
        ],
        batch_size=500,
    )
    people = [Person.objects.create(name=name) for name in ("Ada Harbour", "Grace Lane")]
    pks = list(Episode.objects.filter(show=show).values_list("pk", flat=True))
    Chapter.objects.bulk_create(
        [
            Chapter(episode_id=pk, start_ms=n * 60_000, title=f"Part {n}")
            for pk in pks
            for n in range(4)
        ],
        batch_size=500,
    )
    Transcript.objects.bulk_create(
        [Transcript(episode_id=pk, language="en", format="txt", text="Hello there.") for pk in pks],
        batch_size=500,
    )
    Credit.objects.bulk_create(
        [
            Credit(person=person, episode_id=pk, role="guest", group="cast")
            for pk in pks
            for person in people
        ],
        batch_size=500,
    )
    return show


def plain_feed(show) -> bytes:
    """What a Django project has without us: syndication, a query for each row's relations."""
    from django.contrib.syndication.views import Feed
    from django.test import RequestFactory

    from episodes.models import Episode

    class Plain(Feed):
        title = show.title
        link = "/"
        description = show.description

        def items(self):
            return (
                Episode.objects.filter(show=show)
                .select_related("show")
                .prefetch_related("chapters", "transcripts", "credits__person")
                .newest_first()
            )

        def item_title(self, item):
            return item.title

        def item_description(self, item):
            return item.notes_html

        def item_link(self, item):
            return item.get_absolute_url()

        def item_pubdate(self, item):
            return item.published_at

        def item_enclosure_url(self, item):
            return item.get_audio_path()

        item_enclosure_mime_type = "audio/mpeg"

        def item_enclosure_length(self, item):
            return item.audio_bytes

    request = RequestFactory().get("/", headers={"host": "127.0.0.1:8000"})
    feed = Plain()
    feed.get_object = lambda request: None
    from django.contrib.syndication import views

    views.get_current_site = lambda request: type("S", (), {"domain": "127.0.0.1", "name": "x"})
    return feed(request).content


def put_recording(show, size: int) -> None:
    """A real file of `size` bytes of noise behind the newest episode."""
    import hashlib

    from django.conf import settings

    from episodes.models import Episode

    noise = random.Random(1).randbytes(size)
    newest = Episode.objects.filter(show=show).latest("published_at")
    path = settings.MEDIA_ROOT / newest.audio.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(noise)
    newest.audio_bytes = size
    newest.audio_sha256 = hashlib.sha256(noise).hexdigest()
    newest.save()


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "podcast.settings"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    put_recording(fill(int(sys.argv[1])), 20_000_000)


if __name__ == "__main__":
    main()
