"""A deal of Nine Five Two: its entries, its state, its card, and its row on the score pad."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from referee.rules.core.asking import asked
from referee.rules.core.entries import Amount, Entry, Player
from referee.rules.core.parts import Feats, Pad, Steps
from referee.rules.core.table import Line, State, best_scores
from referee.rules.games.nine_five_two.exchange import (
    ExchangeStep,
    exchange_on_card,
    exchange_steps,
)
from referee.rules.games.nine_five_two.house_rules import KITTY, TRICKS, HouseRules, targets_by_seat
from referee.rules.games.nine_five_two.tricks import Trump
from referee.rules.text import Text, listed, say, say_many


class Tricks(Entry, frozen=True, tag="tricks"):
    """How many tricks each player won in a deal and, optionally, what was trumps ("N": none)."""

    tricks: Annotated[dict[Player, Amount], asked(say("the tricks"), of=say("{player}’s tricks"))]
    trump: Annotated[Trump, asked(say("trumps"), wanted=say("S, H, D, C, or N for none"))] = ""


class Trick(Entry, frozen=True, tag="trick"):
    """`winner` took the next trick; the sixteenth ends the deal."""

    winner: Annotated[Player, asked(say("who won the trick"))]


class NineFiveTwoState(State[HouseRules], frozen=True, kw_only=True):
    """A sheet with the scores of the last deal and the tricks recorded in this one, all by seat.

    `won` has the winners of this deal's tricks, in order; `won_at_once` the winner of the game by
    the tricks of one deal (a house rule).
    """

    last: tuple[int, ...] = ()
    won: tuple[int, ...] = ()
    won_at_once: int | None = None

    @property
    def targets(self) -> tuple[int, ...]:
        """The tricks needed in this deal, by seat."""
        return targets_by_seat(self.dealer)

    @property
    def exchange(self) -> Sequence[ExchangeStep]:
        """The steps of the exchange before this deal; none before the first."""
        free = self.table.options.division == "free"
        return exchange_steps(self.last, self.targets, free=free) if self.last else ()

    @property
    def to_come(self) -> int:
        """The number of tricks still to be played in this deal."""
        return TRICKS - len(self.won)


# --- the deal card, and the score pad beside it


def _beside_total(state: NineFiveTwoState) -> dict[str, Text]:
    """The tricks each player needs, for the score pad: "9 tricks", "2 more", "1 up"."""
    found = {}
    for seat, name in enumerate(state.table.players):
        over = state.won.count(seat) - state.targets[seat]
        if not state.won:
            found[name] = say_many("{n} trick", "{n} tricks", n=-over)
        elif -over > state.to_come:
            found[name] = say("can’t make it")
        elif over < 0:
            found[name] = say("{n} more", n=-over)
        else:
            found[name] = say("{n} up", n=over) if over else say("made it")
    return found


def _so_far(state: NineFiveTwoState) -> Mapping[str, Text]:
    """The tricks each player has won, if any are recorded one by one."""
    if not state.won:
        return {}
    tricks = ((name, state.won.count(seat)) for seat, name in enumerate(state.table.players))
    return {name: say_many("{n} trick", "{n} tricks", n=n) for name, n in tricks}


def _card(state: NineFiveTwoState, steps: Steps) -> Steps:
    """The steps before the first trick; once tricks are recorded, only the progress."""
    if state.won:
        so_far = say_many(
            "{n} trick played, {left} to go; {player} leads",
            "{n} tricks played, {left} to go; {player} leads",
            n=len(state.won),
            left=state.to_come,
            player=state.name(state.won[-1]),
        )
        return (so_far,)
    table, rules, dealer = state.table, state.table.options, state.name(state.dealer)
    says, best = [*steps], max(state.scores)
    if not rules.deals and best >= rules.target:
        level = listed(state.name(seat) for seat in best_scores(state.scores))
        says.append(
            say(
                "{players} are level at {points}: play on until someone is ahead",
                players=level,
                points=best,
            )
        )
    trumps = say("{dealer} names trumps, takes the kitty, discards {n}", dealer=dealer, n=KITTY)
    if rules.no_trumps:
        trumps = say(
            "{dealer} names trumps or no trumps, takes the kitty, discards {n}",
            dealer=dealer,
            n=KITTY,
        )
    leads = say("{player} leads", player=table.players[table.left_of(state.dealer)])
    return (*says, *_exchange(state), trumps, *_shown_kitty(state), leads)


def _behind(state: NineFiveTwoState) -> dict[Text, str]:
    """The rules sections of the steps on the exchange and on the kitty."""
    steps = dict.fromkeys(_exchange(state), "exchange")
    return steps | dict.fromkeys(_shown_kitty(state), "kitty")


def _exchange(state: NineFiveTwoState) -> Iterator[Text]:
    """The exchange as steps of the deal card."""
    return exchange_on_card(
        state.exchange, state.table.players, must=state.table.options.exchange == "must"
    )


def _shown_kitty(state: NineFiveTwoState) -> Iterator[Text]:
    """The step in which the dealer shows kitty cards to players who gave cards."""
    givers = [state.name(step.up) for step in state.exchange if state.dealer in dict(step.to)]
    if not givers:
        return
    dealer, players = state.name(state.dealer), listed(givers)
    if state.table.options.kitty_compare == "received":
        yield say(
            "{dealer} shows {players} any kitty cards higher than those received",
            dealer=dealer,
            players=players,
        )
    else:
        yield say("{dealer} shows {players} any higher kitty cards", dealer=dealer, players=players)


PAD: Pad[NineFiveTwoState] = Pad(
    card=_card, behind=_behind, so_far=_so_far, beside_total=_beside_total
)


# --- feats


def _made_and_missed(
    state: NineFiveTwoState, entry: Entry, lines: Sequence[Line]
) -> Iterator[tuple[str, str]]:
    """Whether each player made the tricks of their seat, once the deal is over."""
    for line in lines if isinstance(entry, Tricks | Trick) else ():
        needed = state.targets[state.seat(line.player)]
        yield line.player, f"{'made' if line.points >= 0 else 'missed'}-{needed}"


FEATS: Feats[NineFiveTwoState] = Feats(
    {
        "made-9": say("made nine tricks, dealing"),
        "missed-9": say("missed nine tricks, dealing"),
        "made-5": say("made five tricks, on the left"),
        "missed-5": say("missed five tricks, on the left"),
        "made-2": say("made two tricks, on the right"),
        "missed-2": say("missed two tricks, on the right"),
    },
    _made_and_missed,
)
