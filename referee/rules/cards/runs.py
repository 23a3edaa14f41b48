"""The stops family: cards laid upward in runs.

Its games differ in which card follows which, what stops a run and whether suits count; that much
a `RunOrder` says, and one checker rules on all of them (`docs/rules.md` §4, §5 and §6, play).

The faults made here name the sections "deal", "play" and "red-nines", which each of these games
must have.
"""

from collections.abc import Iterable, Mapping, Sequence
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
    reading_cards,
)
from referee.rules.cards.packs import Pack, pack_faults, red_nine_faults
from referee.rules.core.ruling import Fault, MakeFault, Ruling
from referee.rules.core.spread import Spread, spread
from referee.rules.text import NOTHING, Text, say


class RunOrder(msgspec.Struct, frozen=True):
    """How cards follow one another in a game.

    `after` is the rank that follows each rank; a rank that is not in it is a stop. Where the
    `notation` keeps suits, a run stays in its suit. `pack` is the largest there can be, `most`
    the most cards one player can lay in a turn, `several` whether the opening turn of a round may
    lay several cards of its first rank.
    """

    after: Mapping[str, str]
    notation: Notation
    pack: Pack = Pack()
    most: int | None = None
    several: bool = False

    def next_after(self, card: Card) -> Card | None:
        """The card that must follow `card`, None after a stop."""
        rank = self.after.get(card.rank)
        return None if rank is None else Card(rank, card.suit if self.notation.keeps_suit else "")

    def before(self, card: Card) -> Card | None:
        """The card that `card` follows, None where it follows none."""
        for low, high in self.after.items():
            if high == card.rank:
                return Card(low, card.suit if self.notation.keeps_suit else "")
        return None

    def fits(self, meant: Card, needed: Card) -> bool:
        """Whether a card that counts as `meant` is the one that is `needed`."""
        if self.notation.keeps_suit:
            return meant == needed
        return meant.rank == needed.rank


def ascending(ranks: Sequence[str]) -> dict[str, str]:
    """Each rank with the one that follows it; the last of `ranks` is followed by none."""
    return dict(pairwise(ranks))


def rule_on_run(
    order: RunOrder, fault: MakeFault, cards: str, last: str, *, opening: bool = False
) -> Ruling:
    """Whether one player may lay `cards`, in this order, after the card `last`.

    With `last` empty, or a stop, the player is free to begin with any card; `opening` says that
    it is the opening turn of a round. A red nine counts as what is written: plain, as a nine. The
    detail is `next`, the card that must follow as text, or None where anybody may begin anew.
    Raises `NotationError`.
    """
    with reading_cards() as reader:
        run = reader.run(cards, order.notation, say("the run"))
        lasts = reader.run(last, order.notation, say("the last card"))
    faults = []
    if len(lasts) > 1:
        says = say("A run has a single last card; {n} are written.", n=len(lasts))
        faults.append(fault("one-last", says, "play"))
    if opening and lasts:
        says = say("The opening turn of a round follows no card: leave the last card empty.")
        faults.append(fault("opening-last", says, "play"))
    if order.most is not None and len(run) > order.most:
        says = say("{n} cards are laid; a hand has {most}.", n=len(run), most=order.most)
        faults.append(fault("too-many-cards", says, "deal"))
    laid = (*lasts, *run)
    faults.extend(_stand_in_faults(order, fault, laid))
    faults.extend(pack_faults(order.pack, fault, [one.card for one in laid]))
    faults.extend(
        red_nine_faults(order.pack, fault, sum(is_red_nine(one.card) for one in laid), None)
    )
    walk = _Walk(order, fault, opening)
    if lasts and not opening:
        walk.follow(lasts[-1])
    for one in run:
        walk.lay(one)
    faults.extend(walk.faults)
    detail = {"next": None if walk.needed is None else str(walk.needed)}
    return Ruling(tuple(faults), detail, () if faults else (walk.in_words(),))


def spread_run(
    order: RunOrder, fault: MakeFault, cards: str, last: str, *, opening: bool = False
) -> tuple[Spread, ...]:
    """The run as it was laid, what does not fit marked, and the card that must follow it."""
    with reading_cards() as reader:
        run = reader.run(cards, order.notation)
        lasts = reader.run(last, order.notation)
    walk = _Walk(order, fault, opening)
    if lasts and not opening:
        walk.follow(lasts[-1])
    wrong = []
    for place, one in enumerate(run):
        known = len(walk.faults)
        walk.lay(one)
        if len(walk.faults) > known:
            wrong.append(place)
    laid = Spread(tuple(map(str, run)), say("laid now") if lasts else NOTHING, wrong=tuple(wrong))
    following = () if walk.needed is None or wrong else (walk.needed,)
    parts = (spread(lasts, say("already there")), laid, spread(following, say("must follow")))
    return tuple(part for part in parts if part.cards)


