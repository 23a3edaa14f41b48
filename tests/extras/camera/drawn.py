"""Draw photos of known cards, with Pillow's own font and plain outlines."""

import io
from collections.abc import Sequence
from math import ceil, cos, radians, sin
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

CARD = (250, 350)
RED, BLACK = (200, 20, 30), (20, 20, 25)
CLOTH = (40, 95, 60)


def card(text: str) -> Image.Image:
    face = Image.new("RGBA", CARD)
    draw = ImageDraw.Draw(face)
    draw.rounded_rectangle((0, 0, CARD[0] - 1, CARD[1] - 1), 14, fill="white", outline="gray")
    rank, suit = text[:-1], text[-1]
    ink = RED if suit in "HD" else BLACK
    corner = Image.new("RGBA", CARD)
    font = ImageFont.load_default(52)
    pen = ImageDraw.Draw(corner)
    pen.text((34, 38), rank, fill=ink, font=font, anchor="mm", stroke_width=1, stroke_fill=ink)
    sign(pen, suit, (34, 86), 36, ink)
    face.alpha_composite(corner)
    face.alpha_composite(corner.rotate(180))
    sign(draw, suit, (CARD[0] / 2, CARD[1] / 2), 80, ink)
    return face


def sign(
    draw: ImageDraw.ImageDraw, suit: str, at: tuple[float, float], size: float, ink: Any
) -> None:
    """Draw a suit, or a star for `*`, with its middle at a place."""
    x, y = at
    half = size / 2
    r = size * 0.27

    def disc(dx: float, dy: float, radius: float) -> None:
        draw.ellipse((x + dx - radius, y + dy - radius, x + dx + radius, y + dy + radius), fill=ink)

    def shape(*points: tuple[float, float]) -> None:
        draw.polygon([(x + a * half, y + b * half) for a, b in points], fill=ink)

    if suit == "*":  # no suit at all: a star
        spokes = [(0.95 if i % 2 else 0.4, i * 36) for i in range(10)]
        shape(*((far * sin(radians(turn)), far * cos(radians(turn))) for far, turn in spokes))
        return
    if suit == "D":
        shape((0, -1), (0.75, 0), (0, 1), (-0.75, 0))
        return
    if suit == "H":
        disc(-r * 0.93, -half * 0.42, r)
        disc(r * 0.93, -half * 0.42, r)
        shape((-0.98, -0.2), (0.98, -0.2), (0, 1))
        return
    shape((-0.1, 0), (0.1, 0), (0.35, 1), (-0.35, 1))
    if suit == "S":
        disc(-r * 0.9, half * 0.25, r)
        disc(r * 0.9, half * 0.25, r)
        shape((-0.96, 0.1), (0.96, 0.1), (0, -1))
        return
    disc(0, -half * 0.5, r * 0.9)
    disc(-r, half * 0.2, r * 0.9)
    disc(r, half * 0.2, r * 0.9)


def table(width: int = 1200, height: int = 900) -> Image.Image:
    return Image.new("RGB", (width, height), CLOTH)


def lay(photo: Image.Image, text: str, x: float, y: float, turn: float = 0) -> None:
    """Paste a card with its middle at x, y, turned clockwise by degrees."""
    turned = card(text).rotate(-turn, Image.Resampling.BICUBIC, expand=True)
    photo.paste(turned, (round(x - turned.width / 2), round(y - turned.height / 2)), turned)


def picture(photo: Image.Image, x: float, y: float) -> None:
    """Draw somebody in many colors onto a card that lies upright with its middle at x, y."""
    draw = ImageDraw.Draw(photo)
    for i, color in enumerate([(240, 200, 40), (40, 60, 160), RED, (240, 200, 40), BLACK]):
        draw.rectangle((x - 60, y - 100 + 40 * i, x + 60, y - 60 + 40 * i), fill=color)


def row(texts: Sequence[str]) -> Image.Image:
    """Cards side by side."""
    photo = table(300 * len(texts) + 100, 600)
    for i, text in enumerate(texts):
        lay(photo, text, 200 + 300 * i, 300)
    return photo


def grid(texts: Sequence[str]) -> Image.Image:
    photo = table(1000, 1300)
    for i, text in enumerate(texts):
        lay(photo, text, 200 + 300 * (i % 3), 220 + 420 * (i // 3))
    return photo


def fan(texts: Sequence[str]) -> Image.Image:
    """A fan of cards, the rightmost in front."""
    photo = table(1300, 900)
    for i, text in enumerate(texts):
        turn = (i - (len(texts) - 1) / 2) * 11
        x, y = 650 + 640 * sin(radians(turn)), 1050 - 640 * cos(radians(turn))
        lay(photo, text, x, y, turn)
    return photo


def smeared(photo: Image.Image, far: float, toward: float) -> Image.Image:
    """The photo as by a camera that moved by `far` pixels, in a direction in radians."""
    moments = np.linspace(-far / 2, far / 2, ceil(far) + 1)
    total = np.zeros((photo.height, photo.width, 3), np.float32)
    for moment in moments:
        move = (1, 0, moment * cos(toward), 0, 1, moment * sin(toward))
        moved = photo.transform(photo.size, Image.Transform.AFFINE, move, Image.Resampling.BILINEAR)
        total += np.asarray(moved)
    return Image.fromarray((total / len(moments) + 0.5).astype(np.uint8))


def saved(photo: Image.Image, kind: str = "JPEG", **how: Any) -> bytes:
    """The photo as a file of this kind."""
    file = io.BytesIO()
    photo.save(file, kind, **({"quality": 90} if kind == "JPEG" else {}) | how)
    return file.getvalue()
