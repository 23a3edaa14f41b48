"""What is written on a sheet of Multiple 9: every turn, or only who won each deal."""

from typing import Annotated

from referee.rules.cards.card_keys import RankText
from referee.rules.core.asking import called
from referee.rules.core.entries import Entry, Player
from referee.rules.text import say

#: What the others hold when somebody has gone out, by player.
HandsLeft = Annotated[
    dict[Player, RankText],
    called(say("the cards left"), lambda player: say("{player}’s hand", player=player)),
]


class Turn(Entry, frozen=True, tag="turn"):
    """`player` drew (unless `drew` is false) and laid down `cards`, perhaps none."""

    player: Annotated[Player, called(say("whose turn it was"))]
    cards: Annotated[RankText, called(say("the cards laid down"))] = ""
    drew: Annotated[bool, called(say("whether a card was drawn"))] = True


class Out(Entry, frozen=True, tag="out"):
    """`player` won a deal whose turns were not followed; `left`: what the others hold."""

    player: Annotated[Player, called(say("who went out"))]
    left: HandsLeft = {}


class Left(Entry, frozen=True, tag="left"):
    """What the others hold after a turn emptied a hand, where cards score."""

    left: HandsLeft
