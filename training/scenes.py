"""Made-up photos: cards laid on made-up grounds, seen by a made-up camera, with what they show."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import cos, exp, hypot, log, pi, sin
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from training import glyphs
from training.faces import HEIGHT, JOKER, Deck, Face

SIZE = 256
"""Of a scene, in pixels each way."""
Matrix = NDArray[np.float64]
Pixels = NDArray[np.floating]


@dataclass(frozen=True)
class SeenIndex:
    """A corner index in a scene.

    x, y: its middle. up: from its foot to its head. right: as long as `up` on the card, across.
    visible: the share of it that nothing hides. All in pixels of the scene.
    """

    rank: str
    suit: str
    x: float
    y: float
    up: tuple[float, float]
    right: tuple[float, float]
    visible: float


@dataclass
class Scene:
    """A picture (RGB) and the indices in it; `elsewhere` are points that are no index."""

    picture: Image.Image
    indices: list[SeenIndex]
    elsewhere: list[tuple[float, float]] = field(default_factory=list)


class Photographer:
    """Makes scenes, each from its own seed, so that any of them can be made again alone."""

    def __init__(self, art: Path, seed: int) -> None:
        self.art = art
        self.seed = seed

    def scene(self, number: int) -> Scene:
        """Scene `number` of this photographer."""
        return _Shot(Random(f"{self.seed}/{number}"), self.art).take()


class _Shot:
    def __init__(self, pick: Random, art: Path) -> None:
        self.pick = pick
        self.numbers = np.random.default_rng(pick.randrange(1 << 62))
        self.deck = Deck(pick, art, foreign=pick.random() < 0.09)
        self.indices: list[SeenIndex] = []
        self.elsewhere: list[tuple[float, float]] = []

    def take(self) -> Scene:
        pick = self.pick
        picture = ground(pick, self.numbers)
        owner = Image.new("L", (SIZE, SIZE))
        faces = self._cards()
        placed: list[tuple[Face, Matrix]] = []
        for place in self._places():
            homography = self.camera @ place
            quad = _project(homography, _outline(self.deck.width))
            if quad[:, 0].max() < 0 or quad[:, 1].max() < 0 or quad.min() > SIZE:
                continue
            if np.ptp(quad[:, 0]) > 3 * SIZE or np.ptp(quad[:, 1]) > 3 * SIZE or len(placed) > 16:
                continue
            face = next(faces)
            self._shadow(picture, quad)
            _lay(picture, owner, face.picture, homography, quad, len(placed) + 1)
            placed.append((face, homography))
        if pick.random() < 0.22:
            self._fingers(picture, owner)
        seen = np.asarray(owner)
        for number, (face, homography) in enumerate(placed, 1):
            self._note(face, homography, seen, number)
        return Scene(develop(picture, pick, self.numbers), self.indices, self.elsewhere)

    # --- what lies where

    def _cards(self) -> Iterator[Face]:
        pick = self.pick
        same_suit = pick.random() < 0.3
        suit = pick.choice("SHDC")
        while True:
            if pick.random() < 0.05:
                back = self.deck.back()
                yield Face(back, "", "", ())
                continue
            rank = JOKER if pick.random() < 0.045 else pick.choice(glyphs.RANKS)
            yield self.deck.face(rank, suit if same_suit else pick.choice("SHDC"))

    def _places(self) -> list[Matrix]:
        """Where cards lie on the table, in units of a card's height, and the camera over them."""
        pick = self.pick
        standard = self.deck.rank_height + self.deck.gap + self.deck.suit_height
        index = exp(pick.uniform(log(12.5), log(42)))
        scale = index / standard
        self._aim(scale)
        reach = SIZE / scale * 0.75
        how = pick.random()
        if how < 0.3:
            table = self._scattered(reach)
        elif how < 0.5:
            table = self._rows(reach, pick.uniform(0.85, 1.2), pick.uniform(1.02, 1.3))
        elif how < 0.68:
            table = self._rows(reach, pick.uniform(0.14, 0.5), pick.uniform(1.05, 1.5))
        elif how < 0.93:
            table = self._fan()
        else:
            table = self._rows(reach, 0.8, pick.uniform(0.2, 0.45))
        if pick.random() < 0.3:  # the upper left or the right side covers
            table.reverse()
        return table

    def _aim(self, scale: float) -> None:
        pick = self.pick
        turn = pick.gauss(0, 0.35) if pick.random() < 0.65 else pick.uniform(0, 2 * pi)
        tilt = abs(pick.gauss(0, 0.45))
        tilt = min(tilt, 1.05)
        axis = pi / 2 + pick.gauss(0, 0.4) if pick.random() < 0.6 else pick.uniform(0, 2 * pi)
        squash = cos(tilt)
        away = sin(tilt) * pick.uniform(0.05, 0.35) / SIZE
        rotate = _matrix(cos(turn), -sin(turn), 0, sin(turn), cos(turn), 0)
        c, s = cos(axis), sin(axis)
        along = _matrix(c, s, 0, -s, c, 0)
        tilted = np.array([[squash, 0, 0], [0, 1, 0], [away, 0, 1]])
        view = np.linalg.inv(along) @ tilted @ along
        center = _matrix(1, 0, SIZE / 2 + pick.uniform(-30, 30), 0, 1, SIZE / 2)
        # Tilting makes everything smaller; keep the size that was asked for, by and large.
        grow = scale / squash**0.5
        self.camera = center @ view @ rotate @ _matrix(grow, 0, 0, 0, grow, 0)

    def _card(self, x: float, y: float, turn: float) -> Matrix:
        """From pixels of a face to the table, for a card with its middle at x, y."""
        unit = 1 / HEIGHT
        c, s = cos(turn) * unit, sin(turn) * unit
        move = _matrix(c, -s, x, s, c, y)
        return move @ _matrix(1, 0, -self.deck.width / 2, 0, 1, -HEIGHT / 2)

    def _scattered(self, reach: float) -> list[Matrix]:
        pick = self.pick
        spread = 0.4 if pick.random() < 0.5 else pi
        count = min(int(reach * reach * 2.2) + 1, 14)
        return [
            self._card(
                pick.uniform(-reach, reach), pick.uniform(-reach, reach), pick.gauss(0, spread)
            )
            for _ in range(pick.randint(max(count // 2, 1), count))
        ]

    def _rows(self, reach: float, across: float, down: float) -> list[Matrix]:
        pick = self.pick
        across *= self.deck.width / HEIGHT
        wobble = pick.uniform(0, 0.12)
        x0, y0 = pick.uniform(0, across), pick.uniform(0, down)
        table: list[Matrix] = []
        y = -reach + y0
        while y < reach + 0.5 and len(table) < 40:
            x = -reach + x0
            while x < reach + 0.3:
                shift = pick.gauss(0, wobble * across * 0.5), pick.gauss(0, wobble * 0.3)
                turn = pick.gauss(0, wobble) + (pi if pick.random() < 0.12 else 0)
                table.append(self._card(x + shift[0], y + shift[1], turn))
                x += across * pick.uniform(0.9, 1.1)
            y += down
        return table

    def _fan(self) -> list[Matrix]:
        pick = self.pick
        table = []
        for _ in range(pick.choice([1, 1, 1, 2])):
            count, step = pick.randint(3, 13), pick.uniform(0.05, 0.22)
            radius = pick.uniform(0.45, 1.5)
            pivot_x, pivot_y = pick.gauss(0, 0.3), radius + pick.uniform(-0.5, 0.3)
            for i in range(count):
                turn = (i - count / 2) * step + pick.gauss(0, 0.02)
                out = radius + pick.gauss(0, 0.02)
                x, y = pivot_x + out * sin(turn), pivot_y - out * cos(turn)
                table.append(self._card(x, y, turn))
        return table

    # --- what hides and darkens

    def _shadow(self, picture: Image.Image, quad: Matrix) -> None:
        if self.pick.random() < 0.6:
            return
        dx, dy = self.pick.uniform(-4, 4), self.pick.uniform(-2, 5)
        shade = Image.new("L", (SIZE, SIZE))
        moved = [(x + dx, y + dy) for x, y in quad]
        ImageDraw.Draw(shade).polygon(moved, fill=self.pick.randint(50, 150))
        shade = shade.filter(ImageFilter.BoxBlur(self.pick.uniform(1, 4)))
        picture.paste((0, 0, 0), (0, 0), shade)

    def _fingers(self, picture: Image.Image, owner: Image.Image) -> None:
        pick = self.pick
        skin = pick.choice([(225, 175, 150), (200, 140, 110), (150, 95, 70), (90, 60, 45)])
        x, y = pick.uniform(0.1, 0.9) * SIZE, pick.uniform(0.5, 1.1) * SIZE
        turn = pick.uniform(-1, 1)
        thick = pick.uniform(14, 40)
        for i in range(pick.randint(1, 4)):
            base = x + i * thick * 1.1, y + pick.uniform(-10, 10)
            tip = base[0] - sin(turn) * 200, base[1] + cos(turn) * 200
            tone = tuple(min(max(c + pick.randint(-14, 14), 0), 255) for c in skin)
            for canvas, ink in ((picture, tone), (owner, 255)):
                draw = ImageDraw.Draw(canvas)
                draw.line([base, tip], fill=ink, width=int(thick))
                r = thick / 2
                draw.ellipse((base[0] - r, base[1] - r, base[0] + r, base[1] + r), fill=ink)
            nail = thick * 0.3
            draw = ImageDraw.Draw(picture)
            if pick.random() < 0.4:
                pale = tuple(min(c + 20, 255) for c in tone)
                draw.ellipse((base[0] - nail, base[1] - nail * 1.3, base[0] + nail,
                              base[1] + nail), fill=pale)  # fmt: skip

    # --- what can be seen

    def _note(self, face: Face, homography: Matrix, seen: NDArray[np.uint8], number: int) -> None:
        for index in face.indices:
            sign = -1 if index.upside_down else 1
            h = index.height * sign
            spots = np.array([(index.x, index.y), (index.x, index.y - h), (index.x + h, index.y)])
            middle, head, side = _project(homography, spots)
            grid = [
                (index.x + a * h * 0.6, index.y + b * h)
                for a in (-0.45, 0, 0.45)
                for b in (-0.47, -0.25, 0, 0.25, 0.47)
            ]
            points = _project(homography, np.array(grid)).round().astype(int)
            inside = (points >= 0).all(1) & (points < SIZE).all(1)
            points = points.clip(0, SIZE - 1)
            shown = (seen[points[:, 1], points[:, 0]] == number) & inside
            up, right = head - middle, side - middle
            self.indices.append(
                SeenIndex(
                    face.rank, face.suit, float(middle[0]), float(middle[1]),
                    (float(up[0]), float(up[1])), (float(right[0]), float(right[1])),
                    float(shown.mean()),
                )
            )  # fmt: skip
        for _ in range(1):  # somewhere on the card
            spot = np.array([[self.pick.uniform(0, self.deck.width), self.pick.uniform(0, HEIGHT)]])
            x, y = _project(homography, spot)[0]
            if 0 <= x < SIZE and 0 <= y < SIZE:
                self.elsewhere.append((float(x), float(y)))


def _matrix(a: float, b: float, c: float, d: float, e: float, f: float) -> Matrix:
    return np.array([[a, b, c], [d, e, f], [0, 0, 1]], float)


def _outline(width: int) -> Matrix:
    return np.array([(0, 0), (width, 0), (width, HEIGHT), (0, HEIGHT)], float)


def _project(homography: Matrix, points: Matrix) -> Matrix:
    flat = np.c_[points, np.ones(len(points))] @ homography.T
    seen: Matrix = flat[:, :2] / np.maximum(flat[:, 2:], 1e-6)
    return seen


def _lay(
    picture: Image.Image,
    owner: Image.Image,
    face: Image.Image,
    homography: Matrix,
    quad: Matrix,
    number: int,
) -> None:
    """Paste the face as the camera sees it, and note in `owner` whose pixels these are."""
    x0, y0 = (max(int(v) - 1, 0) for v in quad.min(0))
    x1, y1 = (min(int(v) + 2, SIZE) for v in quad.max(0))
    if x1 <= x0 or y1 <= y0:
        return
    # Shrunken a good deal, a face would shimmer: halve it first.
    shrink = hypot(*(quad[2] - quad[0])) / hypot(face.width, face.height)
    step = 1.0
    if shrink < 0.6:
        step = max(shrink * 1.4, 0.15)
        size = (max(int(face.width * step), 8), max(int(face.height * step), 8))
        step_x, step_y = size[0] / face.width, size[1] / face.height
        face = face.resize(size, Image.Resampling.BOX if step < 0.5 else Image.Resampling.BILINEAR)
        homography = homography @ np.diag([1 / step_x, 1 / step_y, 1])
    back = np.linalg.inv(homography) @ _matrix(1, 0, x0, 0, 1, y0)
    back /= back[2, 2]
    part = face.transform(
        (x1 - x0, y1 - y0), Image.Transform.PERSPECTIVE, back.flatten()[:8].tolist(),
        Image.Resampling.BILINEAR,
    )  # fmt: skip
    alpha = part.getchannel("A")
    picture.paste(part, (x0, y0), alpha)
    owner.paste(number, (x0, y0), alpha.point(lambda v: 255 if v > 100 else 0))


# --- grounds


def ground(pick: Random, numbers: np.random.Generator) -> Image.Image:
    """What cards lie on: cloth, wood, carpet, paper with print, patterns, a lit room."""
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


# --- light and lens


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
