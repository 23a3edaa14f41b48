"""The values that games take and return: lines, table, state, board."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from operator import add
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import msgspec

from referee.rules.core.ruling import Fault
from referee.rules.text import NOTHING, Sum, Text, say

P = TypeVar("P", bound=Hashable)  # a player: a name or a seat

Pools = Mapping[str, int]
NO_POOLS: Pools = MappingProxyType({})


class Line(msgspec.Struct, frozen=True, gc=False):
    """One item of an entry's score: `points` is what `player` gains (negative: gives up).

    They are points, counters or chips: whatever the game is played for. If they are paid `to`
    another player, that player gains what this one gives up. `reason` is a sentence without its
    player; without one the line is only shown on the score pad.

    On the pad `short` is beside the amount ("9 staked"), or alone for 0 points, and `worked`
    replaces the bare number: "(2 + 2) × 2", "11 for 9". A narrow column shows only `word`, by
    default one of these. A line that `opens` is a stake or a blind of the deal that is in progress
    after the entry; others belong to the deal in which the entry was made.
    """

    player: str
    points: int
    reason: Text
    short: Text = NOTHING
    worked: Text | Sum = NOTHING
    to: str = ""
    opens: bool = False
    word: Text = NOTHING

    @property
    def says(self) -> Text:
        """The line as a sentence, with the amount if it is paid to another player."""
        if not self.to:
            return say("{player}: {reason}", player=self.player, reason=self.reason)
        return say(
            "{player} pays {other} {n}: {reason}",
            player=self.player,
            other=self.to,
            n=-self.points,
            reason=self.reason,
        )

    @property
    def in_a_word(self) -> Text:
        """One word or measure: "out", "×2", "11 for 9"; empty for a plain amount."""
        if isinstance(self.worked, Sum):
            times = self.worked.times
            return self.word or (say("×{n}", n=times) if times > 1 else NOTHING)
        return self.word or self.worked or self.short

    @property
    def gains(self) -> tuple[tuple[str, int], ...]:
        """Each player whose score changes, with the change."""
        mine = (self.player, self.points)
        return (mine, (self.to, -self.points)) if self.to else (mine,)

    def renamed(self, names: Mapping[str, str]) -> "Line":
        """The line with its players renamed; `names` maps old names to new."""
        player, to = (names.get(name, name) for name in (self.player, self.to))
        return msgspec.structs.replace(self, player=player, to=to)


def note(player: str, words: Text, word: Text = NOTHING) -> Line:
    """A line that changes no score: `words` in the player's cell on the pad, or only `word`."""
    return Line(player, 0, NOTHING, words, word=word)


def change_by_player(lines: Iterable[Line], players: Iterable[str]) -> dict[str, int]:
    """The sum of the `lines`, which name only `players`, for each of these in order, 0 included."""
    change = dict.fromkeys(players, 0)
    for line in lines:
        change[line.player] += line.points
        if line.to:
            change[line.to] -= line.points
    return change


def equal_shares(amount: int, order: Sequence[P]) -> dict[P, int]:
    """Divide `amount` equally; the remainder goes one each to the first of `order` (not empty)."""
    share, odd = divmod(amount, len(order))
    return {player: share + (place < odd) for place, player in enumerate(order)}


class Source(msgspec.Struct, frozen=True):
    """Where a game's rules come from: its name, and what was taken from it, in a sentence."""

    name: Text
    took: Text


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The house rules of a table. Each game subclasses this; every field has a default."""

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """What to show for some fields instead of their values, with this number of `players`."""
        return {}

    def faults(self) -> list[Fault]:
        """What is wrong with these house rules together."""
        return []


O = TypeVar("O", bound=Options)  # noqa: E741 - O for options
S = TypeVar("S", bound="State[Any]")


class Table(msgspec.Struct, Generic[O], frozen=True):
    """Who sits at the table: names clockwise, the first dealer's seat (from 0), house rules."""

    players: tuple[str, ...]
    dealer: int
    options: O

    def left_of(self, seat: int, steps: int = 1) -> int:
        """The seat `steps` places clockwise from `seat`."""
        return (seat + steps) % len(self.players)

    def clockwise_from(self, seat: int) -> tuple[int, ...]:
        """All seats in playing order, `seat` first."""
        return tuple(self.left_of(seat, step) for step in range(len(self.players)))


class Gone(msgspec.Struct, frozen=True):
    """A player who has left the table, with the score they left with."""

    name: str
    score: int


