"""ffmpeg and ffprobe as judges: they read what we write with other code than ours."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest


def needed() -> None:
    if not (shutil.which("ffmpeg") and shutil.which("ffprobe")):
        pytest.skip("ffmpeg is not installed (apt-get install ffmpeg)")


def make(target: Path, *arguments: str) -> Path:
    """Ten seconds of a tone, or what `arguments` say of the input, as a file of the name's kind."""
    needed()
    if "-i" not in arguments:
        arguments = ("-f", "lavfi", "-i", "sine=frequency=440:duration=10", *arguments)
    subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments, str(target)], check=True, timeout=60)
    return target


def chapters_file(folder: Path, *chapters: tuple[int, int, str]) -> Path:
    """(start, end, title) in milliseconds, as ffmpeg takes them."""
    lines = [";FFMETADATA1"]
    for start, end, title in chapters:
        lines += ["[CHAPTER]", "TIMEBASE=1/1000", f"START={start}", f"END={end}", f"title={title}"]
    path = folder / "chapters.ffmetadata"
    path.write_text("\n".join(lines) + "\n")
    return path


def probe(path: Path) -> dict:
    """Format, streams and chapters, as ffprobe sees them."""
    needed()
    done = subprocess.run(
        ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams",
         "-show_chapters", str(path)],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    return json.loads(done.stdout)


def sound_of(path: Path) -> str:
    """A hash of the coded sound alone: equal before and after tags are written."""
    needed()
    done = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:a", "-c", "copy", "-f", "md5", "-"],
        check=True, capture_output=True, timeout=60, text=True,
    )  # fmt: skip
    return done.stdout.strip()
