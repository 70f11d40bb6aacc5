"""Audio: from any file an editor uploads to exact facts, or to words that say what is wrong.

    facts = read_audio(path, name="take 3.mp3")   # AudioFacts

The type comes from the content, never from the name. Strangers' files are opened in a limited
child only (episodes.probing).
"""

import os

from episodes.audio.facts import AudioFacts, Tags, UnreadableAudio
from episodes.chapters.records import Chapter
from episodes.findings import Finding, Level
from episodes.probing import probe_in_child

__all__ = ["AudioFacts", "Tags", "UnreadableAudio", "read_audio"]


def read_audio(path: str | os.PathLike, name: str = "") -> AudioFacts:
    """The facts of the recording at `path`; `name` is what the editor calls it.

    Raises `Unreadable` with words for an editor, or `ProbeFailed` when reading it broke a limit.
    """
    answer = probe_in_child("episodes.audio.probing", path, options={"name": name})
    facts = dict(answer.facts)
    facts["tags"] = Tags(**facts["tags"])
    blobs = answer.blobs
    facts["chapters"] = tuple(
        Chapter(**row | {"image": blobs[row["image"]]})
        if isinstance(row["image"], int)
        else Chapter(**row)
        for row in facts["chapters"]
    )
    facts["findings"] = tuple(
        Finding(Level(level), code, message, where)
        for level, code, message, where in facts["findings"]
    )
    return AudioFacts(**facts, cover=blobs[0] if facts["cover_type"] else None)
