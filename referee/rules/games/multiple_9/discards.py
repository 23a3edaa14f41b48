"""Why cards cannot be laid down, or cannot be there at all (`docs/rules.md` §1)."""

from collections.abc import Iterable

from referee.rules.cards.cards import RANKS, Card, count_of
from referee.rules.cards.groups import Counts, count_ranks, split, total
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.games.multiple_9.house_rules import NineOut, Packs
from referee.rules.text import say, say_many


def counted(cards: Iterable[Card]) -> Counts:
    """How many cards of each rank there are; suits do not matter here."""
    return count_ranks(card.rank for card in cards)


def most_of_a_rank(packs: Packs) -> int:
    """How many cards of a rank the packs have."""
    return 4 * packs


def may_go_out_on_nine(nine: Counts, nine_out: NineOut) -> bool:
    """Whether cards that make 9 in all may be the last play."""
    return nine_out == "sets" or sum(nine) <= 2


def rank_faults(fault: MakeFault, counts: Counts, packs: Packs) -> Iterable[Fault]:
    """Ranks of which there are more cards than the packs have."""
    most = most_of_a_rank(packs)
    for rank, number in zip(RANKS, counts, strict=True):
        if number > most:
            cards = count_of(number, rank)
            if packs == 1:
                says = say("{cards}? One pack has only {most}.", cards=cards, most=most)
            else:
                says = say("{cards}? Two packs have only {most}.", cards=cards, most=most)
            yield fault("too-many-of-rank", says, "deal")


def discard_faults(
    fault: MakeFault, counts: Counts, final: bool, packs: Packs, nine_out: NineOut
) -> Iterable[Fault]:
    """Why these cards cannot be laid down, given whether they empty the hand."""
    if not any(counts) or max(counts) > most_of_a_rank(packs):
        return  # laying nothing is always allowed; too many of a rank is a fault of its own
    points = total(counts)
    if points < 9:
        says = say("The cards laid down make only {points}, less than 9.", points=points)
        yield fault("not-a-multiple", says, "sets")
    elif points % 9:
        says = say(
            "The cards laid down make {points}, which isn’t a multiple of 9 ({below} and {above} "
            "are).",
            points=points,
            below=points - points % 9,
            above=points - points % 9 + 9,
        )
        yield fault("not-a-multiple", says, "sets")
    elif split(counts) is None:
        says = say(
            "The cards laid down make {points}, but they don’t split into groups of one or two "
            "ranks.",
            points=points,
        )
        yield fault("two-ranks", says, "sets")
    elif points == 9 and not final:
        says = say("A nine on its own is only allowed as your last play.")
        yield fault("lone-nine", says, "discards")
    elif points == 9 and not may_go_out_on_nine(counts, nine_out):
        says = say_many(
            "This nine has {n} card. Here you can only go out on a single 9 or on two cards that "
            "make 9.",
            "This nine has {n} cards. Here you can only go out on a single 9 or on two cards that "
            "make 9.",
            n=sum(counts),
        )
        yield fault("nine-of-two-cards", says, "last-play")
