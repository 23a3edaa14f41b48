"""What a Chicken scores in 9 of a Kind (`docs/rules.md` §3, Chicken)."""

from collections.abc import Mapping

from referee.rules.core.table import Line
from referee.rules.games.nine_of_a_kind.hands import Counted, Tally, each_in_words
from referee.rules.games.nine_of_a_kind.house_rules import HouseRules
from referee.rules.text import Text, Value, say

CHICKEN_NEEDS = 7


def chicken_lines(
    rules: HouseRules,
    caller: str,
    tallies: Mapping[str, Tally | Counted],
    forfeited: Mapping[str, int],
) -> list[Line]:
    """Half of what counts, rounded up, to the caller or, where the call fails, to the lowest.

    By house rule the lowest may then be the caller, who had too few cards or was not alone.
    `tallies` are the hands by player, the caller's among them; `forfeited` the points that false
    calls have left, where these count.
    """
    left = {player: found.deadwood for player, found in tallies.items()}
    kept = tallies[caller].kept or 0
    others = {player: points for player, points in left.items() if player != caller}
    fewest = min(others.values())
    counts = (left if rules.chicken_total == "everybody" else others) | dict(forfeited)
    total = sum(counts.values())
    half = -(-total // 2)
    of_all: dict[str, Value] = {"total": total, "hands": each_in_words(counts)}
    worked = say("half of {total}", total=total)
    failed = _why_failed(rules, caller, kept, left[caller] - fewest, of_all)
    if failed is None:
        says = say("Chicken with the fewest points left; half of {total} ({hands})", **of_all)
        return [Line(caller, half, says, worked=worked)]
    may_win = others if rules.chicken_failed == "others" else left
    fewest = min(may_win.values())
    winners = [player for player, points in may_win.items() if points == fewest]
    if len(winners) > 1 and rules.chicken_level == "share":
        half = -(-half // len(winners))
        failed = say("{reason}, shared", reason=failed)
        worked = say("share of half of {total}", total=total)
    return [Line(winner, half, failed, worked=worked) for winner in winners]


def _why_failed(
    rules: HouseRules, caller: str, kept: int, over: int, of_all: Mapping[str, Value]
) -> Text | None:
    """Why a call has failed, or None where it has not.

    The caller has `kept` cards of a kind and is `over` the fewest points that another has left.
    """
    values = {"player": caller, "kept": kept, **of_all}
    if kept < CHICKEN_NEEDS:
        return say(
            "{player}’s Chicken fails with only {kept} of a kind; half of {total} ({hands})",
            **values,
        )
    if over > 0:
        return say(
            "{player}’s Chicken fails: somebody has fewer points left; half of {total} ({hands})",
            **values,
        )
    if over == 0 and rules.chicken_tie == "fails":
        return say(
            "{player}’s Chicken fails: somebody has as few points left; half of {total} ({hands})",
            **values,
        )
    return None
