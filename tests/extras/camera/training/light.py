"""Made-up light and a made-up lens: shadow, glare, haze, blur, a hand that shook, grain."""

from math import cos, exp, log, pi, sin
from random import Random

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from tests.extras.camera.training.grounds import SIZE

Pixels = NDArray[np.floating]


def develop(picture: Image.Image, pick: Random, numbers: np.random.Generator) -> Image.Image:
    """The picture under made-up light, through a made-up lens, as a camera would store it."""
    pixels = np.asarray(picture, np.float32) / 255
    if pick.random() < 0.5:
        pixels = pixels ** pick.uniform(0.75, 1.35)
    across = np.linspace(-1, 1, SIZE, dtype=np.float32)
    slope = pick.uniform(0, 0.55) ** 1.3
    turn = pick.uniform(0, 2 * pi)
    light = 1 + slope * (cos(turn) * across[None, :] + sin(turn) * across[:, None])
    if pick.random() < 0.35:
        light = light * _cast_shadow(pick)
    gain = pick.choice([1.0, 1.0, pick.uniform(0.85, 1.25), exp(pick.uniform(log(0.16), 0))])
    cast = np.array([pick.gauss(1, 0.09) for _ in range(3)], np.float32)
    pixels = pixels * (light * gain)[..., None] * cast
    if pick.random() < 0.15:
        pixels += _glare(pick)[..., None]
    if pick.random() < 0.3:  # haze and faded ink
        pixels = pixels * (1 - (veil := pick.uniform(0, 0.25))) + veil * 0.8 * gain
    picture = Image.fromarray((pixels.clip(0, 1) * 255).astype(np.uint8))
    blur = pick.random()
    if blur < 0.5:
        picture = picture.filter(ImageFilter.GaussianBlur(abs(pick.gauss(0, 0.75))))
    elif blur < 0.62:
        picture = _shaken(picture, pick)
    elif blur < 0.85:  # a coarser camera, or a photo made smaller and larger again
        part = int(SIZE * pick.uniform(0.42, 0.9))
        how = pick.choice([Image.Resampling.BICUBIC, Image.Resampling.BILINEAR])
        picture = picture.resize((part, part), Image.Resampling.BOX).resize((SIZE, SIZE), how)
    elif blur < 0.93:
        picture = picture.filter(ImageFilter.UnsharpMask(2, pick.randint(30, 180), 2))
    if pick.random() < 0.6:
        strength = abs(pick.gauss(0, 5))
        grain = numbers.normal(0, strength, (SIZE, SIZE, 3))
        pixels = np.asarray(picture, np.float32) + grain
        picture = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    return picture


def _cast_shadow(pick: Random) -> Pixels:
    shade = Image.new("L", (64, 64), 255)
    draw = ImageDraw.Draw(shade)
    depth = int(255 * pick.uniform(0.35, 0.85))
    corners = [(pick.randint(-20, 84), pick.randint(-20, 84)) for _ in range(pick.randint(3, 5))]
    draw.polygon(corners, fill=depth)
    shade = shade.filter(ImageFilter.GaussianBlur(pick.uniform(1, 5)))
    return np.asarray(shade.resize((SIZE, SIZE), Image.Resampling.BICUBIC), np.float32) / 255


def _glare(pick: Random) -> Pixels:
    spot = Image.new("L", (64, 64))
    x, y, r = pick.randint(0, 64), pick.randint(0, 64), pick.randint(3, 16)
    box = (x - r, y - r * pick.uniform(0.3, 1), x + r, y + r)
    ImageDraw.Draw(spot).ellipse(box, fill=pick.randint(60, 220))
    spot = spot.filter(ImageFilter.GaussianBlur(pick.uniform(2, 8)))
    return np.asarray(spot.resize((SIZE, SIZE), Image.Resampling.BICUBIC), np.float32) / 255


def _shaken(picture: Image.Image, pick: Random) -> Image.Image:
    """Blurred along a line, as by a hand that shook."""
    reach, turn = pick.uniform(1, 4.5), pick.uniform(0, pi)
    steps = 5
    total = np.zeros((SIZE, SIZE, 3), np.float32)
    for i in range(steps):
        by = (i / (steps - 1) - 0.5) * reach
        move = (1, 0, by * cos(turn), 0, 1, by * sin(turn))
        total += np.asarray(
            picture.transform(picture.size, Image.Transform.AFFINE, move, Image.Resampling.BILINEAR)
        )
    return Image.fromarray((total / steps).astype(np.uint8))