class _Walk:
    """A run as it is laid, card by card.

    `needed` is the card that must come next (None: any card may), `before` the card it follows
    as it was written. A card that does not fit is noted, and the walk goes on from it; a plain
    red nine that does not fit is taken for what was needed, so that it is blamed only once.
    """

    def __init__(self, order: RunOrder, fault: MakeFault, opening: bool) -> None:
        self.order = order
        self.fault = fault
        self.needed: Card | None = None
        self.before: Laid | None = None
        self.first_rank: str | None = None
        self.several = opening and order.several  # while only the first rank has been laid
        self.faults: list[Fault] = []

    def follow(self, laid: Laid) -> None:
        """Go on from `laid` without asking whether it fits."""
        meant = laid.stands_for
        if meant.rank not in self.order.pack.ranks:
            return
        if self._suit_unknown(meant):
            self.faults.append(self._which_red_nine(laid))
            meant = self.needed or meant
        self.before = laid
        self.needed = None if self._suit_unknown(meant) else self.order.next_after(meant)

    def lay(self, laid: Laid) -> None:
        """Lay a card where it was written, noting what is wrong with it."""
        meant = laid.stands_for
        if meant.rank not in self.order.pack.ranks:
            return  # said already; the run goes on as if it were not there
        if self.first_rank is None:
            self.first_rank = meant.rank
        elif meant.rank != self.first_rank:
            self.several = False
        free = self.needed is None or self.several or self._suit_unknown(meant)
        if self.needed is not None and not free and not self.order.fits(meant, self.needed):
            self.faults.append(self._misfit(laid, self.needed))
            laid = Laid(laid.card, self.needed if _as_itself(laid) else meant)
        self.follow(laid)

    def in_words(self) -> Text:
        """What may follow, in a sentence."""
        if self.before is None:
            return say("Any card may begin.")
        if self.needed is not None:
            return say(
                "{card:C} must follow. If nobody can play it, whoever played last begins anew.",
                card=card_name(self.needed),
            )
        return say(
            "{card:C} is a stop: the same player begins anew with any card.",
            card=card_name(self.before.stands_for),
        )

    def _suit_unknown(self, meant: Card) -> bool:
        return self.order.notation.keeps_suit and meant.suit == RED

    def _which_red_nine(self, laid: Laid) -> Fault:
        says = say(
            "{card}: as a nine it needs its suit, 9H or 9D. If it stands for another card, write "
            "which, as in 9R={other}.",
            card=str(laid),
            other=str(self.needed or Card("8", "S")),
        )
        return self.fault("red-nine-suit", says, "red-nines")

    def _misfit(self, laid: Laid, needed: Card) -> Fault:
        """Why `laid` does not follow, and how to write it where a red nine was meant."""
        assert self.before is not None
        before, meant = self.before, laid.stands_for
        once = not self.order.notation.keeps_suit and meant.rank == before.stands_for.rank
        says = self._one_each(meant, needed) if once else _not_next(before, laid, needed)
        stands = self.order.before(meant)
        if _as_itself(laid):
            hint = say(
                "If the red nine stands for it, write {written}.", written=f"{laid.card}={needed}"
            )
            says = say("{what} {hint}", what=says, hint=hint)
        elif _as_itself(before) and stands is not None:
            hint = say(
                "If {red_nine} stands for {card}, write {written}.",
                red_nine=str(before),
                card=str(stands),
                written=f"{before}={stands}",
            )
            says = say("{what} {hint}", what=says, hint=hint)
        return self.fault("one-each" if once else "not-next", says, "play")

    def _one_each(self, meant: Card, needed: Card) -> Text:
        if self.order.several:
            return say(
                "One {rank} at a time: {next} comes next. Only the opening turn of a round may "
                "begin with several of a rank.",
                rank=RANK_NAMES[meant.rank],
                next=card_name(needed),
            )
        return say(
            "One {rank} at a time: {next} comes next.",
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


def _name(laid: Laid) -> Text:
    """A card as it was laid, in words: "a seven", "a red nine as an eight"."""
    if laid.card == laid.stands_for:
        return card_name(laid.card)
    return say("{card} as {other}", card=card_name(laid.card), other=card_name(laid.stands_for))


def _as_itself(laid: Laid) -> bool:
    """Whether this is a red nine that nothing else is written for."""
    return is_red_nine(laid.card) and laid.card == laid.stands_for


def _stand_in_faults(order: RunOrder, fault: MakeFault, laid: Iterable[Laid]) -> Iterable[Fault]:
    for one in laid:
        if one.stands_for.rank not in order.pack.ranks and one.card != one.stands_for:
            says = say(
                "There are no {rank}s in the pack for a red nine to stand for.",
                rank=one.stands_for.rank,
            )
            yield fault("not-in-pack", says, "deal")
