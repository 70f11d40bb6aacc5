"""Blocks of a time line and the words under it, as SRT and SBV have them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from episodes.transcripts.remarks import Remarks

#: A line's start, end and whether it is written to the rule; None for other lines.
Timing = Callable[[str], tuple[int, int | None, bool] | None]


@dataclass(slots=True)
class Block:
    """`line` is the time line's number, from 1; the end is None where it is unreadable."""

    line: int
    start: int
    end: int | None
    words: list[str]


#: A line that was meant to be a time line, whether it can be read or not.
MEANT_AS_TIMES = re.compile(r"[ \t]{0,8}\d[^\s>]{1,15}[ \t]{0,20}-->")


def blocks(
    lines: list[str],
    time_of: Timing,
    meant: re.Pattern,
    remarks: Remarks,
) -> Iterator[Block]:
    """Every time line with all words until the next, whatever blank lines lie between.

    A number alone right above a time line is its counter and no words. Words under a time
    that cannot be read, or above the first, are remarked and left out.
    """
    block: Block | None = None
    skipping = False
    for number, line in enumerate(lines, 1):
        timing = time_of(line)
        if timing is not None:
            if block is not None:
                yield _without_counter(block)
            start, end, exact = timing
            block, skipping = Block(number, start, end, []), False
            if end is None:
                remarks.add("bad-end", number)
            elif not exact:
                remarks.add("loose-time", number)
        elif meant.match(line):
            if block is not None:
                yield _without_counter(block)
            block, skipping = None, True
            remarks.add("bad-time", number)
        elif block is not None:
            block.words.append(line)
        elif not skipping and line.strip() and not line.strip().isdigit():
            remarks.add("stray-text", number)
    if block is not None:
        yield block


def _without_counter(block: Block) -> Block:
    if block.words and block.words[-1].strip().isdigit() and len(block.words[-1]) < 20:
        block.words.pop()
    return block
