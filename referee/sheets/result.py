"""How a game went, once it is over: who won and by how much, the best deal, the turning point."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from referee.rules.core.table import Standing
from referee.sheets.files import Course
from referee.sheets.score_pad import ScorePad

MAX_BEST = 2  # of more deals that were equally good, none stands out


class Best(Struct, frozen=True):
    """The deal that brought one player most: `points` as they stand on the pad, with their sign."""

    player: str
    deal: int
    points: int


class Outcome(Struct, frozen=True):
    """How a game went.

    `places` are the standings, best first, equals sharing a rank; those who have left come last.
    `score` is the winners' own. `behind` are those next to them and `ahead` by how much (in points,
    counters or chips, never negative); nobody and 0 where everybody won, or nobody did.

    `best` has the deals that brought a player most, in games in which the lowest score wins least.
    It is empty where a game had a single deal, or more than two deals were equally good.

    `lead_since` is the deal after which the only winner was alone in front to the end: the turning
    point, unless it is `first_deal`, for then the winner led throughout. None where several won,
    where nobody did, or where there was a single deal.
    """

    winners: tuple[str, ...]
    score: int
    behind: tuple[str, ...]
    ahead: int
    places: tuple[Standing, ...]
    deals: int
    best: tuple[Best, ...]
    first_deal: int
    lead_since: int | None

    @property
    def led_throughout(self) -> bool:
        """Whether the only winner led after every deal."""
        return self.lead_since == self.first_deal


def outcome_of(course: Course, pad: ScorePad) -> Outcome:
    """The outcome of a game that is over; `pad` is that of the same `course`."""
    state = course.state
    places = course.game.standings(state)
    winners = tuple(state.name(seat) for seat in state.winners)
    seated = {player: state.scores[state.seat(player)] for player in state.table.players}
    lowest = course.game.lowest_wins(state.table)
    after = dict(_after_each_deal(pad))
    score = seated[winners[0]] if winners else 0
    behind = _next_to(winners, places)
    return Outcome(
        winners=winners,
        score=score,
        behind=behind,
        ahead=abs(score - seated[behind[0]]) if behind else 0,
        places=places,
        deals=len({row.deal for row in pad.rows if row.kind == "deal"}),
        best=_best(pad, lowest),
        first_deal=min(after, default=0),
        lead_since=_lead_since(winners, tuple(seated), after, lowest),
    )


def _next_to(winners: tuple[str, ...], places: tuple[Standing, ...]) -> tuple[str, ...]:
    """The best of those who are seated and have not won."""
    if not winners:
        return ()
    others = [one for one in places if one.rank and one.player not in winners]
    return tuple(one.player for one in others if one.rank == others[0].rank)


def _best(pad: ScorePad, lowest: bool) -> tuple[Best, ...]:
    deals = [row for row in pad.rows if row.kind == "deal"]
    if len(deals) < 2:
        return ()
    found = [
        Best(player, row.deal, cell.points) for row in deals for player, cell in row.cells.items()
    ]
    if not found:
        return ()
    choose = min if lowest else max
    most = choose(one.points for one in found)
    best = tuple(one for one in found if one.points == most)
    return best if len(best) <= MAX_BEST else ()


def _after_each_deal(pad: ScorePad) -> Iterator[tuple[int, Mapping[str, int]]]:
    """The totals after each deal that was played to its end.

    A penalty or a purchase counts with the deal before it, in which it first shows.
    """
    played = 0
    for row in pad.rows:
        if row.kind == "deal":
            played = row.deal
        if played:
            yield played, row.totals


def _lead_since(
    winners: tuple[str, ...],
    seated: tuple[str, ...],
    after: Mapping[int, Mapping[str, int]],
    lowest: bool,
) -> int | None:
    if len(winners) != 1 or len(after) < 2:
        return None
    since = None
    for deal in sorted(after, reverse=True):
        totals = {player: after[deal].get(player) for player in seated}
        own = totals.pop(winners[0])
        others = [total for total in totals.values() if total is not None]
        if own is None or any(total <= own if lowest else total >= own for total in others):
            break
        since = deal
    return since
