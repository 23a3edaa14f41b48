"""What a table of 9 of a Kind agrees on before it plays (`docs/rules.md` §3)."""

from typing import Annotated, Literal

from referee.rules.core.asking import asked
from referee.rules.core.entries import Positive
from referee.rules.core.table import Options
from referee.rules.text import say


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules of 9 of a Kind."""

    target: Annotated[
        Positive,
        asked(
            say("Play to"), say("The printed rules play to 300; fewer points make a shorter game.")
        ),
    ] = 300
    chicken: Annotated[
        bool,
        asked(
            say("Chicken"),
            say("Optional in the printed rules: a way out of a round that you can’t win."),
        ),
    ] = False
    unison: Annotated[
        Literal["each", "share"],
        asked(
            say("If two call together"),
            say("The printed rules let all of them collect; sharing keeps the scores closer."),
            hint=say("Shares are rounded up."),
            choices={
                "each": say("each scores all the points"),
                "share": say("they share the points"),
            },
        ),
    ] = "each"
