"""Pink Nines (`docs/rules.md` §6): runs up to the ace, whatever the suit, and one pool."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec.structs import replace

from referee.rules.cards.card_keys import RedNineText
from referee.rules.cards.cards import RANKS, RANKS_AND_RED_NINES
from referee.rules.cards.hands import (
    CountedHand,
    ShownHands,
    WentOut,
    hand_line,
    in_numbers,
    read_hands,
    shown_faults,
    went_out,
)
from referee.rules.cards.runs import RunOrder, StopsGame, ascending, run_judge
from referee.rules.cards.sequence_judge import sequence_judge
from referee.rules.core.asking import asked
from referee.rules.core.entries import (
    Count,
    EntryKind,
    Played,
    Player,
    Positive,
    all_read,
    if_read,
)
from referee.rules.core.game import Game
from referee.rules.core.parts import Counters, Deals, Moves
from referee.rules.core.ruling import Fault, faults_of
from referee.rules.core.table import Deal, Options, Source, State, Table
from referee.rules.text import Text, say

DECK = 52
DEALT = 48  # four go to the table first
SLUG = "pink-nines"
fault = faults_of(SLUG)
POOLS = {"pool": say("pool")}
RUNS = RunOrder(after=ascending((*RANKS[1:], RANKS[0])), notation=RANKS_AND_RED_NINES)
STOPS = StopsGame(RUNS, fault, seats=range(2, 11), each=DEALT.__floordiv__)


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `deals` left out: everybody deals once."""

    ante: Annotated[
        Positive,
        asked(
            say("Everyone’s stake each deal"),
            say("You decide what a deal is worth: the first player out takes it all."),
        ),
    ] = 1
    counters: Annotated[
        Count,
        asked(
            say("Counters each to start with"),
            say("You decide what a counter is worth; Red Nines (1881) starts with 36, too."),
        ),
    ] = 36
    deals: Annotated[
        Positive | None,
        asked(
            say("Number of deals"),
            say("The printed rules don’t say when to stop."),
            usual=say("everybody deals once"),
        ),
    ] = None
    table_cards: Annotated[
        Literal["dealer", "nobody"],
        asked(
            say("The cards on the table"),
            say("The printed rules don’t say; in Red Nines (1881) the dealer looks at them."),
            choices={
                "dealer": say("only the dealer looks at them"),
                "nobody": say("nobody looks at them"),
            },
        ),
    ] = "dealer"
    card_payments: Annotated[
        bool,
        asked(
            say("Everyone else pays for the cards they hold"),
            say("The printed rules name only the pool; in Red Nines (1881) cards cost, too."),
            hint=say(
                "One counter a card, two for a red nine, and double if the winner’s last card was "
                "one."
            ),
        ),
    ] = False


PinkState = State[HouseRules]


class Out(WentOut, frozen=True, tag="out"):
    """`player` went out first and takes the pool.

    `red_nine` and `hands`, what everybody else still held, matter only where cards are paid for.
    """

    player: Annotated[Player, asked(say("who went out first"))]
    hands: Annotated[
        dict[Player, RedNineText | CountedHand],
        asked(
            say("the hands"),
            of=say("{player}’s hand"),
            wanted=say("cards, or how many red nines and how many others"),
        ),
    ] = {}


def _stake(state: PinkState, ante: int, reason: Text) -> Played[PinkState]:
    """Everybody stakes `ante`, or takes it back if negative."""
    moves = Moves(state.pools)
    for player in state.table.players:
        moves.stake(player, "pool", ante, reason)
    return moves.made(state)


def _begin_deal(state: PinkState) -> Played[PinkState]:
    """Everybody stakes the ante; a deal that is dealt again takes no second stake."""
    return _stake(state, state.table.options.ante, say("stake for deal {deal}", deal=state.deal))


def _take_back(state: PinkState) -> Played[PinkState]:
    return _stake(state, -state.table.options.ante, say("stake returned"))


def _hands_in(entry: Out) -> ShownHands[CountedHand]:
    return read_hands(entry.hands, RANKS_AND_RED_NINES, in_numbers)


def _shows_cards(entry: Out) -> bool:
    if not entry.hands:
        return False
    return not all_read(entry.hands) or any(_hands_in(entry).held_by(entry.hands))


class PinkNines(Game[PinkState, HouseRules]):
    """Runs upward whatever the suit, aces high, red nines wild; the first out takes the pool."""

    slug = SLUG
    title = say("Pink Nines")
    summary = say("A stops game for counters: everyone stakes, and the first out takes the pool.")
    emblem = "9D"
    sources = (
        Source(
            say(
                "David Parlett, The Oxford Guide to Card Games, 1990, as quoted in Wikipedia’s "
                "article on Red Nines"
            ),
            say(
                "The pack, the stake, the cards on the table, runs regardless of suit, aces high. "
                "It doesn’t say how many play, how long, or whether anyone may look at the cards "
                "on the table. It names a single pool, so nobody pays for cards here unless you "
                "agree on it."
            ),
        ),
    )
    unit = "counter"
    sections = {
        "deal": say("the deal"),
        "play": say("runs and stops"),
        "red-nines": say("red nines"),
        "score": say("the pool"),
        "end": say("the end"),
    }
    house_rules = HouseRules
    state = PinkState
    deals = Deals(agreed=lambda rules: rules.deals, once=True, builds=True, begin=_begin_deal)
    counters = Counters(each=lambda rules: rules.counters, pools=POOLS, take_back=_take_back)
    own_judges = (run_judge(STOPS), sequence_judge(STOPS))

    def own_entries(self) -> tuple[EntryKind[PinkState, Any], ...]:
        """Who went out."""
        return (EntryKind(Out, self._play_out, self._out_faults),)

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Two to ten; with more there would be little left to play."""
        return STOPS.seats

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Four cards to the table, the others dealt equally, the remainder to the table too."""
        each, who = DEALT // len(table.players), table.players[dealer]
        left = DECK - each * len(table.players)
        looking = say("Nobody looks at the cards on the table")
        if table.options.table_cards == "dealer":
            looking = say("Only {dealer} looks at the cards on the table", dealer=who)
        says = (
            say("{dealer} deals {n} each, {left} on the table", n=each, dealer=who, left=left),
            say("Everyone stakes {ante}", ante=table.options.ante),
            looking,
            say("{player} begins", player=table.players[table.left_of(dealer)]),
        )
        return Deal(each, left, say("table"), DECK, says)

    # --- entries

    def _out_faults(self, state: PinkState, entry: Out) -> Iterator[Fault]:
        """Faults in the hands: shown without the house rule, missing, or impossible in one deal."""
        if state.table.options.card_payments:
            yield from shown_faults(STOPS, state.table.players, entry, _hands_in(entry))
        elif _shows_cards(entry) or if_read(lambda: entry.red_nine):
            says = say("Paying for cards is a house rule, and you haven’t agreed on it.")
            yield fault("no-card-payments", says, "score")

    def _play_out(self, state: PinkState, entry: Out) -> Played[PinkState]:
        """The player who went out takes the pool and, by house rule, is paid for cards."""
        moves = Moves(state.pools)
        moves.lines.append(went_out(entry.player, red_nine=entry.red_nine))
        if state.table.options.card_payments:
            hands = _hands_in(entry)
            for player in hands.held_by(state.table.players):
                held, doubled = hands.counted[player], entry.red_nine
                moves.lines.append(hand_line(player, entry.player, held, doubled=doubled))
        moves.sweep("pool", entry.player, say("went out first and took the pool"))
        return self.end_deal(replace(state, pools=moves.pools), moves.lines)


GAME = PinkNines()
