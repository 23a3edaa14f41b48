"""Multiple 9 Hold'em, the gambling version of Multiple 9 (`docs/rules.md` §2)."""

from referee.rules.games.multiple_9_holdem.game import GAME as GAME
