"""What an upload costs in memory: it must not grow with the recording.

    python -m bench upload                  # 10 MB beside 300 MB
    UPLOAD_MB=1000 python -m bench upload   # beside a gigabyte

The editor is an HTTP client of its own process that sends the desk's form; the recording is
made as it is sent. Watched, ten times a second: the anonymous memory of all processes of the
site together (what the kernel's file cache holds is not counted, for it gives that back), and
what is left in the upload directory afterwards.
"""

import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx

from tests.conftest import CORPUS
from tests.editor import Editor
from tests.running import RunningSite, descendants, running_site

MB = 1024 * 1024
ADD = "/admin/episodes/episode/add/"
SMALL, LARGE = 10, int(os.environ.get("UPLOAD_MB", "300"))
MOST_GROWTH = 24 * MB
BOUNDARY = "upload-bench-boundary"


class Watch:
    """The most memory that the site's processes had together while the block ran."""

    def __init__(self, site: RunningSite):
        self.site = site
        self.peak = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(0.1):
            family = [self.site.process.pid, *descendants(self.site.process.pid)]
            self.peak = max(self.peak, sum(map(anonymous, family)))


def anonymous(pid: int) -> int:
    """Bytes of memory that are the process's own, shared pages divided; 0 when it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss_Anon:"):
                return int(line.split()[1]) * 1024
    return 0


def recording(size: int) -> Iterator[bytes]:
    """A good MP3 of about `size` bytes: the same frames again and again."""
    sound = (CORPUS / "audio/cbr-128k-10s.mp3").read_bytes()
    frames = sound[417:] * 8
    yield sound
    for _ in range(size // len(frames)):
        yield frames


def form(values: dict, size: int) -> Iterator[bytes]:
    for name, value in values.items():
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
        yield f"{head}{value}\r\n".encode()
    yield (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="audio_upload"; '
        'filename="take.mp3"\r\nContent-Type: audio/mpeg\r\n\r\n'
    ).encode()
    yield from recording(size)
    yield f"\r\n--{BOUNDARY}--\r\n".encode()


def upload(site: RunningSite, editor: Editor, megabytes: int) -> tuple[int, float]:
    """Peak memory in bytes and seconds of one upload."""
    values = editor.form(ADD) | {"show": "1", "title": f"{megabytes} MB", "_continue": "1"}
    values.pop("audio_upload", None)
    began = time.monotonic()
    with Watch(site) as watch:
        answer = editor.http.post(
            ADD,
            content=form(values, megabytes * MB),
            headers={
                "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
                "Referer": f"{site.url}{ADD}",
            },
            timeout=httpx.Timeout(600),
        )
    if answer.status_code != 302:
        raise SystemExit(f"the upload was refused: {answer.status_code} {answer.text[:500]}")
    return watch.peak, time.monotonic() - began


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        with running_site(data, UPLOAD_MAX_BYTES=str(4 * 1024 * MB)) as site:
            editor = Editor(site.url, timeout=600)
            upload(site, editor, 1)  # everything is loaded
            small, _ = upload(site, editor, SMALL)
            large, seconds = upload(site, editor, LARGE)
            editor.close()
            left = sum(path.stat().st_size for path in (data / "uploads").iterdir())
    sys.stdout.write(
        f"| upload | memory of the site at its peak |\n| --- | --- |\n"
        f"| {SMALL} MB | {small / MB:.0f} MB |\n| {LARGE} MB | {large / MB:.0f} MB |\n\n"
        f"{LARGE} MB in {seconds:.1f} s; {left} bytes left in uploads; "
        f"growth {(large - small) / MB:+.1f} MB, at most {MOST_GROWTH // MB}\n"
    )
    return 0 if large - small <= MOST_GROWTH and not left else 1


if __name__ == "__main__":
    sys.exit(main())
