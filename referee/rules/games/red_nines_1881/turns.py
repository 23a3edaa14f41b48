"""The question over several turns of Red Nines (1881), where five cards each may be dealt."""

from msgspec.structs import replace

from referee.rules.cards.laying import StopsGame
from referee.rules.cards.sequence_judge import SuitedSequenceQuestion
from referee.rules.games.red_nines_1881.house_rules import FiveEach
from referee.rules.games.red_nines_1881.pack import FIVE, SEATS_FOR_FIVE


class TurnsQuestion(SuitedSequenceQuestion, frozen=True, forbid_unknown_fields=True):
    """Were these turns right, by the number of cards that were dealt?"""

    five_each: FiveEach = False

    def as_dealt(self, game: StopsGame) -> StopsGame:
        """The game with as many cards and players as there are by the house rule."""
        if not self.five_each:
            return game
        return replace(game, seats=SEATS_FOR_FIVE, each=lambda players: FIVE)
