"""What the loser of a deal of Red Nines (1881) pays (`docs/rules.md` §4, settlement)."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Struct

from referee.rules.cards.hands import CountedHand, in_words, payment
from referee.rules.cards.packs import red_nine_faults
from referee.rules.core.asking import asked
from referee.rules.core.entries import Count
from referee.rules.core.judge import Judge
from referee.rules.core.ruling import Fault, MakeFault, Ruling
from referee.rules.games.red_nines_1881.pack import DEALT, PACK, SEATS
from referee.rules.text import Text, say

MAX_CARDS = DEALT // SEATS[0]  # in a hand, with as few players as there can be


class PaymentQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this hand pay?"""

    plain: Annotated[Count, asked(say("Cards other than red nines"))] = 0
    red_nines: Annotated[Count, asked(say("Red nines"))] = 0
    out_on_red_nine: Annotated[bool, asked(say("The winner went out on a red nine"))] = False


def payment_judge(fault: MakeFault) -> Judge[PaymentQuestion]:
    """The judge of payments; `fault` is the game's own."""
    return Judge(
        "payment",
        say("What do I pay?"),
        PaymentQuestion,
        lambda asked: _rule(fault, asked),
        yes_or_no=False,
        section="score",
    )


def _rule(fault: MakeFault, asked: PaymentQuestion) -> Ruling:
    """What the hand pays; the detail is `counters`."""
    hand = CountedHand(asked.plain, asked.red_nines)
    faults = tuple(_faults(fault, hand, asked.out_on_red_nine))
    counters = payment(hand, doubled=asked.out_on_red_nine).total
    says = _says(hand, counters, asked.out_on_red_nine)
    return Ruling(faults, {"counters": counters}, () if faults else (says,))


def _faults(fault: MakeFault, hand: CountedHand, out_on_red_nine: bool) -> Iterable[Fault]:
    if hand.cards > MAX_CARDS:
        says = say("{n} cards? Nobody is dealt more than {most}.", n=hand.cards, most=MAX_CARDS)
        yield fault("too-many-cards", says, "deal")
    out_on_one = say("the winner") if out_on_red_nine else None
    yield from red_nine_faults(PACK, fault, hand.red_nines, out_on_one)


def _says(hand: CountedHand, counters: int, doubled: bool) -> Text:
    if counters == 0:
        return say("Nothing held, nothing to pay.")
    if doubled:
        return say(
            "Pay {counters}: {cards}, doubled because the winner went out on a red nine.",
            counters=counters,
            cards=in_words(hand),
        )
    return say("Pay {counters}: {cards}.", counters=counters, cards=in_words(hand))
