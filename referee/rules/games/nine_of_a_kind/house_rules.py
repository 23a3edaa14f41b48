"""What a table of 9 of a Kind agrees on before it plays (`docs/rules.md` §3)."""

from typing import Annotated, Literal

from referee.rules.core.asking import asked
from referee.rules.core.entries import Positive
from referee.rules.core.table import Options
from referee.rules.text import say


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules of 9 of a Kind."""

    target: Annotated[Positive, asked(say("Play to"), say("Points. 300 is usual."))] = 300
    chicken: Annotated[
        bool,
        asked(
            say("Chicken"),
            say("With seven of a suit or rank you may end the round for half the points."),
        ),
    ] = False
    unison: Annotated[
        Literal["each", "share"],
        asked(
            say("If two call together"),
            say("Shares are rounded up."),
            choices={
                "each": say("each scores all the points"),
                "share": say("they share the points"),
            },
        ),
    ] = "each"
