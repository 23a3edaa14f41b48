"""How well drawn decks are read: `python -m benchmarks drawn-decks --art ART`.

Rows of cards are drawn in fonts that were not in training: courts of other languages, which should
be refused; one such court among numbers; our own cards, small, dark, aslant or large; jokers. ART
has pictures of courts (docs/camera.md says how to get them). Weights and limits are chosen by the
first fonts; `--held-out` uses other fonts, to test a choice.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, product
from math import cos, hypot, radians, sin
from pathlib import Path
from random import Random

import click
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from referee.extras.camera.vision.found import Card
from referee.extras.camera.vision.reading import read
from tests.extras.camera import drawn
from tests.extras.camera.benchmarks.scoring import markdown
from tests.extras.camera.training.faces import PIPS

FONT_FOLDER = Path("/usr/share/fonts")
CHOOSING = ("Inter-Regular.otf", "Inter-Bold.otf", "Inter-Black.otf", "PTF55F.ttf", "PTF75F.ttf",
            "PTS75F.ttf", "PTN77F.ttf", "PTC75F.ttf", "FiraCode-Medium.ttf")  # fmt: skip
HELD_OUT = ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf", "NotoSerif-Regular.ttf",
            "NotoSerif-Bold.ttf", "NotoSerifDisplay-Bold.ttf", "Cantarell-Bold.otf",
            "Cantarell-Regular.otf", "JunicodeTwoBeta-Regular.otf",
            "JunicodeTwoBeta-Bold.otf")  # fmt: skip
COURTS = {
    "French": ("V", "D", "R", "1"), "German": ("B", "D"), "Russian": ("В", "Д", "Т"),
    "Dutch": ("B", "V", "H"), "Swedish": ("Kn", "D", "E"), "Polish": ("W", "D"),
    "Italian": ("F", "D", "R"), "Spanish": ("S", "C", "R", "1"), "Czech": ("S", "D"),
    "Icelandic": ("G", "D", "Á"), "Turkish": ("V", "P"), "Greek": ("Β", "Ν", "Ρ"),
}  # fmt: skip
"""What each language letters otherwise than we do."""
ACES = ("A", "1", "E", "Т", "Á")
ALL_COURTS = tuple(sorted({court for letters in COURTS.values() for court in letters}))
JOKERS = ("stacked", "starred", "star and word", "turned")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
STEP = 300
"""Pixels from card to card."""
Color = tuple[int, int, int]
INKS: dict[str, Color] = {"S": drawn.BLACK, "C": drawn.BLACK, "H": drawn.RED, "D": drawn.RED}
FOUR_INKS: dict[str, Color] = INKS | {"C": (20, 120, 50), "D": (30, 70, 200)}


@dataclass(frozen=True)
class View:
    """How a row is printed and photographed.

    letter: size of the font in pixels. aside: how far the suit is to the right of the rank, in such
    sizes. blur: in pixels, before the photo is shrunk. turn: in degrees. flat: how much lower it
    looks at a slant.
    """

    letter: int = 48
    aside: float = 0.0
    four_colors: bool = False
    shrink: float = 1.0
    blur: float = 0.5
    light: float = 1.0
    turn: float = 0.0
    flat: float = 1.0


FAR, NEAR, CLOSE = View(shrink=0.35, blur=1.2), View(shrink=0.6, blur=0.8), View()
VIEWS = (CLOSE, FAR, View(shrink=0.5, blur=2.0), View(shrink=0.4, light=0.25), View(letter=78),
         View(letter=36, four_colors=True), View(turn=180), View(turn=37), View(aside=0.6),
         View(shrink=0.7, flat=0.6))  # fmt: skip


@dataclass(frozen=True)
class Trial:
    """A photo of a row of cards: what is printed on each, and its middle in pixels of the photo."""

    kind: str
    photo: Image.Image
    printed: tuple[str, ...]
    places: tuple[tuple[float, float], ...]


@dataclass
class Tally:
    """The results of one kind of trial: for our cards, and for those to be refused."""

    ours: int = 0
    right: int = 0
    misread: int = 0
    misread_and_sure: int = 0
    foreign: int = 0
    came_out: int = 0
    came_out_sure: int = 0
    mistaken: Counter[str] = field(default_factory=Counter)

    def add(self, trial: Trial, found: Sequence[Card]) -> None:
        """Count one photo; each card that was read is compared with the nearest one in it."""
        self.ours += sum(map(_is_ours, trial.printed))
        self.foreign += sum(not _is_ours(text) for text in trial.printed)
        for card in found:
            left, top, width, height = card.box
            x, y = left + width / 2, top + height / 2
            gaps = [hypot(x - a, y - b) for a, b in trial.places]
            printed = trial.printed[gaps.index(min(gaps))]
            if card.text == printed:
                self.right += 1
                continue
            self.mistaken[f"{printed} as {card.text}{'' if card.sure else '?'}"] += 1
            if _is_ours(printed):
                self.misread += 1
                self.misread_and_sure += card.sure
            else:
                self.came_out += 1
                self.came_out_sure += card.sure


def _is_ours(printed: str) -> bool:
    return printed == "*" or printed[:-1] in RANKS


def trials(fonts: Sequence[Path], art: Path) -> Iterator[Trial]:
    """Every trial; the same fonts give the same ones."""
    press, following = _Press(art), cycle(fonts)
    for language, letters in COURTS.items():
        for look, view in enumerate((FAR, NEAR, CLOSE)):
            pick = Random(f"{language} {look}")
            courts = [(court, suit) for court in letters for suit in pick.sample("SHDC", 2)]
            yield press.row("foreign courts", [*courts, _number(pick)], next(following), view, pick)
    for court in ALL_COURTS:
        for look, view in enumerate((NEAR, CLOSE)):
            pick = Random(f"{court} alone {look}")
            row = [(court, pick.choice("SHDC")), *(_number(pick) for _ in range(4))]
            pick.shuffle(row)
            yield press.row("one among numbers", row, next(following), view, pick)
    for (number, font), (look, view) in product(enumerate(fonts), enumerate(VIEWS)):
        if (number + look) % 2 == 0:
            pick = Random(f"{font.name} {look}")
            row = pick.sample(list(product(RANKS, "SHDC")), 6)
            yield press.row("our own", row, font, view, pick)
    for how, (look, view) in product(JOKERS, enumerate(VIEWS)):
        pick = Random(f"{how} {look}")
        yield press.row("jokers", [("*", how)] * 3, next(following), view, pick)


def _number(pick: Random) -> tuple[str, str]:
    return str(pick.randint(2, 10)), pick.choice("SHDC")


class _Press:
    """Prints cards with the pictures in a folder, and photographs them."""

    def __init__(self, art: Path) -> None:
        self.art = art

    def row(
        self, kind: str, cards: Sequence[tuple[str, str]], font: Path, view: View, pick: Random
    ) -> Trial:
        """Print cards side by side, each a letter and its suit, or `*` and the kind of joker."""
        wide, high = STEP * len(cards) + 100, 600
        cloth = np.array(pick.choice([drawn.CLOTH, (120, 80, 50), (225, 225, 222), (30, 30, 35)]))
        grain = np.random.default_rng(pick.randrange(1 << 32)).normal(0, 6, (high, wide, 1))
        photo = Image.fromarray((cloth + grain).clip(0, 255).astype(np.uint8))
        for i, (text, suit) in enumerate(cards):
            face = self._face(text, suit, font, view, pick)
            face = face.rotate(pick.gauss(0, 4), Image.Resampling.BICUBIC, expand=True)
            photo.paste(face, (200 + STEP * i - face.width // 2, 300 - face.height // 2), face)
        middles = [(200 + STEP * i - wide / 2, 300 - high / 2) for i in range(len(cards))]
        photo, places = _photographed(photo, middles, view)
        printed = tuple("*" if text == "*" else text + suit for text, suit in cards)
        return Trial(kind, photo, printed, tuple(places))

    def _face(self, text: str, suit: str, font: Path, view: View, pick: Random) -> Image.Image:
        wide, high = drawn.CARD
        face = Image.new("RGBA", drawn.CARD)
        ImageDraw.Draw(face).rounded_rectangle(
            (0, 0, wide - 1, high - 1), 14, fill=(250, 250, 248), outline="gray"
        )
        ink = (FOUR_INKS if view.four_colors else INKS).get(
            suit, pick.choice([drawn.BLACK, drawn.RED])
        )
        if text in ACES:
            drawn.sign(ImageDraw.Draw(face), suit, (wide / 2, high / 2), 80, ink)
        elif text in PIPS:
            _print_pips(face, text, suit, ink, view)
        else:
            name = pick.choice(["J1", "J2"] if text == "*" else ["Sk", "Hq", "Dj", "Ck", "Dq"])
            face.paste(self._picture(name), (int(wide * 0.24), int(high * 0.15)))
        corner = Image.new("RGBA", drawn.CARD)
        if text == "*":
            _print_joker(corner, suit, font, ink)
        else:
            _print_index(corner, (text, suit), font, ink, view)
        face.alpha_composite(corner)
        face.alpha_composite(corner.rotate(180))
        return face

    def _picture(self, name: str) -> Image.Image:
        """A court or joker without its own corners."""
        with Image.open(self.art / f"{name}.png") as picture:
            whole = picture.convert("RGBA")
        paper = Image.new("RGBA", whole.size, "white")
        paper.alpha_composite(whole)
        w, h = whole.size
        inner = paper.crop((int(w * 0.17), int(h * 0.12), int(w * 0.83), int(h * 0.88)))
        size = int(drawn.CARD[0] * 0.52), int(drawn.CARD[1] * 0.7)
        return inner.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def _print_pips(face: Image.Image, rank: str, suit: str, ink: Color, view: View) -> None:
    wide, high = face.size
    pen = ImageDraw.Draw(face)
    if view.letter > 60:  # large indices leave room for one sign
        drawn.sign(pen, suit, (wide / 2, high / 2), 80, ink)
        return
    for column, down in PIPS[rank]:
        drawn.sign(pen, suit, (wide * (0.37 + 0.13 * column), high * (0.2 + 0.6 * down)), 38, ink)


def _print_index(
    corner: Image.Image, card: tuple[str, str], font: Path, ink: Color, view: View
) -> None:
    text, suit = card
    face = ImageFont.truetype(str(font), view.letter)
    pen = ImageDraw.Draw(corner)
    left, _, right, _ = face.getbbox(text)
    x, y = 12 + max(view.letter * 0.34, (right - left) / 2), 14 + view.letter * 0.42
    pen.text((x, y), text, fill=ink, font=face, anchor="mm")
    at = x + view.letter * view.aside, y + view.letter * 0.78
    drawn.sign(pen, suit, at, view.letter * 0.62, ink)


def _print_joker(corner: Image.Image, how: str, font: Path, ink: Color) -> None:
    pen = ImageDraw.Draw(corner)
    y = 14.0
    if how == "turned":
        word = Image.new("RGBA", (110, 30))
        ImageDraw.Draw(word).text(
            (55, 15), "JOKER", fill=ink, font=ImageFont.truetype(str(font), 28), anchor="mm"
        )
        corner.alpha_composite(word.rotate(90, expand=True), (12, 14))
        return
    if how != "stacked":
        drawn.sign(pen, "*", (32, y + 20), 40, ink)
        y += 46
    if how == "star and word":
        face = ImageFont.truetype(str(font), 15)
        pen.text((34, y + 8), "JOKER", fill=ink, font=face, anchor="mm")
        return
    face = ImageFont.truetype(str(font), 24)
    for i, letter in enumerate("JOKER"):
        pen.text((30, y + 12 + 23 * i), letter, fill=ink, font=face, anchor="mm")


def _photographed(
    photo: Image.Image, middles: Sequence[tuple[float, float]], view: View
) -> tuple[Image.Image, list[tuple[float, float]]]:
    """The photo as `view` shows it, and in its pixels the `middles`, counted from its centre."""
    ground = photo.getpixel((2, 2))
    photo = photo.rotate(view.turn, Image.Resampling.BICUBIC, expand=True, fillcolor=ground)
    photo = photo.filter(ImageFilter.GaussianBlur(view.blur)).point(lambda v: int(v * view.light))
    size = int(photo.width * view.shrink), int(photo.height * view.shrink * view.flat)
    c, s = cos(radians(view.turn)), sin(radians(view.turn))
    places = [
        (
            (x * c + y * s) * view.shrink + size[0] / 2,
            (y * c - x * s) * view.shrink * view.flat + size[1] / 2,
        )
        for x, y in middles
    ]
    return photo.resize(size, Image.Resampling.BOX), places


def installed(names: Sequence[str]) -> list[Path]:
    """Where the fonts of these names are; raises `ClickException` naming all that are missing."""
    found = {path.name: path for path in FONT_FOLDER.rglob("*.[to]tf") if path.name in names}
    if missing := [name for name in names if name not in found]:
        raise click.ClickException(f"These fonts are not installed: {', '.join(missing)}.")
    return [found[name] for name in names]


@click.command()
@click.option(
    "--art",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The pictures of courts and jokers that training draws with.",
)
@click.option("--held-out", is_flag=True, help="In other fonts, to try a choice on.")
def main(art: Path, held_out: bool) -> None:
    """Read rows drawn in fonts that were not in training, and count the results."""
    tallies: dict[str, Tally] = {}
    for trial in trials(installed(HELD_OUT if held_out else CHOOSING), art):
        cards = read(drawn.saved(trial.photo), suits=True).cards
        tallies.setdefault(trial.kind, Tally()).add(trial, cards)
    heads = ("drawn", "ours", "right", "misread", "of these sure", "to refuse", "came out",
             "of these sure")  # fmt: skip
    lines = [
        (kind, one.ours, one.right, one.misread, one.misread_and_sure, one.foreign, one.came_out,
         one.came_out_sure)
        for kind, one in tallies.items()
    ]  # fmt: skip
    click.echo(markdown(heads, lines))
    for kind, one in tallies.items():
        told = (f"{what} ({times})" for what, times in one.mistaken.most_common())
        click.echo(f"\n{kind}: {', '.join(told) or 'no mistake'}")


if __name__ == "__main__":
    main()
