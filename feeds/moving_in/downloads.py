"""Files from the old host: resumed where they broke off, checked, and asked for politely.

A download grows in `DATA_DIR/imports` under a name made of its address, with its validators
beside it. Killed at any point, the next run goes on from there by `Range` and `If-Range`.
"""

import contextlib
import hashlib
import json
import os
import threading
import time
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.files import File
from django.utils import timezone

from feeds.fetching import Fetched, FetchError, Limits, fetch, opened

#: A server that asks for more patience than this, in seconds, is asked again by the next run.
LONGEST_PAUSE = 120.0
TRIES = 3

#: Whole hours for one recording of 2 GB over a slow line.
AUDIO_SECONDS = 2 * 3600.0
SMALL = Limits(max_bytes=10 * 1024 * 1024, seconds=60)


class Download(File):
    """A file that is there; the storage moves it instead of copying (`temporary_file_path`)."""

    def __init__(self, path: Path, name: str):
        super().__init__(path.open("rb"), name=name)
        self.path = str(path)

    def temporary_file_path(self) -> str:
        return self.path


@dataclass
class Downloader:
    """Fetches for one import. Credentials are for the feed's own host; safe for threads."""

    home: str = ""  # the feed's address
    auth: tuple[str, str] | None = None
    sleep = staticmethod(time.sleep)
    stopped: threading.Event = field(default_factory=threading.Event)
    _resting: dict[str, float] = field(default_factory=dict)

    def small(self, url: str) -> Fetched:
        """A picture, a transcript, chapters: in memory, at most 10 MB. Raises FetchError."""
        return self._patiently(url, lambda: _found(fetch(url, auth=self._auth(url), limits=SMALL)))

    def feed(self, url: str) -> Fetched:
        """A feed, whatever the server answers but 429 and 503. Raises FetchError."""

        def ask() -> Fetched:
            answer = fetch(url, auth=self._auth(url))
            return _found(answer) if answer.status in {429, 503} else answer

        return self._patiently(url, ask)

    def large(self, url: str) -> Path:
        """The whole file at `url` as a path that `forget` takes away. Raises FetchError."""
        return self._patiently(url, lambda: self._once(url))

    def forget(self, url: str) -> None:
        for path in (partial(url), validators(url)):
            path.unlink(missing_ok=True)

    def _auth(self, url: str) -> tuple[str, str] | None:
        theirs, home = urlsplit(url), urlsplit(self.home)
        same = theirs.netloc == home.netloc and (home.scheme == "http" or theirs.scheme == "https")
        return self.auth if same else None

    def _patiently(self, url: str, attempt):
        host = urlsplit(url).netloc
        for number in range(1, TRIES + 1):
            self._rest(host)
            try:
                return attempt()
            except Busy as busy:
                if number == TRIES or busy.seconds > LONGEST_PAUSE:
                    raise
                self._resting[host] = time.monotonic() + busy.seconds
            except BrokeOff:
                if number == TRIES:
                    raise
                self._resting[host] = time.monotonic() + number
        raise AssertionError("unreachable")

    def _rest(self, host: str) -> None:
        """Waits while the server has asked us to."""
        while (left := self._resting.get(host, 0) - time.monotonic()) > 0:
            if self.stopped.is_set():
                raise FetchError("The import was stopped.")
            self.sleep(min(left, 0.5))

    def _once(self, url: str) -> Path:
        path = partial(url)
        known = read_validators(url)
        have = path.stat().st_size if path.exists() else 0
        if have and known.get("complete") == have:
            return path
        headers = {"Accept-Encoding": "identity"}
        mark = known.get("etag") or known.get("modified")
        if have and mark:
            headers |= {"Range": f"bytes={have}-", "If-Range": mark}
        limits = Limits(max_bytes=settings.UPLOAD_MAX_BYTES, seconds=AUDIO_SECONDS)
        try:
            with opened(url, headers=headers, auth=self._auth(url), limits=limits) as (
                head,
                chunks,
            ):
                if head.status == 416:
                    self.forget(url)
                    raise BrokeOff("The server no longer has the part that is missing.")
                start = _continues(head, have)
                if start is None:
                    _found(head)
                    # Not truncated: a finished file may have a second name among the media.
                    path.unlink(missing_ok=True)
                    have = 0
                else:
                    have = start
                total = _total(head, have)
                write_validators(url, head)
                self._write(path, have, chunks, total)
        except (Busy, BrokeOff):
            raise
        except FetchError as error:
            if path.exists() and "broke off" in str(error):
                raise BrokeOff(str(error)) from None
            raise
        _complete(url, path)
        return path

    def _write(self, path: Path, have: int, chunks, total: int | None) -> None:
        path.parent.mkdir(mode=0o750, exist_ok=True)
        with path.open("ab") as out:
            out.truncate(have)
            for chunk in chunks:
                if self.stopped.is_set():
                    raise FetchError("The import was stopped.")
                out.write(chunk)
                have += len(chunk)
            out.flush()
            os.fsync(out.fileno())
        if total is not None and have != total:
            raise BrokeOff(f"The answer broke off after {have:,} of {total:,} bytes.")


