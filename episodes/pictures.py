"""Taking in pictures: prepared in a limited child, stored by content with their originals."""

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage

from episodes import artwork
from episodes.findings import Unreadable
from episodes.once import once
from episodes.probing import ProbeFailed
from episodes.refusals import refused, storing


@once
def read_picture(upload, *, square: bool) -> artwork.PreparedArtwork:
    """An uploaded picture as feeds and pages want it, prepared once.

    Raises ValidationError that says what is wrong and what to do.
    """
    try:
        with storing("picture"):
            return artwork.prepare_in_child(path_of_picture(upload), square=square)
    except Unreadable as refusal:
        raise refused(refusal) from None
    except ProbeFailed as failure:
        raise ValidationError(
            "This picture asks for more time or memory than a cover needs (%(reason)s). "
            "Export it again as JPEG or PNG.",
            code="probe",
            params={"reason": failure.reason},
        ) from None


def attach_artwork(owner, upload, attribute: str = "artwork", *, square: bool = True) -> None:
    """Prepare a picture and store it with its original; the row is the caller's to save.

    Raises ValidationError that says what is wrong and what to do.
    """
    getattr(owner, attribute).name = store_artwork(upload, uid=owner.uid, square=square)


@once
def store_artwork(upload, *, uid, square: bool) -> str:
    """The name of an uploaded picture of `uid`, prepared and stored once."""
    return store_picture(uid, read_picture(upload, square=square), upload)


def store_picture(uid, prepared: artwork.PreparedArtwork, original) -> str:
    """The name of a prepared picture of `uid`, stored with its original. May raise as `storing`."""
    name = f"artwork/{uid}/{prepared.sha256[:16]}"
    original.seek(0)
    with storing("picture"):
        default_storage.save(
            f"{name}-original", original if isinstance(original, File) else File(original)
        )
        return default_storage.save(f"{name}.{prepared.extension}", ContentFile(prepared.data))


def path_of_picture(upload) -> str | bytes:
    if hasattr(upload, "temporary_file_path"):
        return upload.temporary_file_path()
    upload.seek(0)
    return upload.read()
