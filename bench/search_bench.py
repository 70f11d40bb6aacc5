"""How long a search takes, and a save that indexes, as the number of episodes grows.

    python -m bench.search_bench [--episodes 100 1000 10000]

Episodes of 5,000 words in timed cues, drawn by Zipf's law from 30,000 made-up words. Each kind
of query is asked with many words, through the view and its page. On SQLite in a directory of
its own, gone at the end; the median at 1,000 episodes is to be under 50 ms.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from itertools import accumulate

WORDS = 5_000
CUE_WORDS = 9
VOCABULARY = 30_000
ASKED = 40


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, nargs="+", default=[100, 1000, 10_000])
    options = parser.parse_args()
    kinds = ("common word", "rare word", "two words", "phrase", "beginning")
    head = ["episodes", *kinds, "all", "processor", "save", "database"]
    rows = [f"| {' | '.join(head)} |", "| ---: " * len(head) + "|"]
    for episodes in options.episodes:
        with tempfile.TemporaryDirectory() as directory:
            done = subprocess.run(
                [sys.executable, "-m", "bench.search_bench", "--episodes", str(episodes)],
                env={**os.environ, "DATA_DIR": directory, "DATABASE_URL": "", "BENCH_CHILD": "1"},
                stdout=subprocess.PIPE,
                text=True,
                check=False,
            )
        if done.returncode:
            return 1
        rows.append(done.stdout.strip())
    sys.stdout.write(
        "\n".join(rows) + "\n\nMilliseconds: median / 95th percentile of a page; processor\n"
        "time, which other work on the machine hardly touches, is the mean of all pages.\n"
    )
    return 0


def measure(episodes: int) -> str:
    os.environ |= {"DJANGO_SETTINGS_MODULE": "podcast.settings", "SEARCH_PER_MINUTE": "0"}
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    from episodes.models import Transcript

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    chance = random.Random(1)
    vocabulary = made_up_words(chance)
    fill(episodes, vocabulary, chance)
    client = Client(headers={"host": "127.0.0.1"})
    client.get("/search/?q=warm")
    every: list[float] = []
    cells = []
    processor = time.process_time()
    for queries in (
        [f'"{word}"' for word in vocabulary[:ASKED]],
        [f'"{word}"' for word in chance.sample(vocabulary[15_000:], ASKED)],
        [" ".join(chance.sample(vocabulary[20:500], 2)) + '""' for _ in range(ASKED)],
        said_phrases(Transcript, chance),
        [word[:4] + "*" for word in chance.sample(vocabulary[20:5000], ASKED)],
    ):
        times = [timed(client, query) for query in queries]
        every += times
        cells.append(summary(times))
    processor = (time.process_time() - processor) * 1000 / len(every)
    saves = [timed_save(row) for row in Transcript.objects.order_by("?")[:20]]
    size = os.path.getsize(settings.DATABASES["default"]["NAME"]) / 1024**2
    cells += [summary(every), f"{processor:.0f}", summary(saves), f"{size:,.0f} MB"]
    return f"| {episodes:,} | {' | '.join(cells)} |"


def summary(times: list[float]) -> str:
    return f"{statistics.median(times):.0f} / {statistics.quantiles(times, n=20)[-1]:.0f}"


def timed(client, query: str) -> float:
    started = time.perf_counter()
    response = client.get("/search/", {"q": query})
    elapsed = (time.perf_counter() - started) * 1000
    assert response.status_code == 200, (query, response.status_code)
    return elapsed


def timed_save(transcript) -> float:
    """One word of a cue mended: the whole episode is indexed again."""
    transcript.cues[0][3] += " mended"
    started = time.perf_counter()
    transcript.save()
    return (time.perf_counter() - started) * 1000


def said_phrases(model, chance: random.Random) -> list[str]:
    """Three words that somebody says in a row, over a cue's end."""
    found = []
    for row in model.objects.order_by("?")[:ASKED]:
        at = chance.randrange(len(row.cues) - 2)
        words = row.cues[at][3].split()[-2:] + row.cues[at + 1][3].split()[:1]
        found.append(f'"{" ".join(words)}"')
    return found


def made_up_words(chance: random.Random) -> list[str]:
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "or")]
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        words["".join(chance.choices(syllables, k=chance.choice((1, 2, 2, 3, 3, 4))))] = None
    return list(words)


def fill(count: int, vocabulary: list[str], chance: random.Random) -> None:
    from django.db import transaction
    from django.utils import timezone

    from episodes.models import Episode, Show, Transcript

    show = Show.objects.create(title="Bench", description="A show.", author="Ada")
    now = timezone.now()
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(vocabulary))))
    for base in range(0, count, 50):
        numbers = range(base, min(base + 50, count))
        with transaction.atomic():
            episodes = Episode.objects.bulk_create(
                [
                    Episode(
                        show=show,
                        title=" ".join(chance.choices(vocabulary, k=4)),
                        slug=f"episode-{n}",
                        audio=f"audio/{n}.mp3",
                        audio_bytes=1,
                        audio_sha256=f"{n:064x}",
                        status="published",
                        published_at=now - timedelta(hours=n + 1),
                    )
                    for n in numbers
                ]
            )
            transcripts = []
            for episode in episodes:
                words = chance.choices(vocabulary, cum_weights=weights, k=WORDS)
                cues = [
                    [at * 400, (at + CUE_WORDS) * 400, "", " ".join(words[at : at + CUE_WORDS])]
                    for at in range(0, WORDS, CUE_WORDS)
                ]
                for cue in cues[::3]:
                    cue[3] += "."
                transcripts.append(
                    Transcript(
                        episode=episode,
                        language="en",
                        format="vtt",
                        cues=cues,
                        has_cues=True,
                        text=" ".join(words),
                    )
                )
            Transcript.objects.bulk_create(transcripts)


if __name__ == "__main__":
    if os.environ.get("BENCH_CHILD"):
        sys.stdout.write(measure(int(sys.argv[-1])))
        sys.exit(0)
    sys.exit(main())
