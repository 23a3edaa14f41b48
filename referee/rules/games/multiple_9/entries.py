"""House rules and entries of Multiple 9 (`docs/rules.md` §1): every turn, or only who won."""

from collections.abc import Mapping
from typing import Annotated, Literal

from referee.rules.cards.card_keys import RankText
from referee.rules.core.asking import asked
from referee.rules.core.entries import Count, Entry, Player
from referee.rules.core.table import Options
from referee.rules.text import Text, say, say_many

Packs = Annotated[
    Literal[1, 2],
    asked(say("Packs"), say("Two packs seat up to 16, with eight cards of each rank.")),
]
NineOut = Annotated[
    Literal["sets", "cards"],
    asked(
        say("Going out with a single nine"),
        say("The published rules say both, but only “any nine” fits their examples."),
        choices={"sets": say("any nine, even 3 3 3"), "cards": say("a 9 or two cards only")},
    ),
]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. A `target` of 0 is no limit; left out, it depends on `scoring`."""

    target: Annotated[
        Count | None,
        asked(
            say("Play to"),
            say("The published rules don’t keep score, so how long you play is up to you."),
            hint=say("Deals won, or points if cards are counted. 0 = no limit."),
            usual=say("5 deals won, or 100 points if cards are counted"),
        ),
    ] = None
    packs: Packs = 1
    nine_out: NineOut = "sets"
    scoring: Annotated[
        Literal["deals", "cards"],
        asked(
            say("Winning a deal scores"),
            say("Counting cards (ace 1, king 13) makes an early win worth more."),
            choices={"deals": say("one point"), "cards": say("the cards the others hold")},
        ),
    ] = "deals"
    next_dealer: Annotated[
        Literal["left", "winner"],
        asked(
            say("Who deals next"),
            say("The published rules don’t say."),
            choices={
                "left": say("the player on the dealer’s left"),
                "winner": say("whoever won the deal"),
            },
        ),
    ] = "left"
    empty_stock: Annotated[
        Literal["shuffle", "end"],
        asked(
            say("When the stock runs out"),
            say("The published rules shuffle the discards; ending the deal there keeps it short."),
            choices={
                "shuffle": say("the discards become a new stock"),
                "end": say("nobody wins, and the same dealer deals again"),
            },
        ),
    ] = "shuffle"

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """The target in words."""
        if not self.goal:
            return {"target": say("no limit")}
        if self.scoring == "deals":
            return {"target": say_many("{n} deal won", "{n} deals won", n=self.goal)}
        return {"target": say_many("{n} point", "{n} points", n=self.goal)}

    @property
    def goal(self) -> int:
        """The score that wins, 0 for no limit."""
        if self.target is not None:
            return self.target
        return 5 if self.scoring == "deals" else 100


#: The cards left with the others when somebody goes out, by player.
HandsLeft = Annotated[
    dict[Player, RankText], asked(say("the cards left"), of=say("{player}’s hand"))
]


class Turn(Entry, frozen=True, tag="turn"):
    """`player` drew (unless `drew` is false) and laid down `cards`, perhaps none."""

    player: Annotated[Player, asked(say("whose turn it was"))]
    cards: Annotated[RankText, asked(say("the cards laid down"))] = ""
    drew: Annotated[bool, asked(say("whether a card was drawn"))] = True


class Out(Entry, frozen=True, tag="out"):
    """`player` won a deal whose turns were not recorded; `left`: what the others hold."""

    player: Annotated[Player, asked(say("who went out"))]
    left: HandsLeft = {}


class Left(Entry, frozen=True, tag="left"):
    """What the others hold after a turn emptied a hand, where cards score."""

    left: HandsLeft
