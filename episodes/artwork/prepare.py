"""Reading, judging and re-encoding pictures. Pure: bytes in, bytes and facts out.

Rules of Apple Podcasts and PSP-1 for artwork: square, 1400 to 3000 pixels, JPEG or PNG
true to its extension, RGB, no transparency, 72 dpi.
"""

import hashlib
import io
from dataclasses import dataclass, field
from typing import NoReturn

from PIL import Image, ImageCms, UnidentifiedImageError

from episodes.findings import Unreadable

#: What is opened at all. Every further format is a further decoder to be attacked.
FORMATS = ("JPEG", "PNG", "WEBP")

SMALLEST, LARGEST = 1400, 3000
LARGEST_FILE = 30 * 1024 * 1024
#: Judged from the header, before anything is decoded.
MOST_PIXELS = 40_000_000
#: People and chapters may have smaller pictures.
SMALLEST_PORTRAIT = 96
#: Hosts advise at most half a megabyte; larger covers are slow in app lists.
ADVISED_BYTES = 512 * 1024


@dataclass(frozen=True, slots=True)
class ArtworkFacts:
    """Sizes as shown, after the orientation in the metadata is applied."""

    format: str
    width: int
    height: int
    mode: str
    frames: int


@dataclass(frozen=True, slots=True)
class PreparedArtwork:
    """A picture as feeds want it; `sha256` is that of `data`."""

    extension: str
    media_type: str
    width: int
    height: int
    sha256: str
    data: bytes = field(repr=False)


# Pillow's own guard knows no message for editors; `_open` judges the header itself.
Image.MAX_IMAGE_PIXELS = None

_ORIENTATION = 0x0112  # Exif 2.3, tag Orientation

#: How each orientation is turned upright.
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

#: What Pillow raises for files that break off or contradict themselves.
_BROKEN = (OSError, SyntaxError, ValueError)


def refuse(code: str, message: str) -> NoReturn:
    raise Unreadable(code, message)


def examine(data: bytes) -> ArtworkFacts:
    """What a picture is, from its header alone. Raises `Unreadable` for what is not taken."""
    image = _open(data)
    width, height = image.size
    try:
        # Cameras put a preview, and telephones a map of brightness, behind the picture (MPO).
        frames = 1 if image.format == "MPO" else getattr(image, "n_frames", 1)
    except _BROKEN:
        _refuse_damaged()
    if _orientation(image) in {5, 6, 7, 8}:
        width, height = height, width
    return ArtworkFacts(str(image.format), width, height, image.mode, frames)


def prepare(data: bytes, *, square: bool = True) -> PreparedArtwork:
    """The picture upright, in sRGB, without transparency or metadata, at most 3000 pixels wide.

    With `square` the rules for show and episode artwork hold, else it may have any shape from
    96 pixels. Raises `Unreadable` that says what is wrong, the measured size, and what to do.
    """
    facts = examine(data)
    _judge(facts, square)
    image = _open(data)
    image.draft("RGB", (LARGEST, LARGEST))
    try:
        image.load()
    except _BROKEN:
        _refuse_damaged()
    if turn := _TURNS.get(_orientation(image)):
        image = image.transpose(turn)
    image = _in_srgb(image)
    if max(image.size) > LARGEST:
        image.thumbnail((LARGEST, LARGEST), Image.Resampling.LANCZOS)
    encoded, extension = _encode(image, facts.format)
    return PreparedArtwork(
        extension=extension,
        media_type="image/png" if extension == "png" else "image/jpeg",
        width=image.width,
        height=image.height,
        sha256=hashlib.sha256(encoded).hexdigest(),
        data=encoded,
    )


def derivative(data: bytes, width: int, extension: str) -> bytes:
    """A prepared picture `width` pixels wide as `webp` or `jpg`; never larger than it is.

    Raises OSError for one that was damaged since.
    """
    try:
        image: Image.Image = Image.open(io.BytesIO(data), formats=("JPEG", "PNG"))
        image.draft("RGB", (width, width))
        image = image.convert("RGB")
    except _BROKEN as problem:
        raise OSError(f"a damaged picture: {problem}") from problem
    if image.width > width:
        height = max(1, round(image.height * width / image.width))
        image = image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)
    out = io.BytesIO()
    if extension == "webp":
        image.save(out, "WEBP", quality=80, method=4)
    else:
        image.save(out, "JPEG", quality=82, optimize=True, progressive=True)
    return out.getvalue()


