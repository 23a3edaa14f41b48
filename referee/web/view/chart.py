"""Where everything in the chart of a game lies: scales, round numbers, names that do not touch.

Heights are in pixels from the top. Widths stretch with the screen: lines are drawn `WIDE` units
wide, and what is written stands at a percentage, so that letters keep their size.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from msgspec import Struct

from referee.rules.text import number
from referee.sheets.score_pad import ScorePad
from referee.sheets.sheet import OpenSheet

WIDE = 1000
MAX_DRAWN = 400  # points of a line, and the first
EDGE = 8  # free above the highest and below the lowest point
LETTERS = 14  # how far two lines of text are apart at least
MIN_HEIGHT = 200
MAX_SCORES, MAX_DEALS, MAX_DOTS = 5, 6, 25
#: How wide the names may be beside the lines, by the room that is reserved for them.
ROOMS = {"short": 36, "middle": 60, "long": 90}


class Mark(Struct, frozen=True):
    """A number beside the frame: how far along (pixels down, or percent across), and its text."""

    at: float
    text: str


class Curve(Struct, frozen=True):
    """One player's line: its path, its dots, where it ends, and where its name stands."""

    player: str
    name: str
    path: str
    dots: str
    ends: float
    label: float


class Chart(Struct, frozen=True):
    """The running scores. `room`: which of the `ROOMS` the names need.

    `zero` and `target` are None where they lie outside of what is drawn. `so_far`: the number of a
    deal that is not over, if the last point stands for one; else 0.
    """

    height: int
    scores: tuple[Mark, ...]
    zero: float | None
    target: Mark | None
    deals: tuple[Mark, ...]
    curves: tuple[Curve, ...]
    room: str
    so_far: int


def chart_of(sheet: OpenSheet) -> Chart | None:
    """The chart of a sheet, laid out; None while there is nothing to draw."""
    data = chart_data(sheet.pad, sheet.game.target(sheet.table))
    return None if data is None else chart(data)


# --- the running scores


class ChartData(Struct, frozen=True):
    """How everybody stood after each deal: `scores` by the number of the deal, then by player.

    Deal 0 is before the first, and none is left out. None stands for somebody who had not sat down
    yet. `target` ends the game. `so_far`: the last deal is still in progress, and something was
    gained or lost beside it.
    """

    players: tuple[str, ...]
    scores: Mapping[int, tuple[int | None, ...]]
    target: int | None = None
    so_far: bool = False

    @property
    def last(self) -> int:
        """The number of the last deal."""
        return max(self.scores)


def chart_data(pad: ScorePad, target: int | None) -> ChartData | None:
    """What is drawn of a sheet with this pad; None while there is nothing.

    What is staked, bet or won in a deal that is not over still counts as its owner's.
    """
    found = {0: pad.start}
    played = max((row.deal for row in pad.rows if row.kind == "deal"), default=0)
    for row in pad.rows:
        if row.kind != "void":
            # Once the game is over, what came after the last deal counts with that one.
            found[min(row.deal, played) if pad.current is None else row.deal] = row.totals
    *before, last = found
    so_far = pad.current is not None and bool(before) and last == pad.current.deal
    if so_far and found[last] == found[before[-1]]:
        del found[last]
        so_far = False
    if len(found) < 2:
        return None
    scores = {deal: tuple(map(totals.get, pad.players)) for deal, totals in found.items()}
    return ChartData(pad.players, scores, target, so_far)


class Scale(Struct, frozen=True):
    """From scores to pixels: `high` lies at the top of a frame, `low` at the bottom."""

    low: int
    high: int
    height: int

    def y(self, score: int) -> float:
        """How far down a score lies."""
        part = (self.high - score) / (self.high - self.low)
        return round(EDGE + part * (self.height - 2 * EDGE), 1)


