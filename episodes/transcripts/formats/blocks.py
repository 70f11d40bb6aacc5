"""Blocks of a time line and the words under it, as SRT and SBV have them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from episodes.transcripts.remarks import Remarks


@dataclass(slots=True)
class Block:
    """`line` is the time line's number, from 1; the end is None where it is unreadable."""

    line: int
    start: int
    end: int | None
    words: list[str]


_LOOKS_TIMED = re.compile(r"\s{0,8}\d{1,4}[:.]\d")


def looks_timed(line: str, arrow: str = "-->") -> bool:
    """Whether a line that is no time line was likely meant as one."""
    return arrow in line and _LOOKS_TIMED.match(line) is not None


def blocks(
    lines: list[str],
    time_of: Callable[[str], tuple[int, int | None, bool] | None],
    remarks: Remarks,
    *,
    arrow: str = "-->",
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
        elif looks_timed(line, arrow):
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
