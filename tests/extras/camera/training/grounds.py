"""Surfaces for made-up cards: cloth, patterns, print with letters on it, things lying about."""

from math import cos, pi, sin
from random import Random

import numpy as np
from PIL import Image, ImageDraw

from tests.extras.camera.training import glyphs

SIZE = 256
"""Of a scene, in pixels each way."""


def ground(pick: Random, numbers: np.random.Generator) -> Image.Image:
    """A surface under cards: cloth, wood, carpet, paper with print, patterns, a lit room."""
    base = np.array([pick.choice([pick.uniform(10, 245), pick.gauss(110, 50)]) for _ in range(3)])
    if pick.random() < 0.5:
        base = base.mean() + (base - base.mean()) * 0.25
    if pick.random() < 0.12:
        base = np.array([225.0, 225, 222])
    pixels = np.zeros((SIZE, SIZE, 3), np.float32) + base.clip(5, 250)
    for cells in (4, 16, 64, 256):
        strength = pick.choice([0, 6, 15, 35]) * pick.random()
        if strength:
            tall = max(cells // pick.choice([1, 1, 1, 8]), 2)
            noise = numbers.normal(0, strength, (tall, cells)).astype(np.float32)
            layer = Image.fromarray(noise).resize((SIZE, SIZE), Image.Resampling.BICUBIC)
            if pick.random() < 0.5:
                layer = layer.transpose(Image.Transpose.ROTATE_90)
            tint = np.array([pick.uniform(0.5, 1) for _ in range(3)], np.float32)
            pixels += np.asarray(layer)[..., None] * tint
    picture = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    how = pick.random()
    if how < 0.22:
        _pattern(picture, pick)
    elif how < 0.42:
        _print(picture, pick)
    if pick.random() < 0.25:
        _things(picture, pick)
    return picture


def _ink(pick: Random) -> tuple[int, int, int]:
    return pick.randint(0, 255), pick.randint(0, 255), pick.randint(0, 255)


def _pattern(picture: Image.Image, pick: Random) -> None:
    draw = ImageDraw.Draw(picture)
    ink, step = _ink(pick), pick.randint(6, 50)
    slope, width = pick.randint(-SIZE, SIZE), pick.randint(1, 12)
    match pick.randrange(3):
        case 0:
            for i in range(-SIZE, 2 * SIZE, step):
                draw.line((i, 0, i + slope, SIZE), fill=ink, width=width)
        case 1:
            for i in range(0, SIZE, step):
                draw.line((i, 0, i, SIZE), fill=ink, width=width)
                draw.line((0, i, SIZE, i), fill=ink, width=width)
        case _:
            for _ in range(pick.randint(5, 60)):
                x, y, r = pick.randint(0, SIZE), pick.randint(0, SIZE), pick.randint(3, 25)
                sides = [
                    (x + r * cos(a) * pick.uniform(0.4, 1), y + r * sin(a) * pick.uniform(0.4, 1))
                    for a in (k * 2 * pi / 7 for k in range(7))
                ]
                draw.polygon(sides, fill=_ink(pick) if pick.random() < 0.3 else ink)


def _print(picture: Image.Image, pick: Random) -> None:
    """Sheets with words and numbers on them: the likeliest thing to be taken for a card."""
    for _ in range(pick.randint(1, 3)):
        w, h = pick.randint(60, 240), pick.randint(60, 240)
        shade = pick.randint(190, 255)
        sheet = Image.new(
            "RGB", (w, h), (shade, shade, shade) if pick.random() < 0.7 else _ink(pick)
        )
        y = 4
        while y < h:
            letters = "".join(
                pick.choice("abcdefghijklmnoprstuvwxyzAJQKBDEFG234567890123456789  ")
                for _ in range(pick.randint(1, 18))
            )
            high = pick.randint(7, 36)
            if pick.random() < 0.3:
                letters = letters[: pick.randint(1, 2)]
            mask = glyphs.written(letters.strip() or "8", pick.choice(glyphs.fonts()), 0, 48)
            wide = max(int(high * mask.width / mask.height), 3)
            ink = (20, 20, 20) if pick.random() < 0.6 else _ink(pick)
            sheet.paste(ink, (pick.randint(-5, w // 2), y), mask.resize((min(wide, 400), high)))
            y += high + pick.randint(2, 20)
        mask = Image.new("L", sheet.size, 255)
        turn = pick.uniform(-40, 40)
        sheet, mask = sheet.rotate(turn, expand=True), mask.rotate(turn, expand=True)
        picture.paste(sheet, (pick.randint(-80, SIZE - 40), pick.randint(-80, SIZE - 40)), mask)


def _things(picture: Image.Image, pick: Random) -> None:
    draw = ImageDraw.Draw(picture)
    for _ in range(pick.randint(1, 8)):
        x, y = pick.randint(-20, SIZE), pick.randint(-20, SIZE)
        w, h = pick.randint(5, 120), pick.randint(5, 120)
        if pick.random() < 0.5:
            draw.ellipse((x, y, x + w, y + h), fill=_ink(pick))
        else:
            draw.polygon([(x, y), (x + w, y + h // 3), (x + w // 2, y + h)], fill=_ink(pick))
