"""Stored pictures that are missing, empty or damaged: made again where their original is kept.

A picture's name holds the beginning of its content's hash (`pictures.store_picture`). What pages
show of it lies under `derived/` and is made again at the next request.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from episodes import pictures
from episodes.artwork import PreparedArtwork
from episodes.artwork_files import FORMATS, SIZES
from episodes.media_problems import Problem, Stored, sha256_of
from episodes.models import Chapter, Episode, Person, Show

type Model = type[Show | Episode | Person | Chapter]

#: Models with pictures: their attribute, and whether feeds want it square.
PICTURES: tuple[tuple[Model, str, bool], ...] = (
    (Show, "artwork", True),
    (Episode, "artwork", True),
    (Person, "picture", False),
    (Chapter, "image", False),
)

_HASH = re.compile(r"[0-9a-f]{16}")


def original_of(name: str) -> str:
    """Where the upload lies that picture `name` was made of."""
    return f"{name.rpartition('.')[0]}-original"


def missing_pictures(files: dict[str, Stored]) -> Iterator[Problem]:
    for model, attribute, name, count in _pictures():
        if name not in files:
            what = f"{_words(model, attribute, name, count)} {name} is not there."
            yield _problem("picture-missing", what, model, attribute, name, files)


def damaged_pictures(files: dict[str, Stored], hashes: bool) -> Iterator[Problem]:
    for model, attribute, name, count in _pictures():
        file = files.get(name)
        if file is None:
            continue
        if file.bytes and not (hashes and _is_other_content(name)):
            continue
        state = "is not what was stored any more" if file.bytes else "is empty"
        what = f"{_words(model, attribute, name, count)} {name} {state}."
        yield _problem("picture-damaged", what, model, attribute, name, files)


def empty_derivatives(files: dict[str, Stored]) -> Iterator[Problem]:
    """Sizes for pages, and cards, that came to nothing: nobody makes again what is there."""
    for file in files.values():
        if file.name.startswith("derived/") and not file.bytes:
            yield Problem(
                "picture-damaged",
                file.name,
                f"{file.name}, made of a picture for pages, is empty.",
                "Remove it? It is made again when it is asked for.",
                partial(default_storage.delete, file.name),
            )


def _pictures() -> Iterator[tuple[Model, str, str, int]]:
    """Model, attribute, stored name, and how many rows have it: chapters share pictures."""
    for model, attribute, _ in PICTURES:
        counts: dict[str, int] = {}
        rows = model.objects.exclude(**{attribute: ""})
        for name in rows.values_list(attribute, flat=True).order_by("pk"):
            counts[name] = counts.get(name, 0) + 1
        for name, count in counts.items():
            yield model, attribute, name, count


def _words(model: Model, attribute: str, name: str, count: int) -> str:
    row = model.objects.filter(**{attribute: name}).first()
    others = f" and {count - 1} more" if count > 1 else ""
    return f"{model._meta.verbose_name.capitalize()} “{row}”{others}: its picture"


def _is_other_content(name: str) -> bool:
    version = Path(name).stem
    digest = sha256_of(name) if _HASH.fullmatch(version) else ""
    return bool(digest) and not digest.startswith(version)


def _problem(
    code: str, what: str, model: Model, attribute: str, name: str, files: dict[str, Stored]
) -> Problem:
    original = files.get(original_of(name))
    if original and original.bytes:
        try:
            _prepared(model, name)
        except ValidationError as refusal:
            what += f" What it was made of cannot be used: {' '.join(refusal.messages)}"
        else:
            return Problem(
                code,
                name,
                f"{what} The picture that it was made of is there.",
                "Make it again?",
                partial(_make_again, model, attribute, name),
            )
    return Problem(
        code,
        name,
        f"{what} Restore it from a backup, or upload it again.",
        "Forget the picture?",
        partial(_forget, model, attribute, name),
    )


def _prepared(model: Model, name: str) -> tuple[PreparedArtwork, ContentFile]:
    """Picture `name` once more, and what it is made of. Raises ValidationError in words."""
    try:
        with default_storage.open(original_of(name)) as file:
            original = ContentFile(file.read(), name="original")
    except FileNotFoundError:
        raise ValidationError("It is gone meanwhile.") from None
    square = next(square for each, _, square in PICTURES if each is model)
    return pictures.read_picture(original, square=square), original


def _make_again(model: Model, attribute: str, name: str) -> None:
    prepared, original = _prepared(model, name)
    # Another version of our tools may encode it otherwise: then it has another name, for what
    # is at an address never changes.
    new = pictures.store_picture(name.split("/")[1], prepared, original)
    _forget_derivatives(name)
    for row in model.objects.filter(**{attribute: name}):
        getattr(row, attribute).name = new
        row.save()


def _forget_derivatives(name: str) -> None:
    """What was drawn of a damaged picture is damaged, too."""
    version = Path(name).stem
    for size in SIZES:
        for extension in FORMATS:
            default_storage.delete(f"derived/{version[:2]}/{version}-{size}.{extension}")


def _forget(model: Model, attribute: str, name: str) -> None:
    model.objects.filter(**{attribute: name}).update(**{attribute: ""})
