"""What a round of 9 of a Kind scores (`docs/rules.md` §3)."""

from collections.abc import Mapping

from referee.rules.cards.cards import NINE_SUITS, read_cards
from referee.rules.core.table import Line, note
from referee.rules.games.nine_of_a_kind.ending import cards_shown
from referee.rules.games.nine_of_a_kind.entries import End, Forfeit, HouseRules, NineOfAKindState
from referee.rules.games.nine_of_a_kind.hands import (
    Tally,
    best_tally,
    collection_name,
    collection_named,
    tally,
)
from referee.rules.text import Listed, Text, listed, say

_CALLED = {"nine": say("called it"), "blocker": say("Blocker"), "chicken": say("Chicken")}

CHICKEN_NEEDS = 7  # cards of one suit or rank

#: What each hand counts, by player in seating order.
Tallies = Mapping[str, Tally]


def end_lines(state: NineOfAKindState, entry: End) -> list[Line]:
    """The lines of the end of a round: notes, then what each winner gains."""
    tallies, rules = tallies_of(state, entry), state.table.options
    forfeited = {state.name(seat): points for seat, points in state.forfeits if points}
    notes = [note(caller, _CALLED[entry.by]) for caller in entry.callers]
    for player, found in tallies.items():
        if player not in entry.callers:
            notes.append(note(player, say("{n} left", n=found.deadwood)))
    if entry.by == "chicken":
        return [*notes, *_chicken_lines(rules, entry.callers[0], tallies, forfeited)]
    if rules.unison == "share" and len(entry.callers) > 1:
        return [*notes, *_shared_lines(entry.callers, tallies, forfeited)]
    gained = [
        Line(caller, found.deadwood, _reason(player, found))
        for caller in entry.callers
        for player, found in tallies.items()
    ]
    for caller in entry.callers:
        for player, points in forfeited.items():
            gained.append(Line(caller, points, say("{player}’s false call", player=player)))
    return [*notes, *gained]


def forfeited_points(rules: HouseRules, entry: Forfeit) -> int:
    """The points left in the hand of a false call, which go to the winner if they count.

    Typed cards count for the collection that leaves the fewest.
    """
    if not rules.forfeited_counts:
        return 0
    if entry.deadwood is not None:
        return entry.deadwood
    return best_tally(read_cards(entry.cards, NINE_SUITS)).deadwood


def tallies_of(state: NineOfAKindState, entry: End) -> Tallies:
    """What each hand entered counts; those who called nine or Blocker are left out."""
    shown = cards_shown(entry)
    tallies: dict[str, Tally] = {}
    for player in state.holding:
        called = player in entry.callers
        if (called and entry.by != "chicken") or player not in entry.hands:
            continue
        hand = entry.hands[player]
        named = collection_named(hand.collecting)
        if hand.deadwood is not None:
            tallies[player] = Tally("", hand.deadwood, hand.kept or 0)
        elif named is not None:
            tallies[player] = tally(shown[player], named)
        else:
            # A Chicken counts for a collection of seven cards, even if another leaves less.
            tallies[player] = best_tally(shown[player], keeping=CHICKEN_NEEDS if called else 0)
    return tallies


def _each_in_words(points: Mapping[str, int]) -> Listed:
    return listed(
        say("{player} {points}", player=player, points=left) for player, left in points.items()
    )


def _shared_lines(callers: list[str], tallies: Tallies, forfeited: Mapping[str, int]) -> list[Line]:
    """Each caller gains an equal share of all points left, rounded up."""
    points = {player: found.deadwood for player, found in tallies.items()} | dict(forfeited)
    total = sum(points.values())
    reason = say("a share of {total} ({hands})", total=total, hands=_each_in_words(points))
    share = say("share of {total}", total=total)
    gain = -(-total // len(callers))
    return [Line(caller, gain, reason, worked=share, word=say("share")) for caller in callers]


def _reason(player: str, found: Tally) -> Text:
    """The reason for the points that a winner gains from `player`."""
    if found.deadwood == 0:
        return say("{player} has a complete set", player=player)
    if not found.collecting:
        return say("{player}’s points left", player=player)
    name = collection_name(found.collecting)
    return say("{player}’s cards that aren’t {collection}", player=player, collection=name)


# --- Chicken


def _chicken_lines(
    rules: HouseRules,
    caller: str,
    tallies: Tallies,
    forfeited: Mapping[str, int],
) -> list[Line]:
    """Half of the points, rounded up: to the caller or, if the call fails, to the lowest.

    By a house rule the caller may be the lowest, having failed with too few cards or a tie.
    """
    left = {player: found.deadwood for player, found in tallies.items()}
    others = {player: points for player, points in left.items() if player != caller}
    kept, over = tallies[caller].kept, left[caller] - min(others.values())
    may_win = others if rules.chicken_failed == "others" else left
    if kept < CHICKEN_NEEDS:
        why = say("{player}’s Chicken fails with only {kept} of a kind", player=caller, kept=kept)
    elif over > 0:
        why = say("{player}’s Chicken fails: somebody has fewer points left", player=caller)
    elif over == 0 and rules.chicken_tie == "fails":
        why = say("{player}’s Chicken fails: somebody has as few points left", player=caller)
    else:
        why, may_win = say("Chicken with the fewest points left"), {caller: left[caller]}
    counts = (left if rules.chicken_total == "everybody" else others) | dict(forfeited)
    total = sum(counts.values())
    half = -(-total // 2)
    hands = _each_in_words(counts)
    part = say("half of {total}", total=total)
    worked = say("{part}, rounded up", part=part) if total % 2 else part
    reason = say("{why}; {part} ({hands})", why=why, part=worked, hands=hands)
    winners = [player for player in may_win if may_win[player] == min(may_win.values())]
    if len(winners) > 1 and rules.chicken_level == "share":
        half = -(-half // len(winners))
        reason = say("{reason}, shared", reason=reason)
        worked = say("share of {part}", part=worked)
    return [Line(winner, half, reason, worked=worked, word=say("half")) for winner in winners]
