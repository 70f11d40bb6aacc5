"""Which extension and media type a recording goes out under, and what it is if it is none.

Podcast apps decide by the extension, so it has to be the true one. The pairs are those of
Apple's podcast requirements and the PSP-1 specification; for the rest, those browsers use.
"""

from dataclasses import dataclass

from episodes.audio.facts import Sound
from episodes.audio.source import Source
from episodes.findings import Finding, advice, warning


@dataclass(frozen=True, slots=True)
class Kind:
    extension: str
    media_type: str
    # Other extensions an honest name may have.
    also: tuple[str, ...] = ()
    # How well podcast apps play it: "all", "most" or "some".
    played_by: str = "some"


_KINDS = {
    "mp3": Kind("mp3", "audio/mpeg", played_by="all"),
    "mp2": Kind("mp2", "audio/mpeg", ("mp3", "mpa")),
    "m4a": Kind("m4a", "audio/x-m4a", ("m4b", "mp4", "m4r"), "most"),
    "mp4": Kind("mp4", "video/mp4", ("m4v", "mov"), "all"),
    "m4v": Kind("m4v", "video/x-m4v", ("mp4",), "all"),
    "mov": Kind("mov", "video/quicktime", ("qt", "mp4"), "most"),
    "aac": Kind("aac", "audio/aac", ("adts",)),
    "ogg": Kind("ogg", "audio/ogg", ("oga", "spx")),
    "opus": Kind("opus", "audio/ogg", ("ogg", "oga")),
    "ogv": Kind("ogv", "video/ogg", ("ogg", "ogx")),
    "flac": Kind("flac", "audio/flac"),
    "wav": Kind("wav", "audio/wav", ("wave", "bwf")),
    "aiff": Kind("aiff", "audio/aiff", ("aif", "aifc")),
    "webm": Kind("webm", "audio/webm", ("weba",)),
    "webm-video": Kind("webm", "video/webm"),
    "mka": Kind("mka", "audio/matroska"),
    "mkv": Kind("mkv", "video/matroska"),
}


#: By extension, for stored files. WebM may also hold video; we store its sound.
MEDIA_TYPES = {kind.extension: kind.media_type for kind in reversed(_KINDS.values())}


def kind_of(sound: Sound) -> Kind:
    if sound.container == "mp4":
        if not sound.video:
            return _KINDS["m4a"]
        return _KINDS[{"M4V ": "m4v", "qt  ": "mov"}.get(sound.brand, "mp4")]
    if sound.container == "ogg":
        return _KINDS["ogv" if sound.video else "opus" if sound.codec == "opus" else "ogg"]
    if sound.container == "webm":
        return _KINDS["webm-video" if sound.video else "webm"]
    if sound.container == "matroska":
        return _KINDS["mkv" if sound.video else "mka"]
    return _KINDS[sound.codec if sound.codec == "mp2" else sound.container]


def judge_kind(kind: Kind, name: str) -> list[Finding]:
    """What an editor should know about this kind of file, and about its name."""
    findings = []
    given = name.rpartition(".")[2].lower() if "." in name else ""
    if given and given not in (kind.extension, *kind.also):
        findings.append(
            warning(
                "wrong-extension",
                f"The name ends in .{given}, the file is {kind.media_type}; it will be published "
                f"as .{kind.extension}.",
            )
        )
    if kind.played_by == "most":
        findings.append(advice("mp3-reaches-more", "MP3 plays in more apps than this format."))
    elif kind.played_by == "some":
        findings.append(
            warning(
                "not-for-every-app",
                f"Many podcast apps do not play .{kind.extension} (Apple Podcasts takes MP3, M4A "
                "and MP4). Upload an MP3 for them.",
            )
        )
    return findings


_NOT_AUDIO = (
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"\x89PNG", "a PNG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"#!AMR", "an AMR phone recording"),
    (b"#!", "a script"),
    (b"MThd", "a MIDI file: notes without sound"),
    (b"0&\xb2u\x8ef\xcf\x11", "a Windows Media file"),
    (b"FLV", "a Flash video"),
    (b"caff", "a Core Audio file"),
    (b"SQLite format", "a database"),
)


def what_else(source: Source) -> str:
    """What a file is that is no audio, in words: “a JPEG picture”. Empty when nobody knows."""
    head = source.read(0, 4096)
    for magic, what in _NOT_AUDIO:
        if head.startswith(magic):
            return what
    if head[:4] == b"RIFF" and head[8:12] in (b"WEBP", b"AVI "):
        return "a WebP picture" if head[8:12] == b"WEBP" else "an AVI video"
    if not head.strip(b"\0"):
        return "nothing but NUL bytes"
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    if text.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "a web page (was the download an error page?)"
    if text.startswith((b"<svg", b"<?php", b"<?xml", b"<")):
        return "an XML, SVG or PHP text"
    if not any(byte < 9 for byte in head) and _is_utf8(head):
        return "a text"
    return ""


def _is_utf8(head: bytes) -> bool:
    # The last letter may be cut at the end of the sample.
    for cut in range(4):
        try:
            head[: len(head) - cut].decode("utf-8")
        except UnicodeDecodeError:
            continue
        return True
    return False