class State(msgspec.Struct, Generic[O], frozen=True, kw_only=True):
    """A sheet after some entries. Games subclass it with what they must remember.

    `table` has the players seated now. `deal` counts from 1; `dealer` and `winners` are seats;
    `scores` are by seat. `begun` says that the deal has had its first entry.

    Players who come and go are kept by name: `left` in the order of leaving; `places` has all names
    clockwise, those who left where they sat (empty: as seated); `dealt` has those who dealt a deal
    that is over, `last_dealer` the last of them. `deal_of` is the dealer of the last deal of a game
    that is over, if that player has left.
    """

    table: Table[O]
    deal: int
    dealer: int
    scores: tuple[int, ...]
    pools: Pools = NO_POOLS
    finished: bool = False
    winners: tuple[int, ...] = ()
    begun: bool = False
    left: tuple[Gone, ...] = ()
    places: tuple[str, ...] = ()
    dealt: frozenset[str] = frozenset()
    last_dealer: str = ""
    deal_of: str = ""

    @property
    def everybody(self) -> tuple[str, ...]:
        """All names on the sheet: those seated, clockwise, then those who have left."""
        return (*self.table.players, *(gone.name for gone in self.left))

    @property
    def totals(self) -> dict[str, int]:
        """Everybody's score by name, including players who have left."""
        return dict(zip(self.everybody, self.all_scores, strict=True))

    @property
    def all_scores(self) -> tuple[int, ...]:
        """Everybody's score, in the order of `everybody`."""
        return (*self.scores, *(gone.score for gone in self.left))

    @property
    def dealer_name(self) -> str:
        """The dealer of the deal in progress; of the last one if the game is over."""
        return self.deal_of or self.name(self.dealer)

    def renamed(self: S, names: Mapping[str, str]) -> S:
        """The state with its players renamed, old to new; overridden where there are more names."""

        def now(name: str) -> str:
            return names.get(name, name)

        return msgspec.structs.replace(
            self,
            table=msgspec.structs.replace(self.table, players=tuple(map(now, self.table.players))),
            left=tuple(Gone(now(gone.name), gone.score) for gone in self.left),
            places=tuple(map(now, self.places)),
            dealt=frozenset(map(now, self.dealt)),
            last_dealer=now(self.last_dealer),
            deal_of=now(self.deal_of),
        )

    def has_left(self, name: str) -> bool:
        """Whether the player called `name` has left the table."""
        return any(gone.name == name for gone in self.left)

    def from_left_of(self, name: str) -> tuple[str, ...]:
        """The seated players, clockwise from the left of `name`, who may have left the table."""
        places = self.places or self.table.players
        first = places.index(name) + 1
        order = (*places[first:], *places[:first])
        return tuple(player for player in order if player in self.table.players)

    def name(self, seat: int) -> str:
        """The name of the player in `seat`."""
        return self.table.players[seat]

    def seat(self, name: str) -> int:
        """The seat of the player called `name`, who must be seated."""
        return self.table.players.index(name)


def scored(state: S, lines: Iterable[Line]) -> S:
    """`state` with `lines` added to its scores; they must name players of its table."""
    change = change_by_player(lines, state.table.players)
    return msgspec.structs.replace(state, scores=tuple(map(add, state.scores, change.values())))


def best_scores(scores: Sequence[int], *, lowest: bool = False) -> tuple[int, ...]:
    """The seats that share the best score: the highest, or with `lowest` the lowest."""
    best = min(scores) if lowest else max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)


class Deal(msgspec.Struct, frozen=True):
    """How to deal `deck` cards: `each` to a player, the `table` left over to the `table_name`.

    A `deck` of 0 leaves the dealing to the players' own game. `says` is the text of the deal card:
    who deals how many, and then each step, all without full stops. `pack` says which cards to take,
    where that is not one whole pack.
    """

    each: int
    table: int
    table_name: Text
    deck: int
    says: tuple[Text, ...] = ()
    pack: Text = NOTHING


class Standing(msgspec.Struct, frozen=True):
    """A line of the standings: `rank` from 1, shared by equals; `to_go` to the target, if any.

    Players who have `left` can no longer win: they have no rank and come last.
    """

    rank: int | None
    player: str
    score: int
    to_go: int | None
    left: bool = False


class Board(msgspec.Struct, frozen=True):
    """What a screen shows of a sheet.

    `says` is a line on the deal in progress, then the steps still to be taken; `acts` whose turn it
    is, if the game follows turns; `in_play` who takes part in the deal.
    """

    deal: int
    dealer: str
    plan: Deal
    says: tuple[Text, ...]
    acts: str | None
    in_play: tuple[str, ...]
    standings: tuple[Standing, ...]
    pools: tuple[tuple[Text, int], ...]
    finished: bool
    winners: tuple[str, ...]
