"""Pictures as stored files: one original, one prepared for feeds, derivatives made once.

Names: `artwork/<owner uid>/<hash>.<ext>` for what feeds and directories get,
`<hash>-original.<ext>` beside it, and `derived/<hash>-<size>.<ext>`.
"""

from collections.abc import Callable
from pathlib import Path

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

#: Widths in pixels that pages ask for; each also stands for twice the half on dense screens.
SIZES = ("96", "192", "320", "384", "640", "1280")
FORMATS = ("jpg", "webp")
FULL = "full"


def name_of(owner) -> str:
    """The stored name of the owner's picture, or ''."""
    file = getattr(owner, "picture", None) or getattr(owner, "artwork", None)
    return file.name if file else ""


def derivative(name: str, size: str, extension: str) -> str | None:
    """The stored name of picture `name` at `size`, made now if it is not there yet.

    None for a size or format that pages do not use.
    """
    own = name.rpartition(".")[2]
    if size == FULL:
        return name if extension == own else None
    if size not in SIZES or extension not in FORMATS:
        return None
    version = Path(name).stem

    def make() -> bytes:
        from episodes import artwork

        with default_storage.open(name) as file:
            return artwork.derivative(file.read(), int(size), extension)

    return made_once(f"derived/{version[:2]}/{version}-{size}.{extension}", make)


def made_once(name: str, make: Callable[[], bytes]) -> str:
    """The stored file `name`, from `make` if it is not there yet."""
    if not default_storage.exists(name):
        default_storage.save(name, ContentFile(make()))
    return name
