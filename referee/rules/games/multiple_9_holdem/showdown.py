"""The showdown: whose hand is best, and which chips go to whom (`rules.md` §2)."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from referee.rules.cards.cards import RANKS_ONLY, Card, RankText, reading_cards
from referee.rules.core.lines import Line
from referee.rules.core.ruling import Fault
from referee.rules.games.multiple_9_holdem.arrangement import Arrangement, arrange
from referee.rules.games.multiple_9_holdem.pots import Pot, pot_names, share_out, uncalled
from referee.rules.games.multiple_9_holdem.sections import fault, hole_fault, rank_faults
from referee.rules.games.multiple_9_holdem.sheet import Sheet

ROYAL = (("Q", "Q", "Q", "Q", "J", "J", "J"),)

Order = tuple[tuple[int, int, tuple[int, ...]], bool]


def order(hand: Arrangement, royal: bool) -> Order:
    """Compares hands, the higher wins; `royal`: four queens and three jacks beat all others."""
    return hand.order, royal and hand.groups == ROYAL


def ranking(hands: Mapping[str, Arrangement], royal: bool) -> list[list[str]]:
    """The players of `hands`, best first, those who tie together."""
    orders = {player: order(hand, royal) for player, hand in hands.items()}
    return [
        [player for player, other in orders.items() if other == level]
        for level in sorted(set(orders.values()), reverse=True)
    ]


def read_hands(hands: Mapping[str, RankText]) -> dict[str, tuple[Card, ...]]:
    """The hands shown, by player. Raises `NotationError` for every text that is no card."""
    with reading_cards() as reader:
        return {
            player: reader.cards(text, RANKS_ONLY, f"{player}’s hand")
            for player, text in hands.items()
        }


def show_faults(
    live: Collection[str], board: Sequence[str], hands: Mapping[str, Sequence[Card]]
) -> Iterable[Fault]:
    """Why these hands cannot be those of the players still in; no cards: mucked."""
    for player in live:
        if player not in hands:
            message = f"{player}’s hand is missing; leave it empty if {player} mucks."
            yield fault("hand-missing", message, "showdown")
    for player, cards in hands.items():
        if player not in live:
            yield fault("not-in-hand", f"{player} is not in this hand any more.", "showdown")
        elif cards:
            yield from hole_fault(len(cards), f"{player}’s hand")
    if hands and not any(hands.values()):
        yield fault("all-muck", "Somebody must show a hand to win the pot.", "showdown")
    shown = [card for cards in hands.values() for card in cards]
    yield from rank_faults([*(Card(rank) for rank in board), *shown])


def showdown_lines(state: Sheet, hands: Mapping[str, Sequence[Card]]) -> list[Line]:
    """What everybody gets when these hands are shown; each line tells the hand it is for."""
    shown = {
        state.seat(player): arrange([*state.board, *(card.rank for card in cards)])
        for player, cards in hands.items()
        if cards
    }
    lines: list[Line] = []
    for pot, name in zip(state.spot.pots, pot_names(len(state.spot.pots)), strict=True):
        lines += _pot_lines(state, pot, name, shown)
    paid = {line.player for line in lines}
    for seat in state.spot.live:
        if state.name(seat) not in paid:
            reason = str(shown[seat]) if seat in shown else "mucked"
            lines.append(Line(state.name(seat), 0, reason))
    return lines


def _pot_lines(
    state: Sheet, pot: Pot[int], name: str, shown: Mapping[int, Arrangement]
) -> Iterable[Line]:
    # A pot all of whose players muck is won by the best hand shown: somebody must take it.
    eligible = [seat for seat in pot.players if seat in shown]
    eligible = eligible or [seat for seat in state.spot.live if seat in shown]
    royal = state.table.options.royal
    best = max(order(shown[seat], royal) for seat in eligible)
    # The seats of a pot are in order from the left of the button, as odd chips are given out.
    winners = [seat for seat in eligible if order(shown[seat], royal) == best]
    for seat, chips in share_out(pot.amount, winners).items():
        takes = name if len(winners) == 1 else f"a share of {name} of {pot.amount}"
        yield Line(state.name(seat), chips, f"{takes} with {shown[seat]}")


def uncontested_lines(state: Sheet) -> list[Line]:
    """What the last player left gets after all others have folded."""
    (winner,) = state.spot.live
    name = state.name(winner)
    back = uncalled(dict(enumerate(state.spot.paid))).get(winner, 0)
    lines = [Line(name, back, "not called")] if back else []
    pot = sum(state.spot.paid) - back
    return [*lines, Line(name, pot, "the pot: everybody else has folded")]
