"""All hands of a table in one photo: `python -m benchmarks camera-tables`.

Two to six people lay their hands open before them, a hand's width or more apart: in fans, spreads
and rows, or in grids of nine, in some tables with an open card in the middle. The table is then
photographed by one of them, askew and more or less aslant, `SIDE` pixels wide. Half of the tables
are of drawn cards, and with `--photos DIR` half of real ones, cut out of its photos of single cards
(`camera`).

What counts is which cards come out under whom, and that no sure card is wrong.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, degrees, radians, sin, tau
from pathlib import Path
from random import Random
from statistics import median

import click
import numpy as np
from PIL import Image

from referee.extras.camera.cards import sight
from referee.extras.camera.table import ASIDE, Hand, hands_seen, seated
from referee.extras.camera.vision.reading import read_hands
from referee.rules.cards.card_keys import GRID_KEYS, SUITED_KEYS
from referee.rules.core.asking import CardKeys
from tests.extras.camera import drawn
from tests.extras.camera.benchmarks.camera_grids import (
    RANKS,
    cloth,
    cut_out,
    drawn_face,
    photographed,
)
from tests.extras.camera.benchmarks.scoring import Summed, markdown, photos_option

MM = 3  # pixels
SIDE = 2048  # pixels of the photo
CARD = drawn.CARD[0] / 4, drawn.CARD[1] / 4  # mm
APART = 90.0  # mm: least distance between two hands, the width of one that lays them down
KINDS = ("spreads", "fans", "rows", "mixed", "grids")

#: A card: the position of its middle (mm, from the middle of its hand), and its turn (degrees).
Lain = tuple[str, float, float, float]


@dataclass(frozen=True)
class Table:
    """A photo of a table, and the cards of each seat, those of a grid column by column."""

    photo: bytes
    kind: str
    players: int
    hands: Mapping[int, Sequence[str]]
    holder: int

    @property
    def pad(self) -> CardKeys:
        """The keys of the field that these hands go into."""
        return GRID_KEYS if self.kind == "grids" else SUITED_KEYS


def table(number: int, real: Mapping[str, Image.Image]) -> Table:
    """The table of this number; `real` are pictures of cards by name, if any."""
    chance = Random(number)
    kind = KINDS[number % len(KINDS)]
    of_real = bool(real) and number % 2 == 1
    packs = 2 if of_real else 1
    players = chance.randint(2, 4 if kind == "grids" else 6)
    holder = chance.randrange(players)
    out = chance.choice([None, *range(players)]) if kind != "grids" and players > 2 else None
    seats = [seat for seat in range(players) if seat != out]
    pack = packs * (sorted(real) if of_real else [rank + suit for rank in RANKS for suit in "SHDC"])
    chance.shuffle(pack)
    hands, lain = {}, {}
    for seat in seats:
        size = 9 if kind == "grids" else chance.randint(2, min(9, 36 // len(seats)))
        cards, pack = pack[:size], pack[size:]
        hands[seat], lain[seat] = cards, _lain(cards, kind, chance)
    if kind == "grids":
        hands = {seat: [cards[at] for at in _BY_COLUMN] for seat, cards in hands.items()}
    lies = _around(lain, players, holder, chance)
    if kind != "grids" and chance.random() < 0.4:
        lies.append((pack[0], chance.uniform(-9, 9), chance.uniform(-9, 9), chance.uniform(0, 360)))
    half = 1.25 * max(max(abs(x), abs(y)) for _, x, y, _ in lies) + 90
    ground = cloth(round(2 * half * MM), chance)
    for card, x, y, turn in lies:
        face = (real[card] if of_real else drawn_face(card)).resize(
            (round(CARD[0] * MM), round(CARD[1] * MM)), Image.Resampling.BOX
        )
        turned = face.rotate(-turn, Image.Resampling.BICUBIC, expand=True)
        place = (round((half + x) * MM - turned.width / 2),
                 round((half + y) * MM - turned.height / 2))  # fmt: skip
        ground.paste(turned, place, turned)
    photo = photographed(ground, chance.uniform(-8, 8), chance, SIDE)
    return Table(drawn.saved(photo, quality=85), kind, players, hands, holder)


_BY_COLUMN = (0, 3, 6, 1, 4, 7, 2, 5, 8)


def _lain(cards: Sequence[str], kind: str, chance: Random) -> list[Lain]:
    """The cards of a hand as its player lays them down, whose own side is below."""
    kind = chance.choice(KINDS[:3]) if kind == "mixed" else kind

    def off(most: float) -> float:
        return chance.uniform(-most, most)

    if kind == "grids":
        wide, high = CARD[0] + chance.uniform(6, 18), CARD[1] + chance.uniform(6, 18)
        return [
            (card, (at % 3 - 1) * wide + off(5), (at // 3 - 1) * high + off(5),
             chance.gauss(0, 3) + 180 * chance.randrange(2))
            for at, card in enumerate(cards)
        ]  # fmt: skip
    middle = (len(cards) - 1) / 2
    if kind == "fans":
        step, reach = chance.uniform(8, 13), chance.uniform(150, 190)
        turns = [(at - middle) * step for at in range(len(cards))]
        return [
            (card, reach * sin(radians(turn)), reach * (1 - cos(radians(turn))), turn + off(1.5))
            for card, turn in zip(cards, turns, strict=True)
        ]
    pitch = chance.uniform(22, 32) if kind == "spreads" else CARD[0] + chance.uniform(3, 10)
    across = len(cards) if kind == "spreads" or len(cards) < 6 else (len(cards) + 1) // 2
    return [
        (card, (at % across - (across - 1) / 2) * pitch + off(3),
         (at // across) * (CARD[1] + 8) + off(4), off(4))
        for at, card in enumerate(cards)
    ]  # fmt: skip


def _around(
    lain: Mapping[int, Sequence[Lain]], players: int, holder: int, chance: Random
) -> list[Lain]:
    """All hands around the table, each as far in as leaves `APART` between any two."""
    off = {seat: chance.uniform(-0.12, 0.12) * tau / players for seat in lain}
    for reach in range(150, 1500, 15):
        placed = {}
        for seat, cards in lain.items():
            # Clockwise from the lower edge, where the photographer sits.
            turn = tau * ((seat - holder) % players) / players + off[seat]
            c, s = cos(turn), sin(turn)
            placed[seat] = [
                (card, x * c - (y + reach) * s, x * s + (y + reach) * c, own + degrees(turn))
                for card, x, y, own in cards
            ]
        edges = [_edges(cards) for cards in placed.values()]
        least = min(
            (np.hypot(*np.moveaxis(one[:, None] - other, 2, 0)).min()
             for at, one in enumerate(edges) for other in edges[:at]), default=APART
        )  # fmt: skip
        inner = min(np.hypot(*one.T).min() for one in edges)
        if least >= APART and inner >= APART + CARD[1] / 2:
            break
    return [one for cards in placed.values() for one in cards]


def _edges(cards: Sequence[Lain]) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    """Points along the edges of these cards."""
    along = np.linspace(-1, 1, 7)
    sides = [(a, b) for a in along for b in (-1, 1)] + [(b, a) for a in along for b in (-1, 1)]
    rim = np.array(sides) * np.array(CARD) / 2
    found = []
    for _, x, y, turn in cards:
        c, s = cos(radians(turn)), sin(radians(turn))
        found.append(rim @ np.array([[c, s], [-s, c]]) + (x, y))
    return np.concatenate(found)


# --- how each is scored


@dataclass
class Score(Summed):
    """The cards of some tables that were found, and of these `placed` with the right player.

    `ordered` hands have their cards in order, `asked` are grids whose columns the page asks for; a
    table is `whole` if all of its cards are right.
    """

    tables: int = 0
    cards: int = 0
    found: int = 0
    placed: int = 0
    ordered: int = 0
    hands: int = 0
    whole: int = 0
    asked: int = 0
    sure: int = 0
    sure_and_wrong: int = 0
    seconds: list[float] = field(default_factory=list)

    def cells(self) -> tuple[str, ...]:
        """The cells of a line of the table, in the order of `COLUMNS`."""
        return (
            str(self.tables),
            str(self.cards),
            f"{self.found / self.cards:.1%}",
            f"{self.placed / max(self.found, 1):.1%}",
            f"{self.ordered} of {self.hands}",
            str(self.whole),
            str(self.asked),
            f"{self.sure_and_wrong} of {self.sure}",
            f"{median(self.seconds):.2f}",
            f"{max(self.seconds):.2f}",
        )


COLUMNS = ("tables", "cards", "found", "under the right player", "hands in order", "whole",
           "grids asked", "sure and wrong", "seconds", "most")  # fmt: skip


def score(lies: Table, hands: Sequence[Hand], seconds: float) -> Score:
    """The result for one table, without the cards in its middle."""
    one = Score(1, seconds=[seconds])
    everything = Counter(_named(lies, [card for cards in lies.hands.values() for card in cards]))
    seen = Counter(card for hand in hands for card in filter(None, hand.mended.cards))
    one.cards, one.found = everything.total(), (everything & seen).total()
    whole = True
    for seat, cards in lies.hands.items():
        named = _named(lies, cards)
        own = [hand for hand in hands if hand.seat == seat]
        held = [card for hand in own for card in _in_order(hand)]
        one.hands += 1
        one.placed += (Counter(named) & Counter(held)).total()
        in_order = held == named or (lies.kind == "grids" and _columns(held) == _columns(named))
        one.ordered += in_order
        whole &= Counter(held) == Counter(named) and (lies.kind != "grids" or in_order)
        one.asked += any(hand.swapped is None for hand in own)
        sure = Counter(
            card for hand in own for at, card in enumerate(hand.mended.cards)
            if card and at not in hand.mended.doubts
        )  # fmt: skip
        one.sure += sure.total()
        one.sure_and_wrong += (sure - Counter(named)).total()
    one.whole = int(whole)
    return one


def _named(lies: Table, cards: Sequence[str]) -> list[str]:
    return [card.rstrip("SHDC") if lies.kind == "grids" else card for card in cards]


def _in_order(hand: Hand) -> list[str]:
    """The cards of a hand in order, those of a grid column by column."""
    if hand.lies is None:
        return list(filter(None, hand.mended.cards))
    return [card for across in range(3) for card in hand.mended.cards[across::3] if card]


def _columns(cards: Sequence[str]) -> list[tuple[str, ...]]:
    """The columns of a grid whose order doesn't count; nor does which end is up."""
    return sorted(tuple(sorted(cards[at : at + 3])) for at in range(0, len(cards), 3))


