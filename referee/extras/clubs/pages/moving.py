"""Move games into a club or out of it: what that would change, doing it, and undoing it."""

from collections.abc import Iterable, Iterator, Sequence

from babel.dates import format_time
from flask import Blueprint, abort, make_response, request
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from referee.extras.clubs.counted import Counted
from referee.extras.clubs.figures import Figures, counted
from referee.extras.clubs.games import game_title
from referee.extras.clubs.moving import BEGUN, Plan
from referee.extras.clubs.opened import open_by_number
from referee.extras.clubs.pages.context import club_state
from referee.extras.clubs.records import called
from referee.ledger.errors import MovedOnError
from referee.ledger.store import Link, new_token
from referee.rules.core.ruling import Fault, MalformedEntry
from referee.rules.language import spoken
from referee.rules.text import Text, say
from referee.sheets.hosting import NotAllowed, require
from referee.sheets.sheet import OpenSheet
from referee.sheets.summaries import Summary
from referee.web.answers.pages import Shown, render
from referee.web.context import book, link_of, onward, state, writer
from referee.web.forms.decode import form_fault
from referee.web.phone import add_to_list, give_list, opened, remember, this_phone
from referee.web.serving.routes import LONG, declares
from referee.web.view.filters import local_time

sheet_blueprint = Blueprint("sheet_club", __name__, url_prefix="/s/<token>/club")

MOST_COMPUTED = 500  # sheets; for a club with more, effects aren't computed
SHOWN_OF_EACH = 3  # debts, payments and records each
#: Values that a form may send instead of a club's link.
NEW, OUT = "new", "out"
_NOT_YET = 0  # the number of a club that is still to be begun


class Choice(Struct, frozen=True):
    """Games that can be moved together: one, or those of its evening that this phone hosts.

    `of` is the number of games in the evening, 0 if this is one game.
    """

    links: list[Link]
    sheets: list[Summary]
    of: int = 0

    @property
    def times(self) -> tuple[str, str]:
        """When the first game began and the last one changed: "2:05 PM", "10:40 PM"."""
        latest = max(self.sheets, key=lambda one: one.changed)
        return _hour(self.sheets[0].begun), _hour(latest.changed)

    @property
    def players(self) -> list[str]:
        """Everybody who played, as first seated."""
        return list(dict.fromkeys(name for one in self.sheets for name in one.players))


class Target(Struct, frozen=True):
    """Where games can be moved: to a club, a new one, or out; forms name it by `value`."""

    value: str
    name: str = ""
    link: Link | None = None

    @property
    def into(self) -> int | None:
        """The number of the club; None for none."""
        return _NOT_YET if self.value == NEW else self.link.document if self.link else None


class Effect(Struct, frozen=True):
    """The effect of a move on a club: how its number of games changes, and what it loses.

    Then it has `games`, and `leader` leads; `fewer` is the person who loses most wins, with their
    wins then and now. `settled` is how many of the games stay settled there.
    """

    name: str
    change: int = 0
    settled: int = 0
    games: int | None = None
    leader: str = ""
    fewer: tuple[str, int, int] | None = None
    records: tuple[tuple[Text, str, Text], ...] = ()


# --- which games, and where


def _choices(link: Link) -> list[Choice]:
    """The choices of a sheet's host: what can be moved."""
    together = [
        sheet
        for sheet in state().evenings.together(link.document)
        if book().trash.of(sheet) is None
    ]
    hosted = _hosted(link, together)
    found = [Choice([link], _summaries([link]))]
    if len(hosted) > 1:
        found.append(Choice(hosted, _summaries(hosted), len(together)))
    return found


def _hosted(link: Link, sheets: Iterable[int]) -> list[Link]:
    """The links by which this phone hosts any of these sheets."""
    own = {**opened().sheets, link.document: link}
    return [own[one] for one in sheets if one in own and own[one].allows("host")]


def _summaries(links: list[Link]) -> list[Summary]:
    return book().summaries.of([one.document for one in links])


def _hour(at: str) -> str:
    moment = local_time(at)
    return format_time(moment, "short", locale=spoken().locale) if moment else at


def _targets(*, out: bool) -> list[Target]:
    """Where this phone can move games; `out` of their club only if they are in one."""
    found = [
        Target(link.token, _name(link.document), link)
        for link in opened().of("club").values()
        if link.allows("score") and book().trash.of(link.document) is None
    ]
    return [*found, *([Target(OUT)] if out else []), Target(NEW)]


