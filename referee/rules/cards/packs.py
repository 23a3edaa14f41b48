"""What a pack can hold, and so what the hands left at the end of a deal can be."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

import msgspec

from referee.rules.cards.cards import (
    RANKS,
    RED,
    VALUE,
    Card,
    Notation,
    card_name,
    count_of,
    reading_cards,
    repeated,
)
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.text import Text, say, say_many


class Pack(msgspec.Struct, frozen=True):
    """The cards a game is played with: its ranks, and how many suits of each colour."""

    red_suits: int = 2
    black_suits: int = 2
    ranks: tuple[str, ...] = RANKS

    @property
    def copies(self) -> int:
        """How many cards of a rank there are."""
        return self.red_suits + self.black_suits


def pack_faults(pack: Pack, fault: MakeFault, cards: Collection[Card]) -> Iterable[Fault]:
    """Cards that are not in the pack, or more often than it has them; red nines aside.

    Where cards have suits each is there once, where they have none as often as there are suits.
    """
    for card in cards:
        if card.rank not in pack.ranks:
            says = say(
                "{card:C}? There are no {rank}s in the pack.", card=card_name(card), rank=card.rank
            )
            yield fault("not-in-pack", says, "deal")
    for card in repeated(card for card in cards if card.suit and card.suit != RED):
        says = say("{card:C} is there twice; the pack has only one.", card=card_name(card))
        yield fault("card-twice", says, "deal")
    ranks = Counter(card.rank for card in cards if not card.suit)
    for rank, number in sorted(ranks.items(), key=lambda item: VALUE[item[0]]):
        most = pack.black_suits if rank == "9" else pack.copies
        if number > most:
            if rank == "9":
                which = say_many("{n} black nine", "{n} black nines", n=number)
            else:
                which = count_of(number, rank)
            says = say("{cards}? There are {most} at most.", cards=which, most=most)
            yield fault("too-many-of-rank", says, "deal")


def red_nine_faults(
    pack: Pack, fault: MakeFault, number: int, out_on_one: str | Text | None
) -> Iterable[Fault]:
    """Too many red nines; `out_on_one` is the player who went out on one, if anybody did."""
    most = pack.red_suits - (out_on_one is not None)
    if number <= most:
        return
    which = say_many("{n} red nine", "{n} red nines", n=number)
    if out_on_one:
        says = say(
            "{cards}? There are {most} at most, and {player} played one.",
            cards=which,
            most=pack.red_suits,
            player=out_on_one,
        )
    else:
        says = say("{cards}? There are {most} at most.", cards=which, most=pack.red_suits)
    yield fault("too-many-red-nines", says, "red-nines")


def hand_faults(
    fault: MakeFault, players: Iterable[str], winner: str, held: Mapping[str, int], most: int
) -> Iterable[Fault]:
    """Everybody but the `winner` must show 1 to `most` cards; `held` counts those shown."""
    if winner in held:
        says = say("{player} is out and holds no cards.", player=winner)
        yield fault("winner-holds", says, "score")
    for player in players:
        if player == winner:
            continue
        if player not in held:
            says = say("{player}’s cards are missing.", player=player)
            yield fault("hand-missing", says, "score")
        elif held[player] == 0:
            says = say("{player} isn’t out, so must hold a card.", player=player)
            yield fault("hand-empty", says, "score")
        elif held[player] > most:
            says = say(
                "{player} was dealt {most} cards; {n} are entered.",
                player=player,
                most=most,
                n=held[player],
            )
            yield fault("too-many-cards", says, "score")


def typed_hands(hands: Mapping[str, object], notation: Notation) -> dict[str, tuple[Card, ...]]:
    """The hands, by player, that are written as cards; raises `NotationError` for all at once."""
    with reading_cards() as reader:
        return {
            player: reader.cards(hand, notation, say("{player}’s hand", player=player))
            for player, hand in hands.items()
            if isinstance(hand, str)
        }
