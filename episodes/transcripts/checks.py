"""What an editor should know of a transcript beside its audio."""

from collections.abc import Sequence

from episodes.findings import Finding
from episodes.transcripts.cues import Cue
from episodes.transcripts.remarks import Remarks

#: Encoders pad and measure differently; only more than this is past the end.
GRACE_MS = 2_000


def check(cues: Sequence[Cue], duration: float | None) -> tuple[Finding, ...]:
    """Findings on cues that are in order; `duration` is the audio's seconds, if known."""
    remarks = Remarks()
    if not any(cue.text for cue in cues):
        remarks.add("empty")
        return remarks.findings()
    if not any(cue.speaker for cue in cues):
        remarks.add("no-speakers")
    latest = 0
    for number, cue in enumerate(cues, 1):
        where = f"cue {number}"
        if duration is not None and cue.end_ms > duration * 1000 + GRACE_MS:
            remarks.add("past-end", where)
        if cue.start_ms < latest:
            remarks.add("overlap", where)
        latest = max(latest, cue.end_ms)
    return remarks.findings()
