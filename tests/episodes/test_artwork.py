"""Artwork: the whole corpus of pictures, prepared or refused with words."""

import io
import subprocess
import sys
import time

import pytest
from PIL import Image, ImageCms

from episodes.artwork import (
    derivative,
    examine,
    open_graph_card,
    placeholder,
    prepare,
    prepare_in_child,
)
from episodes.findings import Unreadable
from tests.conftest import CORPUS
from tests.running import ROOT

IMAGES = CORPUS / "images"

GOOD = {
    "alpha-1400.png": 1400, "cmyk-1400.jpg": 1400, "exif-rotated-6-with-gps-1400.jpg": 1400,
    "gray-1400.jpg": 1400, "gray16-1400.png": 1400, "icc-profile-1400.png": 1400,
    "palette-1400.png": 1400, "png-named.jpg": 1400, "progressive-1400.jpg": 1400,
    "polyglot-jpeg-with-html-tail-1400.jpg": 1400, "square-1400.jpg": 1400,
    "square-1400.png": 1400, "square-1400.webp": 1400, "square-3000.jpg": 3000,
    "square-3000.png": 3000,
}  # fmt: skip

REFUSED = {
    "animated-3-frames-1400.gif": "GIF", "animated-3-frames-1400.webp": "moves (3 frames)",
    "bomb-30000x30000-1bit.png": "30000 × 30000", "header-claims-60000x60000.png": "picture",
    "html-named.jpg": "web page", "not-square-1920x1080.jpg": "1920 × 1080",
    "one-pixel.png": "1 × 1", "square-1400.tif": "TIFF", "svg-entities.svg": "SVG",
    "svg-named.png": "SVG", "svg-with-script.svg": "SVG", "tall-64x20000.png": "64 × 20000",
    "text-named.png": "not a picture", "too-small-1300.jpg": "1300 × 1300",
    "truncated-1400.png": "cut off", "truncated-3000.jpg": "cut off", "zero-bytes.jpg": "empty",
}  # fmt: skip


def test_the_tables_cover_the_corpus():
    assert set(GOOD) | set(REFUSED) == {path.name for path in IMAGES.iterdir()}


@pytest.mark.parametrize(("name", "size"), GOOD.items())
def test_what_feeds_can_use(name, size):
    start = time.monotonic()
    prepared = prepare_in_child(IMAGES / name)
    assert time.monotonic() - start < 10
    image = Image.open(io.BytesIO(prepared.data))
    assert image.size == (size, size) == (prepared.width, prepared.height)
    assert image.mode == "RGB"
    assert image.format == {"jpg": "JPEG", "png": "PNG"}[prepared.extension]
    assert len(image.getexif()) == 0
    assert "icc_profile" not in image.info
    assert tuple(round(d) for d in image.info["dpi"]) == (72, 72)
    assert b"<script" not in prepared.data
    assert b"GPS" not in prepared.data


@pytest.mark.parametrize(("name", "says"), REFUSED.items())
def test_what_is_refused_politely(name, says):
    with pytest.raises(Unreadable) as refused:
        prepare_in_child(IMAGES / name)
    assert says in refused.value.message
    assert refused.value.message.endswith(".") or refused.value.message.endswith(").")


WATCHED = """
import resource, sys
from episodes.artwork import prepare_in_child
from episodes.findings import Unreadable

def peak(who):
    return resource.getrusage(who).ru_maxrss

before = peak(resource.RUSAGE_SELF)
try:
    prepare_in_child(sys.argv[1])
except Unreadable:
    print(peak(resource.RUSAGE_SELF) - before, peak(resource.RUSAGE_CHILDREN))
"""


@pytest.mark.parametrize("name", ["bomb-30000x30000-1bit.png", "header-claims-60000x60000.png"])
def test_hostile_pictures_cost_this_process_nothing(name):
    """In kB, of a process whose only child is the one that reads."""
    said = subprocess.check_output([sys.executable, "-c", WATCHED, str(IMAGES / name)], cwd=ROOT)
    here, child = map(int, said.split())
    assert here < 20_000
    assert child < 300_000


