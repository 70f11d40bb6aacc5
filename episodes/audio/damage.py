"""What is said of a recording that is not all there."""

from episodes.audio.facts import UnreadableAudio
from episodes.durations import clock
from episodes.findings import Finding, error


def cut(seconds: float, there: float) -> tuple[float, list[Finding]]:
    """`there` is the share of the sound's bytes that the file really holds."""
    if there > 0.999:
        return seconds, []
    return seconds * there, [truncated(seconds, seconds * there)]


def truncated(promised: float, there: float) -> Finding:
    return error(
        "truncated",
        f"The file is cut off: it promises {clock(promised)}, {clock(there)} is there. Upload it "
        "again.",
    )


def damaged(kind: str) -> UnreadableAudio:
    return UnreadableAudio(
        "damaged", f"This {kind} file is damaged and cannot be read. Export or upload it again."
    )
