"""Transcripts: every format read into cues, and cues written into every format."""
