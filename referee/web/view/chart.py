"""The layout of the score chart: scales, round numbers, and labels that do not overlap.

Heights are in pixels from the top. Widths stretch with the screen: lines are drawn `WIDE` units
wide, and text is placed at a percentage, so that letters keep their size.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import count

from msgspec import Struct

from referee.rules.text import number
from referee.sheets.score_pad import ScorePad
from referee.sheets.sheet import OpenSheet

WIDE = 1000
MAX_DRAWN = 400  # points of a line, besides the first
EDGE = 8  # margin above the highest and below the lowest point
LETTERS = 14  # least distance between two lines of text
MIN_HEIGHT = 200
MOST_LINES = 4  # of a name: as many as the longest needs
MAX_SCORES, MAX_DEALS, MAX_DOTS = 5, 6, 25
#: The widths in pixels that can be reserved for names beside the lines.
ROOMS = {"short": 36, "middle": 60, "long": 90}


class Mark(Struct, frozen=True):
    """A number on an axis, or a line of a name: its place (pixels down, or percent across)."""

    at: float
    text: str


class Curve(Struct, frozen=True):
    """One player's line: its path and dots, the height of its end, and the name beside it."""

    player: str
    path: str
    dots: str
    ends: float
    name: Sequence[Mark]


class Chart(Struct, frozen=True):
    """The chart of running scores; `room` is which of the `ROOMS` the names need.

    `zero` and `target` are None if they are outside the chart. `so_far` is the number of the deal
    in progress if the last point shows one, else 0.
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
    """The chart of a sheet, None while there is nothing to draw."""
    data = chart_data(sheet.pad, sheet.game.goal.target(sheet.table.options))
    return None if data is None else chart(data)


# --- the running scores


def brief(score: int) -> str:
    """A number in short form: whole thousands from 10,000 as "10k"."""
    if abs(score) >= 10_000 and score % 1000 == 0:
        return f"{number(score // 1000)}k"
    return number(score)


class ChartData(Struct, frozen=True):
    """The scores after each deal, by its number, each in the order of the players.

    Deal 0 is the start, and may be missing. A score is None before the player joined. `target` is
    the score that ends the game. `so_far`: the last deal has begun and isn’t over, and totals have
    changed since the one before; `due`: they have changed, but it hasn't begun. On the axis scores
    are `written` as said.
    """

    players: Sequence[str]
    scores: Mapping[int, Sequence[int | None]]
    target: int | None = None
    so_far: bool = False
    due: bool = False
    written: Callable[[int], str] = brief


def chart_data(pad: ScorePad, target: int | None) -> ChartData | None:
    """The data for the chart of this pad, None while there is nothing to draw.

    Stakes, bets and winnings of a deal in progress still count as their owner's.
    """
    found = {0: pad.start}
    played = max((row.deal for row in pad.rows if row.kind == "deal"), default=0)
    for row in pad.rows:
        if row.kind != "void":
            # Once the game is over, entries after the last deal count toward that deal.
            found[min(row.deal, played) if pad.current is None else row.deal] = row.totals
    *before, last = found
    ahead = pad.current is not None and bool(before) and last == pad.current.deal
    if ahead and found[last] == found[before[-1]]:
        del found[last]
        ahead = False
    begun = pad.current is not None and bool(pad.current.steps)
    if len(found) < 2:
        return None
    scores = {deal: tuple(map(totals.get, pad.players)) for deal, totals in found.items()}
    return ChartData(pad.players, scores, target, so_far=ahead and begun, due=ahead and not begun)


class Scale(Struct, frozen=True):
    """Maps scores to pixels: `high` is at the top of the chart, `low` at the bottom."""

    low: int
    high: int
    height: int

    def y(self, score: int) -> float:
        """The height of a score, in pixels from the top."""
        part = (self.high - score) / (self.high - self.low)
        return round(EDGE + part * (self.height - 2 * EDGE), 1)


def chart(data: ChartData, height: int = MIN_HEIGHT) -> Chart:
    """Lay out the lines of all players, with numbers on the axes and names at the ends.

    It is `height` pixels high, or as high as their names need.
    """
    scale = _scale(data, height)
    first, last = min(data.scores), max(data.scores)
    target = None
    if data.target is not None and scale.low <= data.target <= scale.high:
        target = Mark(scale.y(data.target), data.written(data.target))
    ends = [scale.y(score or 0) for score in data.scores[last]]
    names = shortened(data.players, scale.height // LETTERS)
    widest = max([text_width(line) for lines in names for line in lines])
    wanted = [end for end, lines in zip(ends, names, strict=True) for _ in lines]
    heights = iter(spread(wanted, LETTERS, LETTERS / 2, scale.height - LETTERS / 2))
    return Chart(
        height=scale.height,
        scores=tuple(_score_marks(scale, target, data.written)),
        zero=scale.y(0) if scale.low <= 0 <= scale.high else None,
        target=target,
        deals=tuple(
            Mark(round((deal - first) / (last - first) * 100, 2), str(deal))
            # Under the first point is what they count.
            for deal in round_numbers(first + 1, last - data.due, MAX_DEALS)
        ),
        curves=tuple(
            Curve(
                player=player,
                path=f"M{'L'.join(points)}",
                # At most MAX_DOTS, always including the last.
                dots="".join([f"M{point}h0" for point in points[:: len(points) // -MAX_DOTS]]),
                ends=ends[seat],
                name=[Mark(round(next(heights), 1), line) for line in names[seat]],
            )
            for seat, (player, points) in enumerate(
                zip(data.players, _points(data.scores, scale), strict=True)
            )
        ),
        so_far=last if data.so_far else 0,
        room=next((room for room, most in ROOMS.items() if widest <= most), "long"),
    )


def _scale(data: ChartData, height: int) -> Scale:
    """The scale from lowest to highest score; to the target once someone is half way there."""
    scores = [score for row in data.scores.values() for score in row if score is not None]
    if data.target is not None and max(scores) * 2 >= data.target:
        scores.append(data.target)
    low, high = min(scores), max(scores)
    height = max(height, LETTERS * (len(data.players) + 1))
    return Scale(low, high if high > low else low + 1, height)


def _score_marks(
    scale: Scale, target: Mark | None, written: Callable[[int], str]
) -> Iterable[Mark]:
    for score in round_numbers(scale.low, scale.high, MAX_SCORES):
        mark = Mark(scale.y(score), written(score))
        if target is None or abs(mark.at - target.at) >= LETTERS:
            yield mark


def _points(scores: Mapping[int, Sequence[int | None]], scale: Scale) -> list[list[str]]:
    """Each player's points after the deals drawn, from the deal at which they joined.

    In a long game only every second or third deal is drawn: a phone has no more pixels across.
    """
    step = -(-len(scores) // MAX_DRAWN)
    first, *rest = scores
    deals = [first, *rest[::-step][::-1]]
    across = [round((deal - first) / (deals[-1] - first) * WIDE) for deal in deals]
    return [
        [
            f"{x} {scale.y(score):g}"
            for x, score in zip(across, line, strict=True)
            if score is not None
        ]
        for line in zip(*(scores[deal] for deal in deals), strict=True)
    ]


def round_numbers(low: int, high: int, most: int) -> range:
    """Up to `most` evenly spaced round numbers from `low` to `high`, as many as possible."""
    for place in count():
        step = (1, 2, 5)[place % 3] * 10 ** (place // 3)
        marks = range(-(-low // step) * step, high + 1, step)
        if len(marks) <= most:
            break
    return marks


def spread(wanted: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Heights near those `wanted`, in order, `gap` apart, from `top` to `bottom`."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    blocks: list[tuple[float, int]] = []  # the start and the size of each block of neighbors
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


def shortened(names: Sequence[str], room: int) -> list[tuple[str, ...]]:
    """The names in lines of text: whole if there is `room` for all these lines, else cut.

    However short, they are still distinct; there must be room for a line each.
    """
    for most in range(MOST_LINES, 1, -1):
        found = _shortened(names, most)
        if sum(map(len, found)) <= room:
            return found
    return _shortened(names, 1)


def _shortened(names: Sequence[str], most: int) -> list[tuple[str, ...]]:
    """The names, each in at most `most` lines."""
    for ends in (
        [""] * len(names),
        [name[-3:].strip() for name in names],
        [str(place) for place in range(1, len(names) + 1)],
    ):
        plain = [_cut(name, most) for name in names]
        cut = [
            short if plain.count(short) == 1 else _cut(name, most, end)
            for name, short, end in zip(names, plain, ends, strict=True)
        ]
        if len(set(cut)) == len(names):
            break
    return cut


def _cut(name: str, most: int, end: str = "") -> tuple[str, ...]:
    whole = _in_lines(name)
    if not end and len(whole) <= most:
        return whole
    while name and len(_in_lines(f"{name}…{end}")) > most:
        name = name[:-1]
    return _in_lines(f"{name.rstrip()}…{end}")


def _in_lines(name: str) -> tuple[str, ...]:
    """The lines in which a name fits, broken behind blanks and hyphens if there are any."""
    lines = list[str]()
    while text_width(name) > ROOMS["long"]:
        fits = next(at for at in count(1) if text_width(name[: at + 1]) > ROOMS["long"])
        at = max(name.rfind(sign, 0, fits) for sign in " -") + 1 or fits
        lines.append(name[:at].rstrip())
        name = name[at:].lstrip()
    return *lines, name


@lru_cache  # names come again with every page
def text_width(text: str) -> float:
    """A generous estimate of a text's width in the chart's font, in pixels."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 13
    if letter in "MWmw@%—":
        return 11.5
    if letter in "iljtfrI.,:;'’|! -":
        return 5
    return 8.5 if letter.isupper() else 7
