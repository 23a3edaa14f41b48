"""The house rules of 9 of a Kind (`docs/rules.md` §3)."""

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
    forfeited_counts: Annotated[
        bool,
        asked(
            say("A false caller’s hand counts, too"),
            say(
                "The printed rules don’t say; counting it makes a false call a gift to the winner."
            ),
        ),
    ] = False
    chicken_total: Annotated[
        Literal["everybody", "others"],
        asked(
            say("Chicken: half of what counts"),
            say("The printed rules halve “the total points held,” and don’t say by whom."),
            choices={
                "everybody": say("everybody’s points, the caller’s included"),
                "others": say("the points of all but the caller"),
            },
        ),
    ] = "everybody"
    chicken_tie: Annotated[
        Literal["wins", "fails"],
        asked(
            say("Chicken: a caller who is level for the fewest points"),
            say("The printed rules want the fewest, and don’t say whether alone."),
            choices={"wins": say("wins"), "fails": say("has failed")},
        ),
    ] = "wins"
    chicken_failed: Annotated[
        Literal["others", "anybody"],
        asked(
            say("Chicken failed"),
            say(
                "The printed rules let “the player holding the fewest points” win then; that can "
                "be a caller with fewer than seven cards."
            ),
            choices={
                "others": say("whoever else has the fewest points wins"),
                "anybody": say("whoever has the fewest points wins, even the caller"),
            },
        ),
    ] = "others"
    chicken_level: Annotated[
        Literal["each", "share"],
        asked(
            say("Chicken failed, and several are level for the fewest"),
            say("The printed rules speak of a single winner."),
            hint=say("Shares are rounded up."),
            choices={"each": say("each scores the half"), "share": say("they share the half")},
        ),
    ] = "each"
