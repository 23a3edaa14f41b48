"""The answers about runs in words and cards: what follows, what does not fit, how to write it."""

from typing import Any

import pytest

from referee.rules.cards.cards import RANKS, RANKS_AND_RED_NINES, SUITED_RED_NINES, Card
from referee.rules.cards.packs import Pack
from referee.rules.cards.runs import (
    OpeningRunQuestion,
    RunOrder,
    RunQuestion,
    SuitedRunQuestion,
    ascending,
    run_judge,
)
from referee.rules.core.judge import Judge
from referee.rules.core.ruling import Fault, NotationError
from referee.rules.registry import GAMES
from referee.rules.text import Text


def fault(code: str, says: Text, section: str) -> Fault:
    """A fault of a game that is called "a game"."""
    return Fault(code, says, "a-game", section)


IN_SUIT = RunOrder(
    after=ascending(RANKS[3:]),
    notation=SUITED_RED_NINES,
    pack=Pack(ranks=(RANKS[0], *RANKS[3:])),
)
ANY_SUIT = RunOrder(after=ascending(RANKS), notation=RANKS_AND_RED_NINES, most=13, several=True)
SUITED: Judge[RunQuestion] = run_judge(IN_SUIT, fault, SuitedRunQuestion)
OPENING: Judge[RunQuestion] = run_judge(ANY_SUIT, fault, OpeningRunQuestion)


def answer(judge: Judge[RunQuestion], cards: str, last: str = "", **more: Any) -> list[str]:
    """What the judge says: what follows, or the faults."""
    ruling = judge.answer({"cards": cards, "last": last, **more})
    assert bool(ruling.says) == ruling.legal
    return [*map(str, ruling.says), *(fault.message for fault in ruling.faults)]


def laid_out(judge: Judge[RunQuestion], cards: str, last: str = "", **more: Any) -> list[str]:
    """The cards that the answer speaks of."""
    return [str(one) for one in judge.lay_out({"cards": cards, "last": last, **more})]


# --- the order of cards


def test_what_follows_what() -> None:
    """In its suit, where suits matter; nothing follows the last rank or leads to the first."""
    assert IN_SUIT.next_after(Card("4", "S")) == Card("5", "S")
    assert IN_SUIT.before(Card("5", "S")) == Card("4", "S")
    assert [IN_SUIT.next_after(Card(rank, "S")) for rank in "AK"] == [None, None]
    assert [IN_SUIT.before(Card(rank, "S")) for rank in "A4"] == [None, None]
    assert ANY_SUIT.next_after(Card("9", "red")) == Card("10")
    assert ANY_SUIT.before(Card("10")) == Card("9")


def test_what_fits() -> None:
    """The very card where suits matter, its rank where they do not."""
    assert IN_SUIT.fits(Card("9", "H"), Card("9", "H"))
    assert not IN_SUIT.fits(Card("9", "H"), Card("9", "D"))
    assert ANY_SUIT.fits(Card("9", "red"), Card("9"))
    assert not ANY_SUIT.fits(Card("8"), Card("9"))


# --- what it says


@pytest.mark.parametrize(
    ("judge", "cards", "last", "says"),
    [
        (
            SUITED,
            "9H 9S",
            "8H",
            "After the nine of hearts comes the ten of hearts, not the nine of spades. If 9H "
            "stands for the eight of spades, write 9H=8S.",
        ),
        (
            SUITED,
            "9H=8S 10S",
            "7S",
            "After the nine of hearts as the eight of spades comes the nine of spades, not the ten "
            "of spades.",
        ),
        (
            SUITED,
            "9H=AS",
            "",
            "The ace of spades is a stop: the same player starts a new run with any card.",
        ),
        (SUITED, "9H=2S", "", "A red nine can’t stand for a two: there are none in the pack."),
        (SUITED, "7D", "3S", "The three of spades? There are no 3s in the pack."),
        (
            OPENING,
            "9R 7",
            "",
            "After a red nine comes a ten, not a seven. If 9R stands for a six, write 9R=6.",
        ),
        (OPENING, "9R A", "", "After a red nine comes a ten, not an ace."),
    ],
)
def test_red_nines_and_cards_outside_the_pack(
    judge: Judge[RunQuestion], cards: str, last: str, says: str
) -> None:
    """One sentence: what follows, or what is wrong. All others are in the games’ golden files."""
    assert answer(judge, cards, last) == [says]


