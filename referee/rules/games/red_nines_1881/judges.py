"""Questions of Red Nines (1881): what does a hand pay, and were these turns right?"""

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from referee.rules.cards.hands import CountedHand, in_words, payment
from referee.rules.cards.laying import StopsGame
from referee.rules.cards.packs import red_nine_faults
from referee.rules.cards.sequence_judge import SuitedSequenceQuestion
from referee.rules.core.asking import asked
from referee.rules.core.entries import Count
from referee.rules.core.judge import Judge
from referee.rules.core.ruling import Ruling
from referee.rules.games.red_nines_1881.house_rules import (
    DEALT,
    FIVE,
    PACK,
    SEATS,
    SEATS_FOR_FIVE,
    FiveEach,
    fault,
)
from referee.rules.text import say


class TurnsQuestion(SuitedSequenceQuestion, frozen=True, forbid_unknown_fields=True):
    """Were these turns right, by the number of cards that were dealt?"""

    five_each: FiveEach = False

    def as_dealt(self, game: StopsGame) -> StopsGame:
        """The game with the seats and the deal of this house rule."""
        if not self.five_each:
            return game
        return replace(game, seats=SEATS_FOR_FIVE, each=lambda players: FIVE)


class PaymentQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this hand pay?"""

    plain: Annotated[Count, asked(say("Cards other than red nines"))] = 0
    red_nines: Annotated[Count, asked(say("Red nines"))] = 0
    out_on_red_nine: Annotated[bool, asked(say("The winner went out on a red nine"))] = False


def _rule_on_payment(asked: PaymentQuestion) -> Ruling:
    """Rule on what a hand pays; the detail is `counters`."""
    hand, doubled = CountedHand(asked.plain, asked.red_nines), asked.out_on_red_nine
    most = DEALT // SEATS[0]  # with the fewest players
    faults = []
    if hand.cards > most:
        says = say("{n} cards? Nobody is dealt more than {most}.", n=hand.cards, most=most)
        faults.append(fault("too-many-cards", says, "deal"))
    out_on_one = say("the winner") if doubled else None
    faults.extend(red_nine_faults(PACK, fault, hand.red_nines, out_on_one))
    counters = payment(hand, doubled=doubled).total
    if counters == 0:
        says = say("Nothing held, nothing to pay.")
    elif doubled:
        says = say(
            "Pay {counters}: {cards}, doubled because the winner went out on a red nine.",
            counters=counters,
            cards=in_words(hand),
        )
    else:
        says = say("Pay {counters}: {cards}.", counters=counters, cards=in_words(hand))
    return Ruling(tuple(faults), {"counters": counters}, () if faults else (says,))


PAYMENT_JUDGE: Judge[PaymentQuestion] = Judge(
    "payment",
    say("What do I pay?"),
    PaymentQuestion,
    _rule_on_payment,
    yes_or_no=False,
    section="score",
)
