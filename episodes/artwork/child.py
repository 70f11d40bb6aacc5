"""What the limited child runs on a picture (episodes.probing)."""

from pathlib import Path

from episodes.artwork.prepare import LARGEST_FILE, prepare, refuse


def probe(path: str, options: dict) -> tuple[dict, list[bytes]]:
    file = Path(path)
    if file.stat().st_size > LARGEST_FILE:
        refuse("too-large", "This picture is larger than 30 MB. Export it again as JPEG.")
    prepared = prepare(file.read_bytes(), square=options.get("square", True))
    facts = {
        "extension": prepared.extension,
        "media_type": prepared.media_type,
        "width": prepared.width,
        "height": prepared.height,
        "sha256": prepared.sha256,
    }
    return facts, [prepared.data]
