"""Where everything in the picture of a game lies: scales, round numbers, names that keep apart.

Heights are in pixels from the top. Widths stretch with the screen: lines are drawn `WIDE` units
wide, and what is written stands at a percentage, so that letters keep their size.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import count

from flask import Flask
from msgspec import Struct

from referee.rules.text import number, signed
from referee.sheets.chart import Picture, Row, picture_of
from referee.sheets.files import Course

WIDE = 1000
EDGE = 8  # free above the highest and below the lowest point
LETTERS = 14  # how far two lines of text are apart at least
LOWEST_FRAME = 200
MOST_SCORES, MOST_DEALS, MOST_DOTS = 5, 6, 25
MOST_BARS, FEWEST_BARS = 16, 8
TALLEST_BAR, ABOVE_BARS = 48, 18
#: How wide the names may be beside the lines, by the room that is kept for them.
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
    """The running scores. `room`: which of the `ROOMS` the names need."""

    height: int
    scores: tuple[Mark, ...]
    zero: float
    target: Mark | None
    deals: tuple[Mark, ...]
    curves: tuple[Curve, ...]
    room: str


class Bars(Struct, frozen=True):
    """What one player reached against what was needed, a bar for each of the last deals."""

    player: str
    needed: str
    reached: str
    overs: tuple[tuple[Mark, float], ...]


class Aims(Struct, frozen=True):
    """The bars of all players over the same deals; `left_out` are the earlier ones."""

    width: int
    height: int
    deals: tuple[Mark, ...]
    players: tuple[Bars, ...]
    left_out: int


class Drawing(Struct, frozen=True):
    """A picture with all its parts laid out."""

    picture: Picture
    chart: Chart
    aims: Aims | None


def install(app: Flask) -> None:
    """Let the templates of `app` draw a course."""
    app.jinja_env.globals.update(drawn=drawn)


def drawn(course: Course) -> Drawing | None:
    """The picture of a course, laid out; None while there is nothing to draw."""
    picture = picture_of(course)
    if picture is None:
        return None
    return Drawing(picture, chart(picture), aims(picture.aimed, picture.players))


# --- the running scores


class Scale(Struct, frozen=True):
    """From scores to pixels: `high` lies at the top of a frame, `low` at the bottom."""

    low: int
    high: int
    height: int

    def y(self, score: int) -> float:
        """How far down a score lies."""
        part = (self.high - score) / (self.high - self.low)
        return round(EDGE + part * (self.height - 2 * EDGE), 1)


def chart(picture: Picture) -> Chart:
    """The lines of all players, with round numbers beside them and names at their ends."""
    scale = _scale(picture)
    last = picture.rows[-1].deal
    target = None
    if picture.target is not None:
        target = Mark(scale.y(picture.target), brief(picture.target))
    ends = [scale.y(score) for score in picture.rows[-1].scores]
    names = shortened(picture.players)
    widest = max(map(text_width, names))
    labels = spread(ends, LETTERS, LETTERS / 2, scale.height - LETTERS / 2)
    return Chart(
        height=scale.height,
        scores=tuple(_score_marks(scale, target)),
        zero=scale.y(0),
        target=target,
        deals=tuple(
            Mark(round(deal / last * 100, 2), str(deal))
            for deal in round_numbers(1, last, MOST_DEALS)
        ),
        curves=tuple(
            Curve(
                player=player,
                name=names[seat],
                path=f"M{'L'.join(points)}",
                dots="".join(f"M{point}h0" for point in _dotted(points)),
                ends=ends[seat],
                label=round(labels[seat], 1),
            )
            for seat, (player, points) in enumerate(
                zip(picture.players, _points(picture.rows, scale), strict=True)
            )
        ),
        room=next((room for room, most in ROOMS.items() if widest <= most), "long"),
    )


def _scale(picture: Picture) -> Scale:
    scores = [score for row in picture.rows for score in row.scores]
    scores += [0] if picture.target is None else [0, picture.target]
    low, high = min(scores), max(scores)
    height = max(LOWEST_FRAME, LETTERS * (len(picture.players) + 1))
    return Scale(low, high if high > low else low + 1, height)


def _score_marks(scale: Scale, target: Mark | None) -> Iterable[Mark]:
    for score in round_numbers(scale.low, scale.high, MOST_SCORES):
        mark = Mark(scale.y(score), brief(score))
        if target is None or abs(mark.at - target.at) >= LETTERS:
            yield mark


def _points(rows: Sequence[Row], scale: Scale) -> list[list[str]]:
    """Where each player stood after each deal: across and down."""
    across = [round(row.deal / rows[-1].deal * WIDE) for row in rows]
    return [
        [f"{x} {scale.y(score):g}" for x, score in zip(across, scores, strict=True)]
        for scores in zip(*(row.scores for row in rows), strict=True)
    ]


def _dotted(points: Sequence[str]) -> Sequence[str]:
    """The points that get a dot: not too many, and the last one always."""
    return points[:: -(-(len(points)) // MOST_DOTS) * -1]


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


# --- what was reached against what was needed


def aims(rows: Sequence[Row], players: Sequence[str]) -> Aims | None:
    """Paired bars for the last deals, a row a player; None where no deal asked for a number."""
    if not rows:
        return None
    shown = rows[-MOST_BARS:]
    slots = max(FEWEST_BARS, len(shown))
    tallest = max(max(aim.reached, aim.needed) for row in shown for aim in row.aims)
    return Aims(
        width=slots * 10,
        height=ABOVE_BARS + TALLEST_BAR,
        deals=tuple(Mark(_middle(place, slots), str(row.deal)) for place, row in enumerate(shown)),
        players=tuple(_bars(shown, seat, name, tallest) for seat, name in enumerate(players)),
        left_out=len(rows) - len(shown),
    )


def _bars(rows: Sequence[Row], seat: int, player: str, tallest: int) -> Bars:
    bottom = ABOVE_BARS + TALLEST_BAR
    slots = max(FEWEST_BARS, len(rows))
    needed, reached, overs = "", "", []
    for place, row in enumerate(rows):
        aim = row.aims[seat]
        high, full = (round(TALLEST_BAR * tricks / tallest) for tricks in (aim.needed, aim.reached))
        needed += f"M{place * 10 + 1} {bottom}v-{high}h8v{high}"
        reached += f"M{place * 10 + 3} {bottom}v-{full}h4v{full}z"
        over = Mark(_middle(place, slots), signed(aim.reached - aim.needed))
        overs.append((over, bottom - max(high, full) - 9))
    return Bars(player, needed, reached, tuple(overs))


def _middle(place: int, slots: int) -> float:
    return round((place + 0.5) / slots * 100, 2)


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
    """About how many pixels wide a text is in the picture's letters; rather more than less."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 13
    if letter in "MWmw@%—":
        return 11.5
    if letter in "iljtfrI.,:;'’|! -":
        return 5
    return 8.5 if letter.isupper() else 7
