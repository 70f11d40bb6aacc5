"""Pictures we draw ourselves: a cover where there is none, and the card for shared links."""

import hashlib
import io
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

COVER = 1400
CARD = (1200, 630)

#: Ground, bars and ink; each pair of ink and ground has a contrast above 7:1.
PALETTES = (
    ("#20130d", "#ee6c2e", "#fff4ea"),
    ("#0d1b2a", "#4ea8de", "#eef6ff"),
    ("#14213d", "#fca311", "#fff8e8"),
    ("#1b1b2f", "#e43f5a", "#fff0f3"),
    ("#102a20", "#52b788", "#effff5"),
    ("#2b1432", "#c77dff", "#faf0ff"),
)

#: Where Linux distributions and macOS keep fonts that know more scripts than Pillow's own.
_FONTS = (
    "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
)


def placeholder(title: str, seed: str) -> bytes:
    """A square cover as PNG: bars like a sound wave over the title; the same for the same seed."""
    digest = hashlib.sha256(seed.encode()).digest()
    ground, bars, ink = PALETTES[digest[0] % len(PALETTES)]
    image = Image.new("RGB", (COVER, COVER), ground)
    draw = ImageDraw.Draw(image)
    count, margin = 15, 120
    step = (COVER - 2 * margin) / count
    middle = COVER * 0.40
    for index in range(count):
        # Low at both ends, high inside, each bar with its own say.
        rise = 1 - abs(index - (count - 1) / 2) / (count / 2)
        height = 60 + (0.35 + 0.65 * digest[1 + index] / 255) * rise * 700
        x = margin + index * step + step * 0.21
        draw.rounded_rectangle(
            (x, middle - height / 2, x + step * 0.58, middle + height / 2),
            radius=step * 0.29,
            fill=bars if index % 3 else ink,
        )
    _text(draw, title, (margin, 930), COVER - 2 * margin, 340, ink, 190)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True, dpi=(72, 72))
    return out.getvalue()


def open_graph_card(artwork: bytes | None, show: str, title: str, date: str = "") -> bytes:
    """A JPEG of 1200 × 630 for links shared elsewhere: artwork, show, episode title, date."""
    ground, bars, ink = PALETTES[0]
    image = Image.new("RGB", CARD, ground)
    draw = ImageDraw.Draw(image)
    left = 80
    if artwork:
        cover: Image.Image = Image.open(io.BytesIO(artwork), formats=("JPEG", "PNG"))
        cover.draft("RGB", (470, 470))
        image.paste(cover.convert("RGB").resize((470, 470), Image.Resampling.LANCZOS), (80, 80))
        left = 610
    width = CARD[0] - left - 70
    _text(draw, show, (left, 84), width, 50, bars, 36)
    _text(draw, title, (left, 150), width, 330, ink, 60)
    if date:
        _text(draw, date, (left, 512), width, 40, bars, 30)
    draw.rectangle((0, CARD[1] - 10, CARD[0], CARD[1]), fill=bars)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=88, optimize=True, progressive=True)
    return out.getvalue()


def _text(draw, text: str, at: tuple[int, int], width: int, height: int, fill, size: int) -> None:
    """`text` inside a box: wrapped at words, smaller until it fits, at the last cut with …."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    for points in range(size, 17, -4):
        font = _font(text, points)
        lines = _wrap(draw, text, font, width)
        line = points * 1.18
        if len(lines) * line <= height:
            break
    else:
        lines = lines[: max(1, int(height // line))]
        lines[-1] = lines[-1].rstrip(" .,") + "…"
    for number, words in enumerate(lines):
        draw.text((at[0], at[1] + number * line), words, font=font, fill=fill)


def _wrap(draw, text: str, font, width: int) -> list[str]:
    """Lines at most `width` wide; scripts without spaces break between characters."""
    lines, current = [], ""
    for word in text.split(" "):
        trial = f"{current} {word}".strip()
        if draw.textlength(trial, font=font) <= width:
            current = trial
            continue
        if current:
            lines.append(current)
        current = ""
        for character in word:
            if current and draw.textlength(current + character, font=font) > width:
                lines.append(current)
                current = ""
            current += character
    return [*lines, current] if current else lines


def _font(text: str, points: int):
    """Pillow's own font for Latin text, else the first on this machine that has the glyphs."""
    own = ImageFont.load_default(points)
    if text.isascii():
        return own
    for path in _FONTS:
        if Path(path).exists():
            font = ImageFont.truetype(path, points)
            missing = font.getmask("\U0010ffff").getbbox()
            if all(c == " " or font.getmask(c).getbbox() != missing for c in text[:40]):
                return font
    return own
