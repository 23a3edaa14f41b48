"""Ask the referee: choose a game and a question, and tap the cards; and the pages of rules."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal

from flask import Blueprint, abort, make_response, request, url_for
from msgspec import Struct
from msgspec.structs import asdict, replace
from werkzeug.wrappers import Response

from referee.rules.core.game import AnyGame
from referee.rules.core.judge import Advice, Judge, Known
from referee.rules.core.ruling import Fault, RefereeError, Ruling
from referee.rules.registry import GAMES
from referee.rules.text import Text, number, say
from referee.sheets.sheet import OpenSheet
from referee.web.answers.pages import Shown, render
from referee.web.context import asks_for_a_part, book, game_or_404, sheet_of
from referee.web.extras import CardsField, pad_or_400, page_of_key
from referee.web.forms.decode import as_sent, filled_in, keys_of
from referee.web.forms.drawer import NO_CARD, Drawer, People, Place, drawer_of, people_of
from referee.web.forms.fields import Field, asked_for, fields_of
from referee.web.forms.taps import Form, in_rows, tapped
from referee.web.phone import give_list, this_phone
from referee.web.view.felt import Group, Held, groups_on

blueprint = Blueprint("referee", __name__)

#: A path on this host: browsers take "//" and "/\\" for another host, and skip blanks.
_OWN_PLACE = re.compile(r"/(?![/\\])[^\x00-\x20\\]*")

#: The "=" at the end of a field or turn, before the card that is meant has been tapped.
_STILL_TO_BE_TAPPED = re.compile(r"=(?=\s*(?:;|$))")

#: Kinds of fields that have a value from the start, so that on their own they ask nothing.
_ANSWERED = ("switch", "choice", "select", "number")


class Answer(Struct, frozen=True):
    """The answer on the page: the ruling, or if there is none, why the form cannot be read."""

    ruling: Ruling | None
    faults: tuple[Fault, ...]
    advice: Advice | None = None


class Verdict(Struct, frozen=True):
    """The answer in one line: its `look`, the `mark` in the ring beside it, its `heading`, and why.

    Without a `mark` the ring has the sign of the look. `section` is the section of the rules cited
    with what it `says`, "" if each of the `faults` cites its own. Tapping a card in `would` makes
    the play legal.
    """

    look: Literal["yes", "no", "wait"]
    heading: Text
    mark: str = ""
    says: Sequence[Text] = ()
    section: str = ""
    faults: Sequence[Fault] = ()
    would: Sequence[str] = ()


class AllGamesPage(Shown, frozen=True):
    """All games, to choose one for a question or for its rules."""

    templates = ("site/referee/games.html", "site/all_rules.html")
    games: Collection[AnyGame]


class QuestionsPage(Shown, frozen=True):
    """The questions about a game, at a sheet if there is one."""

    templates = ("site/referee/questions.html",)
    game: AnyGame
    sheet: OpenSheet | None
    token: str


class RulesPage(Shown, frozen=True):
    """The rules of a game, the way `back`, and the sheet from which they were opened, or ""."""

    templates = ("site/rules.html",)
    game: AnyGame
    token: str
    back: str


class CountedPage(Shown, frozen=True):
    """The answer about a hand, beside its field in another form."""

    templates = ("site/referee/counted.html",)
    answer: Answer


class AskPage(Shown, frozen=True):
    """A question with its form and answer, or only what changes with the answer.

    `at` is the open place of the drawer. `cards` is how many cards are in none of the `groups`;
    `advised` are the groups that would be right.
    """

    templates = ("site/referee/ask.html", "site/referee/ruling.html")
    game: AnyGame
    judge: Judge
    sheet: OpenSheet | None
    token: str
    form: Form
    drawer: Drawer
    at: str
    people: People | None
    answer: Answer | None
    verdict: Verdict
    cards: int
    groups: Sequence[Group]
    advised: Sequence[Group]


@blueprint.get("/referee")
def games() -> str:
    """The page on which the game for a question is chosen."""
    return render(AllGamesPage(GAMES.values()))


@blueprint.get("/referee/<slug>")
@blueprint.get("/s/<token>/referee")
def questions(slug: str = "", token: str = "") -> str:
    """The page on which a question is chosen."""
    game, sheet = _asked_of(slug, token)
    return render(QuestionsPage(game, sheet, token))


@blueprint.get("/referee/<slug>/<judge>")
@blueprint.get("/s/<token>/referee/<judge>")
def ask(judge: str, slug: str = "", token: str = "") -> Response:
    """The question's form, and the ruling on what is filled in; with a sheet, by its rules."""
    sent = Form(request.args)
    shown = page_of_key(sent, partial(field_of_question, judge, slug, token, sent))
    if shown is None:
        game, sheet = _asked_of(slug, token)
        shown = _ruling_page(_judge(game, judge), game, sheet, token)
    page = make_response(shown)
    # The list identifies the phone to rate limits.
    return page if token or this_phone() else give_list(page)


