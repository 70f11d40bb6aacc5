"""WebVTT (https://www.w3.org/TR/webvtt1/): headers, notes, styles, regions, voices.

webvtt-py decides what belongs to which cue. Before it sees them, time lines are written to
the letter, so that it also takes what the standard drops and people write: minutes above
59, short fields, an end that cannot be read. Its text has tags cut by position and entities
left in; voices and words are taken from the raw lines here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import webvtt

from episodes.transcripts.clock import stamp, time_line
from episodes.transcripts.cues import Cue, UnreadableTranscript
from episodes.transcripts.formats.blocks import MEANT_AS_TIMES
from episodes.transcripts.formats.markup import in_one_line, voices
from episodes.transcripts.remarks import Remarks
from episodes.transcripts.scripts import wrapped
from episodes.transcripts.speakers import assign_labels
from episodes.transcripts.spoken import Spoken

#: Characters a line, the advice of Apple's and the namespace's examples.
LINE = 65

_SIGNATURE = re.compile(r"\s{0,200}WEBVTT(?=[ \t\n]|$)")
_LANGUAGE = re.compile(r"Language:[ \t]{0,8}([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4})[ \t]*")
_SKIPPED_BLOCK = re.compile(r"(?:NOTE(?=[ \t]|$)|STYLE[ \t]*$|REGION[ \t]*$)")


@dataclass(slots=True)
class _Timed:
    line: int
    start: int
    end: int | None


def is_webvtt(text: str) -> bool:
    return _SIGNATURE.match(text) is not None


def read_webvtt(text: str, remarks: Remarks) -> tuple[list[Spoken], str]:
    """What was spoken, and the language the header names.

    Raises UnreadableTranscript for lines that should be cues when not one is.
    """
    shift = 0
    if not text.startswith("WEBVTT"):
        head = text[: text.index("WEBVTT")]
        shift = head.count("\n")
        text = text[len(head) :]
        remarks.add("signature", 1)
    lines = text.split("\n")
    timed: list[_Timed] = []
    for at, line in enumerate(lines):
        timing = time_line(line) if ">" in line or "→" in line else None
        if timing is None:
            continue
        start, end, exact = timing
        timed.append(_Timed(at + 1 + shift, start, end))
        lines[at] = f"{stamp(start)} --> {stamp(start)}"
        if end is None:
            remarks.add("bad-end", at + 1 + shift)
        elif not exact:
            remarks.add("loose-time", at + 1 + shift)
    captions = webvtt.from_string("\n".join(lines)).captions
    spoken: list[Spoken] = []
    covered: dict[int, int] = {}
    for caption, times in zip(captions, timed, strict=True):
        covered[times.line] = len(caption.lines)
        spoken += _spoken(caption.lines, times, remarks)
    _remark_strays(lines, covered, shift, remarks)
    if not timed:
        _refuse_lines_without_times(lines, shift)
    assign_labels(spoken)
    return spoken, _language(lines)


def _spoken(lines: list[str], times: _Timed, remarks: Remarks) -> list[Spoken]:
    runs = voices(in_one_line(lines), times.line, remarks) or [("", "")]
    if len(runs) == 1:
        (speaker, words) = runs[0]
        return [Spoken(times.line, times.start, times.end, speaker, words)]
    remarks.add("several-voices", times.line)
    return _shared_out(runs, times)


def _shared_out(runs: list[tuple[str, str]], times: _Timed) -> list[Spoken]:
    """A cue of several speakers as one for each, its time divided by the length of words."""
    length = sum(len(words) for _, words in runs)
    span = max(0, (times.end if times.end is not None else times.start) - times.start)
    out, done = [], 0
    for speaker, words in runs:
        begin = times.start + span * done // length
        done += len(words)
        end = None if times.end is None else times.start + span * done // length
        out.append(Spoken(times.line, begin, end, speaker, words))
    return out


def _language(lines: list[str]) -> str:
    for line in lines[1:]:
        if not line.strip() or "-->" in line:
            return ""
        match = _LANGUAGE.fullmatch(line)
        if match:
            return match[1]
    return ""


def _remark_strays(lines: list[str], covered: dict[int, int], shift: int, remarks: Remarks) -> None:
    """Words in no cue, note or style, which players drop without a word."""
    at = 0
    skipping = True  # the header
    while at < len(lines):
        line, number = lines[at], at + 1 + shift
        if number in covered:
            at += covered[number] + 1
            skipping = False
            continue
        if not line:
            skipping = False
        elif not skipping:
            if _SKIPPED_BLOCK.match(line):
                skipping = True
            elif MEANT_AS_TIMES.match(line):
                remarks.add("bad-time", number)
                skipping = True
            elif number + 1 not in covered:  # else it names the cue below
                remarks.add("stray-text", number)
        at += 1


def _refuse_lines_without_times(lines: list[str], shift: int) -> None:
    in_header = True
    for at, line in enumerate(lines):
        if not line.strip():
            in_header = False
        elif not in_header or MEANT_AS_TIMES.match(line):
            raise UnreadableTranscript(
                "no-times",
                "No cue's time can be read. Write times as 00:01:02.500 --> 00:01:05.000.",
                at + 1 + shift,
            )


def write_webvtt(cues: Sequence[Cue], language: str = "") -> str:
    """Voices on every cue, entities for & < >, lines of about 65 characters.

    Every end is after its start, as the standard demands: a cue without length has 1 ms.
    """
    header = ["WEBVTT", f"Language: {language}"] if language else ["WEBVTT"]
    out = ["\n".join([*header, ""])]
    for cue in cues:
        voice = f"<v {_escaped(cue.speaker)}>" if cue.speaker else ""
        end = max(cue.end_ms, cue.start_ms + 1)
        words = [_escaped(line) for line in wrapped(cue.text, LINE)]
        words[:1] = [voice + line for line in words[:1]]
        out.append("\n".join([f"{stamp(cue.start_ms)} --> {stamp(end)}", *words, ""]))
    return "\n".join(out)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
