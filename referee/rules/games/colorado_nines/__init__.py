"""Colorado Nines (`docs/rules.md` §8): nine cards in a square; the fewest points win."""

from referee.rules.games.colorado_nines.game import GAME as GAME
