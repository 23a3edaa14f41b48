"""A bonus or a penalty for going out first in Colorado Nines (`docs/rules.md` §8, score)."""

from collections.abc import Iterator, Mapping

from referee.rules.core.table import Line, note
from referee.rules.games.colorado_nines.house_rules import HouseRules
from referee.rules.text import Text, say, say_many

_OUT_FIRST = say("out first")


def going_out_lines(rules: HouseRules, out: str, points: Mapping[str, int]) -> Iterator[Line]:
    """What `out`, who went out first, gets besides the grids, which count `points` by player.

    Having the fewest points is enough, with others or alone. A bonus takes points off.
    """
    if not rules.going_out:
        return
    fewest = points[out] == min(points.values())
    if rules.going_out_if == ("not-fewest" if fewest else "fewest"):
        yield note(out, _OUT_FIRST)
        return
    match rules.going_out_if:
        case "always":
            why = say("went out first")
        case "fewest":
            why = say("went out first, with the fewest points")
        case "not-fewest":
            why = say("went out first, but somebody had fewer points")
    yield Line(out, rules.going_out, why, _OUT_FIRST)


def going_out_says(rules: HouseRules) -> Iterator[Text]:
    """The same as a step of the deal card, where there is a bonus or a penalty."""
    points, adds = abs(rules.going_out), rules.going_out > 0
    if not points:
        return
    match rules.going_out_if:
        case "always":
            when = say("Going out first")
        case "fewest":
            when = say("Going out first with the fewest points")
        case "not-fewest":
            when = say("Going out first without the fewest points")
    if adds:
        yield say_many("{when} adds {n} point", "{when} adds {n} points", n=points, when=when)
    else:
        yield say_many(
            "{when} takes off {n} point", "{when} takes off {n} points", n=points, when=when
        )
