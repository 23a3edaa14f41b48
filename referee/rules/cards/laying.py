"""A deal of a stops game, turn by turn (`docs/rules.md` §4, §5 and §6, play).

Players who can play must; only a red nine may be held back. So the order of turns shows who lacked
the card that was due, and a card they lay later may show that they held it.
"""

from collections.abc import Collection, Sequence

from msgspec import Struct

from referee.rules.cards.cards import Card, Laid, card_name, is_red_nine
from referee.rules.cards.runs import RunChecker, StopsGame, is_undeclared_nine
from referee.rules.core.ruling import Fault
from referee.rules.text import Text, say, say_many


class Turn(Struct, frozen=True):
    """One turn: the cards as they were read, and the places of those that do not fit."""

    player: str
    run: tuple[Laid, ...]
    misfits: tuple[int, ...]


class TurnsAsked(Struct, frozen=True):
    """The turns of a question, in order; `seating` is clockwise, empty if unknown.

    The `dealer` is one of those seated; `table` are cards known to lie on the table.
    """

    turns: tuple[tuple[str, tuple[Laid, ...]], ...]
    seating: tuple[str, ...]
    dealer: str
    table: tuple[Card, ...]


class Laying:
    """The turns of a deal so far, and the `faults` in them.

    `first_player` sits to the left of the dealer, `last_player` laid the last card, `winner` has
    laid all of theirs. A red nine written alone can be read in two ways: `new_runs` are the turns,
    from 0, in which it starts a run as a nine instead of standing for the card due; of several
    nines in an opening turn, the last `stand_ins` red ones stand for the cards due.
    """

    def __init__(
        self,
        game: StopsGame,
        asked: TurnsAsked,
        new_runs: Collection[int] = (),
        stand_ins: int = 0,
    ) -> None:
        players = len(asked.seating) if len(asked.seating) in game.seats else None
        self.game = game
        self.asked = asked
        self.seating = asked.seating
        self.first_player = self._left_of(asked.dealer)
        self.pack = game.pack_for(players)
        self.checker = RunChecker(game.order, game.fault, opening=True)
        self.turns: list[Turn] = []
        self.faults: list[Fault] = []
        self.last_player: str | None = None
        self.winner: str | None = None
        self.may_start_run: list[int] = []  # the turns that `new_runs` may contain
        self.most_stand_ins = 0  # how many `stand_ins` there may be
        self._new_runs, self._stand_ins = new_runs, stand_ins
        self._most = game.each(players) if players else game.order.most
        self._last_asked: str | None = None  # who laid a card or passed last
        self._lacked: list[tuple[str, Card]] = []  # players, each with a card they could not lay
        for player, run in asked.turns:
            self._turn(player, run)

    # --- the deal so far

    @property
    def cards_laid(self) -> list[Card]:
        """Every card that has been laid, in order."""
        return [laid.card for laid in self.checker.laid]

    @property
    def sweeper(self) -> str | None:
        """The player who laid all the cards that sweep a pool, red nines for them not counted."""
        laid_by = {laid.card: turn.player for turn in self.turns for laid in turn.run}
        players = {laid_by.get(card) for card in self.game.swept_for}
        return players.pop() if len(players) == 1 else None

    @property
    def due(self) -> Card | None:
        """The card that must follow; None if the next player may begin with any."""
        needed = self.checker.needed
        if needed is None or not self.could_follow(needed):
            return None
        asked_on = bool(self.seating) and self._last_asked != self.last_player
        all_lacked = asked_on and self._left_of(self._last_asked) == self.last_player
        return None if all_lacked else needed

    @property
    def next_player(self) -> str | None:
        """The player to lay next, or to be asked first for the card due; None if unknown."""
        if self.last_player is None:
            return self.first_player
        if self.due is None:
            return self.last_player
        return self._left_of(self._last_asked)

    def could_follow(self, needed: Card) -> int:
        """How many unseen cards could be laid where `needed` is due, red nines included.

        In a game of suits a run ends when its one next card is gone, whatever red nines are left.
        """
        naturals, red_nines = self.naturals(needed), self._red_nines_left()
        if not self.game.order.notation.suited:
            return naturals + red_nines
        # If a red nine is due, `naturals` has counted one of those left.
        return naturals and naturals + red_nines - is_red_nine(needed)

    def naturals(self, needed: Card) -> int:
        """How many unseen cards are `needed` itself, not red nines that stand for it."""
        gone = self._seen
        if self.game.order.notation.suited:
            unseen = self._red_nines_left() > 0 if is_red_nine(needed) else True
            return int(unseen and needed not in gone)
        copies = self.pack.black_suits if needed.rank == "9" else self.pack.copies
        same = sum(card.rank == needed.rank and not is_red_nine(card) for card in gone)
        return max(copies - same, 0)

    def _red_nines_left(self) -> int:
        return max(self.pack.red_suits - sum(map(is_red_nine, self._seen)), 0)

    @property
    def _seen(self) -> list[Card]:
        """The cards that have been laid, and those known to lie on the table."""
        return [*self.cards_laid, *self.asked.table]

    # --- a turn

    def _turn(self, player: str, run: Sequence[Laid]) -> None:
        """Play one turn of `player`; an empty `run` means that they lack the card due."""
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
        if self.last_player is not None:
            self._take_over(player, run[0])
        self.checker.begin_turn()
        self._lay(player, run)
        self.last_player = self._last_asked = player
        number = sum(len(turn.run) for turn in self.turns if turn.player == player)
        if self._most is not None and number == self._most:
            self.winner = self.winner or player
        elif self._most is not None and number > self._most:
            says = say_many(
                "{player} has laid {n} card, but everyone is dealt {most}.",
                "{player} has laid {n} cards, but everyone is dealt {most}.",
                n=number,
                player=player,
                most=self._most,
            )
            self._wrong("too-many-cards", says, "deal")

    def _pass(self, player: str) -> None:
        """Note that `player` lacks the card due."""
        due = self.due
        if due is not None:
            self._skip_to(player)
            self._lacked.append((player, due))
            self._last_asked = player
        elif self.last_player in (None, player):
            says = say("{player} starts a run, so has to lay a card.", player=player)
            self._wrong("must-play", says, "play")

    def _take_over(self, player: str, first: Laid) -> None:
        """Check whose turn it is; begin a new run unless `player` goes on with the last one."""
        due = self.due
        if due is not None and player != self.last_player:
            self._skip_to(player)
            return
        if due is not None:
            if self._last_asked == player and self._continues_run(first, due):
                return  # the same turn, written in two parts
            self._lacked += [(other, due) for other in self.seating or [player]]
        elif player != self.last_player:
            assert self.last_player is not None
            says = say(
                "{last} laid the last card of the run, so {last} starts the next one, not "
                "{player}.",
                last=self.last_player,
                player=player,
            )
            self._wrong("wrong-player", says, "play")
        self.checker.begin_run()

    def _continues_run(self, first: Laid, due: Card) -> bool:
        if self.game.order.fits(first.stands_for, due):
            return True
        turn = len(self.turns)
        if is_undeclared_nine(first):
            self.may_start_run.append(turn)
        return is_undeclared_nine(first) and turn not in self._new_runs

    def _skip_to(self, player: str) -> None:
        """Note that all asked before `player`, and the last to lay, lacked the card due."""
        due = self.due
        assert due is not None
        assert self._last_asked is not None
        if self._last_asked == self.last_player:
            self._lacked.append((self._last_asked, due))
        after = self._left_of(self._last_asked) if player in self.seating else None
        while after is not None and after != player:
            self._lacked.append((after, due))
            after = self._left_of(after)

    def _lay(self, player: str, run: Sequence[Laid]) -> None:
        start, misfits = len(self.checker.laid), []
        for place, laid in enumerate(run):
            if self.checker.needed and not self.could_follow(self.checker.needed):
                self.checker.begin_run()  # no card can follow, so nobody is asked
            faults_before = len(self.checker.faults)
            fits = self.checker.lay(laid)
            for found in self.checker.faults[faults_before:]:
                says = say("{player}: {what}", player=player, what=found.says)
                self._wrong(found.code, says, found.section)
            lacked = [due for one, due in self._lacked if one == player]
            held_back = any(self.game.order.fits(laid.card, due) for due in lacked)
            if held_back and not is_red_nine(laid.card):
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
            self.most_stand_ins = min(self.checker.last_red_nines, self.pack.red_suits)
            self.checker.stand_in(min(self._stand_ins, self.most_stand_ins))
        self.turns.append(Turn(player, tuple(self.checker.laid[start:]), tuple(misfits)))

    # --- round the table

    def _left_of(self, player: str | None) -> str | None:
        if player not in self.seating:
            return None
        return self.seating[(self.seating.index(player) + 1) % len(self.seating)]

    def _wrong(self, code: str, says: Text, section: str) -> None:
        self.faults.append(self.game.fault(code, says, section))
