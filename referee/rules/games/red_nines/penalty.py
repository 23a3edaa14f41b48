"""What a hand counts in Red Nines (20th century) (`docs/rules.md` §5, score), in penalty points."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Struct

from referee.rules.cards.card_keys import RedNineText
from referee.rules.cards.cards import RANKS_AND_RED_NINES, Card, read_cards, write_cards
from referee.rules.cards.packs import pack_faults, red_nine_faults
from referee.rules.core.asking import asked
from referee.rules.core.judge import Judge, Spread, spread
from referee.rules.core.ruling import Fault, MakeFault, Ruling
from referee.rules.core.table import Line
from referee.rules.games.red_nines.entries import Counted, count
from referee.rules.games.red_nines.house_rules import Doubles
from referee.rules.games.red_nines.pack import CARDS_EACH, LARGEST_PACK, POINTS
from referee.rules.text import NOTHING, Sum, Text, say, say_many, typed


def penalty(hand: Counted, *, doubled: bool) -> Sum:
    """What a hand counts: doubled for each red nine in it, and once more if `doubled`."""
    nines = (POINTS["9"],) * hand.red_nines
    terms = (hand.rest, *nines) if hand.rest else nines
    return Sum(terms, 1 << (hand.red_nines + doubled))


def penalty_line(player: str, hand: Counted, cards: Iterable[Card], *, doubled: bool) -> Line:
    """What `player` gets for a hand, of which the `cards` may be known: "(2 + 9) × 2 for 9R 2"."""
    worked, written = penalty(hand, doubled=doubled), write_cards(cards)
    if written and worked.is_worked:
        reason = say("{sum} for {cards}", sum=worked, cards=written)
    else:
        reason = say("{cards} in hand", cards=written or str(worked))
    return Line(player, worked.total, reason, worked=worked)


class PenaltyQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this hand count?"""

    cards: Annotated[RedNineText, asked(say("Cards left in the hand"))] = ""
    out_on_red_nine: Annotated[
        bool,
        asked(
            say("The winner went out on a red nine"),
            say("And announced it, if you agreed that it doubles only then."),
        ),
    ] = False
    red_nine_out_doubles: Doubles = True


def penalty_judge(fault: MakeFault) -> Judge[PenaltyQuestion]:
    """The judge of penalties; `fault` is the game's own."""
    return Judge(
        "penalty",
        say("What does this hand count?"),
        PenaltyQuestion,
        lambda asked: _rule(fault, asked),
        cards=_lay_out,
        yes_or_no=False,
        section="score",
    )


def _rule(fault: MakeFault, asked: PenaltyQuestion) -> Ruling:
    """What the hand counts; the detail is `points`, unless there are too many cards to count."""
    cards = read_cards(asked.cards, RANKS_AND_RED_NINES, say("the hand"))
    if len(cards) > CARDS_EACH:
        says = say("{n} cards? Everyone is dealt {each}.", n=len(cards), each=CARDS_EACH)
        return Ruling((fault("too-many-cards", says, "deal"),))
    hand = count(cards)
    faults = tuple(_faults(fault, cards, hand, asked.out_on_red_nine))
    doubled = asked.out_on_red_nine and asked.red_nine_out_doubles
    worked = penalty(hand, doubled=doubled)
    return Ruling(faults, {"points": worked.total}, () if faults else (_says(worked),))


def _faults(
    fault: MakeFault, cards: tuple[Card, ...], hand: Counted, out_on_red_nine: bool
) -> Iterable[Fault]:
    yield from pack_faults(LARGEST_PACK, fault, cards)
    out_on_one = say("the winner") if out_on_red_nine else None
    yield from red_nine_faults(LARGEST_PACK, fault, hand.red_nines, out_on_one)


def _says(worked: Sum) -> Text:
    points = worked.total
    if points == 0:
        return say("Nothing held, no penalty.")
    if not worked.is_worked:
        return say_many("{n} point.", "{n} points.", n=points)
    return say_many("{n} point: {sum}.", "{n} points: {sum}.", n=points, sum=worked)


def _lay_out(asked: PenaltyQuestion) -> tuple[Spread, ...]:
    """The hand, with what its cards make before doubling."""
    cards = read_cards(asked.cards, RANKS_AND_RED_NINES)
    sums = " + ".join(str(POINTS[card.rank]) for card in cards)
    says = typed(f"{sums} = {count(cards).points}") if len(cards) > 1 else NOTHING
    return (spread(cards, says),) if cards else ()
