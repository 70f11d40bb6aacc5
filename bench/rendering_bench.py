"""How long a feed takes to render, how much memory, how many queries, beside a plain Feed.

    python -m bench.rendering_bench [--items 100 1000 10000]

The plain Feed is `contrib.syndication` with the same rows, uncached. A database and media
directory of its own, gone at the end.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, nargs="+", default=[100, 1000, 10_000])
    options = parser.parse_args()
    rows = ["| items | cold | new edition | warm | plain Feed | cold / plain | queries | peak |"]
    rows.append("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for items in options.items:
        with tempfile.TemporaryDirectory() as directory:
            # A process each: peak memory never comes down again.
            environment = {**os.environ, "DATA_DIR": directory, "DATABASE_URL": ""}
            done = subprocess.run(
                [sys.executable, "-m", "bench.rendering_bench", "--items", str(items)],
                env={**environment, "BENCH_CHILD": "1"},
                capture_output=True,
                text=True,
                check=False,
            )
        if done.returncode:
            sys.stderr.write(done.stderr)
            return 1
        rows.append(done.stdout.strip())
    sys.stdout.write("\n".join(rows) + "\n")
    return 0


def measure(items: int) -> str:
    os.environ["DJANGO_SETTINGS_MODULE"] = "podcast.settings"
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from episodes.models import Episode, Show
    from feeds.models import StoredItem
    from feeds.rendering import render_show_feed

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    show = fill(items)
    now = timezone.now()

    def render() -> float:
        row = Show.objects.with_edition(now).get(pk=show.pk)
        started = time.perf_counter()
        render_show_feed(row, now, 1, 1)
        return (time.perf_counter() - started) * 1000

    render()  # imports and templates
    StoredItem.objects.all().delete()
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cold = render()
    newest = Episode.objects.filter(show=show).latest("published_at")
    newest.title += " again"
    newest.save()
    edition = render()
    with CaptureQueriesContext(connection) as queries:
        warm = render()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    plain_feed(show)
    plain = (time.perf_counter() - started) * 1000
    return (
        f"| {items:,} | {cold:,.0f} ms | {edition:,.0f} ms | {warm:,.0f} ms | {plain:,.0f} ms "
        f"| {cold / plain:.2f} | {len(queries)} | {max(peak, base) / 1024:,.0f} MB |"
    )


def fill(items: int):
    """A show of episodes with notes, four chapters, a transcript and two people each."""
    from datetime import timedelta

    from django.utils import timezone

    from episodes.models import Chapter, Credit, Episode, Person, Show, Transcript
    from episodes.notes import render_notes

    show = Show.objects.create(
        title="Bench", description="A show.", author="Ada", page_size=max(items, 1)
    )
    notes = "We talk about **many** things.\n\n" + "- a [link](https://example.org/)\n" * 12
    start = timezone.now() - timedelta(days=30)
    Episode.objects.bulk_create(
        [
            Episode(
                show=show,
                title=f"Episode {n} & more",
                slug=f"episode-{n}",
                summary="What happened.",
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


if __name__ == "__main__":
    if os.environ.get("BENCH_CHILD"):
        sys.stdout.write(measure(int(sys.argv[-1])))
        sys.exit(0)
    sys.exit(main())
