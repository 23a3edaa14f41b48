"""Multiple 9, the gambling version (`docs/rules.md` §2)."""

from referee.rules.games.multiple_9_holdem.game import GAME as GAME
