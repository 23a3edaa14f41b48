"""Start a new sheet: choose the game, players, first dealer and house rules."""

import random
from collections.abc import Callable, Mapping, Sequence
from statistics import median

from flask import Blueprint, make_response, request
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.chain import Mark
from referee.ledger.store import new_token, token_of_form
from referee.rules.core.definition import seats_in_words
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import Fault, MalformedEntry
from referee.rules.core.seating import NAME_LENGTH, name_faults
from referee.rules.registry import GAMES
from referee.rules.text import Text, say
from referee.sheets.book import one_line
from referee.sheets.files import seat_table
from referee.sheets.history import Remark
from referee.sheets.news import minutes_between
from referee.web.answers.pages import Shown, render
from referee.web.context import book, game_or_404, onward, state
from referee.web.extras import BegunIn, web_parts, where_begun
from referee.web.forms.decode import filled_in
from referee.web.forms.fields import Field, asked_for, fields_of
from referee.web.forms.sent import searched_for
from referee.web.forms.taps import Form, row_moved, row_number
from referee.web.phone import give_list, remember, seen_sheets, this_phone

blueprint = Blueprint("new", __name__)

MAX_NAMES_OFFERED = 8
MANY_GAMES = 13  # from this many games on they can be searched
MAX_ROWS = 40  # for names; more than any game seats
DRAW = "lot"  # value of the button `do` that draws lots for the dealer
DRAWN = "drawn"  # the field with the name that was drawn


class GamesPage(Shown, frozen=True):
    """The games to choose from, each for how many; `minutes` are what one took on this phone."""

    templates = ("site/new_game.html",)
    games: Sequence[tuple[AnyGame, range]]
    latest: str
    minutes: Mapping[str, int]
    asked: str
    may_search: bool
    begun_in: BegunIn
    names: Sequence[str]


class NewPage(Shown, frozen=True):
    """The form of a new sheet: a row for each name, and names that are `offered`.

    `drawn` is the dealer if drawn by lot, and "" if chosen; `just_drawn`: by this very request.
    """

    templates = ("site/new_sheet.html",)
    game: AnyGame
    form: Form
    rows: Sequence[str]
    offered: Sequence[str]
    begun_in: BegunIn
    seats: Text
    may_grow: bool
    house_rules: Sequence[Field]
    faults: Sequence[Fault]
    key: str
    drawn: str
    just_drawn: bool


@blueprint.get("/new")
def choose_game() -> str:
    """The page on which a game is chosen: first the one played last, then Any Other Game.

    `q` searches the titles. Each game shows how long it took on this phone, by the median.
    """
    asked = searched_for()
    played = [one.summary for one in seen_sheets() if one.summary.game and one.trashed is None]
    latest = max(played, key=lambda sheet: sheet.changed, default=None)
    games = [game for game in GAMES.values() if asked.casefold() in str(game.title).casefold()]
    if latest:
        games.sort(key=lambda game: (game.slug != latest.slug, not game.named_by_players))
    took: dict[str, list[int]] = {}
    for sheet in played:
        if sheet.finished and (minutes := minutes_between(sheet.begun, sheet.changed)):
            took.setdefault(sheet.slug, []).append(minutes)
    page = GamesPage(
        games=[(game, game.seats(game.house_rules())) for game in games],
        latest=latest.slug if latest else "",
        minutes={slug: round(median(found)) for slug, found in took.items()},
        asked=asked,
        may_search=len(GAMES) >= MANY_GAMES,
        begun_in=where_begun(Form(request.args)),
        names=request.args.getlist("name"),
    )
    return render(page)


@blueprint.get("/new/<slug>")
def new_sheet(slug: str) -> AnyResponse:
    """The form for players, dealer and house rules; a new phone gets a list, for `RateLimit`."""
    return give_list(make_response(_new_page(game_or_404(slug), Form(request.args), ())))


