"""Red Nines of the 20th century (`docs/rules.md` §5): runs whatever the suit, penalty points."""

from collections.abc import Iterable
from typing import Annotated, Any

from referee.rules.cards.card_keys import RedNineText
from referee.rules.cards.cards import RANKS_AND_RED_NINES
from referee.rules.cards.hands import (
    CAUGHT,
    ShownHands,
    WentOut,
    caught,
    read_hands,
    shown_faults,
    went_out,
)
from referee.rules.cards.runs import StopsGame, run_judge
from referee.rules.cards.sequence_judge import sequence_judge
from referee.rules.core.asking import asked
from referee.rules.core.entries import EntryKind, Played, Player, Positive
from referee.rules.core.game import Game
from referee.rules.core.parts import Deals, Feats, Goal
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Options, Source, State, Table
from referee.rules.games.red_nines.hands import (
    CARDS_EACH,
    RUNS,
    SEATS,
    SLUG,
    TAKE,
    Counted,
    Doubles,
    count,
    fault,
    pack_for,
    penalty_judge,
    penalty_line,
    points_faults,
    total_faults,
)
from referee.rules.text import say


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `rounds` left out: as many as there are players."""

    red_nine_out_doubles: Doubles = True
    must_announce: Annotated[
        bool,
        asked(
            say("A red nine last doubles only if it’s announced"),
            say("The printed rules ask you to announce it, but not what happens if you forget."),
        ),
    ] = False
    rounds: Annotated[
        Positive | None,
        asked(
            say("Number of rounds"),
            say("The printed rules have as many rounds as players, so that everyone begins one."),
            usual=say("everybody deals once"),
        ),
    ] = None

    def doubles(self, *, red_nine: bool, announced: bool) -> bool:
        """Whether going out in this way doubles the others' points."""
        heard = announced or not self.must_announce
        return red_nine and heard and self.red_nine_out_doubles


class Out(WentOut, frozen=True, tag="out"):
    """`player` went out, perhaps on a red nine; `hands`: what everybody else still held.

    `announced`: whether the red nine was, which counts only by house rule.
    """

    announced: Annotated[bool, asked(say("whether that was announced"))] = True
    hands: Annotated[
        dict[Player, RedNineText | Counted],
        asked(
            say("the hands"),
            of=say("{player}’s hand"),
            wanted=say("cards, or points and how many red nines"),
        ),
    ] = {}


RedState = State[HouseRules]


def _shown_hands(entry: Out) -> ShownHands[Counted]:
    return read_hands(entry.hands, RANKS_AND_RED_NINES, count)


STOPS = StopsGame(RUNS, fault, SEATS, each=lambda _: CARDS_EACH, pack_of=pack_for)


class RedNines(Game[RedState, HouseRules]):
    """Runs upward whatever the suit, red nines wild; cards left in a hand are penalty points."""

    slug = SLUG
    title = say("Red Nines (20th century)")
    summary = say(
        "A stops game: thirteen cards each, and a red nine left in your hand doubles the points."
    )
    sources = (
        Source(
            say("“Red Nines (20th century),” in Wikipedia’s article on Red Nines"),
            say(
                "Everything, except for two readings of its table and its example: at most eight "
                "can play, and each extra red nine doubles again."
            ),
        ),
    )
    sections = {
        "deal": say("suits and deal"),
        "play": say("runs and stops"),
        "red-nines": say("red nines"),
        "score": say("the score"),
        "end": say("the end"),
    }
    deal_called = "round"
    house_rules = HouseRules
    state = RedState
    goal = Goal(lowest_wins=lambda rules: True)  # points are penalties
    deals = Deals(agreed=lambda rules: rules.rounds, once=True)
    feats = Feats(
        CAUGHT,
        lambda state, entry, lines: caught(_shown_hands(entry)) if isinstance(entry, Out) else (),
    )
    own_judges = (penalty_judge, run_judge(STOPS), sequence_judge(STOPS))

    def own_entries(self) -> tuple[EntryKind[RedState, Any], ...]:
        """The end of a round."""
        return (EntryKind(Out, self._play_out, self._hand_faults, by_hand=True),)

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Four to eight; eight use all of two packs."""
        return SEATS

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """A suit for each player, thirteen cards each, none left."""
        players = len(table.players)
        deck = CARDS_EACH * players
        says = [
            say(
                "{dealer} deals {each} each, all {deck} cards",
                dealer=table.players[dealer],
                each=CARDS_EACH,
                deck=deck,
            ),
            TAKE[players],
            say(
                "{player} begins, and may lay several cards of the first rank",
                player=table.players[table.left_of(dealer)],
            ),
        ]
        if table.options.doubles(red_nine=True, announced=True) and table.options.must_announce:
            says.append(say("Announce it if you go out on a red nine, or it won’t double"))
        return Deal(number, CARDS_EACH, 0, say("table"), deck, tuple(says))

    # --- entries

    def _hand_faults(self, state: RedState, entry: Out) -> Iterable[Fault]:
        players = state.table.players
        hands = _shown_hands(entry)
        pack = pack_for(len(players))
        yield from shown_faults(STOPS, players, entry, hands)
        for player, hand in hands.counted.items():
            if player not in hands.cards:
                yield from points_faults(player, hand, pack)
        yield from total_faults(sum(hand.points for hand in hands.counted.values()), pack)

    def _play_out(self, state: RedState, entry: Out) -> Played[RedState]:
        hands, rules = _shown_hands(entry), state.table.options
        doubled = rules.doubles(red_nine=entry.red_nine, announced=entry.announced)
        lines = [went_out(entry.player, red_nine=entry.red_nine)]
        for player in (name for name in state.table.players if name in hands.counted):
            cards = hands.cards.get(player, ())
            lines.append(penalty_line(player, hands.counted[player], cards, doubled=doubled))
        return self.end_deal(state, lines)


GAME = RedNines()
