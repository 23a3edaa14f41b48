"""A deal of a stops game as it is laid, turn by turn (`docs/rules.md` §4, §5 and §6, play).

Whoever can go on, must: only a red nine may be held back. So from who plays when it follows who
had no card to lay, and a card that comes out later may show that somebody had.
"""

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct

from referee.rules.cards.cards import Card, Laid, card_name, is_red_nine
from referee.rules.cards.packs import Pack
from referee.rules.cards.runs import RunOrder, Walk, as_itself
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.text import Text, say


class StopsGame(Struct, frozen=True):
    """What tells the games of the family apart.

    `seats` are the numbers of players there can be; `each` says how many cards a player is dealt
    where so many play, and `pack_of` what pack they have, if it is not that of the `order`. Whoever
    lays all the cards that are `swept_for` in one deal takes a pool.
    """

    order: RunOrder
    fault: MakeFault
    seats: range
    each: Callable[[int], int]
    pack_of: Callable[[int], Pack] | None = None
    swept_for: tuple[Card, ...] = ()


class Turn(Struct, frozen=True):
    """One turn as it was laid: the cards as they were read, and which of them do not fit."""

    player: str
    run: tuple[Laid, ...]
    misfits: tuple[int, ...]


class TurnsAsked(Struct, frozen=True):
    """Turns in order, who sits clockwise (empty where that is not known), the dealer among them.

    `table` are cards known to lie on the table.
    """

    turns: tuple[tuple[str, tuple[Laid, ...]], ...]
    seating: tuple[str, ...]
    dealer: str
    table: tuple[Card, ...]


