"""The cards of Red Nines (1881) (`docs/rules.md` §4, players and pack)."""

from referee.rules.cards.cards import RANKS, SUITED_RED_NINES, Card
from referee.rules.cards.packs import Pack
from referee.rules.cards.runs import RunOrder, ascending

DECK = 44
DEALT = 40  # at least four stay on the table
SEATS = range(2, 11)
FIVE, SEATS_FOR_FIVE = 5, range(2, 9)  # by house rule, always five each of the forty
PACK = Pack(ranks=(RANKS[0], *RANKS[3:]))  # without 2s and 3s
RUNS = RunOrder(after=ascending(RANKS[3:]), notation=SUITED_RED_NINES, pack=PACK)
RED_ACES = (Card("A", "H"), Card("A", "D"))
