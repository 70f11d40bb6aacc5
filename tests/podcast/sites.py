"""Sites for the tests of backups: one to take from, empty ones to put back into."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.running import RunningSite, drop_database, free_port, own_database


@contextmanager
def empty_site(folder: Path, **settings: str) -> Iterator[RunningSite]:
    """A data directory and a database with nothing in them, of the engine under test."""
    folder.mkdir(exist_ok=True)
    outer = os.environ.get("DATABASE_URL", "")
    own = own_database(outer)
    port = free_port()
    environment = {
        **{k: v for k, v in os.environ.items() if k not in {"ALLOWED_HOSTS", "DATABASE_URL"}},
        "DATA_DIR": str(folder),
        "BIND": f"127.0.0.1:{port}",
        "SITE_URL": f"http://127.0.0.1:{port}",
        "DJANGO_SETTINGS_MODULE": "podcast.settings",
        **({"DATABASE_URL": own} if own else {}),
        **settings,
    }
    site = RunningSite(f"http://127.0.0.1:{port}", folder, folder / "up.log", environment)
    try:
        yield site
    finally:
        site.stop()
        drop_database(outer, own)


def rows_of(site: RunningSite) -> list[dict]:
    """Every row of every table of ours, as data."""
    done = site.manage("dumpdata", "--natural-foreign")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def must(site: RunningSite, *arguments: str, ends: int = 0) -> str:
    """The command's output; fails unless it ends with `ends`."""
    done = site.manage(*arguments)
    assert done.returncode == ends, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


#: For `manage.py shell -c`: many small recordings, each with its row.
MANY = """
import hashlib
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from episodes.models import Episode, FormerRecording
episode = Episode.objects.first()
for n in range({count}):
    data = f"{seed} {{n}} ".encode() * 2000
    digest = hashlib.sha256(data).hexdigest()
    name = default_storage.save(f"audio/{{episode.uid}}/{{digest}}.mp3", ContentFile(data))
    FormerRecording.objects.create(
        episode=episode, sha256=digest, extension="mp3", audio=name, audio_bytes=len(data)
    )
"""


def add_files(site: RunningSite, count: int, seed: str) -> None:
    must(site, "shell", "-c", MANY.format(count=count, seed=seed))
