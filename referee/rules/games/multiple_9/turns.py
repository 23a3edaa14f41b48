"""A turn of Multiple 9: what can be wrong with it, and the table after it (`docs/rules.md` §1)."""

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from referee.rules.cards.cards import RANKS_ONLY, read_cards
from referee.rules.core.entries import if_read, ruled
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.games.multiple_9.discards import counted, discard_faults, rank_faults
from referee.rules.games.multiple_9.entries import Turn
from referee.rules.games.multiple_9.state import Multiple9State
from referee.rules.text import Text, say, say_many

PACK = 52
CARDS_EACH = 5


def turn_faults(fault: MakeFault, state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    """All that is wrong with a turn while nobody has gone out."""
    return ruled(state, entry, *(partial(rule, fault) for rule in _RULES))


def _draw_faults(fault: MakeFault, state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    if entry.drew or state.nothing_to_draw:
        return
    cards = read_cards(entry.cards, RANKS_ONLY)
    if state.seat(entry.player) in state.drawn or len(cards) != CARDS_EACH:
        says = say(
            "{player} must draw first. The only way to go out without drawing is with all five "
            "cards you were dealt.",
            player=entry.player,
        )
        yield fault("must-draw", says, "turns")


def _order_faults(fault: MakeFault, state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    if state.seat(entry.player) != state.turn and (entry.drew or state.nothing_to_draw):
        says = say(
            "It’s {turn}’s turn, not {player}’s.",
            turn=state.name(state.turn),
            player=entry.player,
        )
        yield fault("out-of-turn", says, "turns")


def _number_faults(fault: MakeFault, state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    laid, holds = len(read_cards(entry.cards, RANKS_ONLY)), _holds(state, entry)
    if laid > holds:
        says = _holds_fewer(entry.player, holds, laid, after_drawing=_draws(state, entry))
        yield fault("too-many-cards", says, "turns")


def _rank_faults(fault: MakeFault, state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    laid = counted(read_cards(entry.cards, RANKS_ONLY))
    elsewhere = (state.draw() if _draws(state, entry) else state).out_of_reach
    known = tuple(a + b for a, b in zip(elsewhere, laid, strict=True))
    return rank_faults(fault, known, state.table.options.packs)


def _discard_faults(fault: MakeFault, state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    cards = read_cards(entry.cards, RANKS_ONLY)
    holds = if_read(lambda: _holds(state, entry))
    final = holds is None or len(cards) >= holds
    options = state.table.options
    return discard_faults(fault, counted(cards), final, options.packs, options.nine_out)


_RULES = (_draw_faults, _order_faults, _number_faults, _rank_faults, _discard_faults)


def _draws(state: Multiple9State, entry: Turn) -> bool:
    return entry.drew and not state.nothing_to_draw


def _holds(state: Multiple9State, entry: Turn) -> int:
    """How many cards the player holds before laying any down."""
    return state.held[state.seat(entry.player)] + _draws(state, entry)


def _holds_fewer(player: str, holds: int, laid: int, *, after_drawing: bool) -> Text:
    if after_drawing:
        return say_many(
            "{player} has {n} card after drawing and can’t lay down {laid}.",
            "{player} has {n} cards after drawing and can’t lay down {laid}.",
            n=holds,
            player=player,
            laid=laid,
        )
    return say_many(
        "{player} has {n} card and can’t lay down {laid}.",
        "{player} has {n} cards and can’t lay down {laid}.",
        n=holds,
        player=player,
        laid=laid,
    )


def after_turn(state: Multiple9State, entry: Turn) -> Multiple9State:
    """The table after a legal turn, the turn having passed to the left."""
    laid = counted(read_cards(entry.cards, RANKS_ONLY))
    seat = state.seat(entry.player)
    stuck = state.nothing_to_draw
    drew = entry.drew and not stuck
    table = state.draw() if drew else state
    held = list(state.held)
    held[seat] += drew - sum(laid)
    return replace(
        table,
        held=tuple(held),
        drawn=state.drawn | {seat},
        discards=tuple(a + b for a, b in zip(table.discards, laid, strict=True)),
        turn=state.table.left_of(seat),
        idle=state.idle + 1 if stuck and not any(laid) else 0,
    )
