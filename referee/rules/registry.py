"""All games, one line each."""

from referee.rules.core.game import AnyGame
from referee.rules.games import (
    colorado_nines,
    multiple_9,
    multiple_9_holdem,
    nine_five_two,
    nine_of_a_kind,
    pink_nines,
    plain_score,
    red_nines,
    red_nines_1881,
)

_ALL: tuple[AnyGame, ...] = (
    multiple_9.GAME,
    multiple_9_holdem.GAME,
    nine_of_a_kind.GAME,
    red_nines_1881.GAME,
    red_nines.GAME,
    pink_nines.GAME,
    nine_five_two.GAME,
    colorado_nines.GAME,
    plain_score.GAME,
)

#: Every game by its slug, in the order in which they are offered.
GAMES: dict[str, AnyGame] = {game.slug: game for game in _ALL}
