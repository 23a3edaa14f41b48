"""Multiple 9, draw and discard (`docs/rules.md` §1)."""

from referee.rules.games.multiple_9.game import GAME as GAME
