"""Hands shown when somebody has gone out: cards or numbers, one for everybody else."""

import pytest
from msgspec import Struct

from referee.rules.cards.cards import RANKS_ONLY, Card
from referee.rules.cards.hands import ShownHands, hand_faults, read_hands
from referee.rules.core.ruling import Fault, NotationError
from referee.rules.games.pink_nines import Out
from referee.rules.text import Text

PLAYERS = ["Ann", "Ben", "Cat"]


class Number(Struct, frozen=True):
    """A hand as a number of cards."""

    cards: int
    red_nines: int = 0


def count(cards: tuple[Card, ...]) -> Number:
    """A hand of these cards."""
    return Number(len(cards))


def fault(code: str, says: Text, section: str) -> Fault:
    """A fault of a game that is called "a game"."""
    return Fault(code, says, "a-game", section)


def test_hands_are_cards_or_numbers() -> None:
    """Both are counted; the cards are there as well where they were written."""
    hands = read_hands({"Ben": "K 4", "Cat": Number(3), "Dan": ""}, RANKS_ONLY, count)
    assert hands.counted == {"Ben": Number(2), "Cat": Number(3), "Dan": Number(0)}
    assert hands.cards == {"Ben": (Card("K"), Card("4")), "Dan": ()}


def test_every_text_that_is_no_card_is_named_with_its_hand() -> None:
    """In all hands at once."""
    with pytest.raises(NotationError) as refused:
        read_hands({"Ben": "K 0", "Cat": "x"}, RANKS_ONLY, count)
    assert [fault.message.partition(" isn’t")[0] for fault in refused.value.faults] == [
        "“0” in Ben’s hand",
        "“x” in Cat’s hand",
    ]


@pytest.mark.parametrize(
    ("held", "wrong"),
    [
        ({"Ben": 1, "Cat": 5}, []),
        (
            {"Ben": 0, "Cat": 1},
            [("hand-empty", "Ben didn’t go out, so must hold at least one card.")],
        ),
        (
            {"Ann": 0, "Cat": 7},
            [
                ("winner-holds", "Ann went out, so can’t hold any cards."),
                ("hand-missing", "Ben’s cards are missing."),
                ("too-many-cards", "Cat was dealt 5 cards, but holds 7 here."),
            ],
        ),
    ],
)
def test_everybody_but_the_winner_holds_something(
    held: dict[str, int], wrong: list[tuple[str, str]]
) -> None:
    """Ann went out of three players with five cards each."""
    entry = Out("Ann", hands=dict.fromkeys(held, ""))
    hands = ShownHands({}, {player: Number(cards) for player, cards in held.items()})
    found = list(hand_faults(fault, PLAYERS, entry, hands, 5))
    assert [(one.code, one.message) for one in found] == wrong
    assert {(one.game, one.section) for one in found} <= {("a-game", "score")}
