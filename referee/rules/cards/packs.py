"""Packs, and faults (sections "deal", "red-nines") for cards that can't all be in one deal."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import msgspec

from referee.rules.cards.cards import (
    RANKS,
    RED,
    VALUE,
    Card,
    Laid,
    card_name,
    count_of,
    is_red_nine,
    repeated,
)
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.text import Text, say, say_many


class Pack(msgspec.Struct, frozen=True):
    """The pack of a game: how many suits of each color, and which ranks they have."""

    red_suits: int = 2
    black_suits: int = 2
    ranks: tuple[str, ...] = RANKS

    @property
    def copies(self) -> int:
        """How many cards of each rank there are."""
        return self.red_suits + self.black_suits


def pack_faults(pack: Pack, fault: MakeFault, cards: Collection[Card]) -> Iterable[Fault]:
    """Faults for cards of which the pack has none, or fewer; not for too many red nines.

    The pack has one of each card with a suit; of a rank without, as many as it has suits.
    """
    for card in cards:
        if card.rank not in pack.ranks:
            says = say("{card:C}? The pack has no cards of that rank.", card=card_name(card))
            yield fault("not-in-pack", says, "deal")
    yield from twice_faults(fault, (card for card in cards if card.suit and card.suit != RED))
    ranks = Counter(card.rank for card in cards if not card.suit)
    for rank, number in sorted(ranks.items(), key=lambda item: VALUE[item[0]]):
        most = pack.black_suits if rank == "9" else pack.copies
        if number > most:
            if rank == "9":
                which = say_many("{n} black nine", "{n} black nines", n=number)
            else:
                which = count_of(number, rank)
            says = say("{cards}? The pack has only {most}.", cards=which, most=most)
            yield fault("too-many-of-rank", says, "deal")


def twice_faults(fault: MakeFault, cards: Iterable[Card], section: str = "deal") -> Iterable[Fault]:
    """Faults for cards that appear more than once, in a game that has one of each."""
    for card in repeated(cards):
        says = say("{card:C} appears more than once, but there’s only one.", card=card_name(card))
        yield fault("card-twice", says, section)


def red_nine_faults(
    pack: Pack, fault: MakeFault, number: int, out_on_one: str | Text | None = None
) -> Iterable[Fault]:
    """The fault of more red nines (`number`) than there can be.

    `out_on_one` is the player who went out on a red nine, which is then in nobody's hand.
    """
    most = pack.red_suits - (out_on_one is not None)
    if number <= most:
        return
    which = say_many("{n} red nine", "{n} red nines", n=number)
    if out_on_one is None:
        says = say("{cards}? The pack has only {most}.", cards=which, most=most)
    else:
        says = say(
            "{cards}? The pack has only {most}, and {player} went out on one.",
            cards=which,
            most=pack.red_suits,
            player=out_on_one,
        )
    yield fault("too-many-red-nines", says, "red-nines")


def laid_faults(pack: Pack, fault: MakeFault, laid: Sequence[Laid]) -> Iterable[Fault]:
    """Faults for laid cards that the pack lacks, or for which a red nine cannot stand."""
    for one in laid:
        if one.stands_for.rank not in pack.ranks and one.card != one.stands_for:
            says = say(
                "A red nine can’t stand for {card}: there are none in the pack.",
                card=card_name(Card(one.stands_for.rank)),
            )
            yield fault("not-in-pack", says, "deal")
    yield from pack_faults(pack, fault, [one.card for one in laid])
    yield from red_nine_faults(pack, fault, sum(is_red_nine(one.card) for one in laid))
