"""The score sheet of Nine Five Two (`rules.md` §7).

A deal is entered by its totals or trick by trick; who was up or down in it decides who exchanges
how many cards before the next one.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from referee.rules.cards.cards import reading_cards
from referee.rules.core.entries import Amount, Entry, Player, Positive
from referee.rules.core.game import Game, first_past
from referee.rules.core.judge import Judge
from referee.rules.core.lines import Line
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Aim, Deal, Need, Options, Source, State, Table
from referee.rules.games.nine_five_two.exchange import exchange_says, exchange_steps
from referee.rules.games.nine_five_two.judges import JUDGES
from referee.rules.games.nine_five_two.terms import (
    CARDS_EACH,
    KITTY,
    PLAYERS,
    SECTIONS,
    TARGETS,
    TITLE,
    TRICKS,
    Trump,
    number_of,
    read_trump,
    targets_by_seat,
)

PLACES = ("dealer", "left", "right")


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules: the score that wins, and whether those who were up have to give cards."""

    target: Annotated[
        Positive,
        Meta(title="Play to", description="10 or 20 are usual; agree before you begin."),
    ] = 10
    exchange: Annotated[
        Literal["may", "must"],
        Meta(
            title="A player who was up",
            description="The source says “may”; other descriptions want all the cards given.",
            extra={"choices": {"may": "may give cards, or fewer", "must": "must give them all"}},
        ),
    ] = "may"


class Tricks(Entry, frozen=True, tag="tricks"):
    """How many tricks each player won in a deal, and what was trumps, if you like."""

    tricks: dict[Player, Amount]
    trump: Trump = ""


class Trick(Entry, frozen=True, tag="trick"):
    """`winner` took the next trick; the sixteenth ends the deal."""

    winner: Player


class Sheet(State, frozen=True, kw_only=True):
    """What the exchange goes by, and the tricks of a deal that are recorded one by one.

    `last`: the scores of the deal before, by seat, empty in the first; `won`: the seats that took
    the tricks of this deal so far, in order.
    """

    last: tuple[int, ...] = ()
    won: tuple[int, ...] = ()

    @property
    def targets(self) -> tuple[int, ...]:
        """The tricks each seat needs in this deal."""
        return targets_by_seat(self.dealer)

    @property
    def to_come(self) -> int:
        """How many tricks of this deal are still to be played."""
        return TRICKS - len(self.won)


