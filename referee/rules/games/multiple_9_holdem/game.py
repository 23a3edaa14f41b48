"""Multiple 9, the gambling version: hold'em betting, and seven cards ranked by their nines.

The chips lie on the table; the sheet says who acts, what a call costs, how high a raise must be,
what lies in which pot and who gets what (`docs/rules.md` §2).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from referee.rules.core.entries import Adjust, Buy, Dealer, Entry, EntryKind, Played
from referee.rules.core.game import Game
from referee.rules.core.parts import Counters, Deals, Feats, Goal, Hole, Pad, Turns
from referee.rules.core.ruling import Fault, NotationError
from referee.rules.core.table import Deal, Line, Source, Table, change_by_player
from referee.rules.games.multiple_9_holdem.betting import Blinds, pot_names
from referee.rules.games.multiple_9_holdem.entries import (
    FLOP_CARDS,
    HOLE_CARDS,
    SLUG,
    Bet,
    BoardCards,
    HouseRules,
    PlayedHand,
    RaiseBlinds,
    Show,
    blind_faults,
    fault,
)
from referee.rules.games.multiple_9_holdem.judges import (
    hand_judge,
    odds_judge,
    pots_judge,
    showdown_judge,
)
from referee.rules.games.multiple_9_holdem.moves import (
    amount_faults,
    begun_faults,
    bet_line,
    board_faults,
    board_ranks,
    played_hand_lines,
    player_faults,
    sum_faults,
    turn_faults,
)
from referee.rules.games.multiple_9_holdem.showdown import (
    UNCALLED,
    Showdown,
    ShownHand,
    hand_won,
    possible_hands,
    pot_feats,
    show_faults,
    showdown,
    showdown_lines,
    uncontested_lines,
)
from referee.rules.games.multiple_9_holdem.state import (
    NO_HAND,
    HoldemState,
    balanced,
    beside_total,
    deal_card,
    posted,
    set_out,
)
from referee.rules.games.multiple_9_holdem.street import (
    Street,
    StreetMoves,
    bet_entries,
    moves_on_street,
)
from referee.rules.text import NOTHING, Text, say, say_many

DECK = 52
_POSTED_AGAIN = say("blinds posted again")


# --- how a hand begins, and is undone


def _next_dealer(state: HoldemState) -> int:
    """The next seat with chips, to which the button moves."""
    around = state.table.clockwise_from(state.table.left_of(state.dealer))
    return next(seat for seat in around if state.scores[seat])


def _begin_deal(state: HoldemState) -> Played[HoldemState]:
    """Begin a hand: players with chips post antes and blinds."""
    rules = state.table.options
    blinds = state.blinds or Blinds(rules.small_blind, rules.big)
    begun = set_out(state, state.scores, blinds)
    return begun, balanced(state, posted(begun), begun, UNCALLED)


def _deal_again(state: HoldemState) -> Played[HoldemState]:
    """Begin the hand again: bets go back, blinds stay posted."""
    again = set_out(state, state.stakes.held, state.stakes.blinds)
    return again, balanced(state, [], again, say("returned: the hand is void"))


def _change(state: HoldemState, lines: list[Line]) -> Played[HoldemState]:
    """Apply a penalty or purchase before the first bet, and post the blinds again."""
    change = change_by_player(lines, state.table.players).values()
    held = tuple(a + b for a, b in zip(state.stakes.held, change, strict=True))
    after = set_out(state, held, state.stakes.blinds)
    return after, balanced(state, lines, after, _POSTED_AGAIN, opens=True)


def _take_back(state: HoldemState) -> Played[HoldemState]:
    """Return blinds, antes and bets."""
    bare = replace(state, scores=state.stakes.held, pools={"pot": 0}, betting=NO_HAND)
    return bare, balanced(state, [], bare, say("returned: the hand doesn’t count"))


def _holds_all(state: HoldemState) -> tuple[int, ...]:
    """The seat with all the chips, if there is one."""
    holders = tuple(seat for seat, chips in enumerate(state.scores) if chips)
    return holders if len(holders) == 1 and not state.pot else ()


# --- faults in penalties and purchases, and in who has the button


def _button_faults(state: HoldemState, entry: Dealer) -> Iterable[Fault]:
    """A fault if the button goes to a player without chips."""
    if not state.stakes.held[state.seat(entry.player)]:
        says = say("{player} has no chips and can’t have the button.", player=entry.player)
        yield fault("no-chips", says, "blinds")


def _betting_begun(state: HoldemState, entry: Entry) -> Iterable[Fault]:
    if state.begun:
        says = say("This hand has begun: you can only buy or pay chips before the first bet.")
        yield fault("hand-begun", says, "chips")


def _payer_faults(state: HoldemState, entry: Adjust) -> Iterable[Fault]:
    payer = entry.player if entry.points < 0 else entry.to
    if state.begun or payer is None:
        return
    held = state.scores[state.seat(payer)]
    if held < abs(entry.points):
        says = say_many(
            "{player} has {n} chip left and can’t pay {amount}.",
            "{player} has {n} chips left and can’t pay {amount}.",
            n=held,
            player=payer,
            amount=abs(entry.points),
        )
        yield fault("more-than-stack", says, "chips")


class Multiple9Holdem(Game[HoldemState, HouseRules]):
    """Two cards each, five on the board, four rounds of betting; most nines take the pot."""

    slug = SLUG
    title = say("Multiple 9 Hold’em")
    summary = say("Hold’em betting for chips: most nines in seven cards takes the pot.")
    emblem = "K K 10"
    sources = (
        Source(
            say("Nick Jaura, “Multiple 9,” gambling version, pagat.com, invented games, 2007"),
            say(
                "The cards, the board, and what hands are worth, with the ten hands above. They’re "
                "numbered by strength there, which isn’t the order in which the ten players sit."
            ),
        ),
        Source(
            say("Robert’s Rules of Poker, no limit"),
            say("Blinds, bets, raises, and all-ins for less: Multiple 9 says “as in hold’em”."),
        ),
        Source(
            say("The BARGE rulebook"),
            say("Odd chips go to the left of the button."),
        ),
    )
    unit = "chip"
    sections = {
        "deal": say("the deal"),
        "blinds": say("button and blinds"),
        "betting": say("betting"),
        "board": say("the board"),
        "hands": say("what a hand is worth"),
        "showdown": say("the showdown"),
        "pots": say("pots and side pots"),
        "chips": say("chips"),
    }
    deal_called = "hand"
    house_rules = HouseRules
    state = HoldemState
    goal = Goal(won=_holds_all)
    deals = Deals(builds=True, next_dealer=_next_dealer, begin=_begin_deal, again=_deal_again)
    counters = Counters(
        each=lambda rules: rules.stack,
        pools={"pot": say("pot")},
        staked=NOTHING,  # blinds count as bets
        take_back=_take_back,
        call_off=_take_back,
        change=_change,
        if_stopped=say(
            "The game isn’t over. The hand in progress doesn’t count here: its bets and blinds go "
            "back."
        ),
    )
    turns = Turns(
        several=Street,
        moves=bet_entries,
        acts=lambda state: state.betting.acts,
        in_play=lambda state: state.betting.live,
    )
    hole = Hole(HOLE_CARDS, shows=lambda state: state.shows)
    pad = Pad(
        card=deal_card,
        lying_open=lambda state: state.board,
        beside_total=beside_total,
        told=hand_won,
    )
    feats = Feats({"pot": say("won a pot")}, pot_feats)
    own_judges = (hand_judge, showdown_judge, odds_judge, pots_judge)
    shared_rules = {
        Adjust: (_betting_begun, _payer_faults),
        Buy: (_betting_begun,),
        Dealer: (_button_faults,),
    }

    def own_entries(self) -> tuple[EntryKind[HoldemState, Any], ...]:
        """A move, board cards, a showdown; the result of a whole hand; new blinds."""
        return (
            EntryKind(Bet, self._play_bet, amount_faults, turn_faults),
            EntryKind(BoardCards, self._play_board, board_faults, for_all=True),
            EntryKind(Show, self._play_show, show_faults),
            EntryKind(
                PlayedHand,
                self._play_hand,
                begun_faults,
                player_faults,
                sum_faults,
                by_hand=True,
                for_all=True,
            ),
            EntryKind(
                RaiseBlinds,
                self._play_blinds,
                lambda state, entry: blind_faults(entry.small, entry.big),
                begins=False,
                for_all=True,
            ),
        )

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Two to ten."""
        return range(2, 11)

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Two cards each; the board comes from the rest."""
        rest = DECK - HOLE_CARDS * len(table.players)
        says = say("{dealer} has the button", dealer=table.players[dealer])
        return Deal(HOLE_CARDS, rest, say("stock"), DECK, (says,))

    # --- what a screen shows

    def moves_on_street(self, state: HoldemState, entered: Mapping[str, Any]) -> StreetMoves:
        """The moves on this street that the fields of a form describe."""
        return moves_on_street(state, entered)

    def showdown(self, state: HoldemState, shown: Mapping[str, str]) -> Showdown | None:
        """The showdown as far as its hands are known; None while one of them can't be read."""
        try:
            return showdown(state, shown)
        except NotationError:
            return None

    def possible_hands(self, state: HoldemState) -> Iterable[ShownHand]:
        """The hands that any two cards a player may hold make with the board."""
        return possible_hands(tuple(sorted(state.board)))

    def pot_names(self, number: int) -> list[Text]:
        """The names of this `number` of pots, the main pot first."""
        return pot_names(number)

    # --- entries

    def _play_bet(self, state: HoldemState, entry: Bet) -> Played[HoldemState]:
        after = state.with_betting(state.betting.move(entry.move, entry.to or 0))
        lines = balanced(state, [bet_line(state, entry)], after, UNCALLED)
        if len(after.betting.live) > 1:
            return after, lines
        return self._end_hand(state, [*lines, *uncontested_lines(after)])

    def _play_board(self, state: HoldemState, entry: BoardCards) -> Played[HoldemState]:
        board, betting = state.board, state.betting
        for rank in board_ranks(entry):
            board = (*board, rank)
            if len(board) >= FLOP_CARDS:
                betting = betting.begin_street()
        return replace(state.with_betting(betting), board=board), []

    def _play_show(self, state: HoldemState, entry: Show) -> Played[HoldemState]:
        return self._end_hand(state, showdown_lines(state, entry))

    def _play_hand(self, state: HoldemState, entry: PlayedHand) -> Played[HoldemState]:
        return self._end_hand(state, played_hand_lines(state, entry))

    def _play_blinds(self, state: HoldemState, entry: RaiseBlinds) -> Played[HoldemState]:
        """Change the blinds: at once while nobody has acted, else from the next hand on."""
        blinds = Blinds(entry.small, entry.big, entry.ante)
        coming = replace(state, blinds=blinds)
        if state.begun:
            return coming, []
        after = set_out(coming, state.stakes.held, blinds)
        return after, balanced(state, [], after, _POSTED_AGAIN, opens=True)

    def _end_hand(self, state: HoldemState, lines: list[Line]) -> Played[HoldemState]:
        return self.end_deal(replace(state, pools={"pot": 0}), lines)


GAME = Multiple9Holdem()
