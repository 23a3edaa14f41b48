"""Nine Five Two (`docs/rules.md` §7): three players, who need nine, five and two tricks."""

from referee.rules.games.nine_five_two.game import GAME as GAME
