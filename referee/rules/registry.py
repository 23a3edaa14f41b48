"""The games the referee knows, one line each."""

from referee.rules.core.game import AnyGame
from referee.rules.games import multiple_9, nine_of_a_kind, pink_nines

_ALL: tuple[AnyGame, ...] = (
    multiple_9.GAME,
    nine_of_a_kind.GAME,
    pink_nines.GAME,
)

#: Every game by its slug, in the order in which they are offered.
GAMES: dict[str, AnyGame] = {game.slug: game for game in _ALL}
