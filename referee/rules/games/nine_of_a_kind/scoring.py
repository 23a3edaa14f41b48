"""What a round of 9 of a Kind scores (`docs/rules.md` §3)."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from referee.rules.cards.cards import NINE_SUITS, read_cards
from referee.rules.core.table import Line, note
from referee.rules.games.nine_of_a_kind.chicken import CHICKEN_NEEDS, chicken_lines
from referee.rules.games.nine_of_a_kind.ending import cards_shown
from referee.rules.games.nine_of_a_kind.entries import End, Forfeit
from referee.rules.games.nine_of_a_kind.hands import (
    Counted,
    Tally,
    best_tally,
    best_tally_keeping,
    collection_name,
    collection_named,
    each_in_words,
    tally,
)
from referee.rules.games.nine_of_a_kind.house_rules import HouseRules
from referee.rules.games.nine_of_a_kind.state import NineOfAKindState
from referee.rules.text import Text, say

_CALLED = {"nine": say("called"), "blocker": say("Blocker"), "chicken": say("Chicken")}

#: What each hand counts, by player in seating order.
Tallies = Mapping[str, Tally | Counted]


def end_lines(state: NineOfAKindState, entry: End) -> list[Line]:
    """What the end of a round scores, item by item."""
    tallies, rules = tallies_of(state, entry), state.table.options
    forfeited = {state.name(seat): points for seat, points in state.forfeits if points}
    notes = _notes(entry, tallies)
    if entry.by == "chicken":
        return [*notes, *chicken_lines(rules, entry.callers[0], tallies, forfeited)]
    if rules.unison == "share" and len(entry.callers) > 1:
        return [*notes, *_shared_lines(entry.callers, tallies, forfeited)]
    gained = _claim_lines(entry.callers, tallies), _forfeited_lines(entry.callers, forfeited)
    return [*notes, *chain(*gained)]


def forfeited_points(rules: HouseRules, entry: Forfeit) -> int:
    """The points left in the hand of a false call, which go to the winner; 0 where none count.

    Of typed cards it is the collection that leaves the fewest.
    """
    if not rules.forfeited_counts:
        return 0
    if entry.deadwood is not None:
        return entry.deadwood
    return best_tally(read_cards(entry.cards, NINE_SUITS)).deadwood


def tallies_of(state: NineOfAKindState, entry: End) -> Tallies:
    """What each hand that is there counts; callers of nine or Blocker are left out."""
    shown = cards_shown(entry)
    tallies: dict[str, Tally | Counted] = {}
    for player in state.holding:
        called = player in entry.callers
        if (called and entry.by != "chicken") or player not in entry.hands:
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


def _notes(entry: End, tallies: Tallies) -> Iterator[Line]:
    """What the pad says of each: who called, and what the others had left."""
    yield from (note(caller, _CALLED[entry.by]) for caller in entry.callers)
    for player, found in tallies.items():
        if player not in entry.callers:
            yield note(player, say("{n} left", n=found.deadwood))


def _claim_lines(callers: Iterable[str], tallies: Tallies) -> list[Line]:
    """Each caller gains the deadwood of all who did not call."""
    return [
        Line(caller, found.deadwood, _deadwood(player, found))
        for caller in callers
        for player, found in tallies.items()
    ]


def _forfeited_lines(callers: Iterable[str], forfeited: Mapping[str, int]) -> list[Line]:
    """Each caller gains what was left after false calls too, where that counts."""
    return [
        Line(caller, points, say("{player}’s false call", player=player))
        for caller in callers
        for player, points in forfeited.items()
    ]


def _shared_lines(callers: list[str], tallies: Tallies, forfeited: Mapping[str, int]) -> list[Line]:
    """Each caller gains a share of all that, rounded up."""
    points = {player: found.deadwood for player, found in tallies.items()} | dict(forfeited)
    total = sum(points.values())
    reason = say("a share of {total} ({hands})", total=total, hands=each_in_words(points))
    share = say("share of {total}", total=total)
    gain = -(-total // len(callers))
    return [Line(caller, gain, reason, worked=share) for caller in callers]


def _deadwood(player: str, found: Tally | Counted) -> Text:
    if found.deadwood == 0:
        return say("{player} has a complete set", player=player)
    if isinstance(found, Counted):
        return say("{player}’s points left", player=player)
    name = collection_name(found.collecting)
    return say("{player}’s cards that aren’t {collection}", player=player, collection=name)
