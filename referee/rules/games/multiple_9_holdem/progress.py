"""How a hand moves on: setting it out, doing what was done, and telling where the chips went."""

from msgspec.structs import replace

from referee.rules.core.kinds import Played
from referee.rules.core.lines import Line, change_by_player
from referee.rules.games.multiple_9_holdem.betting import Action, Blinds, Spot, Stakes
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.rules.games.multiple_9_holdem.street import replay
from referee.rules.text import Text, say


def set_out(state: HoldemState, held: tuple[int, ...], blinds: Blinds) -> HoldemState:
    """The hand of `state` at its beginning, when everybody had `held` before the `blinds`."""
    structure = state.table.options.structure
    stakes = Stakes(held, state.dealer, blinds.small, blinds.big, structure, blinds.ante)
    fresh = replace(state, stakes=stakes, actions=(), board=())
    return _standing(fresh, replay(stakes, ()))


def posted(state: HoldemState) -> list[Line]:
    """What everybody puts in before the cards are dealt, as the hand has been set out."""
    stakes = state.stakes
    left = list(stakes.held)
    lines = []
    dues = [(seat, stakes.ante, say("ante")) for seat in stakes.seats]
    small, big = stakes.blind_seats
    dues += [(small, stakes.small, say("small blind")), (big, stakes.big, say("big blind"))]
    for seat, due, reason in dues:
        paid = min(due, left[seat])
        left[seat] -= paid
        if paid:
            lines.append(Line(state.name(seat), -paid, reason))
    return lines


def posted_blinds(state: HoldemState) -> Blinds:
    """The blinds and the ante of the hand in progress."""
    return Blinds(state.stakes.small, state.stakes.big, state.stakes.ante)


def acted(state: HoldemState, action: Action) -> HoldemState:
    """The state after one more action, which is known to be legal."""
    actions = (*state.actions, action)
    return _standing(replace(state, actions=actions), replay(state.stakes, actions))


def balanced(
    before: HoldemState, lines: list[Line], after: HoldemState, reason: Text, *, opens: bool = False
) -> list[Line]:
    """`lines`, and for what else the stacks have changed by, lines with this `reason`."""
    told = change_by_player(lines, before.table.players)
    rest = [
        Line(player, now - then - told[player], reason, opens=opens)
        for player, then, now in zip(before.table.players, before.scores, after.scores, strict=True)
        if now - then != told[player]
    ]
    return [*lines, *rest]


def counted(before: HoldemState, played: Played[HoldemState]) -> Played[HoldemState]:
    """`played`, its chips counted: none may have been made or lost since `before`."""
    assert chips_at_table(played[0]) == chips_at_table(before)
    return played


def chips_at_table(state: HoldemState) -> int:
    """All the chips in play, in the stacks and in the middle."""
    return sum(state.scores) + state.pot


def _standing(state: HoldemState, spot: Spot) -> HoldemState:
    return replace(state, spot=spot, scores=spot.stacks, pools={"pot": sum(spot.paid)})
