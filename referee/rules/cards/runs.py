"""The stops family: cards laid upward in runs.

Its games differ in which card follows which, what stops a run and whether suits count; that much
a `RunOrder` says, and one `Walk` rules on all of them (`docs/rules.md` §4, §5 and §6, play).

The faults made here name the sections "play" and "red-nines", which each of these games must have.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import msgspec

from referee.rules.cards.cards import (
    RANK_NAMES,
    RED,
    Card,
    Laid,
    Notation,
    card_name,
    is_red_nine,
)
from referee.rules.cards.packs import Pack
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.text import Text, listed, say, say_many


class RunOrder(msgspec.Struct, frozen=True):
    """How cards follow one another in a game.

    `after` is the rank that follows each rank; a rank that is not in it is a stop. Where the
    `notation` keeps suits, a run stays in its suit. `pack` is the largest the game can have,
    `most` the most cards one player can lay in a turn, `several` whether the opening turn of a
    round may lay several cards of its first rank.
    """

    after: Mapping[str, str]
    notation: Notation
    pack: Pack = Pack()
    most: int | None = None
    several: bool = False

    def next_after(self, card: Card) -> Card | None:
        """The card that must follow `card`, None after a stop."""
        rank = self.after.get(card.rank)
        return None if rank is None else self._of_suit(rank, card)

    def before(self, card: Card) -> Card | None:
        """The card that `card` follows, None where it follows none."""
        rank = next((low for low, high in self.after.items() if high == card.rank), None)
        return None if rank is None else self._of_suit(rank, card)

    def fits(self, meant: Card, needed: Card) -> bool:
        """Whether a card that counts as `meant` is the one that is `needed`."""
        if self.notation.keeps_suit:
            return meant == needed
        return meant.rank == needed.rank

    def _of_suit(self, rank: str, card: Card) -> Card:
        return Card(rank, card.suit if self.notation.keeps_suit else "")


def ascending(ranks: Sequence[str]) -> dict[str, str]:
    """Each rank with the one that follows it; the last of `ranks` is a stop."""
    return dict(pairwise(ranks))


class Walk:
    """A run as it is laid, card by card.

    `needed` is the card that must come next (None: any card may), `before` the card it follows,
    as it was laid. A card that does not fit goes into `faults`, and the walk goes on from it. A red
    nine written alone is read as a nine where a nine is due or any card may begin, otherwise as the
    card that is due: `run` has every card as it was read, `read` those of them that were.
    `opening` says that it is the opening turn of a round.
    """

    def __init__(self, order: RunOrder, fault: MakeFault, *, opening: bool = False) -> None:
        self.order = order
        self.fault = fault
        self.needed: Card | None = None
        self.before: Laid | None = None
        self.faults: list[Fault] = []
        self.run: list[Laid] = []
        self.read: list[Laid] = []
        self._first_rank: str | None = None
        self._several = opening and order.several  # while only the first rank has been laid
        self.among = 0  # how many red nines were laid last that count as one more of that rank

    def follow(self, laid: Laid) -> None:
        """Go on from `laid` without asking whether it fits."""
        meant = laid.stands_for
        if meant.rank not in self.order.pack.ranks:
            return
        if self._suit_unknown(meant):
            self.faults.append(self._which_red_nine(laid))
        self.before = laid
        self.needed = None if self._suit_unknown(meant) else self.order.next_after(meant)

    def begin_turn(self) -> None:
        """Somebody else goes on: only in the first turn several cards of a rank may be laid."""
        if self.run:
            self._several = False
            self.among = 0

    def begin_run(self) -> None:
        """Whoever lays next may begin with any card: the run is over."""
        self.needed = None

    def lay(self, laid: Laid) -> bool:
        """Lay the next card; whether nothing is wrong with it in this place."""
        known = len(self.faults)
        laid = self._as_due(laid)
        if self.needed and not self._fits(laid.stands_for):
            self._reread(laid.stands_for)
        self.run.append(laid)
        meant = laid.stands_for
        if meant.rank not in self.order.pack.ranks:
            return True  # not a matter of its place; the run goes on as if it were not there
        if self._first_rank is None:
            self._first_rank = meant.rank
        elif meant.rank != self._first_rank:
            self._several = False
        self.among = self.among + 1 if self._several and self.needed and as_itself(laid) else 0
        if self.needed and not self._several and not self.order.fits(meant, self.needed):
            self.faults.append(self._misfit(laid, self.needed))
        self.follow(laid)
        return len(self.faults) == known

    def _fits(self, meant: Card) -> bool:
        """Whether the card fits as things were read."""
        assert self.needed is not None
        among = self._several and meant.rank == self._first_rank
        return among or self.order.fits(meant, self.needed)

    def _reread(self, meant: Card) -> None:
        """Take red nines among the first for the cards then due, where only that fits `meant`."""
        due = self.needed
        for number in range(self.among + 1):
            if due is None:
                return
            if self.order.fits(meant, due):
                self.stand_in(number)
                return
            due = self.order.next_after(due)

    def stand_in(self, number: int) -> None:
        """Take so many of the red nines laid last for the cards due there, one after the other."""
        for place in range(len(self.run) - number, len(self.run)):
            if self.needed is None:
                return
            self.before = self.run[place] = Laid(self.run[place].card, self.needed)
            self.read.append(self.before)
            self.needed = self.order.next_after(self.needed)

    def _as_due(self, laid: Laid) -> Laid:
        """A red nine that is written alone as what it must be here; any other card as it is."""
        among_the_first = self._several and self._first_rank == laid.card.rank
        if self.needed is None or among_the_first or not as_itself(laid):
            return laid
        if not self._suit_unknown(laid.card) and self.order.fits(laid.card, self.needed):
            return laid
        read = Laid(laid.card, self.needed)
        self.read.append(read)
        return read

    def how_read(self) -> Iterator[Text]:
        """What red nines that are written alone were taken for, in sentences."""
        if self.order.notation.keeps_suit:
            for one in self.read:
                red_nine, card = card_name(one.card), card_name(one.stands_for)
                yield say("{red_nine:C} stands for {card}.", red_nine=red_nine, card=card)
        elif self.read:
            yield say_many(
                "The red nine stands for {cards}.",
                "The red nines stand for {cards}.",
                n=len(self.read),
                cards=listed(
                    say("the {rank}", rank=RANK_NAMES[one.stands_for.rank]) for one in self.read
                ),
            )

    def what_follows(self) -> Text:
        """What may be laid next, in a sentence."""
        if self.before is None:
            return say("You may start with any card.")
        if self.needed is None:
            return say(
                "{card:C} is a stop: the same player starts a new run with any card.",
                card=card_name(self.before.stands_for),
            )
        return say(
            "{card:C} must follow. If nobody can play it, whoever played last starts a new run.",
            card=card_name(self.needed),
        )

    def _suit_unknown(self, meant: Card) -> bool:
        return self.order.notation.keeps_suit and meant.suit == RED

    def _which_red_nine(self, laid: Laid) -> Fault:
        says = say(
            "{card}: if it’s played as a nine, write 9H or 9D. If it stands for another card, say "
            "which: {example}.",
            card=str(laid),
            example=f"{laid.card}=8S",
        )
        return self.fault("red-nine-suit", says, "red-nines")

    def _misfit(self, laid: Laid, needed: Card) -> Fault:
        """Why `laid` does not follow, and how to write the red nine before it that was meant."""
        assert self.before is not None
        before, meant = self.before, laid.stands_for
        again = not self.order.notation.keeps_suit and meant.rank == before.stands_for.rank
        says = self._one_each(meant, needed) if again else _not_next(before, laid, needed)
        stands = self.order.before(meant)
        if as_itself(before) and stands is not None:
            says = say("{what} {hint}", what=says, hint=_hint(before, stands))
        return self.fault("one-each" if again else "not-next", says, "play")

    def _one_each(self, meant: Card, needed: Card) -> Text:
        if self.order.several:
            return say(
                "One {rank} at a time; {next} comes next. Only in the opening turn of a round "
                "can you lay several cards of the first rank.",
                rank=RANK_NAMES[meant.rank],
                next=card_name(needed),
            )
        return say(
            "One {rank} at a time; {next} comes next.",
            rank=RANK_NAMES[meant.rank],
            next=card_name(needed),
        )


def _not_next(before: Laid, laid: Laid, needed: Card) -> Text:
    return say(
        "After {before} comes {next}, not {card}.",
        before=_name(before),
        next=card_name(needed),
        card=_name(laid),
    )


def _hint(red_nine: Laid, meant: Card) -> Text:
    """How to write a red nine that is to stand for another card."""
    return say(
        "If {red_nine} stands for {card}, write {written}.",
        red_nine=str(red_nine.card),
        card=card_name(meant),
        written=f"{red_nine.card}={meant}",
    )


def _name(laid: Laid) -> Text:
    """A card as it was laid, in words: "a seven", "a red nine as an eight"."""
    if laid.card == laid.stands_for:
        return card_name(laid.card)
    return say("{card} as {other}", card=card_name(laid.card), other=card_name(laid.stands_for))


def as_itself(laid: Laid) -> bool:
    """Whether this is a red nine that counts as a nine, of which nobody has said so."""
    return is_red_nine(laid.card) and laid.card == laid.stands_for and not laid.said
