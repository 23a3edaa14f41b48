"""The deal card of Nine Five Two: what to do before the first trick, then how the deal stands."""

from collections.abc import Iterator, Sequence

from referee.rules.core.table import Need
from referee.rules.games.nine_five_two.exchange import Step, exchange_steps
from referee.rules.games.nine_five_two.exchange_in_words import swaps
from referee.rules.games.nine_five_two.house_rules import HouseRules
from referee.rules.games.nine_five_two.state import NineFiveTwoState
from referee.rules.games.nine_five_two.terms import KITTY, TARGETS
from referee.rules.text import Text, listed, say, say_many

#: What the numbers of `TARGETS` are, by place from the dealer.
_NEEDED = (say("tricks, dealer"), say("tricks, left"), say("tricks, right"))


def tricks_needed(state: NineFiveTwoState) -> tuple[Need, ...]:
    """The tricks each player needs, from the dealer round; once tricks are recorded, how many more.

    A player who has more than needed is shown as so many up.
    """
    seats = state.table.clockwise_from(state.dealer)
    if not state.won:
        return tuple(
            Need(state.name(seat), target, label)
            for seat, target, label in zip(seats, TARGETS, _NEEDED, strict=True)
        )
    return tuple(_still_needed(state, seat) for seat in seats)


def _still_needed(state: NineFiveTwoState, seat: int) -> Need:
    over = state.won.count(seat) - state.targets[seat]
    if over > 0:
        return Need(state.name(seat), over, say("up already"))
    if over == 0:
        return Need(state.name(seat), 0, say("more needed"))
    return Need(state.name(seat), -over, say("more, {left} to play", left=state.to_come))


def still_needed(state: NineFiveTwoState) -> dict[str, Text]:
    """The same for the score pad, in two words: "9 tricks", "2 more", "1 up"."""
    return {state.name(seat): _in_short(state, seat) for seat in range(len(state.scores))}


def _in_short(state: NineFiveTwoState, seat: int) -> Text:
    over = state.won.count(seat) - state.targets[seat]
    if not state.won:
        return say_many("{n} trick", "{n} tricks", n=-over)
    if -over > state.to_come:
        return say("can’t make it")
    if over < 0:
        return say("{n} more", n=-over)
    return say("{n} up", n=over) if over else say("made it")


def before_play(state: NineFiveTwoState) -> Iterator[Text]:
    """What happens between the deal and the first trick, a step each."""
    table, rules, dealer = state.table, state.table.options, state.name(state.dealer)
    best = max(state.scores)
    if not rules.deals and best >= rules.target:
        level = [state.name(seat) for seat, score in enumerate(state.scores) if score == best]
        yield say(
            "{players} are level at {points}: play on until someone is ahead",
            players=listed(level),
            points=best,
        )
    yield from exchange_card(state)
    yield _names_trumps(dealer, rules)
    yield from kitty_card(state)
    yield say("{player} leads", player=state.name(table.left_of(state.dealer)))


def exchange_card(state: NineFiveTwoState) -> Iterator[Text]:
    """Who gives how many cards to whom."""
    must = state.table.options.exchange == "must"
    return swaps(_exchange(state), state.table.players, must=must)


def kitty_card(state: NineFiveTwoState) -> Iterator[Text]:
    """What the dealer shows those who gave cards."""
    givers = [state.name(step.up) for step in _exchange(state) if state.dealer in dict(step.to)]
    if givers:
        yield _shows(state.name(state.dealer), givers, state.table.options)


def _exchange(state: NineFiveTwoState) -> Sequence[Step]:
    free = state.table.options.division == "free"
    return exchange_steps(state.last, state.targets, free=free) if state.last else ()


def _names_trumps(dealer: str, rules: HouseRules) -> Text:
    if rules.no_trumps:
        return say(
            "{dealer} names trumps or no trumps, takes the kitty, discards {n}",
            dealer=dealer,
            n=KITTY,
        )
    return say("{dealer} names trumps, takes the kitty, discards {n}", dealer=dealer, n=KITTY)


def _shows(dealer: str, givers: Sequence[str], rules: HouseRules) -> Text:
    if rules.kitty_compare == "received":
        return say(
            "{dealer} shows {players} any kitty cards higher than those received",
            dealer=dealer,
            players=listed(givers),
        )
    return say(
        "{dealer} shows {players} any higher kitty cards",
        dealer=dealer,
        players=listed(givers),
    )


def tricks_so_far(state: NineFiveTwoState) -> Text:
    """How far the deal is, and who leads."""
    return say_many(
        "{n} trick played, {left} to go; {player} leads",
        "{n} tricks played, {left} to go; {player} leads",
        n=len(state.won),
        left=state.to_come,
        player=state.name(state.won[-1]),
    )
