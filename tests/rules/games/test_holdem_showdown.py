"""The end of a hand of hold’em, told: who takes what with which cards."""

from typing import Any

import pytest

from referee.rules.games.multiple_9_holdem import GAME
from referee.rules.games.multiple_9_holdem.showdown import HandWon
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.sheets.files import play_through, sheet_from
from tests.support.some_deals import all_called

Hands = dict[str, str]


def before(hands: Hands, entries: list[dict[str, Any]] | None = None) -> HoldemState:
    """The table when the cards are to be shown; all have called 2 unless other `entries` say so."""
    sheet = sheet_from(all_called(list(hands)) | ({"entries": entries} if entries else {}))
    state = play_through(sheet.game, sheet.table, sheet.entries).state
    assert isinstance(state, HoldemState)
    return state


def told(hands: Hands, entries: list[dict[str, Any]] | None = None) -> HandWon:
    """What the felt tells after this showdown."""
    state = before(hands, entries)
    entry = GAME.read_entry({"action": "show", "hands": hands})
    found = GAME.pad.told(state, entry, GAME.apply(state, entry)[1])
    assert isinstance(found, HandWon)
    return found


@pytest.mark.parametrize(
    ("ann", "ben", "takes", "won_with"),
    [
        ("8 7", "K K", {"Ben": 6}, "with seven nines; Ann had six nines"),
        (
            "8 7",
            "10 7",
            {"Ann": 6},
            "with six nines. Level at 6 nines. Ranks left over: Ann none, Ben 1.",
        ),
        ("4 4", "4 4", {"Ann": 3, "Ben": 3}, "with five nines"),
        ("Q 5", "-", {"Ann": 6}, "with three nines"),
    ],
)
def test_who_takes_what_and_with_what(
    ann: str, ben: str, takes: dict[str, int], won_with: str
) -> None:
    """The chips out of the pot, and what decided; Cat mucks."""
    found = told({"Ann": ann, "Ben": ben, "Cat": "-"})
    assert dict(found.takes) == takes
    assert str(found.showdown.won_with) == won_with
    assert {hand.player for hand in found.winners} == set(takes)


def test_the_cards_held_are_marked_in_their_groups() -> None:
    """A card that lies on the board, too, is marked once."""
    (winner,) = told({"Ann": "10 2", "Ben": "Q 5", "Cat": "-"}).winners
    groups, unused = winner.laid()
    assert sum(card.own for group in (*groups, unused) for card in group) == 2
    assert [[card.rank for card in group] for group in groups] == [["10", "10", "7"], ["9"]]
    assert [card.rank for card in unused] == ["J", "2", "2"]
    assert sum(card.worth for card in groups[0]) == 27


def test_a_side_pot_has_a_winner_of_its_own() -> None:
    """Whoever is all in for less can win the main pot only; both takings are told."""
    ben_pays = {"action": "adjust", "player": "Ben", "points": -180, "to": "Ann", "reason": "a bet"}
    bets = [("Ann", "raise", 50), ("Ben", "call", None), ("Cat", "call", None)]
    entries: list[dict[str, Any]] = [ben_pays]
    for player, move, to in bets:
        entries.append({"action": "bet", "player": player, "move": move, "to": to})
    for cards in ("J 7 9", "2", "10"):
        entries.append({"action": "board", "cards": cards})
        entries += [{"action": "bet", "player": one, "move": "check"} for one in ("Cat", "Ann")]
    found = told({"Ann": "8 7", "Ben": "K K", "Cat": "Q 5"}, entries)
    assert dict(found.takes) == {"Ann": 60, "Ben": 60}
    assert [hand.player for hand in found.winners] == ["Ben"]


def test_a_hand_that_is_not_whole_is_still_to_come() -> None:
    """Nor does one count that no pack can hold, nor anything while a card can’t be read."""
    state = before({"Ann": "8 7", "Ben": "K K", "Cat": "-"})
    found = GAME.showdown(state, {"Ann": "8 7", "Ben": "K", "Cat": "-"})
    assert found is not None
    assert [hand.player for hand in found.hands] == ["Ann"]
    assert (found.mucked, found.to_come) == (("Cat",), ("Ben",))
    assert GAME.showdown(state, {"Ann": "8 Z"}) is None


def test_only_a_showdown_is_told() -> None:
    """A hand that ended otherwise is a row of the pad."""
    sheet = sheet_from(all_called(["Ann", "Ben", "Cat"]) | {"entries": []})
    state = GAME.start(sheet.table)
    lost = {"Ben": 1, "Cat": 2}
    entry = GAME.read_entry({"action": "hand", "won": {"Ann": 3}, "lost": lost})
    assert GAME.pad.told(state, entry, GAME.apply(state, entry)[1]) is None
