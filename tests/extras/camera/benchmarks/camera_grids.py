"""Grids of nine photographed from every side: `python -m benchmarks camera-grids`.

Grids of Colorado Nines are laid by hand, each card up to `SLOP` off its place and a little turned,
on a table that is then photographed from any of its four sides, askew, and from above or aslant.
In some a card lies on its side, in some one was taken away. Half of them are of drawn cards, and
with `--photos DIR` half of real ones, cut out of its photos of single cards (`camera`).

A grid counts as wrong if it would be scored by other columns than it has, and nothing on the page
says that something may be wrong.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from pathlib import Path
from random import Random
from statistics import median

import click
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from referee.extras.camera.cards import Sight, in_notation, sight
from referee.extras.camera.vision.cards import SeenCard, offset, opposite_corners, put_together
from referee.extras.camera.vision.corners import Photo, find, read_corners
from referee.extras.camera.vision.photo import open_photo
from referee.extras.camera.vision.reading import read
from referee.rules.cards.card_keys import GRID_KEYS
from tests.extras.camera import drawn
from tests.extras.camera.benchmarks.scoring import labeled_photos, markdown, photos_option

MM = 4  # pixels
SLOP = 12.0  # mm
CARD = tuple(side / MM for side in drawn.CARD)
GAPS = (6.0, 22.0)  # mm between the places of a grid
SIDE = 1600  # pixels of the finished photo's longer side
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
#: Where the indices of the single cards lie: of the card's width and height, from its corner.
MARGIN = (0.105, 0.165)


@dataclass(frozen=True)
class Laid:
    """A photo of a grid, its columns of ranks ("" where no card is), and the side it is from."""

    photo: bytes
    columns: tuple[tuple[str, ...], ...]
    side: int


def laid(number: int, real: Mapping[str, Image.Image]) -> Laid:
    """The grid of this number; `real` are pictures of cards by name, if any."""
    chance = Random(number)
    of_real = bool(real) and number % 2 == 1
    cards = _nine(chance, sorted(real) if of_real else [])
    taken = chance.sample(range(9), chance.choice([0, 0, 0, 0, 0, 0, 1, 2]))
    aside = {chance.randrange(9)} if chance.random() < 0.2 else set()
    gap, across = chance.uniform(*GAPS), chance.uniform(*GAPS)
    pitch = CARD[0] + across, CARD[1] + gap
    half = round(2.1 * pitch[1] * MM)
    table = cloth(2 * half, chance)
    for at in chance.sample(range(9), 9):
        if at in taken:
            continue
        x = (at % 3 - 1) * pitch[0] + chance.uniform(-SLOP, SLOP)
        y = (at // 3 - 1) * pitch[1] + chance.uniform(-SLOP, SLOP)
        face = real[cards[at]] if of_real else drawn_face(cards[at])
        turn = chance.gauss(0, 4) + 180 * chance.randrange(2) + 90 * (at in aside)
        turned = face.rotate(turn, Image.Resampling.BICUBIC, expand=True)
        place = round(half + x * MM - turned.width / 2), round(half + y * MM - turned.height / 2)
        table.paste(turned, place, turned)
    side = 90 * chance.randrange(4)
    photo = photographed(table, side + chance.uniform(-15, 15), chance)
    ranks = ["" if at in taken else in_notation(cards[at], GRID_KEYS) or "" for at in range(9)]
    columns = tuple(tuple(ranks[across::3]) for across in range(3))
    return Laid(drawn.saved(photo, quality=85), columns, side)


def _nine(chance: Random, names: Sequence[str]) -> list[str]:
    """Nine cards row by row, often several of a rank in a column."""
    by_rank: dict[str, list[str]] = {}
    for name in names or [rank + suit for rank in RANKS for suit in "SHDC"]:
        by_rank.setdefault(name[:-1], []).append(name)
    columns = []
    for _ in range(3):
        ranks = [chance.choice(sorted(by_rank)) for _ in range(3)]
        if chance.random() < 0.6:
            ranks[1] = ranks[0]
            ranks[2] = ranks[0] if chance.random() < 0.6 else ranks[2]
        cards = [chance.choice(by_rank[rank]) for rank in ranks]
        if not names and chance.random() < 0.15:
            cards[chance.randrange(3)] = "*"
        columns.append(cards)
    return [columns[at % 3][at // 3] for at in range(9)]


def drawn_face(card: str) -> Image.Image:
    """A drawn card; a joker has the word in its corners."""
    if card != "*":
        return drawn.card(card)
    face, corner = drawn.card("*"), Image.new("RGBA", drawn.CARD)
    ImageDraw.Draw(face).rectangle((8, 8, 70, 120), fill="white")
    ImageDraw.Draw(face).rectangle((180, 230, 240, 340), fill="white")
    for i, letter in enumerate("JOKER"):
        ImageDraw.Draw(corner).text(
            (30, 26 + 23 * i), letter, drawn.RED, ImageFont.load_default(24), "mm"
        )
    face.alpha_composite(corner)
    face.alpha_composite(corner.rotate(180))
    return face


def cloth(side: int, chance: Random) -> Image.Image:
    """An empty table, grainy, of one of four colors."""
    color = np.array(chance.choice([drawn.CLOTH, (120, 80, 50), (205, 200, 190), (30, 30, 35)]))
    grain = np.random.default_rng(chance.randrange(1 << 32)).normal(0, 6, (side, side, 1))
    return Image.fromarray((color + grain).clip(0, 255).astype(np.uint8))


def photographed(
    table: Image.Image, turn: float, chance: Random, longest: int = SIDE
) -> Image.Image:
    """The table seen from one side, aslant: its far edge is up to a quarter shorter."""
    half, far = table.width / 2, chance.uniform(0, 0.25)
    size = round(1.8 * half)
    c, s = cos(radians(turn)), sin(radians(turn))
    # The place on the table of each corner of the photo.
    corners = []
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        wide, low = half * (1 + far / 2) * (1 if y < 0 else 1 - far), half * (1 + far / 2)
        a, b = x * wide, y * low
        corners.append((half + a * c - b * s, half + a * s + b * c))
    move = _perspective([(0, 0), (size, 0), (size, size), (0, size)], corners)
    ground = table.getpixel((2, 2))
    photo = table.transform(
        (size, size), Image.Transform.PERSPECTIVE, move, Image.Resampling.BICUBIC, fillcolor=ground
    )
    photo = photo.filter(ImageFilter.GaussianBlur(chance.uniform(0.3, 1.5)))
    return photo.resize((longest, longest), Image.Resampling.BOX).point(
        _light(chance.uniform(0.6, 1))
    )


def _light(share: float) -> list[int]:
    return [int(value * share) for value in range(256)] * 3


def _perspective(
    of_photo: Sequence[tuple[float, float]], on_table: Sequence[tuple[float, float]]
) -> tuple[float, ...]:
    """The eight coefficients by which Pillow maps pixels of the photo to the table."""
    rows, wanted = [], []
    for (x, y), (u, v) in zip(of_photo, on_table, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        wanted += [u, v]
    return tuple(np.linalg.solve(np.array(rows, float), np.array(wanted, float)))


# --- real cards, cut out of photos that show one


def cut_out(folder: Path) -> dict[str, Image.Image]:
    """Pictures of the single cards that labels.csv names with their suits, upright, by name."""
    pictures = {}
    for photo in labeled_photos(folder):
        if len(photo.cards) == 1 and "?" not in photo.cards[0]:
            picture = _cut(photo.file)
            if picture is not None:
                pictures[photo.cards[0]] = picture
    return pictures


def _cut(path: Path) -> Image.Image | None:
    pixels, _ = open_photo(path.read_bytes())
    seen = Photo(pixels)
    cards: list[SeenCard] = put_together(read_corners(seen, find(seen)), 1)
    pair = opposite_corners(cards[0]) if len(cards) == 1 else None
    if pair is None:
        return None
    one, _ = pair
    across, down = offset(*pair)
    side = one.spot.right * across / (1 - 2 * MARGIN[0])
    long = -one.spot.up * down / (1 - 2 * MARGIN[1])
    corner = one.spot.middle - side * MARGIN[0] - long * MARGIN[1]
    wide, high = drawn.CARD
    move = (side[0] / wide, long[0] / high, corner[0], side[1] / wide, long[1] / high, corner[1])
    face = Image.fromarray(pixels).transform(
        drawn.CARD, Image.Transform.AFFINE, move, Image.Resampling.BICUBIC
    )
    mask = Image.new("L", drawn.CARD)
    ImageDraw.Draw(mask).rounded_rectangle((3, 3, wide - 4, high - 4), 14, fill=255)
    face.putalpha(mask)
    return face


# --- how each is scored

OUTCOMES = {
    "right": "every card in its column, with its rank",
    "in doubt": "a card that was misread is in doubt",
    "missing": "the others are right, and it says how many are missing",
    "asked": "it asks which way the columns run",
    "refused": "it says that they aren't laid out three by three",
    "wrong": "wrong, and nothing says so",
}


def outcome(grid: Laid, seen: Sight) -> str:
    """The outcome of reading the grid, one of `OUTCOMES`."""
    if seen.grid is None:
        return "refused"
    if not seen.upright:
        return "asked"
    placed = [(at % 3, card, at in seen.mended.doubts) for at, card in enumerate(seen.mended.cards)]
    cards = [(column, card) for column, card, _ in placed if card]
    sure = [(column, card) for column, card, doubtful in placed if card and not doubtful]
    lie = [(column, rank) for column, own in enumerate(grid.columns) for rank in own if rank]
    # Seen from the other side, the last column is the first.
    for truth in (Counter(lie), Counter((2 - column, rank) for column, rank in lie)):
        if Counter(cards) == truth:
            return "right"
        if Counter(sure) <= truth:
            return "in doubt" if len(cards) == len(lie) else "missing"
    return "wrong"


@click.command()
@photos_option("Photos with their labels.csv, of which those of single cards are cut out.")
@click.option("--grids", type=click.IntRange(1), default=200, show_default=True)
@click.option("--each", is_flag=True, help="Name each grid that was not read wholly right.")
def main(folder: Path | None, grids: int, each: bool) -> None:
    """Read grids photographed from every side, and count the outcomes."""
    real = cut_out(folder) if folder else {}
    counts = {side: Counter[str]() for side in (0, 90, 180, 270)}
    seconds = []
    for number in range(grids):
        grid = laid(number, real)
        begun = time.process_time()
        seen = sight(read(grid.photo, packs=3), GRID_KEYS)
        seconds.append(time.process_time() - begun)
        counts[grid.side][became := outcome(grid, seen)] += 1
        if each and became != "right":
            click.echo(f"{number}: {became}: {grid.columns} was read as {seen.mended.cards}")
    rows = [*((f"{side}°", count) for side, count in counts.items()),
            ("all", sum(counts.values(), Counter[str]()))]  # fmt: skip
    lines = [(name, *(count[outcome] for outcome in OUTCOMES)) for name, count in rows]
    click.echo(markdown(("seen from", *OUTCOMES), lines))
    click.echo(f"The middle one took {median(seconds):.2f} s.")
