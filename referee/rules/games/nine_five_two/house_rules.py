"""The constants and house rules of Nine Five Two (`docs/rules.md` §7)."""

from collections.abc import Mapping
from typing import Annotated, Literal

from referee.rules.core.asking import asked
from referee.rules.core.entries import Count, Positive
from referee.rules.core.ruling import faults_of
from referee.rules.core.table import Options
from referee.rules.text import Text, say

SLUG = "nine-five-two"
fault = faults_of(SLUG)

PLAYERS = 3
DECK = 52
TRICKS = CARDS_EACH = 16
KITTY = 4
TARGETS = (9, 5, 2)  # the dealer, the player on the left, the player on the right

# By house rule, this many tricks in one deal win the game, or this many more than needed. Only one
# player can do so: two would need more than sixteen tricks between them.
TWELVE, FIVE_OVER = 12, 5


def targets_by_seat(dealer: int) -> tuple[int, ...]:
    """The tricks each seat needs when the player in seat `dealer` deals."""
    return tuple(TARGETS[(seat - dealer) % PLAYERS] for seat in range(PLAYERS))


# House rules that the judges ask for, too.
Exchange = Annotated[
    Literal["may", "must"],
    asked(
        say("A player who was up"),
        say("Giving cards is usually optional, but some tables make you give every one."),
        choices={"may": say("may give cards"), "must": say("must give every card")},
    ),
]
Division = Annotated[
    Literal["as-down", "free"],
    asked(
        say("One player up, the others down"),
        say("The printed rules don’t say how many cards go to whom."),
        choices={
            "as-down": say("each gets as many cards as tricks they were down"),
            "free": say("the player who was up divides the cards freely"),
        },
    ),
]
KittyCompare = Annotated[
    Literal["returned", "received"],
    asked(
        say("A dealer who was down shows the kitty cards higher than"),
        say("The printed rules say “the one given,” which can mean either."),
        choices={"returned": say("the card given back"), "received": say("the card received")},
    ),
]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. With a number of `deals` the game ends after the last, and has no `target`."""

    target: Annotated[Positive, asked(say("Play to"), say("The printed rules name 10 and 20."))] = (
        10
    )
    exchange: Exchange = "may"
    division: Division = "as-down"
    kitty_compare: KittyCompare = "returned"
    no_trumps: Annotated[
        bool,
        asked(
            say("The dealer may name no trumps"),
            say("The printed rules name only the four suits; without trumps, long suits win."),
        ),
    ] = False
    deals: Annotated[
        Count,
        asked(
            say("Number of deals"),
            say("With a fixed number, you know when you’ll be done."),
            hint=say("0 = play until somebody has the points"),
        ),
    ] = 0
    twelve_wins: Annotated[
        bool,
        asked(
            say("Twelve tricks in one deal win the game"),
            say("Some versions of the game, called Sergeant Major, end that way."),
        ),
    ] = False
    five_over: Annotated[
        bool,
        asked(
            say("Five tricks over in one deal win the game"),
            say("Another way that versions called Sergeant Major end."),
            hint=say("14 for the dealer, 10 for the left, 7 for the right."),
        ),
    ] = False

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """Words for the option that is not in force, `target` or `deals`."""
        if self.deals:
            return {"target": say("not with a number of deals")}
        return {"deals": say("until somebody has the points")}
