"""The house rules of Red Nines (20th century) (`docs/rules.md` §5, house rules)."""

from collections.abc import Mapping
from typing import Annotated

from referee.rules.core.asking import asked
from referee.rules.core.entries import Positive
from referee.rules.core.table import Options
from referee.rules.text import Text, say


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `rounds` left out: as many as there are players."""

    red_nine_out_doubles: Annotated[
        bool,
        asked(
            say("Going out on a red nine doubles the others’ points"),
            say("The printed rules say that it earns nothing, but then spell out the doubling."),
        ),
    ] = True
    rounds: Annotated[
        Positive | None,
        asked(
            say("Number of rounds"),
            say("The printed rules have as many rounds as players, so that everyone begins one."),
            usual=say("everybody deals once"),
        ),
    ] = None

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """How many rounds."""
        return {"rounds": self.rounds or players}
