"""How long a feed takes to render, how much memory, how many queries, beside a plain Feed.

    python -m bench.rendering_bench [--items 100 1000 10000]

The plain Feed is `contrib.syndication` with the same rows, uncached. A database and media
directory of its own, gone at the end. Times are of the process alone, the best of three, so that
a busy machine changes them little.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable


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
            filling = [sys.executable, "-m", "bench.filling", str(items)]
            subprocess.run(filling, env=environment, check=True)
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


def best(work: Callable[[], float]) -> float:
    """The least of three: the first also pays for imports and templates."""
    return min(work() for _ in range(3))


def measure(items: int) -> str:
    os.environ["DJANGO_SETTINGS_MODULE"] = "podcast.settings"
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from bench.filling import plain_feed
    from episodes.models import Episode, Show
    from feeds.models import StoredItem
    from feeds.rendering import render_show_feed

    show = Show.objects.get()
    now = timezone.now()

    def render() -> float:
        row = Show.objects.with_edition(now).get(pk=show.pk)
        started = time.process_time()
        render_show_feed(row, now, 1, 1)
        return (time.process_time() - started) * 1000

    def render_cold() -> float:
        StoredItem.objects.all().delete()
        return render()

    def render_edited() -> float:
        newest = Episode.objects.filter(show=show).latest("published_at")
        newest.title += " again"
        newest.save()
        return render()

    def render_plain() -> float:
        started = time.process_time()
        plain_feed(show)
        return (time.process_time() - started) * 1000

    cold = best(render_cold)
    edition = best(render_edited)
    with CaptureQueriesContext(connection) as queries:
        warm = render()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    plain = best(render_plain)
    return (
        f"| {items:,} | {cold:,.0f} ms | {edition:,.0f} ms | {warm:,.0f} ms | {plain:,.0f} ms "
        f"| {cold / plain:.2f} | {len(queries)} | {peak / 1024:,.0f} MB |"
    )


if __name__ == "__main__":
    if os.environ.get("BENCH_CHILD"):
        sys.stdout.write(measure(int(sys.argv[-1])))
        sys.exit(0)
    sys.exit(main())