def _asked_of(slug: str, token: str) -> tuple[AnyGame, OpenSheet | None]:
    """The game that a question is about, and the sheet at which it is asked, if any."""
    sheet = sheet_of(token) if token else None
    return sheet.game if sheet else game_or_404(slug), sheet


@blueprint.get("/rules")
def all_rules() -> str:
    """The page of all games, with links to their rules."""
    return render(AllGamesPage(GAMES.values()), "site/all_rules.html")


@blueprint.get("/rules/<slug>")
def rules(slug: str) -> str:
    """The rules of a game; its back link is `back`, or else the sheet, or the game’s questions."""
    game, back = game_or_404(slug), request.args.get("back", "")
    token = request.args.get("sheet", "")
    if not token or book().ledger.link(token) is None:
        token = ""
    if not _OWN_PLACE.fullmatch(back):
        more = token and url_for("sheet.more", token=token)
        back = more or url_for("referee.questions", slug=slug)
    return render(RulesPage(game, token, back))


def field_of_question(judge: str, slug: str, token: str, sent: Form, name: str) -> CardsField:
    """The field for cards with this `name` in the form of a question."""
    game, sheet = _asked_of(slug, token)
    asked = _judge(game, judge)
    rules = sheet.table.options if sheet else game.house_rules()
    players = len(sheet.table.players) if sheet else max(game.seats(rules))
    return CardsField(
        form_at=url_for("referee.ask", judge=judge, slug=slug or None, token=token or None),
        name=name,
        pad=pad_or_400(keys_of(name, asked.question)),
        title=asked.title,
        packs=game.deals.packs(rules, players),
        sent=sent,
        method="get",
    )


def _judge(game: AnyGame, name: str) -> Judge:
    if name not in game.judges:
        abort(404, str(say("{game} has no such question.", game=game.title)))
    return game.judges[name]


def _ruling_page(judge: Judge, game: AnyGame, sheet: OpenSheet | None, token: str) -> str:
    sent = Form(request.args)
    form = tapped(sent) or sent
    fields = _by_house_rules(fields_of(judge.question), sheet)
    for field in fields:
        if field.kind == "places" and field.name in form:  # each tick is sent separately
            form[field.name] = " ".join(form.getlist(field.name))
    known = judge.known(sheet.course.state) if sheet and not sent else {}
    for name, value in known.items():
        if isinstance(value, str):
            form[name] = value
    if about := form.poplist("about"):
        elsewhere = Form({**_defaults(fields), **_elsewhere(fields, about, form)})
        return render(CountedPage(_answer(judge, elsewhere)))
    for name, default in _defaults(fields).items():
        form.setdefault(name, default)
    players = sheet.course.state.table.players if sheet else ()
    options = sheet.table.options if sheet else game.house_rules()
    people = people_of(form, fields, players, game.seats(options), known)
    asked = _asks_something(fields, form, people, known)
    answer = _answer(judge, form, people) if asked else None
    cells = people.form if people else form
    drawer = drawer_of(
        asked_for(fields, form), game.house_rules.__struct_fields__, people, known=sheet is not None
    )
    held = _held(drawer.everything, cells)
    advice = answer.advice.spreads if answer and answer.advice else ()
    ruling = answer.ruling if answer else None
    laid_out = ruling.spreads if ruling else ()
    waits = any(field.required and not form.get(field.name, "").strip() for field in fields)
    cards = sum(len(cards.left) for cards in held.values())
    only_ruling = asks_for_a_part() and "do" not in form
    page = AskPage(
        game,
        judge,
        sheet,
        token,
        form=cells,
        drawer=drawer,
        at=drawer.opened(form),
        people=people,
        answer=answer,
        verdict=_no_ruling(drawer, answer, waits)
        if ruling is None
        else _verdict(judge, ruling, cards),
        cards=cards,
        groups=groups_on([one for one in laid_out if not one.upright], held),
        advised=groups_on(advice, {}),
    )
    return render(page, "site/referee/ruling.html" if only_ruling else "")


