"""The games the referee knows, one line each."""

from typing import Any

from referee.rules.game import Game
from referee.rules.games import multiple_9, nine_of_a_kind, red_nines, red_nines_1881

_ALL: tuple[Game[Any, Any], ...] = (
    multiple_9.GAME,
    nine_of_a_kind.GAME,
    red_nines_1881.GAME,
    red_nines.GAME,
)

#: Every game by its slug, in the order in which they are offered.
GAMES: dict[str, Game[Any, Any]] = {game.slug: game for game in _ALL}
