"""Artwork: from whatever picture an editor has to what feeds, pages and cards need.

    prepared = prepare_in_child(path)           # square, sRGB, 1400 to 3000 pixels, no metadata
    derivative(prepared.data, 640, "webp")      # for a page
    open_graph_card(prepared.data, "Show", "Episode", "5 March 2026")
    placeholder("Show", seed="show")            # a cover where there is none

Strangers' pictures are opened in a limited child only (episodes.probing).
"""

import os
import tempfile
from pathlib import Path

from episodes.artwork.drawing import open_graph_card, placeholder
from episodes.artwork.prepare import PreparedArtwork, derivative, examine, prepare
from episodes.probing import Limits, probe_in_child

__all__ = [
    "PreparedArtwork",
    "derivative",
    "examine",
    "open_graph_card",
    "placeholder",
    "prepare",
    "prepare_in_child",
]


def prepare_in_child(picture: str | os.PathLike | bytes, *, square: bool = True) -> PreparedArtwork:
    """As `prepare`, for a file of unknown origin, in a child with little memory and time.

    Raises `Unreadable` with words for an editor, or `ProbeFailed` when the child broke a limit.
    """
    if isinstance(picture, bytes):
        handle, name = tempfile.mkstemp(prefix="picture-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(picture)
            return prepare_in_child(name, square=square)
        finally:
            Path(name).unlink()
    answer = probe_in_child(
        "episodes.artwork.child", picture, options={"square": square}, limits=Limits()
    )
    return PreparedArtwork(data=answer.blobs[0], **answer.facts)
