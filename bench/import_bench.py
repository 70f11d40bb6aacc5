"""A move of 1,000 episodes from a server on this machine: how long, and how much memory.

The recordings are tiny, so what is measured is ours: asking, reading, storing, writing rows.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
ITEMS = 1000

#: Seconds, and bytes that memory may grow between the first quarter and the end.
MOST_SECONDS = 60
MOST_GROWTH = 30 * 1024 * 1024


def resident(pid: int) -> int:
    """Bytes of memory a process holds, 0 when it is gone."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    line = next((row for row in text.splitlines() if row.startswith("VmRSS:")), "VmRSS: 0 kB")
    return int(line.split()[1]) * 1024


def run(command: list[str], environment: dict) -> tuple[int, float, list[tuple[float, int]]]:
    """Exit code, seconds, and memory every fifth of a second."""
    begun = time.monotonic()
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    samples: list[tuple[float, int]] = []
    over = threading.Event()

    def watch():
        while not over.wait(0.2):
            samples.append((time.monotonic() - begun, resident(process.pid)))

    watcher = threading.Thread(target=watch)
    watcher.start()
    code = process.wait()
    seconds = time.monotonic() - begun
    over.set()
    watcher.join()
    return code, seconds, [sample for sample in samples if sample[1]]


def main() -> int:
    import tests.environment  # noqa: F401  (settings of a scratch site, for the artwork it makes)
    from tests.feeds.moving_in.old_host import OldHost

    with tempfile.TemporaryDirectory(prefix="bench-import-") as folder:
        environment = {**os.environ, "DATA_DIR": folder, "FETCH_PRIVATE": "on"}
        environment["DJANGO_SETTINGS_MODULE"] = "podcast.settings"
        manage = [sys.executable, "manage.py"]
        subprocess.run([*manage, "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
        with OldHost(ITEMS).running() as host:
            command = [*manage, "import_feed", host.url]
            code, seconds, samples = run(command, environment)
            again_code, again, _ = run(command, environment)
    quarter = [size for at, size in samples if at <= seconds / 4][-1]
    peak = max(size for _, size in samples)
    sys.stdout.write(
        "| what | measured | at most |\n| --- | --- | --- |\n"
        f"| {ITEMS} episodes, copied | {seconds:.1f} s | {MOST_SECONDS} s |\n"
        f"| the same again | {again:.1f} s | |\n"
        f"| memory after a quarter | {quarter / 1024 / 1024:.0f} MB | |\n"
        f"| most memory | {peak / 1024 / 1024:.0f} MB | "
        f"{(quarter + MOST_GROWTH) / 1024 / 1024:.0f} MB |\n"
    )
    fine = code == again_code == 0 and seconds < MOST_SECONDS and peak < quarter + MOST_GROWTH
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