@blueprint.post("/new/<slug>")
def begin(slug: str) -> AnyResponse | tuple[str, int]:
    """Begin the sheet, or apply a button of the form (`do`) and show the form again.

    If no dealer is marked on the page, one is drawn by lot.
    """
    game = game_or_404(slug)
    form = Form(request.form)
    if "do" in form:
        return make_response(_new_page(game, _rearranged(form), (), just_drawn=form["do"] == DRAW))
    names = [name.strip() for name in form.getlist("name")]
    if sum(map(bool, names)) < _least(game):
        numbered = enumerate(names, start=1)
        names = [name or str(say("Player {n}", n=row)) for row, name in numbered]
    form.setlist("name", names)
    named = [name for name in names if name]
    title = Remark("title", form.get("title", "") if game.named_by_players else "")
    try:
        named_so = one_line(title)
        options = filled_in(form, game.house_rules)
    except MalformedEntry:
        return _new_page(game, form, _all_faults(game, form, named, title)), 422
    try:
        with state().new_sheets.one_more(this_phone()):
            dealer = _dealer(form) or random.choice(named or [""])
            host = token_of_form(form.get("key", ""), f"{slug} {sorted(request.form.lists())}")
            link = book().begin(slug, named, dealer or None, options, host)
    except MalformedEntry as error:
        return _new_page(game, form, error.faults), 422
    for part in web_parts():
        part.begun(form, link)
    if named_so:
        book().remark(link, title, Mark(0), "title")
    return remember(onward("sheet.show", token=link.token), link.token)


def _all_faults(
    game: AnyGame, form: Form, named: Sequence[str], title: Remark
) -> tuple[Fault, ...]:
    """Everything wrong with a form; the number of players only if its house rules can be read."""
    house_rules = game.house_rules
    seated = _faults(lambda: seat_table(game.slug, named, None, filled_in(form, house_rules)))
    found = (*_faults(lambda: one_line(title)), *seated, *name_faults(named))
    return tuple(dict.fromkeys(found))


def _faults(check: Callable[[], object]) -> Sequence[Fault]:
    try:
        check()
    except MalformedEntry as error:
        return error.faults
    return ()


def _least(game: AnyGame) -> int:
    return game.seats(game.house_rules())[0]


def _dealer(form: Form) -> str:
    """The name marked as the first dealer, "" if no row with a name is marked."""
    row, names = row_number(form.get("dealer", "")), form.getlist("name")
    return names[row].strip() if 0 <= row < len(names) else ""


def _rearranged(form: Form) -> Form:
    """The form after one of its buttons: it adds a name or a row, moves a row, or draws lots."""
    what, _, which = form["do"].partition(":")
    after = row_moved(form, ["name"])
    names = after.getlist("name")
    if what == "add":
        free = next((place for place, name in enumerate(names) if not name.strip()), len(names))
        names[free : free + 1] = [which[:NAME_LENGTH]]
    elif what == "row":
        names.append("")
    after.setlist("name", names)
    named = [name for name in names if name.strip()]
    if what == DRAW and named:
        after[DRAWN] = random.choice(named)
        after["dealer"] = str(names.index(after[DRAWN]))
    return after


def _new_page(
    game: AnyGame, form: Form, faults: tuple[Fault, ...], *, just_drawn: bool = False
) -> str:
    """The page with the form; `just_drawn`: the marked dealer has just been drawn by lot."""
    names = form.getlist("name")[:MAX_ROWS]
    seats = game.seats(game.house_rules())
    rows = [*names, *[""] * (seats[0] - len(names))]
    known = [name for seen in seen_sheets() for name in seen.summary.players]
    begun_in = where_begun(form)
    offered = [name for name in dict.fromkeys([*begun_in.people, *known]) if name not in names]
    page = NewPage(
        game,
        form,
        rows,
        offered=offered[: max(MAX_NAMES_OFFERED, len(begun_in.people))],
        begun_in=begun_in,
        seats=seats_in_words(seats),
        may_grow=len(seats) > 1 or len(rows) < seats[0],
        house_rules=asked_for(fields_of(game.house_rules), form),
        faults=faults,
        key=new_token(),
        drawn=_dealer(form) if _dealer(form) == form.get(DRAWN) else "",
        just_drawn=just_drawn,
    )
    return render(page)
