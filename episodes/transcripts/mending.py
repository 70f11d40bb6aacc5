"""Mending cues by hand: every change gives new cues and leaves the old ones as they were."""

from collections.abc import Sequence
from dataclasses import replace

from episodes.transcripts.cues import Cue
from episodes.transcripts.encodings import without_forbidden
from episodes.transcripts.formats.markup import plain
from episodes.transcripts.scripts import glue, splits_cluster
from episodes.transcripts.speakers import clean_speaker


class CannotMend(ValueError):
    """What was asked does not go; the message is for the editor."""


def replace_text(cues: Sequence[Cue], index: int, text: str) -> tuple[Cue, ...]:
    """The cue with other words; with none at all it goes."""
    cue = _cue(cues, index)
    words = plain(without_forbidden(text))
    return _with(cues, index, 1, (replace(cue, text=words),) if words else ())


def set_speaker(cues: Sequence[Cue], index: int, speaker: str) -> tuple[Cue, ...]:
    """One cue said by somebody else; an empty name is nobody."""
    cue = _cue(cues, index)
    return _with(cues, index, 1, (replace(cue, speaker=_name(speaker)),))


def rename_speaker(cues: Sequence[Cue], old: str, new: str) -> tuple[Cue, ...]:
    """Everything `old` says is said by `new`."""
    name = _name(new)
    return tuple(replace(cue, speaker=name) if cue.speaker == old else cue for cue in cues)


def join(cues: Sequence[Cue], index: int) -> tuple[Cue, ...]:
    """The cue and the next as one; the first one's speaker stays.

    Raises CannotMend when there is no next.
    """
    cue = _cue(cues, index)
    if index + 1 >= len(cues):
        raise CannotMend("This is the last cue; there is none after it to join.")
    following = cues[index + 1]
    text = cue.text + glue(cue.text, following.text) + following.text
    end = max(cue.end_ms, following.end_ms)
    return _with(cues, index, 2, (replace(cue, end_ms=end, text=text),))


def split(cues: Sequence[Cue], index: int, at: int) -> tuple[Cue, ...]:
    """The cue as two, the second beginning with character `at` of the text.

    Its time is divided by the number of characters, as nothing better is known. Raises
    CannotMend where a part would have no words or a visible character would be torn.
    """
    cue = _cue(cues, index)
    if not 0 <= at <= len(cue.text) or splits_cluster(cue.text, at):
        raise CannotMend("A cue cannot be split here.")
    first, second = cue.text[:at].rstrip(" "), cue.text[at:].lstrip(" ")
    if not first or not second:
        raise CannotMend("Both parts of a split cue need words. Put the cursor between two words.")
    middle = cue.start_ms + (cue.end_ms - cue.start_ms) * at // len(cue.text)
    parts = (replace(cue, end_ms=middle, text=first), replace(cue, start_ms=middle, text=second))
    return _with(cues, index, 1, parts)


def _cue(cues: Sequence[Cue], index: int) -> Cue:
    if not 0 <= index < len(cues):
        raise CannotMend(
            "This cue is not there any more. Load the page again: somebody else changed it."
        )
    return cues[index]


def _name(speaker: str) -> str:
    return clean_speaker(without_forbidden(speaker))


def _with(cues: Sequence[Cue], index: int, count: int, new: tuple[Cue, ...]) -> tuple[Cue, ...]:
    return (*cues[:index], *new, *cues[index + count :])
