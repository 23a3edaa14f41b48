"""Made-up photos: cards laid on made-up grounds, seen by a made-up camera, with what they show."""

# ruff: noqa: PLR0913, PLR0917 - geometry comes in sixes

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import cos, exp, hypot, log, pi, sin
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from tests.extras.camera.training import glyphs
from tests.extras.camera.training.faces import HEIGHT, JOKER, Deck, Face
from tests.extras.camera.training.grounds import SIZE, ground
from tests.extras.camera.training.light import develop

Matrix = NDArray[np.float64]


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
    """Makes scenes, each from its own seed, so that any of them can be made again alone.

    `foreign` is the share of decks that are to be refused.
    """

    def __init__(self, art: Path, seed: int, foreign: float = 0.09) -> None:
        self.art = art
        self.seed = seed
        self.foreign = foreign

    def scene(self, number: int) -> Scene:
        """Scene `number` of this photographer."""
        return _Shot(Random(f"{self.seed}/{number}"), self.art, self.foreign).take()


class _Shot:
    def __init__(self, pick: Random, art: Path, foreign: float) -> None:
        self.pick = pick
        self.numbers = np.random.default_rng(pick.randrange(1 << 62))
        self.deck = Deck(pick, art, foreign=pick.random() < foreign)
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
        on_card = np.array([[self.pick.uniform(0, self.deck.width), self.pick.uniform(0, HEIGHT)]])
        x, y = _project(homography, on_card)[0]
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