class Busy(FetchError):
    """The server asks to be left alone for `seconds` (429, or 503 with Retry-After)."""

    def __init__(self, status: int, seconds: float):
        super().__init__(f"The server is busy ({status}) and asks to wait {seconds:.0f} seconds.")
        self.seconds = seconds


class BrokeOff(FetchError):
    """It ended before its end; what came is kept for the next attempt."""


def _found(head: Fetched) -> Fetched:
    if head.status in {429, 503}:
        raise Busy(head.status, retry_after(head.headers.get("retry-after", "")))
    if head.status in {401, 403}:
        raise FetchError(f"The server asks for a name and password ({head.status}).")
    if not 200 <= head.status < 300:
        raise FetchError(f"The server answered {head.status}.")
    return head


def retry_after(text: str) -> float:
    """Seconds; 5 when the server names none that we understand."""
    if text.strip().isdigit():
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - timezone.now()).total_seconds())
    except (ValueError, TypeError):
        return 5.0


def _continues(head: Fetched, have: int) -> int | None:
    """Where the answer's body goes on, or None when it is the whole file."""
    if head.status != 206:
        return None
    unit, _, rest = head.headers.get("content-range", "").partition(" ")
    start = rest.partition("-")[0]
    if unit != "bytes" or not start.isdigit() or int(start) != have:
        raise FetchError("The server sent another part of the file than was asked for.")
    return have


def _total(head: Fetched, have: int) -> int | None:
    """Bytes of the whole file, as the server says."""
    if head.status == 206:
        total = head.headers.get("content-range", "").rpartition("/")[2]
        return int(total) if total.isdigit() else None
    length = head.headers.get("content-length", "")
    coded = head.headers.get("content-encoding", "identity").lower() not in {"", "identity"}
    return int(length) if length.isdigit() and not coded else None


# Names on the disk


def folder() -> Path:
    return Path(settings.DATA_DIR) / "imports"


def partial(url: str) -> Path:
    return folder() / f"{hashlib.sha256(url.encode()).hexdigest()[:40]}.part"


def validators(url: str) -> Path:
    return partial(url).with_suffix(".json")


def read_validators(url: str) -> dict:
    try:
        found = json.loads(validators(url).read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and found.get("url") == url else {}


def write_validators(url: str, head: Fetched) -> None:
    etag = head.headers.get("etag", "")
    _write_json(
        url,
        {
            "url": url,
            # RFC 9110 §13.1.5: If-Range takes strong validators only.
            "etag": "" if etag.startswith("W/") else etag,
            "modified": head.headers.get("last-modified", ""),
        },
    )


def _complete(url: str, path: Path) -> None:
    _write_json(url, read_validators(url) | {"url": url, "complete": path.stat().st_size})


def _write_json(url: str, data: dict) -> None:
    path = validators(url)
    path.parent.mkdir(mode=0o750, exist_ok=True)
    aside = path.with_suffix(f".{threading.get_ident()}.new")
    aside.write_text(json.dumps(data))
    os.replace(aside, path)


def name_of(url: str) -> str:
    """A file name for an address."""
    return unquote(urlsplit(url).path.rpartition("/")[2])[:200] or "file"


def sweep(older_than_days: int = 30) -> int:
    """Takes away what downloads left that nobody went on with. Returns files removed."""
    removed, limit = 0, time.time() - older_than_days * 86400
    for path in folder().glob("*"):
        with contextlib.suppress(OSError):
            if path.is_file() and path.stat().st_mtime < limit:
                path.unlink()
                removed += 1
    return removed
