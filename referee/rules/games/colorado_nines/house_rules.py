"""The constants and house rules of Colorado Nines (`docs/rules.md` §8)."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from referee.rules.core.asking import asked
from referee.rules.core.entries import Amount, Count
from referee.rules.core.ruling import faults_of
from referee.rules.core.table import Options
from referee.rules.text import Text, say

SLUG = "colorado-nines"
fault = faults_of(SLUG)

COLUMNS = COLUMN_CARDS = 3
CARDS_EACH = COLUMNS * COLUMN_CARDS
MAX_PLAYERS = 8
PLAYERS_A_PACK = 3
SUITS, PACK, JOKERS_A_PACK = 4, 52, 2
JOKER_POINTS = 50
POINTS = {"J": 10, "Q": 10, "K": 0}  # others 1; an ace by house rule


# House rules that the judge of grids asks for, too.
Ace = Annotated[
    Count,
    asked(
        say("An ace counts"),
        say("The published rules leave it out; in other nine-card golf it’s 1."),
    ),
]
Jokers = Annotated[
    bool,
    asked(
        say("With jokers"), say("The published rules leave it to you: two in each pack, or none.")
    ),
]
TwoJokers = Annotated[
    Literal["count", "wild"],
    asked(
        say("Two jokers in a column"),
        say("A joker completes a pair, but two jokers leave no pair to complete."),
        choices={
            "count": say("count 50 each"),
            "wild": say("are wild: the column counts 0"),
        },
    ),
]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `rounds` 0 is no limit; without `packs` the number of players decides."""

    rounds: Annotated[
        Count,
        asked(
            say("Rounds"),
            say("The published rules set no number; versions of nine rounds are common."),
            hint=say("0 = no limit"),
        ),
    ] = 9
    ace: Ace = 1
    jokers: Jokers = True
    two_jokers: TwoJokers = "count"
    packs: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_PLAYERS)] | None,
        asked(
            say("Packs"),
            say("More cards make columns easier; one pack is enough for up to five players."),
            usual=say("one for up to three players, two for up to six, then three"),
        ),
    ] = None
    going_out: Annotated[
        Amount,
        asked(
            say("Points for going out first"),
            say("Golf players often reward it, or punish it when somebody has fewer points."),
            hint=say("−5 takes five points off, 5 adds five."),
        ),
    ] = 0
    going_out_if: Annotated[
        Literal["always", "fewest", "not-fewest"],
        asked(
            say("Whoever goes out first gets those points"),
            say("A bonus usually needs the fewest points; a penalty is for not having them."),
            choices={
                "always": say("always"),
                "fewest": say("only with the fewest points of the round"),
                "not-fewest": say("only if somebody has fewer"),
            },
        ),
    ] = "always"

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """The number of packs, and that 0 rounds are no limit."""
        packs = {"packs": self.packs_for(players)}
        return packs if self.rounds else {"rounds": say("no limit"), **packs}

    def packs_for(self, players: int) -> int:
        """The number of packs shuffled together for this many players."""
        return self.packs or -(-players // PLAYERS_A_PACK)

    def cards_in(self, packs: int) -> int:
        """The number of cards in these packs, with their jokers if played."""
        return packs * (PACK + JOKERS_A_PACK * self.jokers)
