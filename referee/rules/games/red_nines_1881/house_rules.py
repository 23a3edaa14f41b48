"""The pack of Red Nines (1881), its house rules, and the judge of payments (`docs/rules.md` §4)."""

from typing import Annotated, Literal

from msgspec.structs import replace

from referee.rules.cards.cards import RANKS, SUITED_RED_NINES, Card
from referee.rules.cards.hands import CountedHand, in_words, payment
from referee.rules.cards.packs import Pack, red_nine_faults
from referee.rules.cards.runs import RunOrder, StopsGame, ascending
from referee.rules.core.asking import asked
from referee.rules.core.entries import Count, Positive
from referee.rules.core.judge import judge
from referee.rules.core.ruling import Ruling, faults_of
from referee.rules.core.table import Options
from referee.rules.text import say, say_many

SLUG = "red-nines-1881"
fault = faults_of(SLUG)
DECK = 44
DEALT = 40  # at least four stay on the table
PACK = Pack(ranks=(RANKS[0], *RANKS[3:]))  # without 2s and 3s
RUNS = RunOrder(after=ascending(RANKS[3:]), notation=SUITED_RED_NINES, pack=PACK)
RED_ACES = (Card("A", "H"), Card("A", "D"))
STOPS = StopsGame(RUNS, fault, seats=range(2, 11), each=DEALT.__floordiv__, swept_for=RED_ACES)
FIVE_EACH = replace(STOPS, seats=range(2, 9), each=lambda players: 5)  # by house rule


# Asked by the judge of turns, too.
FiveEach = Annotated[
    bool,
    asked(
        say("Always deal five cards each"),
        say("The 1881 description deals five, but it speaks of eight players."),
    ),
]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `deals` left out: everybody deals once."""

    counters: Annotated[
        Count,
        asked(
            say("Counters each to start with"),
            say("You decide what a counter is worth; the 1881 description uses 36."),
        ),
    ] = 36
    red_nine_pool: Annotated[
        Count,
        asked(
            say("Dealer’s stake in the red-nine pool"),
            say("The 1881 description uses 6; more makes the red nines worth more."),
            hint=say("Half as many, rounded down, go into the red-ace pool. 0 = no pools."),
        ),
    ] = 6
    five_each: FiveEach = False
    unswept: Annotated[
        Literal["carry", "top-up"],
        asked(
            say("A pool that nobody wins"),
            say(
                "The 1881 description doesn’t say; in Newmarket, a related game, it waits for "
                "the next deal."
            ),
            choices={
                "carry": say("stays, and the next dealer adds the full stake"),
                "top-up": say("is only topped up"),
            },
        ),
    ] = "carry"
    deals: Annotated[
        Positive | None,
        asked(
            say("Number of deals"),
            say("The 1881 description doesn’t say when to stop."),
            usual=say("everybody deals once"),
        ),
    ] = None
    leftover: Annotated[
        Literal["divide", "last-winner"],
        asked(
            say("Counters left in the pools at the end"),
            say(
                "The 1881 description doesn’t say; in Michigan rummy, a related game, they’re "
                "divided."
            ),
            choices={
                "divide": say("are divided equally"),
                "last-winner": say("go to the winner of the last deal"),
            },
        ),
    ] = "divide"
    cannot_pay: Annotated[
        Literal["owe", "out"],
        asked(
            say("Whoever can’t pay"),
            say("The 1881 description doesn’t say."),
            hint=say("Whoever is out can come back and buy counters."),
            choices={
                "owe": say("owes counters"),
                "out": say("pays what’s left, and is out of the game"),
            },
        ),
    ] = "owe"

    @property
    def no_debts(self) -> bool:
        """Whether players pay at most what they hold."""
        return self.cannot_pay == "out"

    @property
    def stops_game(self) -> StopsGame:
        """The game as dealt by these rules."""
        return FIVE_EACH if self.five_each else STOPS


@judge("payment", say("What do I pay?"), section="score", yes_or_no=False)
def payment_judge(
    plain: Annotated[Count, asked(say("Cards other than red nines"))] = 0,
    red_nines: Annotated[Count, asked(say("Red nines"))] = 0,
    out_on_red_nine: Annotated[bool, asked(say("The winner went out on a red nine"))] = False,
) -> Ruling:
    """Rule on what a hand pays; the detail is `counters`."""
    hand, doubled = CountedHand(plain, red_nines), out_on_red_nine
    most = DEALT // STOPS.seats[0]  # with the fewest players
    faults = []
    if hand.cards > most:
        says = say_many(
            "{n} card? Nobody is dealt more than {most}.",
            "{n} cards? Nobody is dealt more than {most}.",
            n=hand.cards,
            most=most,
        )
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
