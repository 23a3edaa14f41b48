"""The stops family: cards laid upward in runs, and the judge of whether they may be laid.

`RunOrder` and `StopsGame` hold what differs between its games, and `RunChecker` checks all of them
(`docs/rules.md` §4, §5 and §6, play). They must have the sections "deal", "play" and "red-nines",
which the faults name.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, Any

import msgspec

from referee.rules.cards.card_keys import RedNineRunText, ShortSuitedRunText
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
from referee.rules.cards.packs import Pack, laid_faults
from referee.rules.core.asking import asked
from referee.rules.core.judge import Judge, question_of
from referee.rules.core.ruling import Fault, MakeFault, Ruling, Spread, spread, with_cards
from referee.rules.text import NOTHING, Printed, Text, listed, say, say_many


class RunOrder(msgspec.Struct, frozen=True):
    """How cards follow one another in a game.

    `after` maps each rank to the next; a rank that is not in it is a stop. Where the `notation`
    keeps suits, a run stays in its suit. `pack` is the largest the game can have, `most` the most
    cards one player can lay in a turn; with `several` the opening turn of a round may lay several
    cards of its first rank.
    """

    after: Mapping[str, str]
    notation: Notation
    pack: Pack = Pack()
    most: int | None = None
    several: bool = False

    def next_after(self, card: Card) -> Card | None:
        """The card that must follow `card`; None after a stop."""
        rank = self.after.get(card.rank)
        return None if rank is None else self._of_suit(rank, card)

    def before(self, card: Card) -> Card | None:
        """The card that `card` follows; None if it follows none."""
        rank = next((low for low, high in self.after.items() if high == card.rank), None)
        return None if rank is None else self._of_suit(rank, card)

    def fits(self, meant: Card, needed: Card) -> bool:
        """Whether a card that counts as `meant` is the `needed` one."""
        if self.notation.suited:
            return meant == needed
        return meant.rank == needed.rank

    def _of_suit(self, rank: str, card: Card) -> Card:
        return Card(rank, card.suit if self.notation.suited else "")


class StopsGame(msgspec.Struct, frozen=True):
    """How one game of the family differs from the others.

    For a number of players, `each` is how many cards everybody is dealt and `pack_of` the pack, if
    it is not that of the `order`. A player who lays all the cards `swept_for` in one deal takes a
    pool.
    """

    order: RunOrder
    fault: MakeFault
    seats: range
    each: Callable[[int], int]
    pack_of: Callable[[int], Pack] | None = None
    swept_for: tuple[Card, ...] = ()

    def pack_for(self, players: int | None) -> Pack:
        """The pack for this many players; if that is unknown, the largest."""
        return self.pack_of(players) if players and self.pack_of else self.order.pack


def ascending(ranks: Sequence[str]) -> dict[str, str]:
    """A map from each rank to the one that follows; the last of `ranks` is a stop."""
    return dict(pairwise(ranks))


class RunChecker:
    """Checks the cards of a deal as they are laid, run after run.

    `needed` is the card that must come next (None: any card may), `before` the card it follows, as
    it was laid. A card that does not fit adds to `faults`, and the run goes on from it. A red nine
    written alone is read as a nine where a nine is due or any card may begin, otherwise as the card
    due: `laid` has every card as it was read, `assumed` the red nines read as the card due. With
    `opening`, the first turn is the opening turn of a round.
    """

    def __init__(self, order: RunOrder, fault: MakeFault, *, opening: bool) -> None:
        self.order = order
        self.fault = fault
        self.needed: Card | None = None
        self.before: Laid | None = None
        self.faults: list[Fault] = []
        self.laid: list[Laid] = []
        self.assumed: list[Laid] = []
        self._first_rank: str | None = None
        self._several = opening and order.several  # while only the first rank has been laid
        self.last_red_nines = 0  # how many were laid last, each as one more card of the first rank

    def follow(self, laid: Laid) -> None:
        """Go on from `laid` without checking that it fits."""
        meant = laid.stands_for
        if meant.rank not in self.order.pack.ranks:
            return
        if self._suit_unknown(meant):
            says = say(
                "{card}: if it’s played as a nine, write 9H or 9D. If it stands for another card, "
                "say which: {example}.",
                card=str(laid),
                example=f"{laid.card}=8S",
            )
            self.faults.append(self.fault("red-nine-suit", says, "red-nines"))
        self.before = laid
        self.needed = None if self._suit_unknown(meant) else self.order.next_after(meant)

    def begin_turn(self) -> None:
        """Start a new turn: only the first may lay several cards of a rank."""
        if self.laid:
            self._several = False
            self.last_red_nines = 0

    def begin_run(self) -> None:
        """Begin a new run: the next card may be any."""
        self.needed = None

    def lay(self, laid: Laid) -> bool:
        """Lay the next card; return whether it fits."""
        faults_before = len(self.faults)
        laid = self._as_due(laid)
        meant = laid.stands_for
        among_the_first = self._several and meant.rank == self._first_rank
        if self.needed and not among_the_first and not self.order.fits(meant, self.needed):
            self._reread(meant)
        self.laid.append(laid)
        if meant.rank not in self.order.pack.ranks:
            return True  # `laid_faults` reports it; the run goes on without it
        if self._first_rank is None:
            self._first_rank = meant.rank
        elif meant.rank != self._first_rank:
            self._several = False
        one_more_nine = self._several and self.needed and is_undeclared_nine(laid)
        self.last_red_nines = self.last_red_nines + 1 if one_more_nine else 0
        if self.needed and not self._several and not self.order.fits(meant, self.needed):
            self.faults.append(self._misfit(laid, self.needed))
        self.follow(laid)
        return len(self.faults) == faults_before

    def _reread(self, meant: Card) -> None:
        """Read the last red nines as the cards due there, if that makes `meant` fit."""
        due = self.needed
        for number in range(self.last_red_nines + 1):
            if due is None:
                return
            if self.order.fits(meant, due):
                self.stand_in(number)
                return
            due = self.order.next_after(due)

    def stand_in(self, number: int) -> None:
        """Read the last `number` red nines as the cards due there, one after another."""
        for place in range(len(self.laid) - number, len(self.laid)):
            if self.needed is None:
                return
            self.before = self.laid[place] = Laid(self.laid[place].card, self.needed)
            self.assumed.append(self.before)
            self.needed = self.order.next_after(self.needed)

    def _as_due(self, laid: Laid) -> Laid:
        """`laid` as read here: a red nine written alone may stand for the card due."""
        among_the_first = self._several and self._first_rank == laid.card.rank
        if self.needed is None or among_the_first or not is_undeclared_nine(laid):
            return laid
        if not self._suit_unknown(laid.card) and self.order.fits(laid.card, self.needed):
            return laid
        read = Laid(laid.card, self.needed)
        self.assumed.append(read)
        return read

    def how_read(self) -> Iterator[Text]:
        """Sentences saying which cards the red nines written alone were read as."""
        if self.order.notation.suited:
            for one in self.assumed:
                red_nine, card = card_name(one.card), card_name(one.stands_for)
                yield say("{red_nine:C} stands for {card}.", red_nine=red_nine, card=card)
        elif self.assumed:
            ranks = (RANK_NAMES[one.stands_for.rank] for one in self.assumed)
            cards = listed(say("the {rank}", rank=rank) for rank in ranks)
            yield say_many(
                "The red nine stands for {cards}.",
                "The red nines stand for {cards}.",
                n=len(self.assumed),
                cards=cards,
            )

    def what_follows(self) -> Text:
        """A sentence saying what may be laid next."""
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
        return self.order.notation.suited and meant.suit == RED

    def _misfit(self, laid: Laid, needed: Card) -> Fault:
        """The fault that `laid` does not follow; it says how to write a red nine before it."""
        assert self.before is not None
        before, meant, due = self.before, laid.stands_for, card_name(needed)
        again = not self.order.notation.suited and meant.rank == before.stands_for.rank
        if not again:
            says = say(
                "After {before} comes {next}, not {card}.",
                before=_name(before),
                next=due,
                card=_name(laid),
            )
        elif self.order.several:
            says = say(
                "One {rank} at a time; {next} comes next. Only in the opening turn of a round "
                "can you lay several cards of the first rank.",
                rank=RANK_NAMES[meant.rank],
                next=due,
            )
        else:
            says = say(
                "One {rank} at a time; {next} comes next.", rank=RANK_NAMES[meant.rank], next=due
            )
        stands = self.order.before(meant)
        if is_undeclared_nine(before) and stands is not None:
            hint = say(
                "If {red_nine} stands for {card}, write {written}.",
                red_nine=str(before.card),
                card=card_name(stands),
                written=Printed(f"{before.card}={stands}"),
            )
            says = say("{what} {hint}", what=says, hint=hint)
        return self.fault("one-each" if again else "not-next", says, "play")


def _name(laid: Laid) -> Text:
    """A laid card in words: "a seven", "a red nine as an eight"."""
    if laid.card == laid.stands_for:
        return card_name(laid.card)
    return say("{card} as {other}", card=card_name(laid.card), other=card_name(laid.stands_for))


def is_undeclared_nine(laid: Laid) -> bool:
    """Whether this is a red nine that counts as a nine, but was written alone."""
    return is_red_nine(laid.card) and laid.card == laid.stands_for and not laid.declared


def too_many_cards(n: int, most: int) -> Text:
    """The sentence for a player who has laid, or holds, more cards than each was dealt."""
    return say_many(
        "{n} card? Everyone is dealt {most}.",
        "{n} cards? Everyone is dealt {most}.",
        n=n,
        most=most,
    )


def run_judge(game: StopsGame) -> Judge:
    """The judge of whether a player may lay `cards`, in this order, after the card `last`.

    With `last` empty, or a stop, the player may begin with any card. A red nine counts as what is
    written for it (`9R=8`); alone, as a nine where a nine may be laid, or as the card due.
    """
    text = ShortSuitedRunText if game.order.notation.suited else RedNineRunText
    last = asked(
        say("Last card before"), say("Optional: without it you’re free to start a new run.")
    )
    fields: list[tuple[str, Any, Any]] = [
        ("cards", Annotated[text, asked(say("Cards laid"))], ""),
        ("last", Annotated[text, last], ""),
    ]
    if game.order.several:
        opening = asked(say("This is the opening turn of the round"))
        fields.append(("opening", Annotated[bool, opening], False))
    rule = partial(_rule, game.order, game.fault)
    return Judge("run", say("May I lay these cards?"), question_of(fields), rule, section="play")


def _rule(
    order: RunOrder, fault: MakeFault, cards: str, last: str, opening: bool = False
) -> Ruling:
    """Rule on the run; `next` in the detail is the card that must follow, or None if any may."""
    with reading_cards() as reader:
        run = reader.run(cards, order.notation, say("the run"))
        lasts = reader.run(last, order.notation, say("the last card"))
    checker = RunChecker(order, fault, opening=opening)
    if lasts and not opening:
        checker.follow(lasts[-1])
    misfits = tuple(place for place, laid in enumerate(run) if not checker.lay(laid))
    faults = []
    if len(lasts) > 1:
        says = say("Enter just one last card, not {n}.", n=len(lasts))
        faults.append(fault("one-last", says, "play"))
    if opening and lasts:
        says = say("The opening turn follows no card, so leave the last card empty.")
        faults.append(fault("opening-last", says, "play"))
    if order.most is not None and len(run) > order.most:
        faults.append(fault("too-many-cards", too_many_cards(len(run), order.most), "deal"))
    faults += [*laid_faults(order.pack, fault, (*lasts, *run)), *checker.faults]
    spreads = with_cards(
        spread(lasts, say("already there")),
        Spread(tuple(map(str, checker.laid)), say("laid now") if lasts else NOTHING, wrong=misfits),
        spread(() if checker.needed is None or misfits else (checker.needed,), say("must follow")),
    )
    detail = {"next": None if checker.needed is None else str(checker.needed)}
    told = () if faults else (checker.what_follows(), *checker.how_read())
    return Ruling(tuple(faults), detail, told, spreads=spreads)