def _no_ruling(drawer: Drawer, answer: Answer | None, waits: bool) -> Verdict:
    """The verdict without a ruling; `waits`: the answer needs a field that is still empty."""
    if answer is None:
        heading = say("Tap the cards") if drawer.pad else say("Fill it in")
        return Verdict("wait", heading, "…", [say("The ruling appears here.")])
    if waits:
        return Verdict("wait", say("Not yet"), "?", faults=answer.faults)
    return Verdict("no", say("Can’t read that"), "?", faults=answer.faults)


def _verdict(judge: Judge, ruling: Ruling, cards: int) -> Verdict:
    """The verdict of a ruling on a form with this many `cards`."""
    sentences = list(ruling.says[:2] if judge.drawn else ruling.says)
    if judge.yes_or_no:
        heading = ruling.answer
    elif ruling.faults and (ruling.verdict or not sentences):
        heading = ruling.verdict or say("Not yet")
    else:
        heading = sentences.pop(0)
    if ruling.legal:
        return Verdict("yes", heading, says=sentences, section=judge.section)
    look: Literal["no", "wait"] = "no" if judge.yes_or_no and not ruling.unfinished else "wait"
    so_far = ruling.so_far if ruling.so_far is not None else cards or None
    mark = "…" if so_far is None else number(so_far)
    return Verdict(
        look,
        heading,
        mark if look == "wait" else "",
        sentences,
        section=ruling.faults[0].section if ruling.would else "",
        faults=() if ruling.would else ruling.faults,
        would=ruling.would,
    )


def _held(places: Iterable[Place], form: Form) -> dict[str, Held]:
    """The cards in each field for cards, by its name in the form."""
    found = {}
    for place in places:
        for field in place.fields:
            if field.pad is None or field.pad.column:  # a grid is not rearranged on the felt
                continue
            name = field.name if place.row is None else f"{field.name}.{place.row}"
            says = field.asked.title if place.row is None else place.tab
            text = form.get(name, "")
            cards = [] if text.strip() == NO_CARD else in_rows(text, 0)
            found[name] = Held(name, says, cards, field.pad.places)
    return found


def _asks_something(fields: list[Field], form: Form, people: People | None, known: Known) -> bool:
    """Whether enough is filled in for a ruling: someone's cards, if the question asks for them."""
    if people is not None:
        of_them = any(isinstance(value, Mapping) for value in known.values())
        return (of_them or bool(request.args)) and people.is_filled_in
    open_fields = [
        field.name
        for field in fields
        if field.kind not in _ANSWERED or (field.kind == "choice" and field.default == "")
    ]
    if not open_fields:
        return bool(request.args)
    return any(form.get(name, "").strip() for name in open_fields)


def _elsewhere(fields: list[Field], about: list[str], form: Form) -> dict[str, str]:
    """The values for the first fields of a question, taken from another kind of form.

    `about` gives for each of them the name of that form's field; for a switch, several names
    separated by blanks, all of which must be on.
    """
    answers = {}
    for field, names in zip(fields, about, strict=False):
        values = ["".join(form.getlist(name)[-1:]) for name in names.split()]
        if field.kind == "switch":
            answers[field.name] = str(all(value == "true" for value in values)).lower()
        else:
            answers[field.name] = "".join(values)
    return answers


def _defaults(fields: list[Field]) -> dict[str, str]:
    return {
        field.name: as_sent(field.default) for field in fields if field.default not in (None, "")
    }


def _answer(judge: Judge, form: Form, people: People | None = None) -> Answer:
    """The ruling on a form, with its cards and advice; or the faults of what cannot be read."""
    try:
        asked = Form(people.gathered() if people else form)
        for field in fields_of(judge.question):
            if field.pad is not None and field.pad.stands_for and field.name in asked:
                asked[field.name] = _STILL_TO_BE_TAPPED.sub("", asked[field.name])
        question = filled_in(asked, judge.question)
        ruling = judge.answer(question)
    except RefereeError as error:
        return Answer(None, error.faults)
    advice = None if ruling.legal else judge.advise(question)
    return Answer(ruling, ruling.faults, advice)


def _by_house_rules(fields: list[Field], sheet: OpenSheet | None) -> list[Field]:
    """The fields, with the sheet's house rules as defaults for those that ask about one."""
    if sheet is None:
        return fields
    known = asdict(sheet.table.options)
    known["players"] = len(sheet.course.state.table.players)
    return [
        field if known.get(field.name) is None else replace(field, default=known[field.name])
        for field in fields
    ]
