"""Ranks and suits as masks: from fonts, from our own pen strokes and from our own outlines.

A mask is an 8-bit image, 255 where there is ink, cut to its ink and stretched by its user.
"""

# ruff: noqa: PLR0913, PLR0917 - geometry comes in sixes

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import cos, pi, sin
from pathlib import Path
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

Point = tuple[float, float]
Stroke = list[Point]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
COURT_LETTERS = ("V", "D", "R", "1", "B", "D", "B", "V", "H", "В", "Д", "Т", "Kn", "D", "E", "W",
                 "F", "C", "S", "L", "U", "O", "M", "P", "T")  # fmt: skip
"""How other languages letter the courts and the ace; more often those of more decks."""
FOREIGN = ("B", "D", "V", "R", "C", "T", "S", "Kn", "H", "P", "E", "M", "N", "F", "U", "O", "W",
           "L", "G", "X", "Z", "0", "1", "11", "12", "13", "15", "25", "В", "Д", "Т", "Ф", "Ж", "П",
           "ACE", "+2", "?", "!", "&", "@", "%")  # fmt: skip
FONT_FOLDERS = (Path("/usr/share/fonts"),)
# Families whose licenses allow what is made with them to be shipped; docs/camera.md names each.
FONT_FAMILIES = (
    "liberation", "freefont", "didot", "artemisia", "urw-base35", "fonts-oldstandard",
    "cmu", "lato", "opendin", "bebas-neue", "league-spartan", "cabin", "adf", "averia-gwf",
    "linux-libertine", "vollkorn", "yanone-kaffeesatz", "tuffy", "crosextra",
    "fonts-century-catalog", "sortsmill", "quattrocento", "dosis", "national-park", "play",
    "stix-word", "gentiumplus", "ebgaramond", "open-sans", "comfortaa", "lobstertwo",
    "courier-prime", "dejavu",
)  # fmt: skip
NO_LETTERS = ("Symbol", "D050000L", "Ornament", "Dingbat", "StandardSymbols", "Arrows", "Expert",
              "Initials", "Z003", "Math", "AltMono")  # fmt: skip
SUIT_FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "FreeSerif.ttf", "FreeSans.ttf",
              "FreeMono.ttf", "Symbola_hint.ttf")  # fmt: skip
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
OTHER_SIGNS = "★●■▲▼☀☂☎☘✂✚✦✿❀⚑⚙☾✈♞♜♫☮☯⚓⚔✊✋✌☁❄⌂☗◆◇♡♢♤♧"


@lru_cache(1)
def fonts() -> tuple[Path, ...]:
    """Every usable font of the families above, in a fixed order."""
    found = []
    for folder in FONT_FOLDERS:
        for path in sorted(folder.rglob("*.[to]tf")):
            family = path.parent.name
            named = any(family == name or family.startswith(name) for name in FONT_FAMILIES)
            if named and not any(word in path.name for word in NO_LETTERS):
                found.append(path)
    return tuple(found)


@lru_cache(256)
def _font(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size)


@lru_cache(1)
def suit_fonts() -> tuple[Path, ...]:
    """The fonts that bring the four suits."""
    return tuple(p for f in FONT_FOLDERS for p in sorted(f.rglob("*.ttf")) if p.name in SUIT_FONTS)


def cut(mask: Image.Image) -> Image.Image:
    """The mask without its empty borders."""
    box = mask.getbbox()
    return mask.crop(box) if box else mask.crop((0, 0, 1, 1))


def written(text: str, font: Path, weight: int = 0, size: int = 96) -> Image.Image:
    """A word in a font; `weight` pixels bolder, or thinner if it is negative."""
    face = _font(font, size)
    left, top, right, bottom = face.getbbox(text)
    mask = Image.new("L", (int(right - left) + 24, int(bottom - top) + 24))
    ink = max(weight, 0)
    ImageDraw.Draw(mask).text((12 - left, 12 - top), text, fill=255, font=face, stroke_width=ink)
    if weight < 0:
        mask = mask.filter(ImageFilter.MinFilter(3))
    return cut(mask)


# --- our own pen


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> Stroke:
    steps = 18
    angles = [start + (end - start) * i / steps for i in range(steps + 1)]
    return [(cx + rx * cos(a * pi / 180), cy + ry * sin(a * pi / 180)) for a in angles]


def _turned(strokes: Sequence[Stroke]) -> list[Stroke]:
    return [[(1 - x, 1 - y) for x, y in stroke] for stroke in strokes]


def _six(flat: bool) -> list[Stroke]:
    top = [(0.8, 0.0), (0.05, 0.6)] if flat else _arc(0.62, 0.62, 0.6, 0.62, 285, 180)
    return [top, _arc(0.5, 0.69, 0.48, 0.31, 0, 360)]