def test_the_opening_turn_follows_no_card() -> None:
    """A last card is a fault there, and does not count."""
    says = "The opening turn follows no card, so leave the last card empty."
    assert answer(OPENING, "8", "3", opening=True) == [says]


def test_every_fault_names_its_section() -> None:
    """Of the game that asks; all of them at once."""
    asked = {"cards": "9H=2S 2S KS KS 9R 9R 9R", "last": "5S 6S"}
    ruling = SUITED.answer(asked)
    assert [(fault.code, fault.section) for fault in ruling.faults] == [
        ("one-last", "play"),
        ("not-in-pack", "deal"),
        ("not-in-pack", "deal"),
        ("card-twice", "deal"),
        ("too-many-red-nines", "red-nines"),
        ("not-next", "play"),
        ("red-nine-suit", "red-nines"),
        ("red-nine-suit", "red-nines"),
        ("red-nine-suit", "red-nines"),
    ]
    assert {fault.game for fault in ruling.faults} == {"a-game"}


def test_what_is_no_card_is_named_with_its_field() -> None:
    """In the run and in the last card at once."""
    with pytest.raises(NotationError) as refused:
        OPENING.answer({"cards": "1", "last": "0"})
    where = [fault.message.partition(" isn’t")[0] for fault in refused.value.faults]
    assert where == ["“1” in the run", "“0” in the last card"]


# --- what it lays out


@pytest.mark.parametrize(
    ("cards", "last", "spreads"),
    [
        ("", "", []),
        ("7S", "", ["7S", "8S: must follow"]),
        ("8S 9H=9S", "7S", ["7S: already there", "8S 9H=9S: laid now", "10S: must follow"]),
        ("KS", "QS", ["QS: already there", "KS: laid now"]),
        ("6H 9D 8H 9R", "", ["6H 9D=7H 8H 9R=9H", "10H: must follow"]),
        ("8S 10S JS KH", "7S", ["7S: already there", "8S [10S] JS [KH]: laid now"]),
        ("", "7S", ["7S: already there", "8S: must follow"]),
        ("9R", "", ["[9R]"]),
        ("2S 4S", "", ["2S 4S", "5S: must follow"]),
    ],
)
def test_cards_laid_out(cards: str, last: str, spreads: list[str]) -> None:
    """What was there, what is laid now with what does not fit in brackets, what must follow."""
    assert laid_out(SUITED, cards, last) == spreads


@pytest.mark.parametrize(
    ("slug", "read"),
    [
        ("red-nines-1881", "The nine of diamonds stands for the seven of hearts."),
        ("red-nines", "The red nine stands for the seven."),
        ("pink-nines", "The red nine stands for the seven."),
    ],
)
def test_each_stops_game_says_how_it_read_a_red_nine(slug: str, read: str) -> None:
    """Written plainly in a run it is the card that is due: nobody has to announce it."""
    found = GAMES[slug].judges["run"].answer({"cards": "6H 9D 8H", "last": ""})
    assert found.legal
    assert read in map(str, found.says)


@pytest.mark.parametrize(
    ("slug", "cards"),
    [("red-nines-1881", "6H 9D=9D"), ("red-nines", "6 9R=9"), ("pink-nines", "6 9R=9")],
)
def test_a_red_nine_that_is_said_to_be_a_nine_is_one(slug: str, cards: str) -> None:
    """It is not read as the seven that is due, and does not fit."""
    found = GAMES[slug].judges["run"].answer({"cards": cards, "last": ""})
    assert not found.legal
    assert "seven" in str(found.faults[0].says)


def test_an_opening_turn_laid_out() -> None:
    """The last card does not count, and several of the first rank fit."""
    assert laid_out(OPENING, "A A 2", "8", opening=True) == [
        "8: already there",
        "A A 2: laid now",
        "3: must follow",
    ]
    assert laid_out(OPENING, "A A 2 2", opening=True) == ["A A 2 [2]"]
