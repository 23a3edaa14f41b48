"""The house rules of Red Nines (1881) (`docs/rules.md` §4, house rules)."""

from collections.abc import Mapping
from typing import Annotated, Literal

from referee.rules.core.asking import asked
from referee.rules.core.entries import Count, Positive
from referee.rules.core.table import Options
from referee.rules.text import Text, say

# What the judge of turns asks for as well.
FiveEach = Annotated[
    bool,
    asked(
        say("Always deal five cards each"),
        say("The 1881 description deals five, but it speaks of eight players."),
    ),
]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `deals` left out: everybody deals once."""

    counters: Annotated[
        Count,
        asked(
            say("Counters each to start with"),
            say("You decide what a counter is worth; the 1881 description uses 36."),
        ),
    ] = 36
    red_nine_pool: Annotated[
        Count,
        asked(
            say("Dealer’s stake in the red-nine pool"),
            say("The 1881 description uses 6; more makes the red nines worth more."),
            hint=say("Half as many, rounded down, go into the red-ace pool. 0 = no pools."),
        ),
    ] = 6
    five_each: FiveEach = False
    unswept: Annotated[
        Literal["carry", "top-up"],
        asked(
            say("A pool that nobody wins"),
            say(
                "The 1881 description doesn’t say; in Newmarket, a related game, it waits for "
                "the next deal."
            ),
            choices={
                "carry": say("stays, and the next dealer adds the full stake"),
                "top-up": say("is only topped up"),
            },
        ),
    ] = "carry"
    deals: Annotated[
        Positive | None,
        asked(
            say("Number of deals"),
            say("The 1881 description doesn’t say when to stop."),
            usual=say("everybody deals once"),
        ),
    ] = None
    leftover: Annotated[
        Literal["divide", "last-winner"],
        asked(
            say("Counters left in the pools at the end"),
            say(
                "The 1881 description doesn’t say; in Michigan rummy, a related game, they’re "
                "divided."
            ),
            choices={
                "divide": say("are divided equally"),
                "last-winner": say("go to the winner of the last deal"),
            },
        ),
    ] = "divide"
    cannot_pay: Annotated[
        Literal["owe", "out"],
        asked(
            say("Whoever can’t pay"),
            say("The 1881 description doesn’t say."),
            hint=say("Whoever is out can come back and buy counters."),
            choices={
                "owe": say("owes counters"),
                "out": say("pays what’s left, and is out of the game"),
            },
        ),
    ] = "owe"

    @property
    def no_debts(self) -> bool:
        """Whether nobody can pay more than they hold."""
        return self.cannot_pay == "out"

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """How many deals."""
        return {"deals": self.deals or say("everybody deals once")}