@click.command()
@photos_option("Photos with their labels.csv, of which those of single cards are cut out.")
@click.option("--tables", type=click.IntRange(1), default=40, show_default=True)
@click.option("--each", is_flag=True, help="Name each table that did not come out whole.")
@click.option("--into", type=click.Path(file_okay=False, path_type=Path), help="Keep the photos.")
def main(folder: Path | None, tables: int, each: bool, into: Path | None) -> None:
    """Read tables of several hands, and count which cards were given to whom."""
    real = cut_out(folder) if folder else {}
    scores = {kind: Score() for kind in KINDS}
    for number in range(tables):
        lies = table(number, real)
        if into:
            into.mkdir(parents=True, exist_ok=True)
            (into / f"{number}.jpg").write_bytes(lies.photo)
        begun = time.process_time()
        suits = bool(lies.pad.suits)
        seen = read_hands(lies.photo, len(lies.hands), packs=2, suits=suits)
        seconds = time.process_time() - begun
        found = hands_seen([sight(reading, lies.pad) for reading in seen])
        hands = seated(found, lies.players, sorted(lies.hands), lies.holder, ())
        scores[lies.kind] += (one := score(lies, hands, seconds))
        if each and not one.whole:
            click.echo(f"{number}: {lies.kind}, {lies.players} players, {lies.holder} took it")
            for seat in (*lies.hands, ASIDE):
                own = [hand for hand in hands if hand.seat == seat]
                told = " / ".join(_told(hand) for hand in own)
                laid = _named(lies, lies.hands.get(seat, ()))
                click.echo(f"  {seat}: {' '.join(laid)} was read as {told}")
    total = Score()
    for one in scores.values():
        total += one
    lines = [(kind, *one.cells()) for kind, one in (*scores.items(), ("all", total)) if one.tables]
    click.echo(markdown(("laid in", *COLUMNS), lines))


def _told(hand: Hand) -> str:
    return " ".join(
        card + "~" * (at in hand.mended.doubts) for at, card in enumerate(hand.mended.cards)
    )
