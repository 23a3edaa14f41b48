"""The games the referee knows, one line each."""

from typing import Any

from referee.rules.game import Game
from referee.rules.games import colorado_nines, multiple_9, nine_five_two

_ALL: tuple[Game[Any, Any], ...] = (
    multiple_9.GAME,
    nine_five_two.GAME,
    colorado_nines.GAME,
)

#: Every game by its slug, in the order in which they are offered.
GAMES: dict[str, Game[Any, Any]] = {game.slug: game for game in _ALL}
