"""Whole card faces of made-up decks, each with the places of its corner indices."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from tests.extras.camera.training import glyphs

HEIGHT = 320
"""Of a face, in pixels."""
JOKER = "*"
OTHER = "?"
"""A rank or suit that is none of ours: to be refused."""
Color = tuple[int, int, int]


@dataclass(frozen=True)
class Index:
    """One corner index on a face: its middle, its height, and whether it is upside down."""

    x: float
    y: float
    height: float
    upside_down: bool


@dataclass(frozen=True)
class Face:
    """A drawn card: picture (RGBA), rank and suit, indices."""

    picture: Image.Image
    rank: str
    suit: str
    indices: tuple[Index, ...]


@lru_cache(1)
def court_art(folder: Path) -> dict[str, Image.Image]:
    """The pictures within the frames of CC0 court cards, and two jokers, by name."""
    art = {}
    for path in sorted(folder.glob("*.png")):
        with Image.open(path) as picture:
            whole = picture.convert("RGBA")
        plain = Image.new("RGBA", whole.size, "white")
        plain.alpha_composite(whole)
        box = (0.156, 0.114, 0.844, 0.886)
        w, h = whole.size
        art[path.stem] = plain.convert("RGB").crop(
            (int(box[0] * w), int(box[1] * h), int(box[2] * w), int(box[3] * h))
        )
    return art


PIPS = {
    "A": ((1, 0.5),), "2": ((1, 0.0), (1, 1.0)), "3": ((1, 0.0), (1, 0.5), (1, 1.0)),
    "4": ((0, 0.0), (2, 0.0), (0, 1.0), (2, 1.0)),
    "5": ((0, 0.0), (2, 0.0), (1, 0.5), (0, 1.0), (2, 1.0)),
    "6": ((0, 0.0), (2, 0.0), (0, 0.5), (2, 0.5), (0, 1.0), (2, 1.0)),
    "7": ((0, 0.0), (2, 0.0), (1, 0.25), (0, 0.5), (2, 0.5), (0, 1.0), (2, 1.0)),
    "8": ((0, 0.0), (2, 0.0), (1, 0.25), (0, 0.5), (2, 0.5), (1, 0.75), (0, 1.0), (2, 1.0)),
    "9": ((0, 0.0), (2, 0.0), (0, 0.33), (2, 0.33), (1, 0.5), (0, 0.67), (2, 0.67), (0, 1.0),
          (2, 1.0)),
    "10": ((0, 0.0), (2, 0.0), (1, 0.17), (0, 0.33), (2, 0.33), (0, 0.67), (2, 0.67), (1, 0.83),
           (0, 1.0), (2, 1.0)),
}  # fmt: skip


def _tint(pick: Random, color: Color, by: int = 30) -> Color:
    r, g, b = (min(max(c + pick.randint(-by, by), 0), 255) for c in color)
    return r, g, b


class Deck:
    """A made-up deck: one way of drawing every card.

    Args: `pick` decides everything; `art` is the folder of court pictures; `foreign` makes a deck
    that must be refused (other letters, or other signs than the four suits).
    """

    def __init__(self, pick: Random, art: Path, foreign: bool = False) -> None:
        self.pick = pick
        self.art = court_art(art)
        self.foreign = foreign
        self.other_suits = foreign and pick.random() < 0.4
        self.write = glyphs.rank_writer(pick)
        self.width = int(HEIGHT * pick.choice([0.716, 0.716, 0.716, 0.65, 0.63, 0.75]))
        self._colors()
        self._measures()
        self.suits = {s: glyphs.suit_mask(s, pick) for s in "SHDC"}
        if self.other_suits:
            self.suits = {s: glyphs.other_sign(pick) for s in "SHDC"}
        self.pips = self.suits if pick.random() < 0.8 or self.other_suits else {
            s: glyphs.suit_mask(s, pick) for s in "SHDC"
        }  # fmt: skip
        self.drawn: dict[str, Face] = {}

    def _colors(self) -> None:
        pick = self.pick
        self.paper = _tint(pick, (248, 248, 246), 7)
        black = _tint(pick, (22, 22, 26), 20)
        red = _tint(pick, pick.choice([(205, 25, 35), (225, 40, 45), (180, 20, 30)]), 25)
        self.inks = {"S": black, "C": black, "H": red, "D": red}
        how = pick.random()
        if how < 0.12:
            self.inks["D"] = _tint(pick, pick.choice([(30, 70, 200), (235, 120, 20)]), 30)
            self.inks["C"] = _tint(pick, (20, 130, 50), 30)
        elif how < 0.14:
            self.inks = {s: _tint(pick, (110, 90, 110), 90) for s in "SHDC"}
        if self.foreign and pick.random() < 0.4:
            self.inks = {s: _tint(pick, (110, 90, 110), 100) for s in "SHDC"}
        if pick.random() < 0.02 and not self.foreign:
            self.paper = _tint(pick, (25, 25, 28), 15)
            self.inks.update(S=(225, 225, 220), C=(225, 225, 220))

    def _measures(self) -> None:
        pick = self.pick
        jumbo = pick.random() < 0.22
        self.rank_height = pick.uniform(0.16, 0.27) if jumbo else pick.uniform(0.075, 0.15)
        self.suit_height = self.rank_height * pick.uniform(0.5, 1.05)
        self.gap = self.rank_height * pick.uniform(0.03, 0.32)
        self.rank_width = self.rank_height * pick.uniform(0.42, 0.85)
        self.ten = pick.uniform(0.95, 1.5)
        self.left = pick.uniform(0.02, 0.06)
        self.top = pick.uniform(0.02, 0.06)
        self.four = pick.random() < 0.27
        self.diagonal = 0.0 if pick.random() < 0.72 else pick.uniform(-0.5, 0.7)
        self.beside = pick.random() < 0.03
        self.pip_height = pick.uniform(0.13, 0.2)
        self.pip_columns = pick.uniform(0.27, 0.36), pick.uniform(0.13, 0.2)
        # Pips may touch the index, and are seldom under it.
        reach = self.left + self.rank_width * (1 if pick.random() < 0.9 else 0.6)
        inner = (reach + self.pip_height * 0.45) * HEIGHT / self.width
        self.pip_columns = max(self.pip_columns[0], inner), self.pip_columns[1]
        self.no_pips = pick.random() < (0.25 if jumbo else 0.06) or inner > 0.42
        self.giant_pip = self.no_pips and pick.random() < 0.6
        self.frame = pick.random() < 0.85
        self.border = pick.random() < 0.12
        self.art_shift = pick.random() < 0.35

    def face(self, rank: str, suit: str) -> Face:
        """The card of that rank (`*` a joker) and suit; what is refused bears `?`."""
        name = rank + suit
        if name not in self.drawn:
            self.drawn[name] = self._draw(rank, suit)
        return self.drawn[name]

    def _draw(self, rank: str, suit: str) -> Face:
        card = Image.new("RGB", (self.width, HEIGHT), self.paper)
        if rank == JOKER:
            self._joker_picture(card)
        elif rank in PIPS:
            self._pips(card, rank, suit)
        else:
            self._court(card, rank, suit)
        stamp, label, sign = self._index(rank, suit)
        indices = self._stamp(card, stamp)
        if self.border:
            inset = self.pick.randint(3, 8)
            box = (inset, inset, self.width - inset, HEIGHT - inset)
            ImageDraw.Draw(card).rectangle(box, outline=_tint(self.pick, (90, 90, 90), 80), width=2)
        return Face(self._rounded(card), label, sign, indices)

    def _rounded(self, card: Image.Image) -> Image.Image:
        picture = card.convert("RGBA")
        alpha = Image.new("L", card.size)
        radius = int(HEIGHT * self.pick.uniform(0.02, 0.05))
        draw = ImageDraw.Draw(alpha)
        draw.rounded_rectangle((0, 0, card.width - 1, card.height - 1), radius, fill=255)
        shade = self.pick.randint(90, 230)
        ImageDraw.Draw(picture).rounded_rectangle(
            (0, 0, card.width - 1, card.height - 1), radius, outline=(shade, shade, shade, 255)
        )
        picture.putalpha(alpha)
        return picture

    # --- indices

    def _index(self, rank: str, suit: str) -> tuple[Image.Image, str, str]:
        """The stamp for each corner (RGBA), with the rank and suit it counts as."""
        if rank == JOKER:
            return self._joker_index(), JOKER, OTHER
        text, label = rank, rank
        if self.foreign and not self.other_suits:
            courts = self.pick.random() < 0.65
            text, label = (
                self.pick.choice(glyphs.COURT_LETTERS if courts else glyphs.FOREIGN),
                OTHER,
            )
        ink = self.inks[suit]
        high = max(int(self.rank_height * HEIGHT), 8)
        wide = int(self.rank_width * HEIGHT * (self.ten if len(text) > 1 else 1))
        mask = self.write(text)
        natural = high * mask.width / mask.height
        wide = int(0.35 * natural + 0.65 * wide) if text not in ("J", "1") else int(natural)
        rank_mask = mask.resize((max(min(wide, high * 2), 4), high), Image.Resampling.LANCZOS)
        suit_mask = self.suits[suit]
        size = max(int(self.suit_height * HEIGHT), 6)
        broad = max(int(size * min(max(suit_mask.width / suit_mask.height, 0.6), 1.5)), 5)
        suit_mask = suit_mask.resize((broad, size), Image.Resampling.LANCZOS)
        stamp = self._together(rank_mask, suit_mask, ink)
        return stamp, label, OTHER if self.other_suits else suit

    def _together(self, rank: Image.Image, suit: Image.Image, ink: Color) -> Image.Image:
        gap = int(self.gap * HEIGHT)
        if self.beside:
            size = (rank.width + gap + suit.width, max(rank.height, suit.height))
            places = (0, 0), (rank.width + gap, (rank.height - suit.height) // 2)
        else:
            wide = max(rank.width, suit.width)
            shift = int(self.diagonal * rank.height)
            size = (wide + abs(shift), rank.height + gap + suit.height)
            base = max(-shift, 0)
            places = (
                (base + (wide - rank.width) // 2, 0),
                (base + shift + (wide - suit.width) // 2, rank.height + gap),
            )
        mask = Image.new("L", size)
        for part, place in zip((rank, suit), places, strict=True):
            mask.paste(part, (place[0], max(place[1], 0)))
        stamp = Image.new("RGBA", size, (*ink, 0))
        stamp.putalpha(mask)
        return stamp

    def _joker_index(self) -> Image.Image:
        pick = self.pick
        ink = pick.choice([self.inks["S"], self.inks["H"], _tint(pick, (90, 60, 140), 60)])
        how = pick.random()
        if how < 0.6:  # the word, letter under letter
            word = pick.choice(["JOKER"] * 6 + ["JOLLY", "Joker"])
            letters = [self.write(c) for c in word.upper()]
            high = int(HEIGHT * pick.uniform(0.035, 0.06))
            wide = int(high * pick.uniform(0.6, 1.1))
            mask = Image.new("L", (wide, int(high * 1.2) * len(letters)))
            for i, letter in enumerate(letters):
                mask.paste(letter.resize((wide, high)), (0, int(high * 1.2) * i))
        elif how < 0.75:  # the word, turned
            word_mask = self.write("JOKER").transpose(Image.Transpose.ROTATE_270)
            high = int(HEIGHT * pick.uniform(0.2, 0.35))
            mask = word_mask.resize((max(high // 5, 8), high), Image.Resampling.LANCZOS)
        else:  # a star, over the word or alone
            size = int(HEIGHT * pick.uniform(0.08, 0.14))
            star = glyphs.written("★", glyphs.suit_fonts()[0], 0, 110).resize((size, size))
            word_mask = self.write("JOKER").resize((int(size * 1.3), size // 2))
            mask = Image.new("L", (int(size * 1.3), size + size // 2 + 4))
            mask.paste(star, (int(size * 0.15), 0))
            if pick.random() < 0.7:
                mask.paste(word_mask, (0, size + 4))
            else:
                mask = mask.crop((0, 0, mask.width, size))
        stamp = Image.new("RGBA", mask.size, (*ink, 0))
        stamp.putalpha(mask)
        return stamp

    def _stamp(self, card: Image.Image, stamp: Image.Image) -> tuple[Index, ...]:
        w, h = card.size
        left = int(self.left * HEIGHT)
        slack = int(self.rank_width * HEIGHT) + left * 2 - stamp.width
        x = max(slack // 2, 2) if not self.diagonal else left
        y = int(self.top * HEIGHT)
        turned = stamp.transpose(Image.Transpose.ROTATE_180)
        places = [(x, y, False), (w - x - stamp.width, h - y - stamp.height, True)]
        if self.four:
            places += [(w - x - stamp.width, y, False), (x, h - y - stamp.height, True)]
        indices = []
        for px, py, upside_down in places:
            picture = turned if upside_down else stamp
            if self.pick.random() < 0.12:  # some decks clear the ground behind the index
                card.paste(self.paper, (px - 2, py - 2, px + stamp.width + 2, py + stamp.height))
            card.paste(picture, (px, py), picture)
            middle = px + stamp.width / 2, py + stamp.height / 2
            indices.append(Index(*middle, stamp.height, upside_down))
        return tuple(indices)

    # --- what lies between the corners

    def _pips(self, card: Image.Image, rank: str, suit: str) -> None:
        pick, (w, h) = self.pick, card.size
        ink, mask = self.inks[suit], self.pips[suit]
        size = int(self.pip_height * h)
        places = PIPS[rank]
        if rank == "A":
            size = int(size * pick.uniform(1, 3.2))
            if suit == "S" and pick.random() < 0.5:
                size = int(h * pick.uniform(0.3, 0.5))
                if pick.random() < 0.5:
                    mask = glyphs.hollow(mask)
        elif self.giant_pip:
            size, places = int(h * pick.uniform(0.3, 0.5)), ((1, pick.uniform(0.5, 1.0)),)
        elif self.no_pips:
            return
        side, top = self.pip_columns
        columns = (side * w, 0.5 * w, (1 - side) * w)
        wide = max(int(size * mask.width / mask.height), 4)
        pip = mask.resize((wide, size), Image.Resampling.BILINEAR)
        if rank == "A" and suit == "S" and pick.random() < 0.4:  # a maker's ornate ace
            drawing = _crowd((wide, size), pick, self.paper).convert("L")
            pip = ImageChops.multiply(pip, drawing.point(lambda v: 255 - v // 2))
        head_down = pip.transpose(Image.Transpose.ROTATE_180)
        for column, down in places:
            y = (top + down * (1 - 2 * top)) * h
            shape = head_down if down > 0.5 else pip
            card.paste(ink, (int(columns[column] - wide / 2), int(y - size / 2)), shape)

    def _court(self, card: Image.Image, rank: str, suit: str) -> None:
        pick, (w, h) = self.pick, card.size
        rank = rank.lower() if rank.lower() in "jqk" else pick.choice("jqk")
        side = pick.uniform(0.1, 0.2)
        box = (int(side * w), int(h * pick.uniform(0.08, 0.13)))
        size = (w - 2 * box[0], h - 2 * box[1])
        if pick.random() < 0.72:
            art = self.art[pick.choice("SHDC") + rank] if self.art_shift else self.art[suit + rank]
            picture = art.resize(size, Image.Resampling.BILINEAR)
            if pick.random() < 0.4:
                picture = _recolored(picture, pick)
        else:
            picture = _crowd(size, pick, self.paper)
        card.paste(picture, box)
        if self.frame:
            edge = (box[0], box[1], box[0] + size[0], box[1] + size[1])
            ImageDraw.Draw(card).rectangle(edge, outline=_tint(pick, (40, 40, 90), 40))
        mask = self.pips[suit]
        high = int(self.pip_height * h * pick.uniform(0.7, 1))
        wide = max(int(high * mask.width / mask.height), 4)
        pip = mask.resize((wide, high), Image.Resampling.BILINEAR)
        x, y = box[0] + 4, box[1] + 4
        card.paste(self.inks[suit], (x, y), pip)
        turned = pip.transpose(Image.Transpose.ROTATE_180)
        card.paste(self.inks[suit], (w - x - wide, h - y - high), turned)

    def _joker_picture(self, card: Image.Image) -> None:
        pick, (w, h) = self.pick, card.size
        size = (int(w * pick.uniform(0.5, 0.75)), int(h * pick.uniform(0.5, 0.75)))
        if pick.random() < 0.5:
            picture = self.art[pick.choice(["J1", "J2", "Hj", "Sj", "Dk"])].resize(size)
        else:
            picture = _crowd(size, pick, self.paper)
        card.paste(picture, ((w - size[0]) // 2, (h - size[1]) // 2))

    def back(self) -> Image.Image:
        """The back of a card, for cards face down."""
        pick = self.pick
        ink = _tint(pick, pick.choice([(170, 30, 40), (30, 50, 140), (40, 100, 60)]), 40)
        card = Image.new("RGB", (self.width, HEIGHT), self.paper)
        margin = pick.randint(6, 20)
        inner = Image.new("RGB", (self.width - 2 * margin, HEIGHT - 2 * margin), ink)
        draw = ImageDraw.Draw(inner)
        step = pick.randint(6, 24)
        pale = _tint(pick, (225, 225, 225), 30)
        for i in range(-HEIGHT, HEIGHT * 2, step):
            draw.line((i, 0, i + HEIGHT, HEIGHT), fill=pale, width=pick.randint(1, 3))
            if pick.random() < 0.9:
                draw.line((i, HEIGHT, i + HEIGHT, 0), fill=pale, width=1)
        card.paste(inner, (margin, margin))
        return self._rounded(card)


def _recolored(picture: Image.Image, pick: Random) -> Image.Image:
    channels = list(picture.split())
    if pick.random() < 0.5:
        pick.shuffle(channels)
    return Image.merge("RGB", channels).filter(ImageFilter.GaussianBlur(pick.uniform(0, 1.2)))


def _crowd(size: tuple[int, int], pick: Random, paper: Color) -> Image.Image:
    """A picture of nothing: colored shapes, the same both ways up, as court cards are."""
    half = Image.new("RGB", (size[0], size[1] // 2 + 1), paper)
    draw = ImageDraw.Draw(half)
    inks = [
        (20, 20, 30),
        (200, 30, 40),
        (240, 200, 40),
        (40, 60, 160),
        paper,
        _tint(pick, paper, 99),
    ]
    for _ in range(pick.randint(6, 40)):
        ink = pick.choice(inks)
        x, y = pick.randint(0, size[0]), pick.randint(0, size[1] // 2)
        a, b = pick.randint(4, size[0] // 2), pick.randint(3, size[1] // 4)
        match pick.randrange(4):
            case 0:
                draw.ellipse((x - a // 2, y - b, x + a // 2, y + b), fill=ink, outline=inks[0])
            case 1:
                draw.polygon([(x, y), (x + a, y + b), (x - b, y + a)], fill=ink, outline=inks[0])
            case 2:
                draw.line((x, y, x + a, y + b), fill=ink, width=pick.randint(1, 6))
            case _:
                for k in range(0, a, 5):
                    draw.line((x + k, y, x + k, y + b), fill=ink, width=2)
    whole = Image.new("RGB", size, paper)
    whole.paste(half.transpose(Image.Transpose.ROTATE_180), (0, size[1] - half.height))
    whole.paste(half, (0, 0))
    return whole
