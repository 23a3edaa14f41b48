"""The house rules of Red Nines (20th century) (`docs/rules.md` §5, house rules)."""

from collections.abc import Mapping
from typing import Annotated

from referee.rules.core.asking import asked
from referee.rules.core.entries import Positive
from referee.rules.core.table import Options
from referee.rules.text import Text, say

# What the judge of penalties asks for as well.
Doubles = Annotated[
    bool,
    asked(
        say("Going out on a red nine doubles the others’ points"),
        say("The printed rules say that it earns nothing, but then spell out the doubling."),
    ),
]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `rounds` left out: as many as there are players."""

    red_nine_out_doubles: Doubles = True
    must_announce: Annotated[
        bool,
        asked(
            say("A red nine last doubles only if it’s announced"),
            say("The printed rules ask you to announce it, but not what happens if you forget."),
        ),
    ] = False
    rounds: Annotated[
        Positive | None,
        asked(
            say("Number of rounds"),
            say("The printed rules have as many rounds as players, so that everyone begins one."),
            usual=say("everybody deals once"),
        ),
    ] = None

    def doubles(self, *, red_nine: bool, announced: bool) -> bool:
        """Whether the others' points double when somebody goes out so."""
        heard = announced or not self.must_announce
        return red_nine and heard and self.red_nine_out_doubles

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """How many rounds."""
        return {"rounds": self.rounds or say("everybody deals once")}
