"""Reading a transcript: what it is shows in its content; the name only breaks ties."""

import re
from pathlib import PurePath

from episodes.transcripts.assembling import assemble, followable
from episodes.transcripts.clock import time_line
from episodes.transcripts.cues import ReadTranscript, UnreadableTranscript
from episodes.transcripts.encodings import decode
from episodes.transcripts.formats.html import is_html, read_html
from episodes.transcripts.formats.json import read_json
from episodes.transcripts.formats.plain import labelled_text, read_plain
from episodes.transcripts.formats.srt import read_sbv, read_srt, sbv_line
from episodes.transcripts.formats.webvtt import is_webvtt, read_webvtt
from episodes.transcripts.paragraphs import text_of
from episodes.transcripts.remarks import Remarks
from episodes.transcripts.spoken import Spoken

_JSON = re.compile(r'\s{0,1000}(?:\{\s{0,1000}["}]|\[\s{0,1000}[{\]])')

#: Formats that must have times: a file so named and without any is refused.
_TIMED = {"vtt": "WebVTT", "srt": "SubRip", "sbv": "SubViewer", "json": "JSON"}


def read_transcript(data: bytes, name: str = "") -> ReadTranscript:
    """Cues and words of a transcript in any format.

    Raises UnreadableTranscript with the reason and the line. What is odd but readable is
    read, and said in the findings. Linear in the size of `data`.
    """
    text, encoding, damaged = decode(data)
    text = text.removeprefix("\ufeff")
    remarks = Remarks()
    if not encoding.startswith("utf"):
        remarks.add("encoding", note=_ENCODING_NAMES.get(encoding, encoding))
    if damaged:
        remarks.add("damaged", text.count("\n", 0, text.index("\ufffd")) + 1)
    if not text.strip():
        raise UnreadableTranscript("empty", "This file is empty.")
    found = _detect(text, name)
    spoken, language = _read(found, text, name, remarks)
    if found in ("html", "txt"):
        return _untimed_or_timed(found, spoken, encoding, remarks)
    cues = assemble(spoken, remarks)
    return ReadTranscript(cues, text_of(cues), language, found, encoding, remarks.findings())


def _untimed_or_timed(found: str, spoken: list[Spoken], encoding: str, remarks: Remarks):
    if not spoken:
        raise UnreadableTranscript("no-words", "There are no words in this file.")
    if followable(spoken):
        cues = assemble(spoken, remarks)
        return ReadTranscript(cues, text_of(cues), "", found, encoding, remarks.findings())
    for item in spoken:
        if item.start is not None:
            remarks.add("sparse-times", item.where)
    return ReadTranscript((), labelled_text(spoken), "", found, encoding, remarks.findings())


def _detect(text: str, name: str) -> str:
    suffix = PurePath(name).suffix.lower().lstrip(".")
    if is_webvtt(text):
        return "vtt"
    if _JSON.match(text) or suffix == "json":
        return "json"
    if any(time_line(line) for line in text.split("\n") if ">" in line or "→" in line):
        return "srt"
    first = next((line for line in text.split("\n") if line.strip()), "")
    if sbv_line(first):
        return "sbv"
    if suffix in _TIMED:
        raise UnreadableTranscript(
            "no-times",
            f"This file is named .{suffix} and is no {_TIMED[suffix]}: nothing in it is a time "
            "like 00:01:02.500 --> 00:01:05.000. If it is plain text, name it .txt.",
            1,
        )
    return "html" if is_html(text) else "txt"


def _read(found: str, text: str, name: str, remarks: Remarks) -> tuple[list[Spoken], str]:
    match found:
        case "vtt":
            return read_webvtt(text, remarks)
        case "json":
            return read_json(text, remarks)
        case "srt":
            return read_srt(text, remarks), ""
        case "sbv":
            return read_sbv(text, remarks), ""
        case "html":
            return read_html(text, remarks), ""
    return read_plain(text, name, remarks), ""


_ENCODING_NAMES = {
    "cp1250": "Central European (Windows-1250)",
    "cp1251": "Cyrillic (Windows-1251)",
    "cp1252": "Western European (Windows-1252)",
    "cp1253": "Greek (Windows-1253)",
    "cp1254": "Turkish (Windows-1254)",
    "cp1255": "Hebrew (Windows-1255)",
    "cp1256": "Arabic (Windows-1256)",
    "koi8_r": "Cyrillic (KOI8-R)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "cp932": "Japanese (Shift JIS)",
    "euc_jp": "Japanese (EUC-JP)",
    "cp949": "Korean (EUC-KR)",
}