def chart(data: ChartData) -> Chart:
    """The lines of all players, with round numbers beside them and names at their ends."""
    scale = _scale(data)
    last = data.last
    target = None
    if data.target is not None and scale.low <= data.target <= scale.high:
        target = Mark(scale.y(data.target), brief(data.target))
    ends = [scale.y(score or 0) for score in data.scores[last]]
    names = shortened(data.players)
    widest = max(map(text_width, names))
    labels = spread(ends, LETTERS, LETTERS / 2, scale.height - LETTERS / 2)
    return Chart(
        height=scale.height,
        scores=tuple(_score_marks(scale, target)),
        zero=scale.y(0) if scale.low <= 0 <= scale.high else None,
        target=target,
        deals=tuple(
            Mark(round(deal / last * 100, 2), str(deal))
            for deal in round_numbers(1, last, MAX_DEALS)
        ),
        curves=tuple(
            Curve(
                player=player,
                name=names[seat],
                path=f"M{'L'.join(points)}",
                # Not too many, and the last one always.
                dots="".join(f"M{point}h0" for point in points[:: len(points) // -MAX_DOTS]),
                ends=ends[seat],
                label=round(labels[seat], 1),
            )
            for seat, (player, points) in enumerate(
                zip(data.players, _points(data.scores, scale), strict=True)
            )
        ),
        so_far=last if data.so_far else 0,
        room=next((room for room, most in ROOMS.items() if widest <= most), "long"),
    )


def _scale(data: ChartData) -> Scale:
    """From the lowest score to the highest, and to the target once somebody is half way there."""
    scores = [score for row in data.scores.values() for score in row if score is not None]
    if data.target is not None and max(scores) * 2 >= data.target:
        scores.append(data.target)
    low, high = min(scores), max(scores)
    height = max(MIN_HEIGHT, LETTERS * (len(data.players) + 1))
    return Scale(low, high if high > low else low + 1, height)


def _score_marks(scale: Scale, target: Mark | None) -> Iterable[Mark]:
    for score in round_numbers(scale.low, scale.high, MAX_SCORES):
        mark = Mark(scale.y(score), brief(score))
        if target is None or abs(mark.at - target.at) >= LETTERS:
            yield mark


def _points(scores: Mapping[int, Sequence[int | None]], scale: Scale) -> list[list[str]]:
    """Where each player stood after the deals drawn, from when that player sat down.

    Of a long game that is every second deal, or third: a phone has no more pixels across.
    """
    step = -(-len(scores) // MAX_DRAWN)
    first, *rest = scores
    deals = [first, *rest[::-step][::-1]]
    across = [round(deal / deals[-1] * WIDE) for deal in deals]
    return [
        [
            f"{x} {scale.y(score):g}"
            for x, score in zip(across, line, strict=True)
            if score is not None
        ]
        for line in zip(*(scores[deal] for deal in deals), strict=True)
    ]


def round_numbers(low: int, high: int, most: int) -> range:
    """At most `most` whole numbers from `low` to `high`, as round and as many as can be."""
    for digits in count():
        for digit in (1, 2, 5):
            step = digit * 10**digits
            found = range(-(-low // step) * step, high + 1, step)
            if len(found) <= most:
                return found
    raise AssertionError("steps grow without end")


def spread(wanted: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Heights as near to those `wanted` as can be, in the same order, at least `gap` apart.

    They lie from `top` to `bottom`, which must have room for them all.
    """
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    blocks: list[tuple[float, int]] = []  # where a block of neighbours begins, and its size
    for rank, place in enumerate(order):
        start, size = wanted[place] - rank * gap, 1
        while blocks and blocks[-1][0] >= start:
            before, many = blocks.pop()
            start, size = (before * many + start * size) / (many + size), many + size
        blocks.append((start, size))
    starts = [start for start, size in blocks for _ in range(size)]
    lowest = bottom - (len(wanted) - 1) * gap
    found = [0.0] * len(wanted)
    for rank, place in enumerate(order):
        found[place] = min(max(starts[rank], top), lowest) + rank * gap
    return found


# --- words


def brief(score: int) -> str:
    """A number in little room: thousands as k where it loses nothing."""
    if abs(score) >= 10_000 and score % 1000 == 0:
        return f"{number(score // 1000)}k"
    return number(score)


def shortened(names: Sequence[str]) -> list[str]:
    """The names, long ones cut so that each fits beside the lines; no two look alike.

    Where two begin alike, what is left out lies in their middle.
    """
    for ends in (
        [""] * len(names),
        [name[-3:].strip() for name in names],
        [str(place) for place in range(1, len(names) + 1)],
    ):
        plain = [_cut(name) for name in names]
        cut = [
            short if plain.count(short) == 1 else _cut(name, end)
            for name, short, end in zip(names, plain, ends, strict=True)
        ]
        if len(set(cut)) == len(names):
            break
    return cut


def _cut(name: str, end: str = "") -> str:
    if not end and text_width(name) <= ROOMS["long"]:
        return name
    while name and text_width(f"{name}…{end}") > ROOMS["long"]:
        name = name[:-1]
    return f"{name.rstrip()}…{end}"


def text_width(text: str) -> float:
    """About how many pixels wide a text is in the chart's letters; rather more than less."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 13
    if letter in "MWmw@%—":
        return 11.5
    if letter in "iljtfrI.,:;'’|! -":
        return 5
    return 8.5 if letter.isupper() else 7
