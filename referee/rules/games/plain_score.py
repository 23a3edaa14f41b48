"""Any Other Game (`docs/rules.md` §9): what everybody scored, and nothing of cards and play."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from referee.rules.core.asking import asked
from referee.rules.core.entries import Amount, Count, Entry, EntryKind, Played, Player
from referee.rules.core.game import Game
from referee.rules.core.parts import Deals, Goal
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Line, Options, Source, State, Table
from referee.rules.text import NOTHING, Text, say

MAX_PLAYERS = 16


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. A `target` of 0, or a number of `deals` of 0, is no limit."""

    target: Annotated[
        Count,
        asked(
            say("Target"),
            say("Many games end once somebody has so many points."),
            hint=say("0 = no target"),
        ),
    ] = 0
    deals: Annotated[
        Count,
        asked(
            say("Number of deals"),
            say("Other games end after so many deals, or when you’ve had enough."),
            hint=say("0 = no limit"),
        ),
    ] = 0
    lowest_wins: Annotated[
        bool,
        asked(
            say("Fewest points win"),
            say("In some games points count against you."),
            stated=say("Who wins"),
        ),
    ] = False

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """Target and deals, with 0 in words, and who wins."""
        return {
            "lowest_wins": say("Fewest points win") if self.lowest_wins else say("Most points win"),
            "target": self.target or say("no target"),
            "deals": self.deals or say("no limit"),
        }


PlainState = State[HouseRules]


class Scored(Entry, frozen=True, tag="deal"):
    """What everybody scored in a deal: positive, negative, or 0."""

    points: Annotated[dict[Player, Amount], asked(say("the points"), of=say("{player}’s points"))]


class PlainScore(Game[PlainState, HouseRules]):
    """Points a deal, to a target, for a number of deals, or without end."""

    slug = "plain-score"
    title = say("Any Other Game")
    summary = say("Keeps the points, deal by deal, for whatever else you play.")
    sources = (
        Source(
            say("The rules of the game you play"),
            say("What to deal, how to play, and what a deal scores. Referee only adds up."),
        ),
    )
    sections = {
        "deal": say("the deal"),
        "score": say("the score"),
        "end": say("the end"),
    }
    named_by_players = True
    house_rules = HouseRules
    state = PlainState
    goal = Goal(lambda rules: rules.target or None, lambda rules: rules.lowest_wins, shared=True)
    deals = Deals(agreed=lambda rules: rules.deals)

    def own_entries(self) -> tuple[EntryKind[PlainState, Any], ...]:
        """What a deal scored."""
        return (EntryKind(Scored, self._play_scored, self._scored_faults),)

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Two to sixteen, as many as one sheet has room for."""
        return range(2, MAX_PLAYERS + 1)

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Only who deals."""
        says = say("{dealer} deals", dealer=table.players[dealer])
        return Deal(0, 0, NOTHING, 0, (says,))

    # --- entries

    def _scored_faults(self, state: PlainState, entry: Scored) -> Iterator[Fault]:
        """A fault for each player without points; they may be 0."""
        for player in state.table.players:
            if player not in entry.points:
                says = say(
                    "{player}’s points are missing. Enter 0 if {player} scored nothing.",
                    player=player,
                )
                yield Fault("points-missing", says, self.slug, "score", lacks="more")

    def _play_scored(self, state: PlainState, entry: Scored) -> Played[PlainState]:
        reason = say("deal {deal}", deal=state.deal)
        return self.end_deal(
            state, [Line(player, points, reason) for player, points in entry.points.items()]
        )


GAME = PlainScore()
