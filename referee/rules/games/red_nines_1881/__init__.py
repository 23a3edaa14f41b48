"""Red Nines as described in 1881 (`docs/rules.md` §4)."""

from referee.rules.games.red_nines_1881.game import GAME as GAME
