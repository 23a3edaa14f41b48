"""What a game says for itself, and the hooks by which it differs from the others.

Where a hook returns (state, lines), the lines are already counted in the scores of that state.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from msgspec.structs import replace

from referee.rules.core.entries import Abandon, Adjust, Buy, Dealer
from referee.rules.core.judge import Judge, Known
from referee.rules.core.kinds import EntryKind, Played
from referee.rules.core.lines import Line, equal_shares
from referee.rules.core.pad_words import PadWords
from referee.rules.core.ruling import Fault
from referee.rules.core.scores import scored
from referee.rules.core.table import Deal, Need, Options, Source, State, Table
from referee.rules.core.terms import STAKED, DealCalled, Unit
from referee.rules.text import NOTHING, Text, say

POOL_SHARE = say("pool share")

S = TypeVar("S", bound=State[Any])
O = TypeVar("O", bound=Options)  # noqa: E741 - O for options, beside S for state


class Rulebook(PadWords[S], ABC, Generic[S, O]):
    """What a game says for itself, and what most games say alike."""

    slug: ClassVar[str]
    title: ClassVar[Text]
    summary: ClassVar[Text]  # what kind of game it is, for choosing one
    first_dealer: ClassVar[Text] = NOTHING  # a way of its own to choose who deals first
    sources: ClassVar[tuple[Source, ...]]
    unit: ClassVar[Unit] = "point"
    #: What one deal with its play is called at the table.
    deal_called: ClassVar[DealCalled] = "deal"
    #: The sections of the game's rules page that its faults may name: anchor to heading.
    sections: ClassVar[Mapping[str, Text]]
    #: What stands on the pad beside what was put in for a deal, if it is told apart from the rest.
    stake_called: ClassVar[Text] = STAKED
    #: The pools of the game: key in the sheet format to the words for it.
    pool_names: ClassVar[Mapping[str, Text]] = {}
    #: What `if_stopped` does, in a sentence.
    if_stopped_says: ClassVar[Text] = say(
        "The game isn’t over. What’s in the pools is shared equally here, with odd counters "
        "going one each from the dealer’s left."
    )
    #: Where no number of deals was agreed: whether the game is over when everybody has dealt.
    deals_once: ClassVar[bool] = False
    #: Whether what a deal scores may rest on the deal before it, or on who deals it.
    deals_build: ClassVar[bool] = False
    #: Whether only the players know what is played, and can name it.
    named_by_players: ClassVar[bool] = False
    house_rules: type[O]

    # --- what each game says for itself

    @abstractmethod
    def own_judges(self) -> tuple[Judge[Any], ...]:
        """The questions this game answers without a sheet, besides what to deal."""

    @abstractmethod
    def own_entries(self) -> tuple[EntryKind[S, Any], ...]:
        """The entries of this game, besides those of every game: see `EntryKind`."""

    @abstractmethod
    def seats(self, options: O) -> range:
        """How many players can play under these house rules."""

    def packs(self, options: O, players: int) -> int:
        """How many packs this many play with: how often the same card can lie on the table."""
        return 1

    @abstractmethod
    def plan(self, table: Table[O], number: int, dealer: int) -> Deal:
        """What to put on the table in deal `number` when the player in seat `dealer` deals."""

    @abstractmethod
    def first(self, table: Table[O]) -> S:
        """The state in which the first deal is about to begin, before any stakes."""

    @abstractmethod
    def result(self, state: S, *, played_out: bool) -> tuple[int, ...]:
        """The winning seats, of those seated; empty while the game goes on.

        `played_out` says that the last deal is over, where their number is fixed; then it must
        name somebody.
        """

    # --- what a game may change

    def option_faults(self, table: Table[O]) -> list[Fault]:
        """House rules that do not go together, beyond what their types already say."""
        return []

    def deals(self, options: O) -> int | None:
        """How many deals were agreed on; 0 or None where no number was (see `deals_once`)."""
        return None

    def target(self, table: Table[O]) -> int | None:
        """The score that ends the game, where there is one."""
        return None

    def lowest_wins(self, table: Table[O]) -> bool:
        """Whether the lowest score is the best one."""
        return False

    def next_dealer(self, state: S) -> int:
        """The seat that deals after the deal in progress."""
        return state.table.left_of(state.dealer)

    def begin_deal(self, state: S) -> Played[S]:
        """Set out the deal that `state.deal` and `state.dealer` name, paying its stakes."""
        return state, []

    def redeal(self, state: S) -> Played[S]:
        """Begin the deal in progress again: its stakes stay paid, none are paid anew."""
        return state, []

    def adjust_faults(self, state: S, entry: Adjust) -> Iterable[Fault]:
        """What speaks in this game against a penalty or a bonus just now."""
        return ()

    def abandon_faults(self, state: S, entry: Abandon) -> Iterable[Fault]:
        """What speaks in this game against a void deal just now."""
        return ()

    def buy_faults(self, state: S, entry: Buy) -> Iterable[Fault]:
        """What speaks in this game against a purchase just now."""
        return ()

    def adjust(self, state: S, lines: list[Line]) -> Played[S]:
        """Count the `lines` of a penalty or a purchase."""
        return scored(state, lines), lines

    def take_back(self, state: S) -> Played[S]:
        """The stakes of the deal that is about to begin go back to those who paid them."""
        return state, []

    def call_off(self, state: S) -> Played[S]:
        """The deal in progress is void, and play ends here."""
        return self.redeal(state)

    def wind_up(self, state: S, order: Sequence[str]) -> Played[S]:
        """What lies in the pools when the game is over is divided as one sum.

        `order` are those seated from the left of the dealer: odd counters go one each to the first.
        """
        lines = [
            Line(player, share, say("share of what was left in the pools"), POOL_SHARE)
            for player, share in equal_shares(sum(state.pools.values()), order).items()
            if share
        ]
        return replace(scored(state, lines), pools=dict.fromkeys(state.pools, 0)), lines

    def ruined(self, state: S) -> tuple[str, ...]:
        """Who has to leave the table after the deal that has just been scored."""
        return ()

    def renamed(self, state: S, was: str, becomes: str) -> S:
        """What a game remembers by name, after somebody has taken another's place."""
        return state

    def joining_faults(self, state: S) -> list[Fault]:
        """Why nobody can join this game or leave it, if that is so whoever sits there."""
        return []

    def dealer_faults(self, state: S, entry: Dealer) -> Iterable[Fault]:
        """Why somebody cannot deal the deal that is about to begin."""
        return ()

    def notes(self, state: S) -> tuple[Text, ...]:
        """Steps for the deal card that depend on what has happened so far."""
        return ()

    def needs(self, state: S) -> tuple[Need, ...]:
        """Numbers for the deal card, a player each."""
        return ()

    def acts(self, state: S) -> int | None:
        """The seat whose turn it is, where the game follows turns."""
        return None

    def in_play(self, state: S) -> tuple[int, ...]:
        """The seats that still take part in the deal."""
        return tuple(range(len(state.table.players)))

    def deal_card(self, state: S) -> tuple[Text, ...]:
        """A line on the deal in progress, then the steps that the table still has to take."""
        return (*self.plan(state.table, state.deal, state.dealer).says, *self.notes(state))

    def behind(self, state: S) -> Mapping[Text, str]:
        """The section of the rules behind a step of the deal card, where there is more to say."""
        return {}

    def known_to(self, judge: str, state: S) -> Known:
        """What a sheet as it stands answers of a judge's question, before anybody asks it.

        House rules and the number of players go without saying.
        """
        return {}

    def lying_open(self, state: S) -> tuple[str, ...]:
        """The cards that lie on the table and are written down: a photo may show them again."""
        return ()

    @property
    def has_counters(self) -> bool:
        """Whether the score is held in counters or chips, which can be bought and paid."""
        return self.unit != "point"

    def fault(self, code: str, says: Text, section: str) -> Fault:
        """A fault against the rule in `section`, a key of `sections`."""
        return Fault(code, says, self.slug, section)

    def last_deal(self, table: Table[O]) -> int | None:
        """How many deals a game that begins at this table has, where that is fixed."""
        return self.deals(table.options) or (len(table.players) if self.deals_once else None)

    def last_deal_from(self, state: S) -> int | None:
        """The number of the last deal as things stand: people may have come and gone."""
        if state.finished:
            return state.deal
        agreed = self.deals(state.table.options)
        if agreed or not self.deals_once:
            return agreed or None
        still_to_deal = {name for name in state.table.players if name not in state.dealt}
        order = state.table.clockwise_from(state.dealer)
        places = [place for place, seat in enumerate(order) if state.name(seat) in still_to_deal]
        return state.deal + max(places, default=0)

    def played_out(self, state: S, over: int) -> bool:
        """Whether the last deal is over, `over` being so many of them; see `last_deal`."""
        agreed = self.deals(state.table.options)
        if agreed:
            return over >= agreed
        return self.deals_once and state.dealt.issuperset(state.table.players)
