"""Whether those who called can hold what they called, by the cards that others have shown.

There is one of each card (`docs/rules.md` §3): a suit or rank of which somebody else holds a card
is nobody's nine, and a Blocker needs a card of every rank and suit that nobody else holds. So there
is never a Blocker beside somebody's complete suit or rank.
"""

from collections.abc import Collection, Iterable, Mapping

from referee.rules.cards.cards import Card
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.games.nine_of_a_kind.entries import End
from referee.rules.games.nine_of_a_kind.hands import DECK, RANKS, SUITS
from referee.rules.text import listed, say, say_many


def impossible_call_faults(
    fault: MakeFault, entry: End, shown: dict[str, tuple[Card, ...]]
) -> Iterable[Fault]:
    """A call of nine or Blocker that the cards `shown` by the others leave no cards for."""
    yield from _set_beside_blocker_faults(fault, entry)
    callers = [player for player in dict.fromkeys(entry.callers) if player not in shown]
    taken = {card for cards in shown.values() for card in cards}
    if not callers or not taken or entry.by == "chicken":
        return
    free = [card for card in DECK if card not in taken]
    if entry.by == "blocker":
        if blockers_in(free) < len(callers):
            says = say_many(
                "{players} can’t have a Blocker: the other hands hold cards that it needs.",
                "{players} can’t each have a Blocker: the other hands hold cards that they need.",
                n=len(callers),
                players=listed(callers),
            )
            yield fault("impossible-call", says, "claims")
    elif max(_whole(free, SUITS), _whole(free, RANKS)) < len(callers):
        says = say_many(
            "{players} can’t have nine of a kind: the other hands hold a card of every suit and "
            "every rank.",
            "{players} can’t each have nine of a kind: the other hands don’t leave enough whole "
            "suits or whole ranks.",
            n=len(callers),
            players=listed(callers),
        )
        yield fault("impossible-call", says, "claims")


def _set_beside_blocker_faults(fault: MakeFault, entry: End) -> Iterable[Fault]:
    """A Blocker beside a hand that is counted as complete, whatever it is complete of."""
    if entry.by != "blocker":
        return
    for player, hand in entry.hands.items():
        if hand.counted is not None and player not in entry.callers and not hand.counted.deadwood:
            says = say(
                "{player} can’t have 0 points left beside a Blocker, which takes a card from every "
                "suit and every rank.",
                player=player,
            )
            yield fault("impossible-call", says, "claims")


def _whole(free: Iterable[Card], collections: Collection[str]) -> int:
    """How many of these suits, or ranks, have all their nine cards among the free ones."""
    cards = [part for card in free for part in card]
    return sum(cards.count(collection) == len(RANKS) for collection in collections)


def blockers_in(free: Iterable[Card]) -> int:
    """How many Blockers can be made of these cards at once.

    So many Blockers together have so many cards of each rank and of each suit; and cards of which
    that is true can always be parted into Blockers (a regular bipartite graph has a perfect
    matching). So it is enough to look for such cards.
    """
    suits_of: dict[str, list[str]] = {rank: [] for rank in RANKS}
    for card in free:
        suits_of[card.rank].append(card.suit)
    number = 0
    while _so_many_of_each(suits_of, number + 1):
        number += 1
    return number


def _so_many_of_each(suits_of: Mapping[str, Collection[str]], each: int) -> bool:
    """Whether some of the cards are exactly `each` of every rank and of every suit."""
    ranks_in: dict[str, set[str]] = {suit: set() for suit in SUITS}

    def choose(rank: str, tried: set[str]) -> bool:
        """One more card of `rank`; where its suit is full, another rank's card moves elsewhere."""
        for suit in suits_of[rank]:
            chosen = ranks_in[suit]
            if suit in tried or rank in chosen:
                continue
            tried.add(suit)
            if len(chosen) < each:
                chosen.add(rank)
                return True
            for rival in tuple(chosen):
                if choose(rival, tried):
                    chosen.remove(rival)
                    chosen.add(rank)
                    return True
        return False

    return all(choose(rank, set()) for rank in RANKS for _ in range(each))