def _open(data: bytes) -> Image.Image:
    if not data:
        refuse("empty", "This file is empty: the upload may have broken off. Upload it again.")
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except (UnidentifiedImageError, *_BROKEN):
        refuse("no-picture", f"{_what_it_is(data)} Export the picture as JPEG or PNG.")
    if image.width * image.height > MOST_PIXELS:
        refuse(
            "too-many-pixels",
            f"This picture has {image.width} × {image.height} pixels; at most "
            f"{LARGEST} × {LARGEST} are used. Export a smaller one.",
        )
    return image


def _orientation(image: Image.Image) -> int:
    """1 to 8; 1, upright, where the metadata is damaged: it is not kept, so nothing else is."""
    try:
        value = image.getexif().get(_ORIENTATION, 1)
    except Exception:  # Pillow's readers of Exif raise whatever their arithmetic does
        return 1
    return value if isinstance(value, int) else 1


def _refuse_damaged() -> NoReturn:
    refuse(
        "damaged",
        "This picture is damaged or cut off: it cannot be shown to its end. "
        "Export or upload it again.",
    )


def _judge(facts: ArtworkFacts, square: bool) -> None:
    size = f"{facts.width} × {facts.height} pixels"
    if facts.frames > 1:
        refuse("animated", f"This picture moves ({facts.frames} frames). Export one still frame.")
    if square and facts.width != facts.height:
        refuse(
            "not-square",
            f"Artwork must be square; this is {size}. Crop it to "
            f"{min(facts.width, facts.height)} × {min(facts.width, facts.height)} or more.",
        )
    smallest = SMALLEST if square else SMALLEST_PORTRAIT
    if min(facts.width, facts.height) < smallest:
        refuse(
            "too-small",
            f"This picture has {size}; at least {smallest} × {smallest} are needed"
            + (f" ({LARGEST} × {LARGEST} is best)." if square else "."),
        )


_SIGNS = (
    (b"GIF8", "This is a GIF."),
    (b"II*\0", "This is a TIFF picture."),
    (b"MM\0*", "This is a TIFF picture."),
    (b"BM", "This is a BMP picture."),
    (b"%PDF", "This is a PDF document."),
    (b"\xff\xd8", "This JPEG is damaged."),
    (b"\x89PNG", "This PNG is damaged."),
)


def _what_it_is(data: bytes) -> str:
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for sign, words in _SIGNS:
        if data.startswith(sign):
            return words
    if b"<svg" in head:
        return "This is an SVG drawing, which podcast apps do not show."
    if b"<html" in head or b"<!doctype" in head:
        return "This is a web page, not a picture: it may have been saved instead of the image."
    if b"ftypavif" in data[:32] or b"ftypheic" in data[:32] or b"ftypmif1" in data[:32]:
        return "This is an AVIF or HEIC picture."
    return "This is not a picture that can be read here."


def _in_srgb(image: Image.Image) -> Image.Image:
    """RGB in sRGB: profiles applied, grey, palette and CMYK converted, transparency on white."""
    profile = image.info.get("icc_profile")
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
        profile = None
    if image.mode in {"LA", "PA", "RGBA", "La", "RGBa"} or "transparency" in image.info:
        image = image.convert("RGBA")
        ground = Image.new("RGB", image.size, "white")
        ground.paste(image, mask=image.getchannel("A"))
        image = ground
    if image.mode == "P":
        image = image.convert("RGB")
    if profile and image.mode in {"RGB", "CMYK", "L"}:
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            target = ImageCms.createProfile("sRGB")
            converted = ImageCms.profileToProfile(image, source, target, outputMode="RGB")
            if converted is not None:
                image = converted
        except (ImageCms.PyCMSError, OSError):
            pass  # a broken or foreign profile: the plain conversion below is what is left
    return image.convert("RGB")


def _encode(image: Image.Image, source_format: str) -> tuple[bytes, str]:
    """JPEG, or PNG where the picture came as one and is smaller so; then its extension."""
    clean = Image.new("RGB", image.size)
    clean.paste(image)
    jpeg = b""
    for quality in (90, 85, 80):
        out = io.BytesIO()
        clean.save(out, "JPEG", quality=quality, optimize=True, progressive=True, dpi=(72, 72))
        jpeg = out.getvalue()
        if len(jpeg) <= ADVISED_BYTES:
            break
    if source_format == "PNG":
        out = io.BytesIO()
        clean.save(out, "PNG", optimize=True, dpi=(72, 72))
        if out.tell() <= len(jpeg):
            return out.getvalue(), "png"
    return jpeg, "jpg"