def _name(club: int) -> str:
    return open_by_number(state().ledger, club).name


def _counted(club: int) -> Counted | None:
    """The current figures of a club; None for a large one."""
    now = club_state().clubs.counts.at_once(open_by_number(state().ledger, club))
    return now if now and len(now.sheets) <= MOST_COMPUTED else None


# --- what it would change


def effects_of(plan: Plan, target: Target) -> list[Effect]:
    """The effect on the club that the games join, and on those that they leave.

    For a club that this phone has not opened, only its name.
    """
    found = []
    if plan.into is not None:
        effect = Effect(target.name, len(plan.seen))
        known = _counted(plan.into) if plan.into != _NOT_YET else None
        if known or plan.into == _NOT_YET:
            games, notes = (known.games, known.notes) if known else ([], [])
            then = counted([*games, *plan.games], notes)
            leader = next((then.name(row.person) for row in then.ranking()), "")
            effect = replace(effect, games=len(then.games), leader=leader)
        found.append(effect)
    for club, sheets in plan.leaving.items():
        if club is not None:
            effect = Effect(_name(club), -len(sheets))
            known = _counted(club) if club in opened().of("club") else None
            if known is not None:
                stay = [game for game in known.games if game.sheet not in plan.seen]
                effect = _with_losses(effect, known.figures, counted(stay, known.notes))
            found.append(effect)
    found += [Effect(_name(club), settled=games) for club, games in plan.settled.items()]
    return found


def _with_losses(effect: Effect, now: Figures, then: Figures) -> Effect:
    """The effect with what the club loses, by its figures now and after the move."""
    has, keeps = ({person: seen[-1].wins for person, seen in of.seen.items()} for of in (now, then))
    losses = {person: wins - keeps.get(person, 0) for person, wins in has.items()}
    most = max(losses, key=lambda person: losses[person], default="")
    fewer = (now.name(most), keeps.get(most, 0), has[most]) if losses.get(most) else None
    return replace(effect, fewer=fewer, records=tuple(_records_lost(now, then)))


def _records_lost(now: Figures, then: Figures) -> Iterator[tuple[Text, str, Text]]:
    """The records that a club loses: name, game, and whose the record is after the move."""
    for contest, records in now.records.items():
        for name, (*_, held) in records.items():
            after = then.records.get(contest, {}).get(name, ())[-1:]
            if after == (held,):
                continue
            player, figure = now.name(held.person), held.figure
            if after:
                says = say(
                    "{player}’s {figure} moves with the game, and the record is {other}’s "
                    "then, with {next}.",
                    player=player,
                    figure=figure,
                    other=then.name(after[0].person),
                    next=after[0].figure,
                )
            else:
                says = say(
                    "{player}’s {figure} moves with the game, and nobody has the record then.",
                    player=player,
                    figure=figure,
                )
            yield called(contest)[name], game_title(now.keys[contest.kind]), says


# --- the pages


class OfSheetPage(Shown, frozen=True):
    """The club of a sheet: its `name`, and this phone’s own link to it.

    For its host also what can be moved and where, and what the chosen move would change, with
    `shown` lines of each kind at most. `undoes` is the move that can be undone; `together` is how
    many games it moved.
    """

    templates = ("clubs/of_sheet.html",)
    token: str
    sheet: OpenSheet
    name: str
    club: Link | None
    may_take_out: bool
    choices: Sequence[Choice]
    chosen: Choice | None
    targets: Sequence[Target]
    target: Target | None
    plan: Plan | None
    effects: Sequence[Effect] | None
    undoes: str
    together: int
    shown: int
    faults: Sequence[Fault]
    typed: str
    key: str


@sheet_blueprint.get("")
@declares(LONG)
def of_sheet(token: str) -> AnyResponse:
    """The club of a sheet; for its host, where it can be moved, and what that would change."""
    answer = make_response(_page(token))
    return give_list(answer) if link_of(token).allows("host") else answer  # see `keep`