def test_the_orientation_is_applied():
    """The red block is stored at the top left and shown at the top right."""
    prepared = prepare((IMAGES / "exif-rotated-6-with-gps-1400.jpg").read_bytes())
    image = Image.open(io.BytesIO(prepared.data))

    def is_red(x, y):
        red, green, blue = image.getpixel((x, y))
        return red > 180 and green < 90 and blue < 90

    assert is_red(1380, 20)
    assert not is_red(20, 20)


def test_a_photo_with_a_second_picture_behind_it_is_a_photo():
    """Telephones and cameras write such JPEGs (MPO); the first picture is the photo."""
    behind, out = Image.new("RGB", (200, 200), "blue"), io.BytesIO()
    Image.new("RGB", (1500, 1500), "red").save(out, "MPO", save_all=True, append_images=[behind])
    prepared = prepare(out.getvalue())
    assert (prepared.extension, prepared.width) == ("jpg", 1500)
    red, _, blue = Image.open(io.BytesIO(prepared.data)).getpixel((700, 700))
    assert red > 240
    assert blue < 15


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize(
    "exif",
    [
        b"Exif\0\0MM\0*\0\0\0\x08\0\x09",
        b"Exif\0\0neither order of bytes",
        b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x02\0\0\0\x04six\0\0\0\0\0",
    ],
)
def test_damaged_metadata_does_not_damage_the_picture(kind, exif):
    out = io.BytesIO()
    Image.new("RGB", (1400, 1400), "red").save(out, kind, exif=exif)
    assert prepare(out.getvalue()).width == 1400


def test_the_profile_of_a_palette_counts():
    # In this profile what is stored as red is shown as blue.
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    profile = profile.replace(b"rXYZ", b"____", 1).replace(b"bXYZ", b"rXYZ", 1)
    out = io.BytesIO()
    red = Image.new("RGB", (1400, 1400), "red").quantize(2)
    red.save(out, "PNG", icc_profile=profile.replace(b"____", b"bXYZ", 1))
    assert Image.open(out).mode == "P"
    shown = Image.open(io.BytesIO(prepare(out.getvalue()).data)).getpixel((700, 700))
    assert shown[2] > 200 > 100 > shown[0]


def test_transparency_becomes_white():
    prepared = prepare((IMAGES / "alpha-1400.png").read_bytes())
    shown = Image.open(io.BytesIO(prepared.data))
    stored = Image.open(IMAGES / "alpha-1400.png").convert("RGBA")
    for x, y in ((10, 10), (700, 700), (1390, 1390)):
        *colour, alpha = stored.getpixel((x, y))
        expected = [round(c * alpha / 255 + 255 - alpha) for c in colour]
        assert all(abs(a - b) < 6 for a, b in zip(shown.getpixel((x, y)), expected, strict=True)), (
            x,
            y,
        )


def test_a_portrait_may_have_any_shape():
    data = (IMAGES / "not-square-1920x1080.jpg").read_bytes()
    assert (prepare(data, square=False).width, prepare(data, square=False).height) == (1920, 1080)


def test_sizes_as_shown():
    facts = examine((IMAGES / "not-square-1920x1080.jpg").read_bytes())
    assert (facts.width, facts.height, facts.format) == (1920, 1080, "JPEG")


@pytest.mark.parametrize("extension", ["webp", "jpg"])
@pytest.mark.parametrize("width", [96, 640, 4000])
def test_derivatives(width, extension):
    data = prepare((IMAGES / "square-1400.png").read_bytes()).data
    made = derivative(data, width, extension)
    image = Image.open(io.BytesIO(made))
    assert image.size == (min(width, 1400),) * 2
    assert image.format == {"webp": "WEBP", "jpg": "JPEG"}[extension]
    assert made == derivative(data, width, extension)


@pytest.mark.parametrize("title", ["PyTorch", "日本語のタイトル", "עברית", "x" * 300, "", "🎉"])
def test_covers_and_cards_are_drawn_for_any_title(title):
    cover = placeholder(title, seed=title)
    assert cover == placeholder(title, seed=title)
    assert prepare(cover).width == 1400
    card = Image.open(io.BytesIO(open_graph_card(cover, title, title * 3, "5 March 2026")))
    assert card.size == (1200, 630)
