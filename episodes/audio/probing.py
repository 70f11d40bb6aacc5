"""What the limited child runs on a recording (episodes.probing)."""

import hashlib
from dataclasses import asdict, replace

from episodes.audio import about, adts, mpeg, others
from episodes.audio.facts import Sound, UnreadableAudio
from episodes.audio.kinds import judge_kind, kind_of, what_else
from episodes.audio.source import Source
from episodes.chapters.checks import check_chapters
from episodes.chapters.records import Chapter, settle
from episodes.findings import Finding, warning

#: Shorter than this there is nothing to hear, and players show no length.
SHORTEST = 0.02

#: What says more than a thousand hours of itself is damaged, or made to do harm.
LONGEST = 1000 * 3600

LARGEST_COVER = 10 * 1024 * 1024

#: All pictures together have to fit into an answer (episodes.probing.Limits).
MOST_PICTURES = 11 * 1024 * 1024


def probe(path: str, options: dict) -> tuple[dict, list[bytes]]:
    with open(path, "rb") as file:
        source = Source(file)
        sound = _read_sound(source, path)
        kind = kind_of(sound)
        findings = [*sound.findings, *judge_kind(kind, options.get("name", ""))]
        chapters, settled = settle(sound.about.chapters)
        findings += [*settled, *check_chapters(chapters, sound.duration)]
        cover, cover_type = _cover(sound, findings)
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    blobs = [cover] if cover else []
    rows = _with_pictures(chapters, blobs)
    sound_bytes = sound.sound_bytes or source.size
    facts = {
        "container": sound.container,
        "codec": sound.codec,
        "media_type": kind.media_type,
        "extension": kind.extension,
        "bytes": source.size,
        "duration": sound.duration,
        "bitrate": round(sound_bytes * 8 / sound.duration),
        "channels": sound.channels,
        "sample_rate": sound.sample_rate,
        "sha256": digest,
        "tags": asdict(about.tags_of(sound.about.tags)),
        "chapters": rows,
        "cover_type": cover_type,
        "findings": [(f.level, f.code, f.message, f.where) for f in _distinct(findings)],
    }
    return facts, blobs


def _with_pictures(chapters: tuple[Chapter, ...], blobs: list[bytes]) -> list[dict]:
    """Chapters as facts; `image` is an address, or the place of its bytes among `blobs`."""
    rows = []
    for chapter in chapters:
        image: str | int = ""
        if isinstance(chapter.image, str):
            image = chapter.image
        elif chapter.image in blobs:  # many chapters show the same, or the cover
            image = blobs.index(chapter.image)
        elif sum(map(len, blobs)) + len(chapter.image) <= MOST_PICTURES:
            image = len(blobs)
            blobs.append(chapter.image)
        rows.append(asdict(replace(chapter, image="")) | {"image": image})
    return rows


def _read_sound(source: Source, path: str) -> Sound:
    if not source.size:
        raise UnreadableAudio("empty", "This file is empty. Choose the recording again.")
    sound = _try_readers(source, path)
    if sound is None:
        what = what_else(source)
        raise UnreadableAudio(
            "no-audio",
            f"This is {what}, not a recording. " if what else "No sound was found in this file. ",
        ) from None
    if sound.duration < SHORTEST:
        raise UnreadableAudio(
            "no-sound",
            "There is no sound in this file, or hardly any. It may have been cut off while it "
            "was copied: export or upload it again.",
        )
    if sound.duration > LONGEST:
        raise UnreadableAudio(
            "too-long",
            "This file says that it is longer than a thousand hours: it is damaged. Export or "
            "upload it again.",
        )
    return sound


def _try_readers(source: Source, path: str) -> Sound | None:
    head = source.read(0, 16)
    if reader := others.reader_for(source, head):
        return reader(source, path)
    if what_else(source):
        return None
    start = about.end_of_id3(source)
    for container in (mpeg, adts):
        sound = container.read(source, start)
        if sound is not None:
            sound.about = about.of_id3(path, source)
            sound.findings += sound.about.findings
            return sound
    return None


def _cover(sound: Sound, findings: list[Finding]) -> tuple[bytes | None, str]:
    data = sound.about.cover
    if not data:
        return None, ""
    for magic, media_type in (
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"\x89PNG", "image/png"),
        (b"GIF8", "image/gif"),
        (b"RIFF", "image/webp"),
    ):
        if data.startswith(magic) and len(data) <= LARGEST_COVER:
            return data, media_type
    findings.append(warning("odd-cover", "The picture inside the file is not used: not an image."))
    return None, ""


def _distinct(findings: list[Finding]) -> list[Finding]:
    return list(dict.fromkeys(findings))
