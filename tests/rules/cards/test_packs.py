"""What a pack can hold: cards that are not in it, or not that often."""

import pytest

from referee.rules.cards.cards import (
    RANKS,
    RANKS_AND_RED_NINES,
    Notation,
    read_cards,
)
from referee.rules.cards.packs import Pack, pack_faults, red_nine_faults
from referee.rules.core.ruling import Fault
from referee.rules.text import Text, say

WHOLE = Pack()
FIVE_SUITS = Pack(red_suits=3, black_suits=2)
WITHOUT_TWOS_AND_THREES = Pack(ranks=(RANKS[0], *RANKS[3:]))


def fault(code: str, says: Text, section: str) -> Fault:
    return Fault(code, says, "a-game", section)


def wrong(pack: Pack, cards: str, notation: Notation = RANKS_AND_RED_NINES) -> list[Fault]:
    """All that the pack cannot hold of these cards."""
    return list(pack_faults(pack, fault, read_cards(cards, notation)))


def said(found: list[Fault]) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in found]


@pytest.mark.parametrize("pack", [WHOLE, FIVE_SUITS])
def test_only_black_nines_are_counted_as_nines(pack: Pack) -> None:
    """Red nines are counted by themselves."""
    assert wrong(pack, "9 9 9R 9R 9R 9R 9R 9R") == []
    assert said(wrong(pack, "9 9S 9C")) == [
        ("too-many-of-rank", "3 black nines? The pack has only 2.")
    ]


def test_all_faults_come_at_once_in_the_order_of_the_ranks() -> None:
    """Those of the pack, and none against another section than the deal."""
    found = wrong(WITHOUT_TWOS_AND_THREES, "K K K K K 2 A A A A A")
    assert [one.code for one in found] == ["not-in-pack", "too-many-of-rank", "too-many-of-rank"]
    assert [one.message.partition("?")[0] for one in found[1:]] == ["5 aces", "5 kings"]
    assert {(one.game, one.section) for one in found} == {("a-game", "deal")}


@pytest.mark.parametrize(
    ("pack", "number", "out_on_one", "sentence"),
    [
        (WHOLE, 2, None, ""),
        (WHOLE, 3, None, "3 red nines? The pack has only 2."),
        (WHOLE, 1, "Ann", ""),
        (WHOLE, 2, "Ann", "2 red nines? The pack has only 2, and Ann went out on one."),
        (FIVE_SUITS, 3, None, ""),
        (FIVE_SUITS, 2, "Ann", ""),
        (FIVE_SUITS, 3, say("Ben"), "3 red nines? The pack has only 3, and Ben went out on one."),
        (Pack(1, 1), 1, "Ann", "1 red nine? The pack has only 1, and Ann went out on one."),
    ],
)  # fmt: skip
def test_red_nines(pack: Pack, number: int, out_on_one: str | Text | None, sentence: str) -> None:
    """There is one for each red suit; one that somebody went out on is in no hand."""
    found = list(red_nine_faults(pack, fault, number, out_on_one))
    assert [one.message for one in found] == [sentence] * bool(sentence)
    assert {(one.code, one.section) for one in found} <= {("too-many-red-nines", "red-nines")}
