"""The house rules of the gambling version (`docs/rules.md` §2)."""

from collections.abc import Mapping
from typing import Annotated

from referee.rules.core.asking import asked
from referee.rules.core.entries import Positive
from referee.rules.core.table import Options
from referee.rules.games.multiple_9_holdem.betting import Structure
from referee.rules.text import Text, say


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `big_blind` left out: twice the small one."""

    stack: Annotated[
        Positive,
        asked(
            say("Chips each to start with"),
            say("Deeper stacks make a longer game; more can be bought between hands."),
        ),
    ] = 200
    small_blind: Annotated[
        Positive,
        asked(
            say("Small blind"),
            say("Higher blinds make a quicker game, and you can raise them along the way."),
        ),
    ] = 1
    big_blind: Annotated[
        Positive | None,
        asked(
            say("Big blind"),
            say("Usually twice the small one, though some tables make them equal."),
            usual=say("twice the small blind"),
        ),
    ] = None
    structure: Annotated[
        Structure,
        asked(
            say("Betting"),
            say("The published rules bet as in Texas hold’em, which is played with all three."),
            choices={
                "no-limit": say("no limit"),
                "pot-limit": say("pot limit"),
                "fixed-limit": say("fixed limit"),
            },
        ),
    ] = "no-limit"
    royal: Annotated[
        bool,
        asked(
            say("Q Q Q Q J J J beats other hands of nine nines"),
            say(
                "It’s as rare as a royal flush, but with five cards shared nobody else can tie it."
            ),
            moot=True,
        ),
    ] = False

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """The big blind."""
        return {"big_blind": self.big}

    @property
    def big(self) -> int:
        """The big blind, in chips."""
        return 2 * self.small_blind if self.big_blind is None else self.big_blind
