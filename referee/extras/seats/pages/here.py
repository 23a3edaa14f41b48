"""A request about a seat: whose phone sends it, and storing what happened there."""

from collections.abc import Sequence

from flask import Blueprint, Response, abort, request
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from referee.extras.seats.book import OURS
from referee.extras.seats.figures import left_for
from referee.extras.seats.gathering import NOTHING, Move, Part, What
from referee.extras.seats.pages.context import phone_digest, seat_book
from referee.extras.seats.table import AtTable, current_name
from referee.ledger.chain import read_mark
from referee.ledger.store import Glance, Link
from referee.rules.text import say
from referee.sheets.hosting import require
from referee.sheets.sheet import OpenSheet
from referee.web.context import book, glance_at, phone_name
from referee.web.forms.sent import key_of, new_key

blueprint = Blueprint(
    "seats", __name__, url_prefix="/s/<token>/seat", template_folder="../templates"
)

Answer = str | tuple[str, int] | Response | AnyResponse


class Here(Struct, frozen=True):
    """A request about a seat: the link, the table as it is now, and the players on this phone.

    `player` is whom it is about: the one `wanted`, if this phone may act for them, else the first
    of `mine`; "" if this phone has no seat yet.
    Of `mine`, the one to act comes first, then who is due, and whoever is out last.
    """

    link: Link
    glance: Glance
    at: AtTable
    mine: Sequence[str]
    wanted: str
    player: str

    @property
    def sheet(self) -> OpenSheet:
        """The sheet."""
        return self.at.sheet

    @property
    def plays(self) -> bool:
        """Whether the player has a seat at the table: the last deal may have put them out."""
        return self.player in self.sheet.state.table.players

    @property
    def figure(self) -> Part | None:
        """The player’s figure, sent or withdrawn; None unless this phone may show it.

        The phone that sent it may, and scorekeepers while those in conflict stand by theirs.
        """
        deal = self.at.deal
        shows = deal.phones.get(self.player) == phone_digest() != ""
        if not shows and self.link.allows("score") and self.player in deal.claims:
            shows = seat_book().clash(self.at) is not None
        return deal.sent.get(self.player) if shows else None

    @property
    def left(self) -> int | None:
        """The number left for the player by all others; only before this phone has sent one."""
        if self.player not in self.mine or phone_digest() in self.at.deal.phones.values():
            return None
        return left_for(self.sheet, self.at.deal, self.player)

    @property
    def is_played(self) -> bool:
        """Whether the deal for which the page was opened, if it says which, is still played."""
        return request.values.get("deal", "") in ("", str(self.at.number))

    def moved_on(self, after: str) -> bool:
        """Whether anything but notes was written since that row, if the page said which it was."""
        seen = read_mark(after) or self.sheet.mark
        later = self.sheet.history[seen.seq :]
        return self.sheet.rows_since(seen) is None or not all(row.remark for row in later)


def here(token: str) -> Here:
    """The state that a request is about; answers 403 for a view-only link."""
    glance = glance_at(token)
    require(glance.link, "play")
    link = replace(glance.link, by=phone_name())
    at = seat_book().at_table(book().open(link, glance.mark))
    players, acts = at.sheet.state.table.players, at.sheet.board.acts
    due, mine = {*at.due, *at.asking}, at.taken.of(phone_digest())
    mine.sort(key=lambda one: (one not in players, one != acts, one not in due))
    name = request.values.get("seat_of", "") or request.args.get("player", "")
    seen = read_mark(request.form.get("after", ""))  # an older page may have a former name
    since = seen.seq if seen else at.sheet.seq if name in players else 0
    wanted = current_name(at.sheet, name, since)
    allowed = wanted in mine or (link.allows("score") and wanted in players)
    player = wanted if allowed else next(iter(mine), "")
    return Here(link, glance, at, mine, wanted, player)


def seated(token: str) -> Here:
    """As `here`; answers 409 if the form is about a seat that this phone doesn’t have."""
    now = here(token)
    is_out = not now.plays and request.form.get("deal") == str(now.at.number)
    if not now.player or is_out or now.wanted not in ("", now.player):
        abort(409, str(say("Your seat isn’t on this phone. Take it first.")))
    return now


def form_key() -> str:
    """The key of the form; a new one without script: saying a thing twice changes nothing here."""
    return key_of(request.form) if request.form.get("key") else new_key()


def move_of(now: Here, what: What, part: Part = NOTHING) -> Move:
    """A move at the seat, made by its own phone or by a scorekeeper for it."""
    if now.player in now.mine:
        return replace(now.at.move(now.player, what, phone_digest()), part=part)
    by = now.link.by or min(now.mine, default="")
    return replace(now.at.move(now.player, what), part=part, by=by)


def note(now: Here, move: Move) -> None:
    """Store this move; answers 422 if it is one too many, or too long."""
    seat_book().note(now.link, move, form_key(), now.at.newest)


def note_once(now: Here, player: str, what: What, phone: str = "") -> None:
    """Note whether a phone has its pad open; once, even if several requests find that out."""
    key = f"{what}{OURS}{now.at.newest} {player} {phone}"
    seat_book().note(now.link, now.at.move(player, what, phone), key)
