"""What an editor's page sends back of the cues it showed, and what is to be done about it.

Each cue is named by a token made of what was shown. A cue that is not so any more was changed
by somebody else: nothing is done then, and the editor is told.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from episodes.transcripts import mending
from episodes.transcripts.corrections import Change, Correction
from episodes.transcripts.cues import Cue
from episodes.transcripts.scripts import joined

_LINE_END = re.compile(r"\s*[\r\n]\s*")


class Act(StrEnum):
    SAVE = ""
    JOIN = "join"
    SPLIT = "split"


@dataclass(frozen=True, slots=True)
class Edit:
    """One cue as it came back. A line break in `text` is where SPLIT divides it."""

    token: str
    speaker: str
    text: str
    act: Act = Act.SAVE

    @property
    def index(self) -> int:
        """Where the cue was when it was shown."""
        number = self.token.partition("-")[0]
        return int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 0

    @property
    def start_ms(self) -> int | None:
        """When the cue began that was shown."""
        number = self.token.split("-")[1] if self.token.count("-") == 3 else ""
        return int(number) if number.isascii() and number.isdigit() and len(number) < 12 else None

    @property
    def asks(self) -> bool:
        """Whether anything is to be done."""
        return bool(self.act) or not self.token.endswith(_digest(self.speaker, self.text))


class Stale(ValueError):
    """These edits are of cues that somebody else has changed; none was made."""

    def __init__(self, edits: Sequence[Edit]):
        super().__init__(f"{len(edits)} cues have changed since")
        self.edits = tuple(edits)


def token(index: int, cue: Cue) -> str:
    """Names a cue as it is now: `index-start-end-digest`."""
    return f"{index}-{cue.start_ms}-{cue.end_ms}-{_digest(cue.speaker, cue.text)}"


def plan(cues: Sequence[Cue], edits: Iterable[Edit]) -> list[Correction]:
    """Corrections for what was changed, to be made in this order.

    Raises Stale, and CannotMend for what does not go.
    """
    asked = [edit for edit in edits if edit.asks]
    places = {edit: find(cues, edit) for edit in asked}
    if stale := [edit for edit in asked if places[edit] is None]:
        raise Stale(stale)
    now = tuple(cues)
    made: list[Correction] = []
    # From the end, so that the places of those to come stay what they are.
    for edit in sorted(asked, key=lambda edit: -(places[edit] or 0)):
        now = _carry_out(now, places[edit] or 0, edit, made)
    return made


def _carry_out(
    cues: tuple[Cue, ...], place: int, edit: Edit, made: list[Correction]
) -> tuple[Cue, ...]:
    def note(after: tuple[Cue, ...], words: str, size: int = 1) -> tuple[Cue, ...]:
        new = size + len(after) - len(cues)
        old = cues[place : place + size]
        if after[place : place + new] != old:
            made.append(Correction(Change(place, old, after[place : place + new]), words))
        return after

    pieces = [piece for piece in _LINE_END.split(edit.text.strip()) if piece]
    text = joined(pieces)
    if edit.speaker.strip() != cues[place].speaker:
        cues = note(mending.set_speaker(cues, place, edit.speaker), "Speaker")
    if text != cues[place].text:
        after = mending.replace_text(cues, place, text)
        cues = note(after, "Words" if len(after) == len(cues) else "Removed")
        if not text:
            return cues
    if edit.act == Act.JOIN:
        cues = note(mending.join(cues, place), "Joined", 2)
    if edit.act == Act.SPLIT:
        if len(pieces) < 2:
            raise mending.CannotMend(
                "To split a cue, put a line break where the next one shall begin."
            )
        after = cues
        for count in range(len(pieces) - 1, 0, -1):
            after = mending.split(after, place, len(joined(pieces[:count])))
        cues = note(after, "Split")
    return cues


def find(cues: Sequence[Cue], edit: Edit) -> int | None:
    """Where the cue that was shown is now, the nearest if there are several; None if gone."""
    name = edit.token.partition("-")[2]
    near = range(max(0, edit.index - 1), min(len(cues), edit.index + 2))
    for places in (near, range(len(cues))):
        found = [at for at in places if token(at, cues[at]).partition("-")[2] == name]
        if found:
            return min(found, key=lambda at: abs(at - edit.index))
    return None


def _digest(speaker: str, text: str) -> str:
    data = f"{speaker}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:12]
