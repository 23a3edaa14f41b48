"""A deal of Multiple 9 (`docs/rules.md` §1): its turns, if recorded, and the cards left at its end.

Only the size of each hand is known; the discards are counted by rank.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from referee.rules.cards.cards import RANKS, RANKS_ONLY, VALUE, read_cards, write_cards
from referee.rules.cards.groups import Counts, count_ranks
from referee.rules.cards.hands import typed_hands
from referee.rules.core.entries import Played, if_read, rule_faults
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Line, State, Table, note
from referee.rules.games.multiple_9.discards import counted, discard_faults, fault, rank_faults
from referee.rules.games.multiple_9.entries import HouseRules, Left, Out, Turn
from referee.rules.text import Printed, say, say_many

PACK = 52
CARDS_EACH = 5
NO_CARDS: Counts = (0,) * len(RANKS)


class Multiple9State(State[HouseRules], frozen=True, kw_only=True):
    """How many cards each seat holds, which seats have drawn, the stock and the discards.

    `discards` lie face up, counted by rank. `shuffled` are the discards last shuffled into a new
    stock, `drawn_since` the number of cards drawn from it. `idle` counts consecutive turns with
    nothing to draw and nothing laid down. `won` is the seat that has gone out, until the next deal
    begins: the others' cards may still have to be counted.
    """

    held: tuple[int, ...] = ()
    drawn: frozenset[int] = frozenset()
    stock: int = 0
    discards: Counts = NO_CARDS
    shuffled: Counts = NO_CARDS
    drawn_since: int = 0
    turn: int = 0
    idle: int = 0
    won: int | None = None

    @property
    def nothing_to_draw(self) -> bool:
        """Whether stock and discards are both empty."""
        return self.stock == 0 and not any(self.discards)

    @property
    def out_of_reach(self) -> Counts:
        """Cards of each rank that no hand can hold: discards, and those that must be in the stock.

        At most `drawn_since` of the cards shuffled into the stock can have left it.
        """
        hidden = (max(0, number - self.drawn_since) for number in self.shuffled)
        return tuple(lying + under for lying, under in zip(self.discards, hidden, strict=True))

    def draw(self) -> "Multiple9State":
        """The state after drawing a card; an empty stock is first refilled with the discards."""
        if self.nothing_to_draw:
            return self
        if self.stock:
            return replace(self, stock=self.stock - 1, drawn_since=self.drawn_since + 1)
        stock = sum(self.discards) - 1
        return replace(self, stock=stock, discards=NO_CARDS, shuffled=self.discards, drawn_since=1)


def first_stock(table: Table[HouseRules]) -> int:
    """The number of cards in the stock after the deal."""
    return PACK * table.options.packs - CARDS_EACH * len(table.players)


def begin_deal(state: Multiple9State) -> Played[Multiple9State]:
    """Deal five cards each; the player left of the dealer begins."""
    table = state.table
    dealt = replace(
        state,
        held=(CARDS_EACH,) * len(table.players),
        drawn=frozenset(),
        stock=first_stock(table),
        discards=NO_CARDS,
        shuffled=NO_CARDS,
        drawn_since=0,
        turn=table.left_of(state.dealer),
        idle=0,
        won=None,
    )
    return dealt, []


# --- a turn


def turn_faults(state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    """The faults of a turn."""
    if state.won is not None:
        return [_count_first(state.name(state.won))]
    rules = (_draw_faults, _order_faults, _number_faults, _rank_faults, _discard_faults)
    return rule_faults(state, entry, *rules)


def _draw_faults(state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    if entry.drew or state.nothing_to_draw:
        return
    laid = sum(counted(entry.cards))
    if state.seat(entry.player) in state.drawn or laid != CARDS_EACH:
        says = say(
            "{player} must draw first. The only way to go out without drawing is with all five "
            "cards you were dealt.",
            player=entry.player,
        )
        yield fault("must-draw", says, "turns")


def _order_faults(state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    if state.seat(entry.player) != state.turn and (entry.drew or state.nothing_to_draw):
        turn = state.name(state.turn)
        says = say("It’s {turn}’s turn, not {player}’s.", turn=turn, player=entry.player)
        yield fault("out-of-turn", says, "turns")


def _number_faults(state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    laid, holds = sum(counted(entry.cards)), _holds(state, entry)
    if laid <= holds:
        return
    if _draws(state, entry):
        says = say_many(
            "{player} has {n} card after drawing and can’t lay down {laid}.",
            "{player} has {n} cards after drawing and can’t lay down {laid}.",
            n=holds,
            player=entry.player,
            laid=laid,
        )
    else:
        says = say_many(
            "{player} has {n} card and can’t lay down {laid}.",
            "{player} has {n} cards and can’t lay down {laid}.",
            n=holds,
            player=entry.player,
            laid=laid,
        )
    yield fault("too-many-cards", says, "turns")


def _rank_faults(state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    laid = counted(entry.cards)
    elsewhere = (state.draw() if _draws(state, entry) else state).out_of_reach
    known = tuple(a + b for a, b in zip(elsewhere, laid, strict=True))
    return rank_faults(known, state.table.options.packs)


def _discard_faults(state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    laid = counted(entry.cards)
    holds = if_read(lambda: _holds(state, entry))
    final = holds is None or sum(laid) >= holds
    options = state.table.options
    return discard_faults(laid, final, options.packs, options.nine_out)


def _draws(state: Multiple9State, entry: Turn) -> bool:
    return entry.drew and not state.nothing_to_draw


def _holds(state: Multiple9State, entry: Turn) -> int:
    """How many cards the player holds before laying any down."""
    return state.held[state.seat(entry.player)] + _draws(state, entry)


def after_turn(state: Multiple9State, entry: Turn) -> Multiple9State:
    """The state after a legal turn; play passes to the left."""
    laid = counted(entry.cards)
    seat = state.seat(entry.player)
    table = state.draw() if entry.drew else state
    held = list(state.held)
    held[seat] = _holds(state, entry) - sum(laid)
    return replace(
        table,
        held=tuple(held),
        drawn=state.drawn | {seat},
        discards=tuple(a + b for a, b in zip(table.discards, laid, strict=True)),
        turn=state.table.left_of(seat),
        idle=state.idle + 1 if state.nothing_to_draw and not any(laid) else 0,
    )


# --- the cards left when somebody goes out


def _count_first(winner: str) -> Fault:
    says = say("{player} is out: enter what the others hold first.", player=winner)
    return fault("count-first", says, "score")


def out_faults(state: Multiple9State, entry: Out) -> Iterable[Fault]:
    """The faults of a deal whose turns were not all recorded."""
    if state.won is not None:
        return [_count_first(state.name(state.won))]
    winner = if_read(lambda: entry.player)
    return _hands_faults(state, winner, entry.left, followed=False)


def left_faults(state: Multiple9State, entry: Left) -> Iterable[Fault]:
    """The faults of the hands left after recorded turns."""
    if state.won is None:
        says = say("Nobody has gone out yet, so there’s nothing to count.")
        return [fault("nobody-out", says, "score")]
    return _hands_faults(state, state.name(state.won), entry.left, followed=True)


def _hands_faults(
    state: Multiple9State, winner: str | None, left: Mapping[str, str], *, followed: bool
) -> Iterator[Fault]:
    """The faults of the hands `left` after `winner` went out.

    If the turns were `followed`, the hands must fit them. While `winner` is None (unreadable), no
    hand is reported as missing or empty.
    """
    hands = typed_hands(left, RANKS_ONLY)
    if winner and hands.get(winner):
        says = say("{player} is out and holds no cards.", player=winner)
        yield fault("winner-holds", says, "score")
    needed = state.table.options.scoring == "cards"
    for seat, player in enumerate(state.table.players):
        if player == winner:
            continue
        if player in hands and (hands[player] or winner):
            held = state.held[seat] if followed else None
            yield from _hand_faults(player, len(hands[player]), held)
        elif needed and winner and player not in left:
            says = say("{player}’s cards are missing.", player=player)
            yield fault("hand-missing", says, "score").lacking("hand")
    there = count_ranks(card.rank for hand in hands.values() for card in hand)
    packs = state.table.options.packs
    if followed:
        there = tuple(a + b for a, b in zip(there, state.out_of_reach, strict=True))
    elif sum(there) > PACK * packs - CARDS_EACH:  # the winner laid down five or more
        says = say(
            "The others hold {n} of {deck} cards here, but the winner has laid down {each} at "
            "least.",
            n=sum(there),
            deck=PACK * packs,
            each=CARDS_EACH,
        )
        yield fault("too-many-cards", says, "score")
    yield from rank_faults(there, packs)


def _hand_faults(player: str, number: int, held: int | None) -> Iterator[Fault]:
    """The faults of a hand of `number` cards; by the recorded turns, if any, it has `held`."""
    if not number:
        says = say("{player} isn’t out, so must hold a card.", player=player)
        yield fault("hand-empty", says, "score")
    elif held is not None and number != held:
        says = say_many(
            "Going by the turns on the sheet, {player} holds {n} card, not {entered}.",
            "Going by the turns on the sheet, {player} holds {n} cards, not {entered}.",
            n=held,
            player=player,
            entered=number,
        )
        yield fault("hand-size", says, "score").lacking("more")


def left_lines(winner: str, left: Mapping[str, str], *, counts: bool) -> Iterator[Line]:
    """A note on each hand left and, if it `counts`, a line with its value for `winner` (ace 1)."""
    for player, text in left.items():
        if player == winner:  # named without a card
            continue
        cards = read_cards(text, RANKS_ONLY)
        held = word = say_many("{n} card", "{n} cards", n=len(cards))
        if counts:
            points = sum(VALUE[card.rank] for card in cards)
            written = Printed(write_cards(cards))
            reason = say("{player} held {cards}", player=player, cards=written)
            yield Line(winner, points, reason)
            held = say("{cards}: {points}", cards=held, points=points)
        yield note(player, held, word)
