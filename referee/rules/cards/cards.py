"""Ranks, suits and cards, and how they are read from text and written as text.

A card is written rank first, then suit: `10D`, `AS`, `4X` (`docs/sheet-format.md`, cards as text).
What counts as a card differs from game to game, so each game reads with its own `Notation`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

import msgspec

from referee.rules.core.ruling import Fault, NotationError, shared_fault
from referee.rules.text import NOTHING, Printed, Text, quoted, say, say_many

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKER = "*"
VALUE = {rank: value for value, rank in enumerate(RANKS, start=1)}
#: Each rank in words: its name, one card of it, and a number of them.
_IN_WORDS = {
    "A": (say("ace"), say("an ace"), say_many("{n} ace", "{n} aces", n=0)),
    "2": (say("two"), say("a two"), say_many("{n} two", "{n} twos", n=0)),
    "3": (say("three"), say("a three"), say_many("{n} three", "{n} threes", n=0)),
    "4": (say("four"), say("a four"), say_many("{n} four", "{n} fours", n=0)),
    "5": (say("five"), say("a five"), say_many("{n} five", "{n} fives", n=0)),
    "6": (say("six"), say("a six"), say_many("{n} six", "{n} sixes", n=0)),
    "7": (say("seven"), say("a seven"), say_many("{n} seven", "{n} sevens", n=0)),
    "8": (say("eight"), say("an eight"), say_many("{n} eight", "{n} eights", n=0)),
    "9": (say("nine"), say("a nine"), say_many("{n} nine", "{n} nines", n=0)),
    "10": (say("ten"), say("a ten"), say_many("{n} ten", "{n} tens", n=0)),
    "J": (say("jack"), say("a jack"), say_many("{n} jack", "{n} jacks", n=0)),
    "Q": (say("queen"), say("a queen"), say_many("{n} queen", "{n} queens", n=0)),
    "K": (say("king"), say("a king"), say_many("{n} king", "{n} kings", n=0)),
    "*": (say("joker"), say("a joker"), say_many("{n} joker", "{n} jokers", n=0)),
}
RANK_NAMES = {rank: name for rank, (name, _, _) in _IN_WORDS.items()}

FRENCH_SUITS = "SHDC"
JANKEN_SUITS = "RPXWL"
SUIT_NAMES = {
    "S": say("spades"),
    "H": say("hearts"),
    "D": say("diamonds"),
    "C": say("clubs"),
    "R": say("rock"),
    "P": say("paper"),
    "X": say("scissors"),
    "W": say("water"),
    "L": say("lizard"),
}
SUIT_SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_LETTERS = str.maketrans(SUIT_SIGNS)
RED = "red"  # in place of a suit: a red nine whose own suit does not matter or is not known
_RED_SUITS = ("H", "D", RED)
RED_LETTER = "R"  # how `RED` is written; in 9 of a Kind the same letter is the suit of rock

_SEPARATORS = re.compile(r"[\s,+\-]+")
_CARD = re.compile(r"(10|[2-9TJQKA*])([A-Z]?)")
_VARIATION_SELECTORS = re.compile("[\ufe0e\ufe0f]")


class Card(NamedTuple):
    """One card. `suit` is a letter, `RED`, or empty where the game ignores suits."""

    rank: str
    suit: str = ""

    def __str__(self) -> str:
        return self.rank + (RED_LETTER if self.suit == RED else self.suit)


class Laid(NamedTuple):
    """A card laid in a run, what it `stands_for`, and whether the player `declared` it."""

    card: Card
    stands_for: Card
    declared: bool = False

    def __str__(self) -> str:
        return str(self.card) if self.card == self.stands_for else f"{self.card}={self.stands_for}"


class Notation(msgspec.Struct, frozen=True, eq=False):
    """Which texts are cards in a game. There are a few, and each equals only itself.

    `suits` are the letters that may follow a rank. Where cards are `suited` one must follow;
    elsewhere it is ignored. With `marks_red_nine` 9H, 9D and 9R are distinguished from the black
    nines. `example` shows in a fault how to write a card.
    """

    suits: str = FRENCH_SUITS
    suited: bool = False
    marks_red_nine: bool = False
    ranks: tuple[str, ...] = RANKS
    example: Text = say("A, 2–10, J, Q, K")

    def card(self, text: str) -> Card | None:
        """The card that `text` names, or None if it is no card in this game."""
        return _card(self, text)


@lru_cache(maxsize=4096)  # long sheets repeat the same few
def _card(notation: Notation, text: str) -> Card | None:
    match = _CARD.fullmatch(_VARIATION_SELECTORS.sub("", text).upper().translate(_LETTERS))
    if match is None:
        return None
    rank = "10" if match[1] == "T" else match[1]
    suit = match[2]
    if rank not in notation.ranks or (rank == JOKER and suit):
        return None
    # 9R is a red nine, except in games that need a suit and don't mark red nines.
    if (rank, suit) == ("9", RED_LETTER) and (notation.marks_red_nine or not notation.suited):
        suit = RED
    elif suit and suit not in notation.suits:
        return None
    if notation.suited and not suit and rank != JOKER:
        return None
    if not notation.suited:
        suit = RED if notation.marks_red_nine and is_red_nine(Card(rank, suit)) else ""
    return Card(rank, suit)


RANKS_ONLY = Notation()
RANKS_AND_JOKERS = Notation(
    ranks=(*RANKS, JOKER), example=say("A, 2–10, J, Q, K, or * for a joker")
)
RANKS_AND_RED_NINES = Notation(
    marks_red_nine=True, example=say("A, 2–10, J, Q, K, or 9R for a red nine")
)
SUITED = Notation(suited=True, example=say("rank and suit, such as 10D or KS"))
SUITED_RED_NINES = Notation(
    suited=True,
    marks_red_nine=True,
    example=say("rank and suit, such as 10D or KS, or 9R for a red nine"),
)
NINE_SUITS = Notation(
    suits=FRENCH_SUITS + JANKEN_SUITS,
    suited=True,
    ranks=RANKS[:9],
    example=say("rank and suit, such as 8D, AS, or 4X for the four of scissors"),
)


def _tokens(text: str) -> list[str]:
    return list(filter(None, _SEPARATORS.split(text)))


class CardReader:
    """Reads texts of cards and collects a fault for everything in them that is no card."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def cards(self, text: str, notation: Notation, where: Text = NOTHING) -> tuple[Card, ...]:
        """The cards in `text`, in order; faults say `where` they are: "Ben’s hand"."""
        found = []
        for token in _tokens(text):
            if card := notation.card(token):
                found.append(card)
            else:
                self._no_card(token, notation, where)
        return tuple(found)

    def run(self, text: str, notation: Notation, where: Text = NOTHING) -> tuple[Laid, ...]:
        """The cards of a run, in order; `9H=8S` is a red nine that stands for another card."""
        found = []
        for token in _tokens(text):
            written, equals, meant = token.partition("=")
            card = notation.card(written)
            stands_for = notation.card(meant) if equals else card
            if card is None or stands_for is None:
                self._no_card(token, notation, where)
            elif equals and not is_red_nine(card):
                says = say(
                    "{card}: only a red nine can stand for another card.",
                    card=Printed(quoted(token)),
                )
                self.faults.append(shared_fault("not-wild", says, "cards"))
            else:
                found.append(Laid(card, stands_for, bool(equals)))
        return tuple(found)

    def _no_card(self, token: str, notation: Notation, where: Text) -> None:
        if where:
            says = say(
                "“{text}” in {where} isn’t a card in this game. Use {example}, separated "
                "by spaces.",
                text=Printed(quoted(token)),
                where=where,
                example=Printed(notation.example),
            )
        else:
            says = say(
                "“{text}” isn’t a card in this game. Use {example}, separated by spaces.",
                text=Printed(quoted(token)),
                example=Printed(notation.example),
            )
        self.faults.append(shared_fault("not-a-card", says, "cards"))


