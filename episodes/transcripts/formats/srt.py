"""SubRip (.srt) and SubViewer (.sbv, the form YouTube gives).

SRT is read here and not by the `srt` package, whose one expression needs 24 s for a line
of 20 kB of spaces and takes ",5" for 5 ms; tests hold what is written against it.
"""

import re
from collections.abc import Sequence

from episodes.transcripts.clock import parse_clock, stamp, time_line
from episodes.transcripts.cues import Cue, UnreadableTranscript
from episodes.transcripts.formats.blocks import MEANT_AS_TIMES, Timing, blocks
from episodes.transcripts.formats.markup import in_one_line, plain, unescape_srt, without_tags
from episodes.transcripts.remarks import Remarks
from episodes.transcripts.scripts import wrapped
from episodes.transcripts.speakers import assign_labels
from episodes.transcripts.spoken import Spoken

#: Characters a line, as the Podcasting 2.0 namespace asks of SRT.
LINE = 32

_SBV_LINE = re.compile(
    r"[ \t]{0,8}(\d{1,4}:\d{1,2}:\d{1,2}\.\d{1,3})[ ]{0,4},[ ]{0,4}(\S{1,20})[ \t]{0,8}"
)
_SBV_MEANT = re.compile(r"[ \t]{0,8}\d{1,4}:\d{1,2}:\S{1,12},[ ]{0,4}\d")


def read_srt(text: str, remarks: Remarks) -> list[Spoken]:
    """Raises UnreadableTranscript when there is a time and no words under any."""
    return _read(text, time_line, MEANT_AS_TIMES, remarks)


def read_sbv(text: str, remarks: Remarks) -> list[Spoken]:
    """Raises UnreadableTranscript when there is a time and no words under any."""
    return _read(text, sbv_line, _SBV_MEANT, remarks)


def sbv_line(line: str) -> tuple[int, int | None, bool] | None:
    match = _SBV_LINE.fullmatch(line)
    start = parse_clock(match[1]) if match else None
    return None if match is None or start is None else (start, parse_clock(match[2]), True)


def _read(text: str, time_of: Timing, meant: re.Pattern, remarks: Remarks) -> list[Spoken]:
    lines = text.split("\n")
    spoken = []
    for block in blocks(lines, time_of, meant, remarks):
        words = plain(unescape_srt(without_tags(in_one_line(block.words))))
        spoken.append(Spoken(block.line, block.start, block.end, "", words))
    if not any(item.text for item in spoken):
        line = spoken[0].where if spoken else 1
        raise UnreadableTranscript(
            "no-words", "There is a time here, and no words under any time.", int(str(line))
        )
    assign_labels(spoken)
    return spoken


def write_srt(cues: Sequence[Cue]) -> str:
    """One card per cue, so that every format shares its times; lines of 32 characters.

    The speaker stands on every card: apps that jump into the middle show it too.
    """
    cards = []
    for number, cue in enumerate(cues, 1):
        words = f"{cue.speaker}: {cue.text}" if cue.speaker else cue.text
        end = max(cue.end_ms, cue.start_ms + 1)
        times = f"{stamp(cue.start_ms, ',')} --> {stamp(end, ',')}"
        cards.append("\n".join([str(number), times, *wrapped(words, LINE), ""]))
    return "\n".join(cards)
