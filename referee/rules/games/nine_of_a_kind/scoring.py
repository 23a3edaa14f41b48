"""What a round of 9 of a Kind scores (`docs/rules.md` §3)."""

from collections.abc import Iterable, Mapping

from referee.rules.core.lines import Line
from referee.rules.games.nine_of_a_kind.ending import cards_shown
from referee.rules.games.nine_of_a_kind.entries import End
from referee.rules.games.nine_of_a_kind.hands import (
    Counted,
    Tally,
    best_tally,
    best_tally_keeping,
    collection_name,
    collection_named,
    tally,
)
from referee.rules.games.nine_of_a_kind.state import NineOfAKindState
from referee.rules.text import Listed, Text, listed, say

CHICKEN_NEEDS = 7

#: What each hand counts, by player in seating order.
Tallies = Mapping[str, Tally | Counted]


def end_lines(state: NineOfAKindState, entry: End) -> list[Line]:
    """What the end of a round scores, item by item."""
    tallies = tallies_of(state, entry)
    if entry.by == "chicken":
        return _chicken_lines(entry.callers[0], tallies)
    if state.table.options.unison == "share" and len(entry.callers) > 1:
        return _shared_lines(entry.callers, tallies)
    return _claim_lines(entry.callers, tallies)


def tallies_of(state: NineOfAKindState, entry: End) -> Tallies:
    """What each hand counts; callers of nine or Blocker are left out."""
    shown = cards_shown(entry)
    tallies: dict[str, Tally | Counted] = {}
    for player in state.holding:
        called = player in entry.callers
        if called and entry.by != "chicken":
            continue
        hand = entry.hands[player]
        named = collection_named(hand.collecting)
        if hand.counted is not None:
            tallies[player] = hand.counted
        elif named is not None:
            tallies[player] = tally(shown[player], named)
        else:
            # The seven that a Chicken needs bind the caller, even where others count less.
            bound = best_tally_keeping(CHICKEN_NEEDS, shown[player]) if called else None
            tallies[player] = bound or best_tally(shown[player])
    return tallies


def _claim_lines(callers: Iterable[str], tallies: Tallies) -> list[Line]:
    """Each caller gains the deadwood of all who did not call."""
    return [
        Line(caller, found.deadwood, _deadwood(player, found))
        for caller in callers
        for player, found in tallies.items()
    ]


def _shared_lines(callers: list[str], tallies: Tallies) -> list[Line]:
    """Each caller gains a share of that deadwood, rounded up."""
    total = _total(tallies)
    reason = say("a share of {total} ({hands})", total=total, hands=_each(tallies))
    return [Line(caller, -(-total // len(callers)), reason) for caller in callers]


def _chicken_lines(caller: str, tallies: Tallies) -> list[Line]:
    """Half of all deadwood, rounded up, to the caller or, where the call fails, to the lowest."""
    others = {player: found for player, found in tallies.items() if player != caller}
    fewest = min(found.deadwood for found in others.values())
    own, total, hands = tallies[caller], _total(tallies), _each(tallies)
    winners = [player for player, found in others.items() if found.deadwood == fewest]
    kept = own.kept or 0
    if kept < CHICKEN_NEEDS:
        reason = say(
            "{player}’s Chicken fails with only {kept} of a kind; half of {total} ({hands})",
            player=caller,
            kept=kept,
            total=total,
            hands=hands,
        )
    elif own.deadwood > fewest:
        reason = say(
            "{player}’s Chicken fails: somebody has fewer points left; half of {total} ({hands})",
            player=caller,
            total=total,
            hands=hands,
        )
    else:
        winners = [caller]
        reason = say(
            "Chicken with the fewest points left; half of {total} ({hands})",
            total=total,
            hands=hands,
        )
    return [Line(winner, -(-total // 2), reason) for winner in winners]


def _total(tallies: Tallies) -> int:
    return sum(found.deadwood for found in tallies.values())


def _each(tallies: Tallies) -> Listed:
    """Each hand's deadwood: "Ben 27 and Cat 12"."""
    return listed(
        say("{player} {points}", player=player, points=found.deadwood)
        for player, found in tallies.items()
    )


def _deadwood(player: str, found: Tally | Counted) -> Text:
    if found.deadwood == 0:
        return say("{player} has a complete set", player=player)
    if isinstance(found, Counted):
        return say("{player}’s points left", player=player)
    name = collection_name(found.collecting)
    return say("{player}’s cards that aren’t {collection}", player=player, collection=name)
