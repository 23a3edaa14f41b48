"""Red Nines of the 20th century (`docs/rules.md` §5)."""

from referee.rules.games.red_nines.game import GAME as GAME
