"""Killed anywhere, an import that is run again ends where one clean run ends.

`KILL_ROUNDS=50 make test ARGS=tests/feeds/moving_in/test_killed.py` for the long form.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from tests.feeds.moving_in.old_host import CHAPTERS, VTT, OldHost
from tests.running import ROOT, drop_database, own_database

ROUNDS = int(os.environ.get("KILL_ROUNDS", "2"))

pytestmark = [pytest.mark.server, pytest.mark.timeout(600 + 30 * ROUNDS)]
EXTRA = (
    "<podcast:transcript url='BASE/t.vtt' type='text/vtt' language='en'/>"
    "<podcast:chapters url='BASE/c.json' type='application/json+chapters'/>"
    "<podcast:person role='guest'>Ada Harbour</podcast:person>"
    "<podcast:soundbite startTime='1' duration='2'>A bite</podcast:soundbite>"
)
#: They differ between any two runs: made up, counted, or a moment of the clock.
VOLATILE = {
    "uid", "created_at", "updated_at", "revision", "revised_at", "audio_at", "imported_at",
    "audio", "picture",
}  # fmt: skip


class Site:
    """A data directory (and a database of its own on PostgreSQL) to run commands on."""

    def __init__(self, folder, template=None):
        self.folder, self.outer = folder, os.environ.get("DATABASE_URL", "")
        self.own = own_database(self.outer)
        if template and not self.own:
            shutil.copytree(template.folder, folder)
        folder.mkdir(exist_ok=True)
        self.environment = {
            **{k: v for k, v in os.environ.items() if k != "DATABASE_URL"},
            "DATA_DIR": str(folder),
            "FETCH_PRIVATE": "on",
            "DJANGO_SETTINGS_MODULE": "podcast.settings",
            **({"DATABASE_URL": self.own} if self.own else {}),
        }
        if self.own or not template:
            self.run("migrate")

    def start(self, *arguments):
        return subprocess.Popen(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def drop(self):
        drop_database(self.outer, self.own)
        shutil.rmtree(self.folder, ignore_errors=True)

    def state(self):
        """Every row, by what it says and not by its numbers."""
        labels = ["episodes", "feeds.importeditem", "feeds.importedshow"]
        code, out, err = self.run("dumpdata", *labels)
        assert code == 0, err
        rows = json.loads(out)
        names = {
            (row["model"].partition(".")[2], row["pk"]): str(
                row["fields"].get("guid") or row["fields"].get("name") or ""
            )
            for row in rows
        }
        return sorted(
            (json.dumps(self.settled(row, names), sort_keys=True) for row in rows
             if row["model"] != "episodes.site"),
        )  # fmt: skip

    def settled(self, row, names):
        fields = {k: v for k, v in row["fields"].items() if k not in VOLATILE}
        for name in ("show", "episode", "person"):
            if name in fields:
                fields[name] = names.get((name, fields[name]), fields[name])
        if row["model"].startswith("feeds."):
            kind = "episode" if row["model"].endswith("item") else "show"
            fields["of"] = names.get((kind, row["pk"]))
            fields["digests"].pop("artwork", None)
        return [row["model"], fields]


def kill(process) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)


def test_killed_anywhere_and_run_again_it_ends_as_one_clean_run(tmp_path):
    rng = random.Random(20260305)
    host = OldHost(12, extra=EXTRA)
    host.files = {"/t.vtt": (VTT, "text/vtt"), "/c.json": (CHAPTERS, "application/json")}
    with host.running():
        template = Site(tmp_path / "template")
        clean = Site(tmp_path / "clean", template)
        begun = time.monotonic()
        code, out, err = clean.run("import_feed", host.url)
        lasted = time.monotonic() - begun
        assert code == 0, out + err
        expected = clean.state()
        assert sum("episodes.episode" in row for row in expected) == 12
        killed = 0
        for number in range(ROUNDS):
            site = Site(tmp_path / f"round-{number}", template)
            for _ in range(rng.choice([1, 1, 2])):
                process = site.start("import_feed", host.url)
                time.sleep(rng.uniform(0.3, 1) * lasted)
                killed += process.poll() is None
                kill(process)
            code, out, err = site.run("import_feed", host.url)
            assert code == 0, out + err
            assert site.state() == expected
            code, out, _ = site.run("check_media", "--hashes")
            assert "recording-missing" not in out
            assert "wrong-" not in out
            assert not list((site.folder / "imports").glob("*.part"))
            site.drop()
        assert killed, "nothing was killed in time"
        for site in (clean, template):
            site.drop()
