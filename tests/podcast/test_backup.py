"""Backups: every row and byte can be had back, damage is told, and nothing is overwritten.

`KILL_ROUNDS=50 make test ARGS=tests/podcast/test_backup.py` for the long form.
"""

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from episodes.models import FormerRecording
from podcast.backup.checking import check_backups
from podcast.backup.directory import DirectoryPlace
from podcast.backup.errors import BackupError, Damaged
from podcast.backup.making import make_backup
from podcast.backup.manifest import Manifest, MediaFile
from podcast.backup.places import manifest_of
from podcast.backup.progress import Progress
from podcast.backup.restoring import Wanted, check_all
from tests.make import make_audio_episode
from tests.podcast.sites import add_files, empty_site, must, rows_of
from tests.running import ROOT

#: At how many moments a command is killed.
ROUNDS = int(os.environ.get("KILL_ROUNDS", "4"))

pytestmark = [pytest.mark.server, pytest.mark.timeout(600 + 30 * ROUNDS)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The demo show and forty files more, with nobody using it."""
    with empty_site(tmp_path_factory.mktemp("from")) as site:
        must(site, "up", "--prepare-only")
        add_files(site, 40, "file")
        yield site


@pytest.fixture(scope="module")
def made(site, tmp_path_factory):
    """One backup of it; tests that damage it take a copy."""
    place = tmp_path_factory.mktemp("place") / "backups of ours"
    must(site, "backup", str(place))
    return place


@pytest.fixture
def copy(made, tmp_path):
    return Path(shutil.copytree(made, tmp_path / "copy"))


@pytest.fixture
def elsewhere(tmp_path):
    with empty_site(tmp_path / "elsewhere") as site:
        yield site


def newest(path: Path) -> Manifest:
    place = DirectoryPlace(path)
    return manifest_of(place, place.names()[-1])


def silent() -> Progress:
    return Progress(io.StringIO())


def damage_of(path: Path) -> list[str]:
    """What `backup --verify` would say."""
    place = DirectoryPlace(path)
    return list(check_backups(place, place.names(), silent()))


def rows(site, model: str) -> list[dict]:
    return [row["fields"] for row in rows_of(site) if row["model"] == model]


def media_of(folder: Path) -> dict[str, str]:
    """Every stored file with its hash; sizes made for pages are made again by themselves."""
    root = folder / "media"
    return {
        str(path.relative_to(root)): sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if path.is_file() and not path.relative_to(root).is_relative_to("derived")
    }


# There and back


def test_everything_comes_back(site, made, elsewhere):
    out = must(elsewhere, "restore", str(made))
    assert "Restored database and media" in out
    assert rows_of(elsewhere) == rows_of(site)
    assert media_of(elsewhere.data_dir) == media_of(site.data_dir)
    assert len(media_of(site.data_dir)) > 50
    key = "secret_key"
    assert (elsewhere.data_dir / key).read_text() == (site.data_dir / key).read_text()
    assert "Files and rows agree." in must(elsewhere, "check_media", "--hashes")
    assert list((elsewhere.data_dir / "uploads").iterdir()) == []


def test_only_its_owner_can_read_a_backup(made):
    for path in [made, *made.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_second_backup_copies_only_what_is_new(site, tmp_path):
    place = str(tmp_path / "place")
    first = must(site, "backup", place)
    assert re.search(r"(\d+) files \(\1 new", first)
    stored = {path: path.stat().st_mtime_ns for path in (tmp_path / "place/files").rglob("*/*")}
    add_files(site, 2, "later")
    assert "(2 new" in must(site, "backup", place)
    assert "(0 new" in must(site, "backup", place)
    now = {path: path.stat().st_mtime_ns for path in (tmp_path / "place/files").rglob("*/*")}
    assert len(now) == len(stored) + 2
    assert stored.items() <= now.items()
    assert len(DirectoryPlace(tmp_path / "place").names()) == 3
    assert damage_of(tmp_path / "place") == []


def test_the_one_asked_for_is_restored(site, tmp_path, elsewhere):
    place = str(tmp_path / "place")
    must(site, "backup", place)
    then = rows_of(site)
    must(site, "shell", "-c", "from episodes.models import Show; Show.objects.update(title='New')")
    must(site, "backup", place)
    first, second = DirectoryPlace(tmp_path / "place").names()
    must(elsewhere, "restore", place, "--at", first)
    assert rows_of(elsewhere) == then
    must(elsewhere, "restore", place, "--force")
    assert [row["title"] for row in rows(elsewhere, "episodes.show")] == ["New"]
    assert first < second


def test_old_ones_go_with_the_files_only_they_had(site, tmp_path):
    place = tmp_path / "place"
    must(site, "backup", str(place))
    must(site, "shell", "-c", "from episodes.models import FormerRecording as F; "
         "F.objects.filter(pk__in=F.objects.values('pk')[:3]).delete()")  # fmt: skip
    before = len(list((place / "files").rglob("*/*")))
    out = must(site, "backup", str(place), "--keep", "1")
    assert "Removed 1 old backups and 3 files" in out
    assert len(list((place / "files").rglob("*/*"))) == before - 3
    assert "1 backups are whole" in must(site, "backup", str(place), "--verify")


# Damage


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def database(place: Path) -> Path:
    return next(place.glob("backups/*/database.*"))


DAMAGES = {
    "a flipped bit in a file": lambda at: flip(next(at.glob("files/*/*")), 100),
    "a file cut short": lambda at: next(at.glob("files/*/*")).write_bytes(b"short"),
    "a file gone": lambda at: next(at.glob("files/*/*")).unlink(),
    "a flipped bit in the database": lambda at: flip(database(at), 5000),
    "the database cut short": lambda at: database(at).write_bytes(database(at).read_bytes()[:9000]),
    "the database gone": lambda at: database(at).unlink(),
    "a flipped bit in the key": lambda at: flip(next(at.glob("backups/*/secret_key")), 3),
    "a flipped bit in the manifest": lambda at: flip(next(at.glob("backups/*/manifest.json")), 99),
}


TOLD = "not what was written|is not there|damaged"


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_told_and_stops_a_restore_before_it_begins(damage, copy):
    assert damage_of(copy) == []
    damage(copy)
    assert re.search(TOLD, "".join(damage_of(copy)))
    place = DirectoryPlace(copy)
    with pytest.raises(Damaged, match=TOLD):
        check_all(place, manifest_of(place, place.names()[-1]), Wanted(), silent())


def test_what_is_damaged_is_never_restored(copy, site, elsewhere):
    flip(next(copy.glob("files/*/*")), 100)
    assert "not what was written" in must(site, "backup", str(copy), "--verify", ends=1)
    assert "Nothing was changed" in must(elsewhere, "restore", str(copy), ends=2)
    assert media_of(elsewhere.data_dir) == {}
    assert "not empty" not in must(elsewhere, "restore", str(copy), "--database-only")


def test_a_damaged_backup_does_not_stop_the_next_one(site, copy):
    flip(next(copy.glob("backups/*/manifest.json")), 99)
    must(site, "backup", str(copy))
    assert newest(copy).media


# Refusals


def test_a_site_in_use_is_not_overwritten_unless_told(site, made):
    before = rows_of(site)
    said = must(site, "restore", str(made), ends=2)
    assert "not empty: it has 1 shows, 9 episodes, 1 users" in said
    assert "--force" in said
    assert rows_of(site) == before


def test_media_of_a_site_without_rows_are_not_mixed_with_others(made, elsewhere):
    (elsewhere.data_dir / "media/audio").mkdir(parents=True)
    (elsewhere.data_dir / "media/audio/mine.mp3").write_bytes(b"mine")
    assert "audio/mine.mp3" in must(elsewhere, "restore", str(made), ends=2)
    must(elsewhere, "restore", str(made), "--force")
    assert (elsewhere.data_dir / "media/audio/mine.mp3").read_bytes() == b"mine"


def forge(place: Path, **changes) -> None:
    manifest = newest(place)
    path = place / "backups" / manifest.name / "manifest.json"
    path.write_bytes(replace(manifest, **changes).to_bytes())


def test_a_newer_version_s_backup_is_refused(copy, elsewhere):
    forge(copy, migrations=[*newest(copy).migrations, ("episodes", "0999_from_the_future")])
    said = must(elsewhere, "restore", str(copy), ends=2)
    assert "newer version" in said
    assert "episodes.0999_from_the_future" in said


def test_another_engine_s_backup_is_refused_and_the_way_named(copy, elsewhere):
    other = {"sqlite": "postgresql", "postgresql": "sqlite"}[newest(copy).engine]
    forge(copy, engine=other)
    assert "export_show" in must(elsewhere, "restore", str(copy), ends=2)


@pytest.mark.parametrize("name", ["../../outside.mp3", "/tmp/outside.mp3", "audio/../../x", ""])
def test_a_manifest_never_leads_outside(name, copy):
    media = newest(copy).media
    forge(copy, media=[replace(media[0], name=name), *media[1:]])
    with pytest.raises(Damaged, match="names a file"):
        newest(copy)


@pytest.mark.parametrize("name", ["../copy", "20260305T120000Z/..", "nothing"])
def test_a_name_is_a_name_and_no_path(name, made):
    with pytest.raises(BackupError, match="is no name of a backup"):
        manifest_of(DirectoryPlace(made), name)


def test_what_is_no_backup_says_so(elsewhere, tmp_path):
    assert "There is no backup" in must(elsewhere, "restore", str(tmp_path / "none"), ends=2)
    assert "neither a directory nor" in must(elsewhere, "backup", "ftp://host/x", ends=2)
    assert "--keep" in must(elsewhere, "backup", str(tmp_path), "--keep", "0", ends=2)


def test_two_at_once_do_not_step_on_each_other(site, tmp_path):
    import fcntl

    with (site.data_dir / "backup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "is running" in must(site, "backup", str(tmp_path / "place"), ends=2)


# What the site itself has lost


def test_a_site_with_a_lost_file_is_backed_up_and_told(tmp_path):
    with empty_site(tmp_path / "lossy") as site:
        must(site, "up", "--prepare-only")
        lost, *_ = sorted(name for name in media_of(site.data_dir) if name.startswith("audio/"))
        (site.data_dir / "media" / lost).unlink()
        said = must(site, "backup", str(tmp_path / "place"), ends=1)
        assert f"{lost} is not in the site's media" in said
        assert newest(tmp_path / "place").missing == [lost]


# Editions


def test_restoring_an_older_state_gives_editions_no_app_has_seen(site, made, elsewhere):
    must(elsewhere, "restore", str(made))
    change = "from episodes.models import Show; [s.save() for s in Show.objects.all()]"
    must(elsewhere, "shell", "-c", change)

    def revision() -> int:
        return rows(elsewhere, "episodes.show")[0]["revision"]

    seen = revision()
    must(elsewhere, "restore", str(made), "--force")
    assert revision() > seen + 1000


# Killed


def killed(site, command: list[str], when) -> None:
    """Start a command and kill it as soon as `when()`, or let it end."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=site.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while process.poll() is None and not when():
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait(10)


def stages(last: int) -> list[int]:
    return sorted({round(last * n / max(1, ROUNDS - 1)) for n in range(ROUNDS)})


def test_killed_anywhere_no_half_backup_looks_whole(site, made, tmp_path):
    """What a killed backup leaves is shared by the next one, which cleans up the rest."""
    place = tmp_path / "place"
    for files in stages(len(newest(made).media)):
        shutil.rmtree(place, ignore_errors=True)
        killed(
            site, ["backup", str(place)], lambda n=files: len(list(place.glob("files/*/*"))) >= n
        )
        if (place / "backups").is_dir():
            assert damage_of(place) == []
        must(site, "backup", str(place))
        assert damage_of(place) == []
        assert [path.name for path in place.rglob(".*")] == []
        assert list((site.data_dir / "uploads").iterdir()) == []


def test_a_restore_that_was_killed_is_finished_by_the_next(made, tmp_path):
    for number, files in enumerate(stages(len(newest(made).media))):
        with empty_site(tmp_path / f"to-{number}") as to:
            media = to.data_dir / "media"
            killed(
                to,
                ["restore", str(made)],
                lambda at=media, n=files: len(list(at.glob("*/*/*"))) >= n,
            )
            done = to.manage("restore", str(made))
            # Killed after the database was in place, all is there, and the second is refused.
            assert done.returncode == 0 or "not empty" in done.stderr, done.stderr
            assert "Files and rows agree." in must(to, "check_media", "--hashes")
            assert media_of(to.data_dir).keys() >= {file.name for file in newest(made).media}


# A clean-up that runs meanwhile


@pytest.mark.django_db(transaction=True)
def test_a_file_cleaned_away_meanwhile_begins_the_backup_again(tmp_path):
    # Files are copied by name: this one comes after the episode's own.
    old = next(n for n in map(b"%d".__mod__, count()) if sha256(n).hexdigest().startswith("ffff"))
    digest = sha256(old).hexdigest()
    episode = make_audio_episode()
    name = default_storage.save(f"audio/{episode.uid}/{digest}.mp3", ContentFile(old))
    assert episode.audio.name < name
    FormerRecording.objects.create(
        episode=episode, sha256=digest, extension="mp3", audio=name, audio_bytes=len(old)
    )

    class Swept(DirectoryPlace):
        """While its first file is copied, check_media removes an expired recording."""

        def add_file(self, source):
            if FormerRecording.objects.exclude(audio="").exists():
                FormerRecording.objects.update(audio="")
                default_storage.delete(name)
            return super().add_file(source)

    place = Swept(tmp_path / "place", create=True)
    made = make_backup(place, silent())
    assert made.manifest.missing == []
    assert name not in {file.name for file in made.manifest.media}
    assert episode.audio.name in {file.name for file in made.manifest.media}
    with closing(place.open_part(made.manifest.name, made.manifest.database.name)) as database:
        assert name.encode() not in database.read() or made.manifest.engine == "postgresql"


def test_the_manifest_is_read_as_it_was_written(made):
    manifest = newest(made)
    assert all(isinstance(file, MediaFile) for file in manifest.media)
    assert manifest.rows["episodes_show"] == 1
