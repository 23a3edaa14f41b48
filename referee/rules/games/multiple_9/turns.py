"""A turn of Multiple 9: what can be wrong with it, and the table after it (`docs/rules.md` §1)."""

from collections.abc import Iterable

from msgspec.structs import replace

from referee.rules.cards.cards import RANKS_ONLY, read_cards
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.games.multiple_9.discards import counted, discard_faults, rank_faults
from referee.rules.games.multiple_9.entries import Turn
from referee.rules.games.multiple_9.state import Multiple9State
from referee.rules.text import Text, say, say_many

CARDS_EACH = 5


def turn_faults(fault: MakeFault, state: Multiple9State, entry: Turn) -> Iterable[Fault]:
    """All that is wrong with a turn while nobody has gone out."""
    cards = read_cards(entry.cards, RANKS_ONLY)
    seat = state.seat(entry.player)
    straight_out = seat not in state.drawn and len(cards) == CARDS_EACH
    if not entry.drew and not straight_out and not state.nothing_to_draw:
        says = say(
            "{player} must draw first. The only way to go out without drawing is with all five "
            "cards you were dealt.",
            player=entry.player,
        )
        yield fault("must-draw", says, "turns")
    if seat != state.turn and (entry.drew or state.nothing_to_draw):
        says = say(
            "It’s {turn}’s turn, not {player}’s.",
            turn=state.name(state.turn),
            player=entry.player,
        )
        yield fault("out-of-turn", says, "turns")
    draws = entry.drew and not state.nothing_to_draw
    holds = state.held[seat] + draws
    if len(cards) > holds:
        says = _holds_fewer(entry.player, holds, len(cards), after_drawing=draws)
        yield fault("too-many-cards", says, "turns")
    laid = counted(cards)
    elsewhere = (state.draw() if draws else state).out_of_reach
    known = tuple(a + b for a, b in zip(elsewhere, laid, strict=True))
    options = state.table.options
    yield from rank_faults(fault, known, options.packs)
    final = len(cards) >= holds
    yield from discard_faults(fault, laid, final, options.packs, options.nine_out)


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
