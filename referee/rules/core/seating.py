"""Who sits at the table: players come and go, the dealer changes, and play ends early.

Everything that a game keeps by seat belongs to the deal in progress. When seats change, that deal
is set out again with its stakes, so players come and go only before its first entry
(`docs/rules.md` §10, who sits at the table).
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Generic

from msgspec.structs import replace

from referee.rules.core.definition import GameDefinition, players_fault, seats_in_words
from referee.rules.core.entries import Dealer, EntryKind, Join, Leave, Played, Replace, Stop
from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.core.table import Gone, Line, O, S, State, best_scores, note
from referee.rules.letters import folded, unseen
from referee.rules.text import NOTHING, Text, quoted, say

#: The most characters of a name (`docs/rules.md` §10, players and the dealer).
NAME_LENGTH = 24
_ANEW = say("stakes posted again")


class Seating(Generic[S, O]):
    """Seats the players of a game, in the same way in every game."""

    def __init__(self, game: GameDefinition[S, O]) -> None:
        self._game = game

    def entries(self) -> tuple[EntryKind[S, Any], ...]:
        """The kinds of entries to stop, join, leave, take a place, and choose the dealer."""
        dealing = partial(_begun_faults, say("Who deals can be changed only before a deal begins."))
        joining = (self._join_faults, _newcomer_faults, self._points_faults, self._out_faults)
        return (
            EntryKind(Stop, self._stop, begins=False),
            EntryKind(Join, self._join, *joining, begins=False),
            EntryKind(Leave, self._leave, self._leave_faults, begins=False),
            EntryKind(Replace, self._replace, _replace_faults, begins=False),
            EntryKind(Dealer, self._let_deal, dealing, begins=False),
        )

    def void_deal(self, state: S) -> Played[S]:
        """Void the deal in progress and deal it again, as before its first entry."""
        return self._game.deals.again(replace(state, begun=False))

    def scores_if_stopped(self, state: S) -> tuple[int, ...]:
        """What each seat would hold if play stopped now, in points, counters or chips."""
        return state.scores if state.finished else self._stopped(state)[0].scores

    def put_out(self, state: S, lines: list[Line]) -> Played[S]:
        """Unseat players who are out of the game; during a deal they stay to its end."""
        players_out = self._game.elimination.players_out
        while not (state.begun or state.finished) and (out := players_out(state)):
            state, left = self._leave(state, Leave(out[0]))
            lines = [*lines, *left]
        return state, lines

    # --- stopping

    def _stop(self, state: S, entry: Stop) -> Played[S]:
        """End the game: the deal in progress is void; the best score of those seated wins."""
        stopped, lines = self._stopped(state)
        best = best_scores(
            stopped.scores, lowest=self._game.goal.lowest_wins(stopped.table.options)
        )
        winners = best if state.last_dealer else ()
        return replace(stopped, finished=True, winners=winners), lines

    def _stopped(self, state: S) -> Played[S]:
        counters = self._game.counters
        call_off = counters.call_off or self._game.deals.again
        off, back = call_off(replace(state, begun=False))
        shared, shares = counters.wind_up(off, state.from_left_of(state.name(state.dealer)))
        return shared, [*back, *shares]

    # --- joining

    def _join_faults(self, state: S, entry: Join) -> Iterator[Fault]:
        yield from _begun_faults(say("Somebody can join only before a deal begins."), state)
        yield from self._number_faults(state, len(state.table.players) + 1)

    def _points_faults(self, state: S, entry: Join) -> Iterator[Fault]:
        player, points = entry.player, entry.points
        if points is None:
            return
        least = {"point": points, "counter": 0, "chip": 1}[self._game.unit]
        target = self._game.goal.target(state.table.options)
        if state.has_left(player):
            says = say(
                "{player} comes back with the {score} held on leaving: leave out the points.",
                player=player,
                score=state.totals[player],
            )
        elif points < least:
            says = say(
                "{player} can’t begin with {points}, only with {least} or more.",
                player=player,
                points=points,
                least=least,
            )
        elif target is not None and points >= target:
            says = say(
                "{player} can’t begin with {points}: that would reach the target of {target}.",
                player=player,
                points=points,
                target=target,
            )
        else:
            return
        yield shared_fault("points", says, "players")

    def _out_faults(self, state: S, entry: Join) -> Iterator[Fault]:
        if entry.player in state.table.players:
            return
        seated, _ = self._seated(state, entry)
        is_out = self._game.elimination.out
        if is_out and is_out(seated, entry.player):
            says = say(
                "{player} can’t begin with {points}: a player with that score is out.",
                player=entry.player,
                points=seated.totals[entry.player],
            )
            yield shared_fault("points", says, "players")

    def _join(self, state: S, entry: Join) -> Played[S]:
        return self._set_out(state, *self._seated(state, entry))

    def _seated(self, state: S, entry: Join) -> tuple[S, Line]:
        """The table with the player who joins, their line, and all stakes paid back."""
        bare, _ = self._game.counters.take_back(state)
        seat = bare.seat(entry.left_of) + 1
        back = next((gone for gone in bare.left if gone.name == entry.player), None)
        points = back.score if back else self.begins_with(bare, entry.points)
        places = [name for name in bare.places or bare.table.players if name != entry.player]
        places.insert(places.index(entry.left_of) + 1, entry.player)
        players = bare.table.players
        seated = replace(
            bare,
            table=replace(bare.table, players=(*players[:seat], entry.player, *players[seat:])),
            scores=(*bare.scores[:seat], points, *bare.scores[seat:]),
            dealer=bare.dealer + (seat <= bare.dealer),
            left=tuple(gone for gone in bare.left if gone.name != entry.player),
            places=tuple(places),
        )
        brought = 0 if back else points
        bought = self._game.has_counters
        begins = say("bought from the bank") if bought else say("to begin with")
        joins = Line(entry.player, brought, NOTHING if back else begins, say("joins"))
        return seated, joins

    def begins_with(self, state: S, points: int | None) -> int:
        """The score of a player who joins: `points`, or counters bought, or the worst score."""
        if points is not None:
            return points
        if self._game.has_counters:
            return self._game.before_first_deal(state.table).scores[0]
        lowest_wins = self._game.goal.lowest_wins(state.table.options)
        return max(state.scores) if lowest_wins else min(state.scores)

    # --- leaving

    def _leave_faults(self, state: S, entry: Leave) -> Iterator[Fault]:
        yield from _begun_faults(say("Somebody can leave only before a deal begins."), state)
        yield from self._number_faults(state, len(state.table.players) - 1, leaving=True)

    def _leave(self, state: S, entry: Leave) -> Played[S]:
        leaves = note(entry.player, say("leaves"))
        game = self._game
        bare, back = game.counters.take_back(state)
        seat = bare.seat(entry.player)
        dealer = game.deals.next_dealer(bare) if seat == bare.dealer else bare.dealer
        after = _unseated(replace(bare, dealer=dealer), seat)
        played_out = game.too_few(after) or game.deals.played_out(after, after.deal - 1)
        ended, shares = after, list[Line]()
        if played_out:
            ended, shares = game.counters.wind_up(
                after, after.from_left_of(after.last_dealer or state.dealer_name)
            )
        winners = game.goal.winners(ended, played_out=played_out)
        if not winners:
            return self._set_out(state, after, leaves)
        ended = replace(_at_the_last_deal(ended), finished=True, winners=winners)
        return ended, [leaves, *back, *shares]

    # --- replacing, and choosing the dealer

    def _replace(self, state: S, entry: Replace) -> Played[S]:
        took = note(entry.by, say("for {player}", player=entry.player))
        return state.renamed({entry.player: entry.by}), [took]

    def _let_deal(self, state: S, entry: Dealer) -> Played[S]:
        bare, _ = self._game.counters.take_back(state)
        deals = note(entry.player, say("deals"))
        return self._set_out(state, replace(bare, dealer=bare.seat(entry.player)), deals)

    # --- the deal begun again, and the faults of a number or a name

    def _set_out(self, before: S, state: S, line: Line) -> Played[S]:
        """Begin the deal of `state`, whose stakes have been paid back.

        After `line` come lines for the other changes in scores since `before`: the net change of
        stakes.
        """
        after, _ = self._game.deals.begin(state)
        had = before.totals
        had[line.player] = had.get(line.player, 0) + line.points
        staked = partial(Line, reason=_ANEW, short=self._game.counters.staked, opens=True)
        changed = {name: score - had.get(name, 0) for name, score in after.totals.items()}
        return after, [line, *(staked(name, by) for name, by in changed.items() if by)]

    def _number_faults(self, state: S, number: int, *, leaving: bool = False) -> Iterator[Fault]:
        game = self._game
        seats, fixed = game.seats(state.table.options), game.wrong_number_fault
        if leaving and number not in seats:
            says = say(
                "{game} needs {seats} players, so nobody can leave, only hand over their place. To "
                "end the game here, choose Stop.",
                game=game.title,
                seats=seats_in_words(seats),
            )
            yield replace(fixed, says=says) if fixed else shared_fault("players", says, "players")
        elif fixed:
            yield fixed
        elif number not in seats:
            yield players_fault(game.title, seats, number)


def without(state: S, names: Iterable[str]) -> S:
    """The state after a deal, without these players, who keep their scores.

    If the dealer of that deal is among them, the deal passes on as if from that place.
    """
    for name in names:
        seat = state.seat(name)
        if seat == state.dealer:
            right = state.table.left_of(seat, -1)
            state = replace(state, dealer=right, deal_of=state.dealer_name)
        state = _unseated(state, seat)
    return state


def _unseated(state: S, seat: int) -> S:
    """The state without the player in `seat`, who must not be the dealer."""
    players = state.table.players
    return replace(
        state,
        table=replace(state.table, players=players[:seat] + players[seat + 1 :]),
        scores=state.scores[:seat] + state.scores[seat + 1 :],
        dealer=state.dealer - (state.dealer > seat),
        left=(*state.left, Gone(players[seat], state.scores[seat])),
        places=state.places or players,
    )


def _at_the_last_deal(state: S) -> S:
    """The state of a game that ends between deals: at the last deal, with its dealer."""
    if not state.last_dealer:
        return state
    if state.has_left(state.last_dealer):
        return replace(state, deal=state.deal - 1, deal_of=state.last_dealer)
    return replace(state, deal=state.deal - 1, dealer=state.seat(state.last_dealer))


def _begun_faults(says: Text, state: State[Any], entry: Dealer | None = None) -> Iterator[Fault]:
    if state.begun:
        yield shared_fault("deal-begun", says, "players")


def _newcomer_faults(state: State[Any], entry: Join) -> Iterator[Fault]:
    if not state.has_left(entry.player):
        yield from _new_name_faults(state, entry.player)


def _replace_faults(state: State[Any], entry: Replace) -> Iterator[Fault]:
    return _new_name_faults(state, entry.by)


def _new_name_faults(state: State[Any], name: str) -> Iterator[Fault]:
    """Faults in the name of a new player; one who has left can come back instead."""
    for gone in state.left:
        if folded(gone.name) == folded(name):
            says = say(
                "{player} has left. To bring {player} back, record that {player} joins; somebody "
                "new needs another name.",
                player=gone.name,
            )
            yield shared_fault("name-twice", says, "players")
            return
    yield from name_faults([*state.everybody, name])


def name_faults(players: Sequence[str]) -> Iterable[Fault]:
    """Faults in names: empty, too long, with invisible characters, or the same twice."""
    seen: dict[str, str] = {}
    for name in players:
        plain = name.strip()
        length = len(name) if plain else 0
        if not 1 <= length <= NAME_LENGTH:
            says = say(
                "A name has 1 to {most} characters; “{name}” has {length}.",
                most=NAME_LENGTH,
                name=quoted(name),
                length=length,
            )
            yield shared_fault("name-length", says, "players")
        if unseen(name):
            says = say(
                "The name “{name}” has an invisible character in it. Type it again.",
                name=quoted(plain),
            )
            yield shared_fault("name-characters", says, "players")
        same = folded(name)
        if same in seen:
            says = say(
                "Two players are called “{name}”. Give one of them another name.",
                name=quoted(plain),
            )
            yield shared_fault("name-twice", says, "players")
        seen[same] = plain
