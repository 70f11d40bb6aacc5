"""A disk that is full: the editor is told, what was there stays, listeners notice nothing.

The site's data lie on a real, small tmpfs, which only root may mount.
"""

import os
import re
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from lxml import html

from tests.conftest import CORPUS
from tests.editor import Editor
from tests.running import RunningSite, running_site

pytestmark = pytest.mark.server

MB = 1024 * 1024
ADD = "/admin/episodes/episode/add/"
SOUND = (CORPUS / "audio/cbr-128k-10s.mp3").read_bytes()


@contextmanager
def small_disk(folder: Path, size: int):
    """`folder` as a file system of `size` bytes."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
    )
    if mounted.returncode:
        pytest.fail(
            "This test needs a small file system of its own, and could not mount a tmpfs "
            f"({mounted.stderr.strip()}): run it as root, or in a container with CAP_SYS_ADMIN."
        )
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@dataclass
class Full:
    """A site whose disk can be filled up to the last byte but `leave`."""

    site: RunningSite
    disk: Path
    editor: Editor

    def fill(self, leave: int = 0) -> None:
        self.make_room()
        facts = os.statvfs(self.disk)
        room = facts.f_bavail * facts.f_frsize - leave
        with (self.disk / "ballast").open("wb") as file:
            file.truncate(0)
            os.posix_fallocate(file.fileno(), 0, max(room, 1))

    def make_room(self) -> None:
        (self.disk / "ballast").unlink(missing_ok=True)

    def files(self, folder: str) -> set[str]:
        return {str(p) for p in (self.disk / folder).rglob("*") if p.is_file()}


def padded(size: int) -> bytes:
    """A good recording of about `size` bytes: its frames again and again."""
    frames = SOUND[417:]
    return SOUND + frames * (size // len(frames))


@pytest.fixture(scope="module")
def media(tmp_path_factory):
    """Media and uploads on the small disk; the database elsewhere, as with PostgreSQL."""
    folder = tmp_path_factory.mktemp("data")
    with small_disk(folder / "small", 24 * MB) as disk:
        for name in ("media", "uploads"):
            (disk / name).mkdir()
            (folder / name).symlink_to(disk / name)
        with running_site(folder) as site:
            editor = Editor(site.url)
            yield Full(site, disk, editor)
            editor.close()


@pytest.fixture
def full(media):
    yield media
    media.make_room()
    assert media.files("uploads") == set(), "debris"


def episode_path(full: Full, title: str) -> str:
    """The form of a new, published episode with a small recording."""
    saved = full.editor.submit(
        ADD,
        {"show": "1", "title": title, "status": "published", "_continue": "1"},
        {"audio_upload": ("take.mp3", SOUND)},
    )
    assert saved.status_code == 302
    return saved.headers["location"]


def values(full: Full, path: str) -> dict:
    """What the form holds."""
    values = full.editor.form(path)
    del values["csrfmiddlewaretoken"]
    return values


def said(response) -> str:
    """What an editor reads in the form's errors."""
    page = html.fromstring(response.text)
    return " ".join(" ".join(page.xpath("//*[contains(@class, 'errorlist')]//text()")).split())


def test_a_recording_that_does_not_fit_is_said_beside_its_field(full):
    path = episode_path(full, "Kept as it was")
    before, names = values(full, path), full.files("media")
    full.fill(leave=9 * MB)  # the request's body fits, the file in it does not
    answer = full.editor.submit(
        path, {"title": "Mine"}, {"audio_upload": ("b.mp3", padded(6 * MB))}
    )
    assert answer.status_code == 200
    assert "no room left on the server's disk" in said(answer)
    assert 'value="Mine"' in answer.text
    full.make_room()
    assert values(full, path) == before
    assert full.files("media") == names
    assert full.files("uploads") == set()


def test_the_same_upload_goes_through_when_there_is_room_again(full):
    path = episode_path(full, "Second try")
    full.fill(leave=3 * MB)
    big = padded(2 * MB)
    assert full.editor.submit(path, {}, {"audio_upload": ("b.mp3", big)}).status_code == 200
    full.make_room()
    assert full.editor.submit(path, {}, {"audio_upload": ("b.mp3", big)}).status_code == 302


def test_an_upload_larger_than_what_is_left_is_not_waited_for(full):
    path = episode_path(full, "Too large to begin")
    full.fill(leave=2 * MB)
    answer = full.editor.submit(path, {}, {"audio_upload": ("b.mp3", padded(6 * MB))})
    assert answer.status_code == 507
    assert "no room left" in answer.text


@pytest.mark.parametrize(
    ("field", "name", "data"),
    [
        ("artwork_upload", "cover.png", (CORPUS / "images/square-1400.png").read_bytes()),
        ("transcripts-0-upload", "t.vtt", (CORPUS / "transcripts/speech-151s.vtt").read_bytes()),
        ("chapters_upload", "c.json", (CORPUS / "chapters/speech-151s.json").read_bytes()),
        ("audio_upload", "small.mp3", SOUND[:40000]),
    ],
)
def test_small_files_on_a_disk_without_a_byte_left(full, field, name, data):
    path = episode_path(full, f"Nothing left for {field}")
    names = full.files("media")
    full.fill()
    answer = full.editor.submit(path, {}, {field: (name, data)})
    assert "no room left" in (said(answer) if answer.status_code == 200 else answer.text)
    assert answer.status_code in (200, 507)
    assert full.files("media") == names


def test_listeners_notice_nothing(full):
    episode_path(full, "Heard all the same")
    full.fill()
    for path in ("/", "/pytorch/", "/pytorch/heard-all-the-same/", "/pytorch/feed.xml"):
        status, *_ = full.site.get(path)
        assert status == 200, path
    page = full.site.get("/pytorch/heard-all-the-same/")[2].decode()
    audio = re.search(r'<source src="([^"]+)"', page).group(1)
    assert full.site.get(audio, Range="bytes=0-99")[0] == 206
    for picture in set(re.findall(r'(/artwork/[^" ,]+)', page)):
        status, headers, _ = full.site.get(picture)
        if status == 302:  # no room to keep a smaller one: the picture itself meanwhile
            status, *_ = full.site.get(headers["location"])
        assert status == 200, picture


def test_files_and_rows_agree_afterwards(full):
    checked = full.site.manage("check_media", "--hashes")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_database_without_room_says_so_and_goes_on_reading(tmp_path):
    with small_disk(tmp_path / "data", 48 * MB) as disk, running_site(disk) as site:
        editor = Editor(site.url)
        full = Full(site, disk, editor)
        path = episode_path(full, "Before")
        full.fill()
        for _ in range(5):  # the log is not made anew for each request
            assert editor.http.get(path).status_code == 200
            if "DATABASE_URL" not in site.environment:
                assert (disk / "db.sqlite3-shm").exists()
        long = "words and more words " * 10_000  # more than the pages the log has to spare
        answer = editor.submit(path, {"title": "After", "notes": long})
        if "DATABASE_URL" not in site.environment:
            assert answer.status_code == 507
            assert "no room left" in answer.text
            assert "Traceback" not in answer.text
        assert site.get("/pytorch/before/")[0] == 200
        assert site.get("/pytorch/feed.xml")[0] == 200
        full.make_room()
        assert editor.form(path)["title"] in ("Before", "After")
        assert editor.submit(path, {"title": "Later"}).status_code == 302
        assert editor.form(path)["title"] == "Later"
        editor.close()