def _page(token: str, faults: tuple[Fault, ...] = (), status: int = 422) -> str | tuple[str, int]:
    link, asked = link_of(token), request.values
    last = club_state().moving.last(link.document)
    own, is_host = opened().of("club").get(last.club or 0), link.allows("host")
    choices = _choices(link) if is_host else []
    targets = _targets(out=last.club is not None) if is_host else []
    chosen = choices[-1 if asked.get("all") == "yes" else 0] if choices else None
    target = next((one for one in targets if one.value == asked.get("club")), None)
    if target is None and targets and (last.club is None or "all" in asked):
        target = targets[0]
    plan = effects = None
    if chosen and target:
        plan = club_state().moving.plan([one.document for one in chosen.links], target.into)
        effects = effects_of(plan, target) if plan.seen else None
    page = OfSheetPage(
        token=token,
        sheet=book().open(link),
        name=_name(last.club) if last.club is not None else "",
        club=own,
        may_take_out=not is_host and own is not None and own.allows("host"),
        choices=choices,
        chosen=chosen,
        targets=targets,
        target=target,
        plan=plan,
        effects=effects,
        undoes=_undoes(link, last.move),
        together=len(club_state().moving.moved_by(last.move)) if "moved" in request.args else 1,
        shown=SHOWN_OF_EACH,
        faults=faults,
        typed=request.form.get("name", ""),
        key=new_token(),
    )
    return (render(page), status) if faults else render(page)


def _undoes(link: Link, move: str) -> str:
    """The last move of a sheet, if its host may undo it; else ""."""
    moved = club_state().moving.moved_by(move)
    return move if moved and len(_hosted(link, moved)) == len(moved) else ""


@sheet_blueprint.get("/records")
def records(token: str) -> AnyResponse:
    """Redirect to the records of the sheet’s club, by this phone’s own link, if it has one."""
    club = club_state().clubs.of(link_of(token).document)
    own = opened().of("club").get(club or 0)
    if own is None:
        return onward("sheet_club.of_sheet", token=token)
    return onward("club.records", token=own.token)


def _new_club() -> tuple[str, str]:
    """The name of a new club, and the key of the form."""
    return request.form.get("name", ""), request.form.get("key", "")


def _begun_before(sheet: Link) -> Link | None:
    """The club that this form has begun already, if it is sent again."""
    begun = club_state().clubs.begun(*_new_club())
    here = club_state().moving.last(sheet.document).club
    return begun if begun and begun.document == here else None


@sheet_blueprint.post("")
@declares(LONG)
def put(token: str) -> AnyResponse | str | tuple[str, int]:
    """Do what the page has announced, unless its effect has changed since."""
    link = writer(token)
    require(link, "host")
    choice = _choices(link)[-1 if request.form.get("all") == "yes" else 0]
    asked = request.form.get("club", "")
    target = next((one for one in _targets(out=True) if one.value == asked), None)
    if target is None:
        abort(404, str(say("This link doesn’t lead to a club.")))
    plan = club_state().moving.plan([one.document for one in choice.links], target.into)
    if not plan.seen:  # it was done before
        return onward("sheet_club.of_sheet", token=token)
    done = onward("sheet_club.of_sheet", token=token, moved="yes")
    begun = None
    try:
        if request.form.get("mark") != plan.mark:
            raise MovedOnError(len(plan.seen))
        if target.value == NEW:
            with club_state().new_clubs.one_more(this_phone()):
                begun = club_state().clubs.begin(*_new_club())
                add_to_list(begun.token)
            target, plan = replace(target, link=begun), replace(plan, into=begun.document)
        club_state().moving.move(plan, BEGUN if target.value == NEW else "")
    except MalformedEntry as error:
        return _page(token, tuple(error.faults))
    except MovedOnError:
        if before := _begun_before(link):
            return remember(done, before.token)
        if begun:  # the next tap begins another
            book().trash.put(begun)
        says = say("Meanwhile something has changed. See what it would be now, and tap again.")
        return _page(token, (form_fault("moved-on", says),), 409)
    return remember(done, target.link.token) if target.link else done


@sheet_blueprint.post("/undo")
@declares(LONG)
def undo(token: str) -> AnyResponse:
    """Undo a move."""
    link, move = writer(token), request.form.get("move", "")
    if club_state().moving.moved_by(move):  # else it was undone before
        if not _undoes(link, move):
            raise NotAllowed("host")
        club_state().moving.undo(move)
    return onward("sheet_club.of_sheet", token=token)
