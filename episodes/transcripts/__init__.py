"""Transcripts: every format read into cues, and cues written into every format."""

from episodes.transcripts.cues import Cue, ReadTranscript, UnreadableTranscript
from episodes.transcripts.read import read_transcript
from episodes.transcripts.write import MEDIA_TYPES, formats_for, write

__all__ = [
    "MEDIA_TYPES",
    "Cue",
    "ReadTranscript",
    "UnreadableTranscript",
    "formats_for",
    "read_transcript",
    "write",
]
