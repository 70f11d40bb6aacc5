"""Writing a transcript in every format podcast apps read."""

from collections.abc import Sequence

from episodes.transcripts.cues import Cue
from episodes.transcripts.formats.html import write_html
from episodes.transcripts.formats.json import write_json
from episodes.transcripts.formats.plain import write_plain
from episodes.transcripts.formats.srt import write_srt
from episodes.transcripts.formats.webvtt import write_webvtt
from episodes.transcripts.paragraphs import paragraphs, text_paragraphs

#: By extension, in the order apps prefer: WebVTT first (Apple, browsers), then SRT.
MEDIA_TYPES = {
    "vtt": "text/vtt",
    "srt": "application/x-subrip",
    "json": "application/json",
    "html": "text/html",
    "txt": "text/plain",
}

_WITHOUT_TIMES = ("html", "txt")


def formats_for(has_cues: bool) -> tuple[str, ...]:
    """The extensions it can be had as, in the order apps prefer."""
    return tuple(MEDIA_TYPES) if has_cues else _WITHOUT_TIMES


def write(
    cues: Sequence[Cue], text: str, extension: str, *, language: str = ""
) -> tuple[bytes, str]:
    """The whole transcript as UTF-8 and its media type; `text` is used where no cues are.

    Raises KeyError for a format that is unknown or needs cues.
    """
    if extension not in formats_for(bool(cues)):
        raise KeyError(extension)
    cues = sorted(cues, key=lambda cue: cue.start_ms)
    match extension:
        case "vtt":
            written = write_webvtt(cues, language)
        case "srt":
            written = write_srt(cues)
        case "json":
            written = write_json(cues)
        case "html":
            written = write_html(paragraphs(cues) or text_paragraphs(text))
        case _:
            written = write_plain(paragraphs(cues) or text_paragraphs(text))
    return written.encode(), MEDIA_TYPES[extension]
