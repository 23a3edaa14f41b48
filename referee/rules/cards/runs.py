"""The stops family: cards laid upward in runs, and what is left in the other hands.

Its games differ in which card follows which, what stops a run and whether suits count; that much
a `RunOrder` says, and one checker rules on all of them (`rules.md` §4, §5 and §6, play).

The faults made here name the sections "deal", "play", "red-nines" and "score", which each of
these games must have.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

import msgspec

from referee.rules.cards.cards import (
    RANK_NAMES,
    RANKS,
    RED,
    VALUE,
    Card,
    Laid,
    Notation,
    capitalized,
    card_name,
    count_of,
    is_red_nine,
    reading_cards,
    repeated,
)
from referee.rules.core.ruling import Fault, MakeFault, Ruling
from referee.rules.core.spread import Spread, spread


class Pack(msgspec.Struct, frozen=True):
    """The cards a game is played with: its ranks, and how many suits of each colour."""

    red_suits: int = 2
    black_suits: int = 2
    ranks: tuple[str, ...] = RANKS

    @property
    def copies(self) -> int:
        """How many cards of a rank there are."""
        return self.red_suits + self.black_suits


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
        run = reader.run(cards, order.notation, "the run")
        lasts = reader.run(last, order.notation, "the last card")
    faults = []
    if len(lasts) > 1:
        message = f"One card is the last of a run; {len(lasts)} are written."
        faults.append(fault("one-last", message, "play"))
    if opening and lasts:
        message = "The opening turn of a round follows no card: leave the last card empty."
        faults.append(fault("opening-last", message, "play"))
    if order.most is not None and len(run) > order.most:
        message = f"{len(run)} cards are laid; a hand has {order.most}."
        faults.append(fault("too-many-cards", message, "deal"))
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
    laid = Spread(tuple(map(str, run)), "laid now" if lasts else "", wrong=tuple(wrong))
    following = () if walk.needed is None or wrong else (walk.needed,)
    parts = (spread(lasts, "lay there"), laid, spread(following, "must follow"))
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

    def in_words(self) -> str:
        """What may follow, in a sentence."""
        if self.before is None:
            return "Any card may begin."
        if self.needed is not None:
            name = capitalized(card_name(self.needed))
            return f"{name} must follow. If nobody can lay it, whoever laid last begins anew."
        name = capitalized(card_name(self.before.stands_for))
        return f"{name} is a stop: the same player begins anew with any card."

    def _suit_unknown(self, meant: Card) -> bool:
        return self.order.notation.keeps_suit and meant.suit == RED

    def _which_red_nine(self, laid: Laid) -> Fault:
        other = self.needed or Card("8", "S")
        message = (
            f"{laid}: as a nine it needs its suit, 9H or 9D; in place of another card write what "
            f"it stands for, as in 9R={other}."
        )
        return self.fault("red-nine-suit", message, "red-nines")

    def _misfit(self, laid: Laid, needed: Card) -> Fault:
        assert self.before is not None
        before, meant = self.before, laid.stands_for
        once = not self.order.notation.keeps_suit and meant.rank == before.stands_for.rank
        next_one = card_name(needed)
        message = f"After {_name(before)} comes {next_one}, not {_name(laid)}."
        if once:
            message = f"One {RANK_NAMES[meant.rank]} at a time: {next_one} comes next."
            if self.order.several:
                message += " Only the opening turn of a round may begin with several of a rank."
        stands = self.order.before(meant)
        if _as_itself(laid):
            message += f" If the red nine stands for it, write {laid.card}={needed}."
        elif _as_itself(before) and stands is not None:
            message += f" If {before} stands for {stands}, write {before}={stands}."
        return self.fault("one-each" if once else "not-next", message, "play")


def _name(laid: Laid) -> str:
    """A card as it was laid, in words: "a seven", "a red nine as an eight"."""
    name = card_name(laid.card)
    return name if laid.card == laid.stands_for else f"{name} as {card_name(laid.stands_for)}"


def _as_itself(laid: Laid) -> bool:
    """Whether this is a red nine that nothing else is written for."""
    return is_red_nine(laid.card) and laid.card == laid.stands_for


def _stand_in_faults(order: RunOrder, fault: MakeFault, laid: Iterable[Laid]) -> Iterable[Fault]:
    for one in laid:
        if one.stands_for.rank not in order.pack.ranks and one.card != one.stands_for:
            rank = one.stands_for.rank
            message = f"The {rank}s are not in the pack, so a red nine stands for none of them."
            yield fault("not-in-pack", message, "deal")


def pack_faults(pack: Pack, fault: MakeFault, cards: Collection[Card]) -> Iterable[Fault]:
    """Cards that are not in the pack, or more often than it has them; red nines aside.

    Where cards have suits each is there once, where they have none as often as there are suits.
    """
    for card in cards:
        if card.rank not in pack.ranks:
            message = f"{capitalized(card_name(card))}? The {card.rank}s are not in the pack."
            yield fault("not-in-pack", message, "deal")
    for card in repeated(card for card in cards if card.suit and card.suit != RED):
        message = f"{capitalized(card_name(card))} is there twice; the pack has it once."
        yield fault("card-twice", message, "deal")
    ranks = Counter(card.rank for card in cards if not card.suit)
    for rank, number in sorted(ranks.items(), key=lambda item: VALUE[item[0]]):
        most = pack.black_suits if rank == "9" else pack.copies
        if number > most:
            which = f"{number} black nines" if rank == "9" else count_of(number, rank)
            yield fault("too-many-of-rank", f"{which}? There are {most} at most.", "deal")


def red_nine_faults(
    pack: Pack, fault: MakeFault, number: int, out_on_one: str | None
) -> Iterable[Fault]:
    """Too many red nines; `out_on_one` is the player who went out on one, if anybody did."""
    most = pack.red_suits - (out_on_one is not None)
    if number > most:
        message = f"{number} red nines? There are {pack.red_suits} at most"
        message += f", and {out_on_one} played one." if out_on_one else "."
        yield fault("too-many-red-nines", message, "red-nines")


def hand_faults(
    fault: MakeFault, players: Iterable[str], winner: str, held: Mapping[str, int], most: int
) -> Iterable[Fault]:
    """Everybody but the `winner` must show 1 to `most` cards; `held` counts those shown."""
    if winner in held:
        yield fault("winner-holds", f"{winner} is out and holds nothing.", "score")
    for player in players:
        if player == winner:
            continue
        if player not in held:
            yield fault("hand-missing", f"{player}’s cards are missing.", "score")
        elif held[player] == 0:
            message = f"{player} is not out, so must hold a card."
            yield fault("hand-empty", message, "score")
        elif held[player] > most:
            message = f"{player} was dealt {most} cards; {held[player]} are entered."
            yield fault("too-many-cards", message, "score")


def typed_hands(hands: Mapping[str, object], notation: Notation) -> dict[str, tuple[Card, ...]]:
    """The hands, by player, that are written as cards; raises `NotationError` for all at once."""
    with reading_cards() as reader:
        return {
            player: reader.cards(hand, notation, f"{player}’s hand")
            for player, hand in hands.items()
            if isinstance(hand, str)
        }
