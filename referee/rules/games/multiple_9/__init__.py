"""Multiple 9, draw and discard."""

from referee.rules.games.multiple_9.game import GAME

__all__ = ["GAME"]
