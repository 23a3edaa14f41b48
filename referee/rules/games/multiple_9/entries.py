"""What is written on a sheet of Multiple 9: every turn, or only who won each deal."""

from referee.rules.cards.pads import RankText
from referee.rules.core.entries import Entry, Player


class Turn(Entry, frozen=True, tag="turn"):
    """`player` drew (unless `drew` is false) and laid down `cards`, perhaps none."""

    player: Player
    cards: RankText = ""
    drew: bool = True


class Out(Entry, frozen=True, tag="out"):
    """`player` won a deal whose turns were not followed; `left`: what the others hold."""

    player: Player
    left: dict[Player, RankText] = {}


class Left(Entry, frozen=True, tag="left"):
    """What the others hold after a turn emptied a hand, where cards score."""

    left: dict[Player, RankText]
