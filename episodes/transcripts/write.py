"""Writing a transcript in every format podcast apps read."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from episodes.transcripts.cues import Cue
from episodes.transcripts.formats.html import write_html
from episodes.transcripts.formats.json import write_json
from episodes.transcripts.formats.plain import write_plain
from episodes.transcripts.formats.srt import write_srt
from episodes.transcripts.formats.webvtt import write_webvtt
from episodes.transcripts.paragraphs import paragraphs, text_paragraphs
from episodes.transcripts.speakers import with_names

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


_NO_NAMES: Mapping[str, str] = MappingProxyType({})


def write(
    cues: Sequence[Cue],
    text: str,
    extension: str,
    *,
    language: str = "",
    names: Mapping[str, str] = _NO_NAMES,
) -> tuple[bytes, str]:
    """The whole transcript as UTF-8 and its media type; `text` is used where no cues are.

    `names` says who is meant by a speaker's label; labels it does not know stay.
    Raises KeyError for a format that is unknown or needs cues.
    """
    if extension not in formats_for(bool(cues)):
        raise KeyError(extension)
    cues = with_names(sorted(cues, key=lambda cue: cue.start_ms), names)
    match extension:
        case "vtt":
            written = write_webvtt(cues, language)
        case "srt":
            written = write_srt(cues)
        case "json":
            written = write_json(cues)
        case "html":
            written = write_html(paragraphs(cues) or with_names(text_paragraphs(text), names))
        case _:
            written = write_plain(paragraphs(cues) or with_names(text_paragraphs(text), names))
    return written.encode(), MEDIA_TYPES[extension]