@contextmanager
def reading_cards() -> Iterator[CardReader]:
    """Read any number of texts; raise one `NotationError` at the end with all their faults."""
    reader = CardReader()
    yield reader
    if reader.faults:
        raise NotationError(reader.faults)


def read_cards(text: str, notation: Notation, where: Text = NOTHING) -> tuple[Card, ...]:
    """The cards in `text`; raises `NotationError` with everything in it that is no card."""
    with reading_cards() as reader:
        return reader.cards(text, notation, where)


def write_cards(cards: Iterable[object]) -> str:
    """Cards, or cards as laid in a run, as text, separated by single spaces."""
    return " ".join(map(str, cards))


def is_red_nine(card: Card) -> bool:
    """Whether this card is a red nine; its notation must mark red nines."""
    return card.rank == "9" and card.suit in _RED_SUITS


def card_name(card: Card) -> Text:
    """A card in words, with its article: "the four of scissors", "a king", "a red nine"."""
    if card.suit == RED:
        return say("a red nine")
    if card.suit:
        return say("the {rank} of {suit}", rank=RANK_NAMES[card.rank], suit=SUIT_NAMES[card.suit])
    return _IN_WORDS[card.rank][1]


def count_of(number: int, rank: str) -> Text:
    """A number of cards of one rank, in words: "5 kings", "1 ace", "6 sixes"."""
    return msgspec.structs.replace(_IN_WORDS[rank][2], values=(("n", number),))


def repeated(cards: Iterable[Card]) -> list[Card]:
    """The cards that occur more than once, each listed once, by rank and then by suit."""
    twice = [card for card, number in Counter(cards).items() if number > 1]
    return sorted(twice, key=lambda card: (VALUE.get(card.rank, 0), card.suit))