class NineFiveTwo(Game[Sheet, HouseRules]):
    """Nine tricks for the dealer, five for the left, two for the right; each one over scores."""

    slug = "nine-five-two"
    title = TITLE
    summary = "Tricks for three: the dealer needs nine, the others five and two."
    sources = (
        Source(
            "“Nine Five Two”, gamerules.com",
            "The deal, trumps, tricks, targets and score, and who may give how many cards. "
            "With what the kitty is compared it leaves open: we take the card given back.",
        ),
        Source(
            "“9-5-2”, en-academic.com",
            "A card that nothing beats returns; one player serves two at once; of two who "
            "were equally up the larger target goes first.",
        ),
        Source(
            "“Sergeant Major”, vipgames.com",
            "Says the same of cards that nothing beats, and of suits that are not there.",
        ),
    )
    aims_at = "tricks"
    sections = SECTIONS
    house_rules = HouseRules
    entry_kinds = (Tricks, Trick)

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """Tricks, and every step of the exchange."""
        return JUDGES

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Three, neither more nor fewer."""
        return range(PLAYERS, PLAYERS + 1)

    def plan(self, table: Table, number: int, dealer: int) -> Deal:
        """Sixteen each and a kitty of four, cut by the player on the dealer's right."""
        deals, cuts = table.players[dealer], table.players[table.left_of(dealer, 2)]
        says = (f"{cuts} cuts, {deals} deals {CARDS_EACH} cards each; {KITTY} are the kitty.",)
        return Deal(number, CARDS_EACH, KITTY, "kitty", 52, says)

    def first(self, table: Table) -> Sheet:
        """Nobody has scored, and there is no deal before to exchange cards for."""
        return Sheet(table=table, deal=1, dealer=table.dealer, scores=(0,) * len(table.players))

    def begin_deal(self, state: Sheet) -> tuple[Sheet, list[Line]]:
        """No trick is won yet; what the last deal brought stays, the exchange needs it."""
        return replace(state, won=()), []

    redeal = begin_deal

    def target(self, table: Table) -> int | None:
        """The agreed score."""
        target: int = table.options.target
        return target

    def result(self, state: Sheet, completed: int) -> tuple[int, ...]:
        """The highest at or over the target; level there, play goes on."""
        return first_past(state.scores, state.table.options.target)

    def acts(self, state: Sheet) -> int | None:
        """Who leads, once a trick is recorded: whoever won the last one."""
        return state.won[-1] if state.won else None

    def needs(self, state: Sheet) -> tuple[Need, ...]:
        """The tricks each player needs, by seat; while tricks are recorded, how many more."""
        seats = state.table.clockwise_from(state.dealer)
        if not state.won:
            return tuple(
                Need(state.name(seat), tricks, f"tricks, {place}")
                for seat, tricks, place in zip(seats, TARGETS, PLACES, strict=True)
            )
        needs = []
        for seat, tricks in zip(seats, TARGETS, strict=True):
            over = state.won.count(seat) - tricks
            label = f"more of {state.to_come} left"
            if over >= 0:
                label = f"more: {over} up already" if over else "more: made exactly so far"
            needs.append(Need(state.name(seat), max(0, -over), label))
        return tuple(needs)

    def aims(self, before: Sheet, entry: Entry, after: Sheet) -> tuple[Aim, ...]:
        """The tricks each player won and needed in the deal that `entry` ended."""
        over = after.finished or after.deal > before.deal
        if not over or not isinstance(entry, Tricks | Trick):
            return ()
        return tuple(
            Aim(needed + up, needed) for needed, up in zip(before.targets, after.last, strict=True)
        )

    def notes(self, state: Sheet) -> tuple[str, ...]:
        """What happens before the first trick; then how the deal stands."""
        return tuple(self._running(state) if state.won else self._before_play(state))

    def _before_play(self, state: Sheet) -> Iterable[str]:
        table, dealer = state.table, state.name(state.dealer)
        if max(state.scores) >= table.options.target:
            yield f"Two are level with {max(state.scores)}: play goes on until one is ahead."
        steps = exchange_steps(state.last, state.targets) if state.last else ()
        if state.last:
            must = table.options.exchange == "must"
            yield from exchange_says(steps, table.players, state.last, must=must)
        else:
            yield "Nothing is exchanged in the first deal."
        yield f"{dealer} names trumps, then takes the kitty and lays any {KITTY} cards away."
        served = [state.name(step.up) for step in steps if state.dealer in dict(step.to)]
        if served:
            alone = ", each alone," if len(served) > 1 else " alone"
            yield (
                f"{dealer} was down, so shows {' and '.join(served)}{alone} the kitty cards that "
                "are higher than the card given back in their suit."
            )
        yield f"{state.name(table.left_of(state.dealer))} leads to the first trick."

    def _running(self, state: Sheet) -> Iterable[str]:
        played = number_of(len(state.won), "trick")
        yield f"{played} played, {state.to_come} left. {state.name(state.won[-1])} leads."
        for seat in state.table.clockwise_from(state.dealer):
            target = state.targets[seat]
            if target - state.won.count(seat) > state.to_come:
                yield f"{state.name(seat)} can no longer make {target}."

    # --- entries

    def faults(self, state: Sheet, entry: Entry) -> list[Fault]:
        """Rule on the tricks of a deal; a single trick can go to anybody."""
        if isinstance(entry, Trick):
            return []
        assert isinstance(entry, Tricks)
        return list(self._tricks_faults(state, entry))

    def play(self, state: Sheet, entry: Entry) -> tuple[Sheet, list[Line]]:
        """Note a trick, or score a deal."""
        if isinstance(entry, Trick):
            won = (*state.won, state.seat(entry.winner))
            if len(won) < TRICKS:
                return replace(state, won=won), []
            return self._score(state, [won.count(seat) for seat in range(PLAYERS)])
        assert isinstance(entry, Tricks)
        return self._score(state, [entry.tricks[name] for name in state.table.players])

    def _tricks_faults(self, state: Sheet, entry: Tricks) -> Iterable[Fault]:
        with reading_cards() as reader:
            read_trump(entry.trump, reader)
        if state.won:
            message = (
                "This deal is being recorded trick by trick: "
                f"record the other {state.to_come} too, or undo those there are."
            )
            yield self.fault("tricks-begun", message, "tricks")
        for player in state.table.players:
            if player not in entry.tricks:
                yield self.fault("tricks-missing", f"{player}’s tricks are missing.", "scoring")
            elif not 0 <= entry.tricks[player] <= TRICKS:
                message = f"{player} can win 0 to {TRICKS} tricks, not {entry.tricks[player]}."
                yield self.fault("tricks-range", message, "scoring")
        total = sum(entry.tricks.values())
        if len(entry.tricks) == PLAYERS and total != TRICKS:
            message = f"The tricks add up to {total}; a deal has {TRICKS}."
            yield self.fault("tricks-sum", message, "scoring")

    def _score(self, state: Sheet, tricks: Sequence[int]) -> tuple[Sheet, list[Line]]:
        up = tuple(won - needed for won, needed in zip(tricks, state.targets, strict=True))
        lines = [
            Line(name, points, f"{number_of(won, 'trick')}, {needed} needed")
            for name, points, won, needed in zip(
                state.table.players, up, tricks, state.targets, strict=True
            )
        ]
        return self.end_deal(replace(state, last=up), lines)


GAME = NineFiveTwo()
