"""Faults, rulings, and the three ways an entry can fail."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import msgspec

from referee.rules.text import NOTHING, Text, joined, say

#: The sections of the rules that hold for every game: key to heading. An extra adds its own.
SHARED_SECTIONS: dict[str, Text] = {
    "players": say("players"),
    "cards": say("cards as text"),
    "filling-in": say("filling in"),
    "entry": say("the entry"),
    "question": say("the question"),
    "options": say("the options"),
    "sheet": say("the sheet"),
    "file": say("the sheet file"),
    "adjusting": say("penalties and purchases"),
    "corrections": say("corrections"),
    "sharing": say("sharing"),
    "settling": say("settling up"),
    "end": say("the end"),
}


#: What an entry lacks while it is filled in: a player's whole hand, more of something, or nothing.
Lack = Literal["", "hand", "more"]


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong.

    `code` is stable and meant for programs, `says` is a sentence for a person. `section` is the key
    of the section that it cites, in the rules of `game` (a slug) or, if that is "", of every game
    (`SHARED_SECTIONS`). `lacks` is what is still missing, if the entry is only incomplete.
    """

    code: str
    says: Text
    game: str
    section: str
    lacks: Lack = ""

    @property
    def message(self) -> str:
        """The sentence in the current language."""
        return str(self.says)

    def lacking(self, what: Lack) -> "Fault":
        """The same fault, for an entry that only lacks this so far."""
        return msgspec.structs.replace(self, lacks=what)


#: Makes a fault from a code, a sentence and the key of a section of the rules.
MakeFault = Callable[[str, Text, str], Fault]


def shared_fault(code: str, says: Text, section: str) -> Fault:
    """A fault against a rule of every game; `section` is a key of `SHARED_SECTIONS`."""
    return Fault(code, says, "", section)


def faults_of(game: str) -> MakeFault:
    """The function that makes the faults of the game with this slug."""
    return lambda code, says, section: Fault(code, says, game, section)


class Spread(msgspec.Struct, frozen=True):
    """Cards that belong together: a page draws them, the command line writes them.

    `says` is what they are or make ("8 + A = 9"). `right` and `wrong` are the places, from 0, of
    cards that decide: one that wins a trick, or does not fit into a run. `upright` cards form a
    column, as in a grid. `of` names the fields that the cards were entered in, if the same cards
    may be in several.
    """

    cards: tuple[str, ...]
    says: Text = NOTHING
    right: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    upright: bool = False
    of: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The cards in one line, those that decide in brackets: "KS [2H] 3S: the highest trump"."""
        decide = {*self.right, *self.wrong}
        cards = " ".join(
            f"[{card}]" if place in decide else card for place, card in enumerate(self.cards)
        )
        return f"{cards}: {self.says}" if self.says else cards


def with_cards(*spreads: Spread) -> tuple[Spread, ...]:
    """The `spreads` that have any cards."""
    return tuple(one for one in spreads if one.cards)


def spread(cards: Iterable[object], says: Text = NOTHING, of: tuple[str, ...] = ()) -> Spread:
    """A spread of these cards, none of them marked."""
    return Spread(tuple(map(str, cards)), says, of=of)


class Ruling(msgspec.Struct, frozen=True):
    """The answer to a question at the table.

    `detail` holds what the judge found, in the shape `docs/sheet-format.md` gives for that judge;
    `says` holds the same for people, a sentence each. `verdict` answers a yes-or-no question in a
    few words ("Yes: two nines"); if it is empty, plain yes or no will do. `unfinished`: not legal
    yet, but it may be with more cards; `so_far` is its total, and each card in `would` makes it
    legal. `spreads` are the cards laid out, so that the sentences need not name them; the `heading`
    over them says what they are and make.
    """

    faults: tuple[Fault, ...] = ()
    detail: Mapping[str, Any] = {}
    says: tuple[Text, ...] = ()
    verdict: Text = NOTHING
    unfinished: bool = False
    so_far: int | None = None
    would: tuple[str, ...] = ()
    spreads: tuple[Spread, ...] = ()
    heading: tuple[Text, Text] = (NOTHING, NOTHING)

    @property
    def legal(self) -> bool:
        """True if no rule is broken, or there was nothing to rule on."""
        return not self.faults

    @property
    def answer(self) -> Text:
        """The answer to a yes-or-no question: the verdict, or plain yes, no, or not yet."""
        no = say("Not yet") if self.unfinished else say("No")
        return self.verdict or (say("Yes") if self.legal else no)


class RefereeError(Exception):
    """Something the referee cannot accept; `faults` has everything wrong with it.

    `entry` is the index of the faulty entry, if one entry of a sheet is at fault.
    """

    entry: int | None = None

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return joined(fault.says for fault in self.faults)


class NotationError(RefereeError):
    """Text that is no card."""


class MalformedEntry(RefereeError):
    """An entry, a question or a sheet that cannot be read."""


class IllegalEntry(RefereeError):
    """An entry that can be read, but breaks a rule."""
