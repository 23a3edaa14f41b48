"""What is written on a sheet of the gambling version."""

from typing import Annotated

from msgspec import Meta

from referee.rules.cards.card_keys import RankText
from referee.rules.core.asking import asked, called
from referee.rules.core.entries import Count, Entry, Player, Positive
from referee.rules.games.multiple_9_holdem.betting import MoveName
from referee.rules.text import say

#: Chips of a size that can come together in one stack.
Chips = Annotated[int, Meta(ge=0, le=1_000_000_000_000)]


class Bet(Entry, frozen=True, tag="bet"):
    """`player` folds, checks, calls, or raises; `to` is the total on this street after a raise."""

    player: Annotated[Player, called(say("who acts"))]
    move: Annotated[MoveName, called(say("the move"))]
    to: Annotated[Chips | None, called(say("the total on this street"))] = None


class BoardCards(Entry, frozen=True, tag="board"):
    """The flop, the turn or the river."""

    cards: Annotated[RankText, called(say("the cards for the board"))]


class Show(Entry, frozen=True, tag="show"):
    """The hole cards of everybody still in; no cards: mucked."""

    hands: Annotated[
        dict[Player, RankText],
        called(say("the hands"), lambda player: say("{player}’s hand", player=player)),
    ]


class RaiseBlinds(Entry, frozen=True, tag="blinds"):
    """The blinds and the ante from the next hand on; before a hand's first entry, from this one."""

    small: Annotated[Positive, asked(say("Small blind"))]
    big: Annotated[Positive, asked(say("Big blind"))]
    ante: Annotated[Count, asked(say("Ante"))] = 0


class PlayedHand(Entry, frozen=True, tag="hand"):
    """A hand whose betting was not followed: what each won or lost, blinds included."""

    won: Annotated[
        dict[Player, Chips],
        called(say("what was won"), lambda player: say("{player}’s winnings", player=player)),
    ]
    lost: Annotated[
        dict[Player, Chips],
        called(say("what was lost"), lambda player: say("{player}’s losses", player=player)),
    ]