def _strokes(rank: str, pick: Random) -> tuple[list[Stroke], list[Point]]:  # noqa: PLR0911, PLR0912
    """The strokes of a rank in a unit square, and the ends that may carry serifs."""
    flat = pick.random() < 0.5
    match rank:
        case "A":
            bar = pick.uniform(0.6, 0.72)
            inset = bar / 2
            return [
                [(0, 1), (0.5, 0), (1, 1)],
                [(0.5 - inset, bar), (0.5 + inset, bar)],
            ], [(0, 1), (1, 1)]
        case "2":
            return [[*_arc(0.5, 0.29, 0.48, 0.29, 175, 375), (0.02, 1), (1, 1)]], []
        case "3":
            if flat:
                bowl = _arc(0.48, 0.69, 0.5, 0.31, 255, 510)
                return [[(0.05, 0), (0.92, 0), (0.42, 0.39), *bowl]], []
            upper = _arc(0.47, 0.25, 0.43, 0.25, 190, 430)
            return [upper, _arc(0.47, 0.72, 0.5, 0.28, 280, 525)], []
        case "4":
            return [[(0.75, 1), (0.75, 0), (0, 0.72), (1, 0.72)]], [(0.75, 1)]
        case "5":
            belly = _arc(0.46, 0.68, 0.5, 0.32, 220, 515)
            return [[(0.9, 0), (0.16, 0), (0.12, 0.44), *belly]], []
        case "6":
            return _six(flat), []
        case "7":
            hook = [(0.0, 0.14)] if pick.random() < 0.5 else []
            dash = [[(0.35, 0.5), (0.85, 0.5)]] if pick.random() < 0.1 else []
            return [[*hook, (0, 0), (1, 0), (pick.uniform(0.25, 0.5), 1)], *dash], []
        case "8":
            return [_arc(0.5, 0.25, 0.42, 0.25, 0, 360), _arc(0.5, 0.75, 0.5, 0.25, 0, 360)], []
        case "9":
            return _turned(_six(flat)), []
        case "10":
            one: Stroke = [(0.14, 1), (0.14, 0)]
            if pick.random() < 0.4:
                one.append((0.0, 0.15))
            return [one, _arc(0.7, 0.5, 0.3, 0.5, 0, 360)], [(0.14, 1)]
        case "J":
            return [[(0.75, 0), (0.75, 0.72), *_arc(0.38, 0.72, 0.37, 0.28, 0, 170)]], [(0.75, 0)]
        case "Q":
            tail = [(0.5, 0.68), (1, 1)] if flat else [(0.3, 0.75), (0.55, 0.8), (0.9, 1.05)]
            return [_arc(0.5, 0.48, 0.48, 0.48, 0, 360), tail], []
        case _:
            ends = [(0.15, 0.0), (0.15, 1.0), (0.9, 0.0), (0.95, 1.0)]
            return [
                [(0.15, 0), (0.15, 1)], [(0.9, 0), (0.15, 0.62)], [(0.38, 0.44), (0.95, 1)],
            ], ends  # fmt: skip


def penned(rank: str, pick: Random, pen: float, serif: float) -> Image.Image:
    """A rank drawn with a pen `pen` wide, of a height of one, with serifs `serif` long."""
    strokes, ends = _strokes(rank, pick)
    wide, high = 120, 170
    mask = Image.new("L", (wide + 80, high + 80))
    draw = ImageDraw.Draw(mask)
    width = max(int(pen * high), 3)

    def at(point: Point) -> Point:
        return 40 + point[0] * wide, 40 + point[1] * high

    for stroke in strokes:
        draw.line([at(p) for p in stroke], fill=255, width=width, joint="curve")
    for x, y in ends if serif else []:
        left, right = at((x - serif, y)), at((x + serif, y))
        draw.line([left, right], fill=255, width=int(width * 0.8) + 1)
    return cut(mask)


# --- suits


def _curve(a: Point, b: Point, c: Point, d: Point) -> Stroke:
    points = []
    for i in range(15):
        t = i / 14
        s = 1 - t
        w = (s**3, 3 * s * s * t, 3 * s * t * t, t**3)
        points.append(
            tuple(sum(k * p[j] for k, p in zip(w, (a, b, c, d), strict=True)) for j in (0, 1))
        )
    return points  # type: ignore[return-value]


def _mirrored(half: Stroke) -> Stroke:
    return half + [(1 - x, y) for x, y in reversed(half)]


def _heart(pick: Random) -> Stroke:
    dip, lobe, belly = pick.uniform(0.12, 0.3), pick.uniform(-0.08, 0.0), pick.uniform(0.45, 0.65)
    upper = _curve((0.5, dip), (0.42, lobe), (0.0, lobe - 0.02), (0.0, 0.33))
    return _mirrored(upper + _curve((0.0, 0.33), (0.0, belly), (0.36, 0.72), (0.5, 1.0)))


