"""Who sits where at a table, and how far each player is with the deal."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from referee.extras.seats.figures import hand_in
from referee.extras.seats.gathering import Deal, Move, Part, What, deal_of, gathered, showing_in
from referee.rules.letters import folded
from referee.sheets.sheet import OpenSheet

MOST_MOVED = 2  # times that a seat goes to another phone; then a scorekeeper decides


class Taken(Struct, frozen=True):
    """Who sits where: each player’s phone, by digest, and the last phone that lost the seat.

    `contested` seats are claimed by several phones. `new` are the names that ask to join, by phone.
    """

    phones: Mapping[str, str] = {}
    lost: Mapping[str, str] = {}
    contested: Sequence[str] = ()
    new: Mapping[str, str] = {}

    def of(self, phone: str) -> list[str]:
        """The players whose seats are on this phone."""
        return [player for player, held in self.phones.items() if phone and held == phone]


#: How far somebody is with their figure; everybody may see this.
Status = Literal["no-phone", "counting", "away", "playing", "out", "in", "asked"]


class AtTable(Struct, frozen=True):
    """A sheet, its deal as far as it is gathered, and who sits where.

    `number` is that of the deal, as in `deal_of`, and `newest` the last move in it. The players
    `showing` are those who show their hands now, or muck, in the order of play; empty if none do.
    `objections` are the figures of players who disagree with a recorded deal, by player and deal:
    it may have been corrected since, and without a figure a scorekeeper has let it stand. `scorer`
    is a player at the table whose phone keeps score; "" if there is none.
    """

    sheet: OpenSheet
    number: int
    newest: int | None
    deal: Deal
    showing: Sequence[str]
    taken: Taken
    objections: Mapping[tuple[str, int], Move]
    scorer: str

    def move(self, player: str, what: What, phone: str = "") -> Move:
        """A move at a seat now, by this phone."""
        return Move(self.number, self.sheet.seq, player, what, phone=phone)

    @property
    def asking(self) -> list[str]:
        """Those who have been asked to count again, and can still answer on their phones."""
        deal, phones = self.deal, self.taken.phones
        asked = [player for player, did in deal.last.items() if did == "asked"]
        return [player for player in asked if deal.phones.get(player) and player in phones]

    @property
    def undecided(self) -> bool:
        """Whether all have answered who were asked, and no player is changing their own figure."""
        return bool(self.deal.claims) and not (self.asking or "" in self.deal.changing.values())

    @property
    def shown(self) -> dict[str, str]:
        """The cards shown so far, "-" of a hand that was mucked: they are public at once."""
        sheet, parts = self.sheet, self.deal.parts
        hands = [(one, hand_in(sheet, one, parts[one])) for one in self.showing if one in parts]
        return {player: " ".join(hand.cards) or "-" for player, hand in hands}

    @property
    def due(self) -> list[str]:
        """The players who have a hand, and whose figures are not in."""
        return [player for player in self.statuses if player not in self.deal.parts]

    @property
    def statuses(self) -> dict[str, Status]:
        """How far each player with a hand in this deal is, in seating order.

        It reveals nothing about any figure: all phones see it.
        """
        deal, again = self.deal, {*self.asking, *self.deal.changing}

        def status(player: str) -> Status:
            last = deal.last.get(player)
            if player in deal.parts:
                return "asked" if player in again else "out" if player in deal.out else "in"
            if last == "playing":
                return "playing"
            if player not in self.taken.phones:
                return "no-phone"
            return "away" if last == "away" else "counting"

        return {one: status(one) for one in self.showing or self.sheet.board.in_play}


def table_of(sheet: OpenSheet, found: Sequence[Any]) -> AtTable:
    """The seats of a sheet, from the rows `found` in the table of moves, oldest first."""
    moves, taken, lost = list[Move](), dict[str, str](), dict[str, str]()
    moved, new = Counter[str](), dict[str, str]()
    playing, showing = deal_of(sheet), showing_in(sheet)
    bets = bool(sheet.game.hole.cards and not showing)
    last_bet = sheet.course.steps[-1].seq if sheet.game.hole.cards and sheet.course.steps else 0
    scorers = set[str]()
    for number, deal, seen, name, what, form, phone, by, in_force, role in found:
        if seen > sheet.seq:
            continue
        part, player = msgspec.json.decode(form, type=Part), current_name(sheet, name, seen)
        move = Move(deal, seen, player, what, part, phone, by, number)
        if move.what == "sits" and in_force:
            if taken.get(player, move.phone) != move.phone:
                lost[player] = taken[player]
                moved[player] += deal == playing
            taken[player] = move.phone
            new.pop(move.phone, None)
            (scorers.add if role in ("score", "host") else scorers.discard)(player)
        elif move.what == "asks" and in_force and not _joined(sheet, move):
            new[move.phone] = move.player
        elif move.what == "leaves":
            taken.pop(player, None)
            moved.pop(player, None)
            lost.pop(player, None)
            new = {phone: name for phone, name in new.items() if name != player}
        # Cards shown before betting resumed count once that is over, but no request to count them
        # again does; nor does a bet once another row was written, which may have taken it back.
        gone = bets and (part.has_hand or (part.called and seen < sheet.seq))
        if not (seen < last_bet if what == "asked" else gone and what in ("in", "out")):
            moves.append(move)
    here = {player: phone for player, phone in taken.items() if player in sheet.next_players}
    objections = {(move.player, move.deal): move for move in moves if move.what == "objects"}
    scorer = next((player for player in here if player in scorers), "")
    contested = [player for player in here if moved[player] >= MOST_MOVED]
    newest = max((number for number, deal, *_ in found if deal >= playing), default=None)
    deal, seats = gathered(sheet, moves), Taken(here, lost, contested, new)
    return AtTable(sheet, playing, newest, deal, showing, seats, objections, scorer)


def current_name(sheet: OpenSheet, name: str, since: int = 0) -> str:
    """The current name of whoever had this one at row `since`."""
    for row in sheet.history[since:]:
        if row.agreed:
            name = row.agreed.renamed.get(name, name)
    return name


def _joined(sheet: OpenSheet, asks: Move) -> bool:
    """Whether somebody who asked to join has joined since, or sits here."""
    entries = [row.entry or {} for row in sheet.history[asks.seen :]]
    joined = [str(one.get("player")) for one in entries if one.get("action") == "join"]
    here = map(folded, [*sheet.state.table.players, *joined])  # perhaps in another spelling
    return folded(asks.player) in here
