"""The state of Multiple 9 Hold'em: a hand in progress, its blinds, and how a screen shows it."""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from referee.rules.core.parts import Steps
from referee.rules.core.table import Line, State, change_by_player
from referee.rules.games.multiple_9_holdem.betting import Betting, Blinds, Stakes, Turn, begin
from referee.rules.games.multiple_9_holdem.entries import BOARD_CARDS, FLOP_CARDS, HouseRules
from referee.rules.text import NOTHING, Text, say, say_many, say_number

StreetName = Literal["flop", "turn", "river"]

#: The next street, by the number of cards on the board.
NEXT_STREET: dict[int, StreetName] = {0: "flop", 3: "turn", 4: "river"}
NO_HAND = Betting(Stakes((), 0, Blinds(1, 2), "no-limit"), (), (), ())


class HoldemState(State[HouseRules], frozen=True, kw_only=True):
    """A sheet in the middle of a hand: the ranks on the board, and the betting so far.

    `blinds` are those of the hands to come, None unless changed; `stakes` has those of this hand.
    """

    blinds: Blinds | None = None
    board: tuple[str, ...] = ()
    betting: Betting = NO_HAND

    @property
    def stakes(self) -> Stakes:
        """How the hand began."""
        return self.betting.stakes

    @property
    def next_street(self) -> StreetName:
        """The street to come; raises `KeyError` after the river."""
        return NEXT_STREET[len(self.board)]

    @property
    def runs_out(self) -> bool:
        """Whether nobody can bet anymore, so that the rest of the board may be dealt at once."""
        return self.due == "board" and self.betting.begin_street().acts is None

    @property
    def cards_due(self) -> range:
        """How many cards can come onto the board next."""
        least = 1 if self.board else FLOP_CARDS
        return range(least, BOARD_CARDS - len(self.board) + 1 if self.runs_out else least + 1)

    @property
    def due(self) -> Literal["bet", "board", "show"]:
        """Whether a bet, board cards or the showdown comes next."""
        if self.betting.turn is not None:
            return "bet"
        return "board" if len(self.board) in NEXT_STREET else "show"

    @property
    def shows(self) -> tuple[int, ...]:
        """The seats that show their hands now, or muck, from the left of the button."""
        return self.betting.live if self.due == "show" and not self.finished else ()

    @property
    def pot(self) -> int:
        """The chips in the middle, bets of this street included."""
        return self.pools.get("pot", 0)

    def with_betting(self, betting: Betting) -> "HoldemState":
        """The state with this `betting`, and the stacks and the pot that it makes."""
        pot = sum(betting.paid)
        return replace(self, betting=betting, scores=betting.stacks, pools={"pot": pot})


def set_out(state: HoldemState, held: tuple[int, ...], blinds: Blinds) -> HoldemState:
    """Begin a hand in which each seat has `held` chips before these `blinds` are posted."""
    stakes = Stakes(held, state.dealer, blinds, state.table.options.structure)
    return replace(state, board=()).with_betting(begin(stakes))


def posted(state: HoldemState) -> list[Line]:
    """The lines of antes and blinds, as posted when the hand began."""
    stakes, blinds = state.stakes, state.stakes.blinds
    small, big = stakes.blind_seats
    dues = [(seat, blinds.ante, say("ante")) for seat in stakes.seats]
    dues += [(small, blinds.small, say("small blind")), (big, blinds.big, say("big blind"))]
    left = list(stakes.held)
    lines = []
    for seat, due, reason in dues:
        paid = min(due, left[seat])
        left[seat] -= paid
        if paid:
            lines.append(Line(state.name(seat), -paid, reason))
    return lines


def balanced(
    before: HoldemState, lines: list[Line], after: HoldemState, reason: Text, *, opens: bool = False
) -> list[Line]:
    """`lines`, and lines with this `reason` for any further change of the stacks."""
    counted = change_by_player(lines, before.table.players)
    rest = [
        Line(player, now - then - counted[player], reason, opens=opens)
        for player, then, now in zip(before.table.players, before.scores, after.scores, strict=True)
        if now - then != counted[player]
    ]
    return [*lines, *rest]


# --- the hand in progress on a screen: the deal card, and the words below the totals


def deal_card(state: HoldemState, steps: Steps) -> Steps:
    """The deal card: what comes next and, until somebody has acted, the blinds."""
    if state.begun:
        return (_next_step(state),)
    stakes, blinds = state.stakes, state.stakes.blinds
    small, big = stakes.blind_seats
    posts = say(
        "{small} posts {paid_small}, {big} posts {paid_big}",
        small=state.name(small),
        paid_small=min(blinds.small, max(0, stakes.held[small] - blinds.ante)),
        big=state.name(big),
        paid_big=min(blinds.big, max(0, stakes.held[big] - blinds.ante)),
    )
    antes = (say("Everyone antes {ante}", ante=blinds.ante),) if blinds.ante else ()
    return (*steps, *antes, posts, say("Two cards each, face down"), _next_step(state))


def _next_step(state: HoldemState) -> Text:
    """What comes next: a bet, cards, or the showdown."""
    turn = state.betting.turn
    if turn is not None:
        return _to_act(state.name(turn.seat), turn)
    if state.due == "show":
        return say("The betting is over: everyone still in shows or mucks")
    if len(state.cards_due) > 1:
        return say_many(
            "Nobody can bet anymore: {n} card to come",
            "Nobody can bet anymore: {n} cards to come",
            n=state.cards_due[-1],
        )
    return {
        "flop": say("Now the flop: three cards"),
        "turn": say("Now the turn: one card"),
        "river": say("Now the river: one card"),
    }[state.next_street]


def _to_act(player: str, turn: Turn) -> Text:
    """What the player to act can do: "Ann to act: 2 to call, or raise to 4–200"."""
    if turn.call:
        move = say("{call} to call", call=turn.call)
    else:
        move = say("nothing to call") if turn.no_raise else say("check")
    if turn.least is None or turn.most is None:
        return say("{player} to act: {move}", player=player, move=move)
    to = say_number(turn.least)
    if turn.least != turn.most:
        to = say("{least}–{most}", least=turn.least, most=turn.most)
    raises = turn.call or turn.opened
    more = say("raise to {to}", to=to) if raises else say("bet {to}", to=to)
    return say("{player} to act: {move}, or {more}", player=player, move=move, more=more)


def beside_total(state: HoldemState) -> Mapping[str, Text]:
    """Each player's bet, or that they are folded, all in or out of chips."""
    betting = state.betting
    return {state.name(seat): _in_front(betting, seat) for seat in range(len(betting.stacks))}


def _in_front(betting: Betting, seat: int) -> Text:
    if not betting.stakes.held[seat]:
        return say("out of chips")
    if seat in betting.folded:
        return say("folded")
    if not betting.stacks[seat]:
        return say("all in")
    return say("{chips} in front", chips=betting.bets[seat]) if betting.bets[seat] else NOTHING