def _stem(pick: Random) -> Stroke:
    foot, waist = pick.uniform(0.14, 0.32), pick.uniform(0.02, 0.07)
    return _mirrored(_curve((0.5 - waist, 0.5), (0.5 - waist, 0.8), (0.46, 0.95), (0.5 - foot, 1)))


def _diamond(pick: Random) -> Stroke:
    bend = pick.choice([0.0, 0.0, pick.uniform(-0.03, 0.12)])
    near = 0.25 + bend
    corners = [(0.5, 0.0), (near, near), (0.0, 0.5), (near, 1 - near), (0.5, 1.0)]
    half = _curve(corners[0], (0.4 + bend / 2, 0.15 + bend), corners[1], corners[2])
    return _mirrored(half + [(x, 1 - y) for x, y in reversed(half)])


def drawn_suit(suit: str, pick: Random, size: int = 160) -> Image.Image:
    """One of the four suits by our own outline, a little different each time."""
    mask = Image.new("L", (size + 8, size + 8))
    draw = ImageDraw.Draw(mask)

    def fill(points: Stroke) -> None:
        draw.polygon([(4 + x * size, 4 + y * size) for x, y in points], fill=255)

    if suit == "D":
        fill(_diamond(pick))
    elif suit == "H":
        fill(_heart(pick))
    elif suit == "S":
        top = pick.uniform(0.8, 0.92)
        fill([(x, (1 - y) * top) for x, y in _heart(pick)])
        fill(_stem(pick))
    else:
        r, up, side = pick.uniform(0.2, 0.27), pick.uniform(0.22, 0.27), pick.uniform(0.55, 0.66)
        reach = pick.uniform(0.22, 0.29)
        for cx, cy in ((0.5, up), (0.5 - reach, side), (0.5 + reach, side)):
            draw.ellipse([4 + (cx - r) * size, 4 + (cy - r) * size,
                          4 + (cx + r) * size, 4 + (cy + r) * size], fill=255)  # fmt: skip
        fill([(0.42, 0.4), (0.58, 0.4), (0.6, 0.62), (0.4, 0.62)])
        fill(_stem(pick))
    return cut(mask)


def suit_mask(suit: str, pick: Random) -> Image.Image:
    """A suit as decks print it: by our outline two times of three, from a font otherwise."""
    if pick.random() < 0.66:
        return drawn_suit(suit, pick)
    return written(SUIT_SIGNS[suit], pick.choice(suit_fonts()), 0, 128)


def _blob(pick: Random, size: int = 120) -> Image.Image:
    mask = Image.new("L", (size, size))
    draw = ImageDraw.Draw(mask)
    spokes = pick.randint(3, 9)
    inner = pick.uniform(0.2, 0.9)
    points = []
    for i in range(spokes * 2):
        radius = size * (0.48 if i % 2 else 0.48 * inner)
        angle = i * pi / spokes
        points.append((size / 2 + radius * sin(angle), size / 2 + radius * cos(angle)))
    draw.polygon(points, fill=255)
    if pick.random() < 0.4:
        hole = size * pick.uniform(0.1, 0.3)
        draw.ellipse([size / 2 - hole, size / 2 - hole, size / 2 + hole, size / 2 + hole], fill=0)
    return cut(mask)


def other_sign(pick: Random) -> Image.Image:
    """A sign that is none of the four suits: as on Janken cards, Uno cards or tarot."""
    if pick.random() < 0.4:
        return _blob(pick)
    sign = written(pick.choice(OTHER_SIGNS[:-4]), pick.choice(suit_fonts()), 0, 110)
    return sign if min(sign.size) > 8 else _blob(pick)


def rank_writer(pick: Random) -> Callable[[str], Image.Image]:
    """One deck's way of writing ranks: a font at a weight, or our pen with its own hand."""
    if pick.random() < 0.3:
        pen, serif = pick.uniform(0.05, 0.17), pick.choice([0, 0, pick.uniform(0.15, 0.35)])
        hand = pick.randrange(1 << 30)
        font = pick.choice(fonts())
        return lambda rank: (
            penned(rank, Random(hand), pen, serif) if rank in RANKS else written(rank, font)
        )
    font, weight = pick.choice(fonts()), pick.choice([-1, 0, 0, 0, 0, 1, 2, 4])
    return lambda rank: written(rank, font, weight)


def hollow(mask: Image.Image) -> Image.Image:
    """Only the outline of the mask."""
    return ImageChops.subtract(mask, mask.filter(ImageFilter.MinFilter(9)))
