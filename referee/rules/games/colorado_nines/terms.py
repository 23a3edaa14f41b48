"""Colorado Nines in numbers (`docs/rules.md` §8), and the faults that name its rules."""

from referee.rules.core.ruling import Fault
from referee.rules.text import Text

SLUG = "colorado-nines"

COLUMNS = COLUMN_CARDS = 3
CARDS_EACH = COLUMNS * COLUMN_CARDS
MAX_PLAYERS = 8
PLAYERS_A_PACK = 3
SUITS, PACK, JOKERS_A_PACK = 4, 52, 2
JOKER_POINTS = 50
POINTS = {"J": 10, "Q": 10, "K": 0}  # 1 for the rest; an ace counts as agreed


def fault(code: str, says: Text, section: str) -> Fault:
    """A fault against the rule in `section` of this game."""
    return Fault(code, says, SLUG, section)
