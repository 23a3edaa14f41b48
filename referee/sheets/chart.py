"""What the chart of a game shows: how everybody stood after each deal."""

from msgspec import Struct

from referee.sheets.pad import Pad


class Row(Struct, frozen=True):
    """How it stood when deal `deal` was over, a score a player; deal 0 is before the first.

    None stands for somebody who had not sat down yet.
    """

    deal: int
    scores: tuple[int | None, ...]


class ChartData(Struct, frozen=True):
    """The rows in order, from deal 0 without a gap; `target`: the score that ends the game.

    `so_far`: the last deal is still in progress, and something was gained or lost beside it.
    """

    players: tuple[str, ...]
    rows: tuple[Row, ...]
    target: int | None
    so_far: bool


def chart_data(pad: Pad, target: int | None) -> ChartData | None:
    """The data of a sheet with this pad; None while there is nothing to draw.

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
    rows = (Row(deal, tuple(map(held.get, pad.players))) for deal, held in found.items())
    return ChartData(pad.players, tuple(rows), target, so_far)