class Laying:
    """A deal as far as it was laid, and the `faults` in how that was done.

    `begins` is to the left of the dealer, `last` laid the last card, `winner` has laid all of
    theirs. `anew` are the turns, counted from 0, in which a red nine that could go on begins a run
    instead, as a nine; `standing` says how many of the red nines that end a first turn of nines
    stand for what is due.
    """

    def __init__(
        self,
        game: StopsGame,
        asked: TurnsAsked,
        anew: Collection[int] = (),
        standing: int = 0,
    ) -> None:
        players = len(asked.seating) if len(asked.seating) in game.seats else None
        self.game = game
        self.asked = asked
        self.seating = asked.seating
        self.begins = self._left_of(asked.dealer)
        self.pack = game.pack_of(players) if players and game.pack_of else game.order.pack
        self.walk = Walk(game.order, game.fault, opening=True)
        self.turns: list[Turn] = []
        self.faults: list[Fault] = []
        self.last: str | None = None
        self.winner: str | None = None
        self.could_begin: list[int] = []  # the turns of which `anew` may name some
        self.could_stand = 0  # the most that `standing` may be
        self._anew, self._standing = anew, standing
        self._most = game.each(players) if players else game.order.most
        self._asked: str | None = None  # who was last to lay a card or to have none
        self._lacked: list[tuple[str, Card]] = []  # what each player could not lay
        for player, run in asked.turns:
            self._turn(player, run)

    # --- how it stands

    @property
    def out(self) -> list[Card]:
        """Every card that has been laid, in order."""
        return [laid.card for laid in self.walk.run]

    @property
    def sweeper(self) -> str | None:
        """Who has laid all the cards that sweep a pool, none of them a red nine in their place."""
        laid_by = {laid.card: turn.player for turn in self.turns for laid in turn.run}
        players = {laid_by.get(card) for card in self.game.swept_for}
        return players.pop() if len(players) == 1 else None

    @property
    def due(self) -> Card | None:
        """The card that must follow; None where the next player may begin with any."""
        needed = self.walk.needed
        if needed is None or not self.could_follow(needed) or self._all_lacked():
            return None
        return needed

    @property
    def next_player(self) -> str | None:
        """Who lays next, or is the first to be asked for the card that is due, if that is known."""
        if self.last is None:
            return self.begins
        if self.due is None:
            return self.last
        return self._left_of(self._asked)

    def could_follow(self, needed: Card) -> int:
        """How many cards out of sight could be laid where `needed` is due, red nines included.

        In a game of suits a run whose one card is gone is over, red nine or not.
        """
        naturals, red_nines = self.naturals(needed), self._red_nines_left()
        if not self.game.order.notation.keeps_suit:
            return naturals + red_nines
        # A red nine that is due is one of those left itself.
        return naturals and naturals + red_nines - is_red_nine(needed)

    def naturals(self, needed: Card) -> int:
        """The same without cards that stand for another."""
        gone = [*self.out, *self.asked.table]
        if self.game.order.notation.keeps_suit:
            unseen = self._red_nines_left() > 0 if is_red_nine(needed) else True
            return int(unseen and needed not in gone)
        copies = self.pack.black_suits if needed.rank == "9" else self.pack.copies
        same = sum(card.rank == needed.rank and not is_red_nine(card) for card in gone)
        return max(copies - same, 0)

    def _red_nines_left(self) -> int:
        return max(self.pack.red_suits - sum(map(is_red_nine, [*self.out, *self.asked.table])), 0)

    # --- a turn

    def _turn(self, player: str, run: Sequence[Laid]) -> None:
        """The `player` lays this `run`, or nothing for want of the card that is due."""
        if self.winner is not None:
            says = say(
                "{winner} had gone out: the deal was over before {player}’s turn.",
                winner=self.winner,
                player=player,
            )
            self._wrong("deal-over", says, "score")
        if not run:
            self._pass(player)
            return
        if self.last is not None:
            self._take_over(player, run[0])
        self.walk.begin_turn()
        self._lay(player, run)
        self.last = self._asked = player
        number = sum(len(turn.run) for turn in self.turns if turn.player == player)
        if self._most is not None and number == self._most:
            self.winner = self.winner or player
        elif self._most is not None and number > self._most:
            says = say(
                "{player} has laid {n} cards, but everyone is dealt {most}.",
                player=player,
                n=number,
                most=self._most,
            )
            self._wrong("too-many-cards", says, "deal")

    def _pass(self, player: str) -> None:
        """The player says that the card that is due is not in their hand."""
        due = self.due
        if due is not None:
            self._skip_to(player)
            self._lacked.append((player, due))
            self._asked = player
        elif self.last in (None, player):
            says = say("{player} starts a run, so has to lay a card.", player=player)
            self._wrong("must-play", says, "play")

    def _take_over(self, player: str, first: Laid) -> None:
        """Go on from the card laid last: with the run, or with a new one."""
        due = self.due
        if due is not None and player != self.last:
            self._skip_to(player)
            return
        if due is not None and self._asked == self.last and self._goes_on_with(first, due):
            return  # the same turn, written in two parts
        if due is not None:
            self._lacked += [(other, due) for other in self.seating or [player]]
        elif player != self.last:
            assert self.last is not None
            says = say(
                "{last} laid the last card of the run, so {last} starts the next one, not "
                "{player}.",
                last=self.last,
                player=player,
            )
            self._wrong("wrong-player", says, "play")
        self.walk.begin_run()

    def _goes_on_with(self, first: Laid, due: Card) -> bool:
        if self.game.order.fits(first.stands_for, due):
            return True
        turn = len(self.turns)
        if as_itself(first):
            self.could_begin.append(turn)
        return as_itself(first) and turn not in self._anew

    def _skip_to(self, player: str) -> None:
        """Everybody asked before the `player` had nothing to lay, whoever laid last among them."""
        due = self.due
        assert due is not None
        assert self._asked is not None
        if self._asked == self.last:
            self._lacked.append((self._asked, due))
        if player in self.seating and self._asked in self.seating:
            self._lacked += [(one, due) for one in self._between(self._asked, player)]

    def _lay(self, player: str, run: Sequence[Laid]) -> None:
        start, misfits = len(self.walk.run), []
        for place, laid in enumerate(run):
            if self.walk.needed and not self.could_follow(self.walk.needed):
                self.walk.begin_run()  # nobody had to be asked
            known = len(self.walk.faults)
            fits = self.walk.lay(laid)
            for found in self.walk.faults[known:]:
                says = say("{player}: {what}", player=player, what=found.says)
                self._wrong(found.code, says, found.section)
            if self._held_back(player, laid.card):
                fits = False
                says = say(
                    "{player} passed when {card} was due, but lays it now: only a red nine can be "
                    "held back.",
                    player=player,
                    card=card_name(laid.card),
                )
                self._wrong("held-back", says, "red-nines")
            if not fits:
                misfits.append(place)
        if not self.turns:
            self.could_stand = min(self.walk.among, self.pack.red_suits)
            self.walk.stand_in(min(self._standing, self.could_stand))
        self.turns.append(Turn(player, tuple(self.walk.run[start:]), tuple(misfits)))

    def _held_back(self, player: str, card: Card) -> bool:
        if is_red_nine(card):
            return False
        return any(one == player and self.game.order.fits(card, due) for one, due in self._lacked)

    # --- round the table

    def _all_lacked(self) -> bool:
        """Whether everybody but who laid last has had nothing to lay since."""
        return (
            bool(self.seating)
            and self._asked != self.last
            and (self._left_of(self._asked) == self.last)
        )

    def _left_of(self, player: str | None) -> str | None:
        if player not in self.seating:
            return None
        return self.seating[(self.seating.index(player) + 1) % len(self.seating)]

    def _between(self, one: str, other: str) -> Iterator[str]:
        """Who sits between two players, clockwise; everybody else, if they are the same."""
        after = self._left_of(one)
        while after is not None and after != other:
            yield after
            after = self._left_of(after)

    def _wrong(self, code: str, says: Text, section: str) -> None:
        self.faults.append(self.game.fault(code, says, section))
