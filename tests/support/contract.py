"""The contract of a game: `lacks` lists, in sentences, what a new game is still missing."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from inspect import isfunction
from pathlib import Path
from typing import Any
from unittest.mock import patch

from jinja2 import Environment, nodes
from msgspec import Struct, to_builtins

from referee.rules.core.asking import fields_in
from referee.rules.core.definition import GameDefinition
from referee.rules.core.entries import Entry, NotRead, SomeByPlayer
from referee.rules.core.game import AnyGame, Game
from referee.rules.core.ruling import SHARED_SECTIONS, Fault, RefereeError
from referee.sheets.files import play_through, sheet_from
from referee.web.forms.fields import Field, fields_of
from tests.support.cases import sheet_file
from tests.support.game_lists import own_actions, unlisted
from tests.support.some_deals import DEALS

ROOT = Path(__file__).parents[2]

#: Attributes that describe a game, with their purpose.
SAYS: dict[str, str] = {
    "slug": "its name in addresses and files",
    "title": "its name",
    "summary": "a sentence for choosing a game",
    "sources": "where its rules come from, with what was taken from there",
    "sections": "the parts of its rules page, by anchor",
}
#: The methods that every game has, and no other.
MUST_SAY = GameDefinition.__abstractmethods__
_TEMPLATES = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
#: The macros that show cards on a rules page.
CARD_MACROS = ("hand", "examples", "worth")
#: The single tables in a game's cases, with what each holds.
TABLES: dict[str, str] = {
    "deal": "one that “winner” wins and “others” lose",
    "example": "a whole sheet, and the result it comes to",
    "filled_in": "a deal filled in on the page, and what it scores",
    "usual": "how a deal is tapped, and the taps that it takes at most",
}
#: Needs no model of its number keys, as its form counts what is missing.
COUNTS_BY_ITSELF = "multiple-9-holdem"
#: The macros that make a form; their first argument is the entry's action.
FORM_MACROS = ("asks", "one_tap", "entry_form", "tap_form")


def lacks(game: AnyGame, root: Path = ROOT) -> list[str]:
    """What `game` lacks, one sentence each, without repeats; its files are below `root`."""
    found = [
        *_words(game),
        *_house_rules(game),
        *_judges(game),
        *_entry_template(game, root),
        *_line_template(game, root),
        *_rules_template(game, root),
        *_cases(game, root),
        *_files(game, root),
        *unlisted(game, root),
    ]
    return list(dict.fromkeys(found))


# --- the game's own texts


def _words(game: AnyGame) -> Iterator[str]:
    for name, what in SAYS.items():
        if not getattr(game, name, None):
            yield f"It has no `{name}`: {what}."
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", game.slug):
        yield f"Its slug “{game.slug}” is more than small letters and digits with dashes."
    for source in getattr(game, "sources", ()):
        if not (source.name and source.took):
            yield "A source lacks its name, or what was taken from it."
    for key, heading in getattr(game, "sections", {}).items():
        if not heading:
            yield f"Its section “{key}” has no heading."
    for key, words in game.counters.pools.items():
        if not words:
            yield f"Its pool “{key}” has no name."
    for name, ours in {**vars(GameDefinition), **vars(Game)}.items():
        if name in vars(type(game)) and isfunction(ours) and name not in MUST_SAY:
            yield f"It has a `{name}` of its own, where only its parts may differ from other games."


def _house_rules(game: AnyGame) -> Iterator[str]:
    for described in fields_of(game.house_rules):
        where = f"The house rule `{described.name}`"
        yield from _unasked(game.house_rules, described, where)
        if described.required:
            yield f"{where} has no default."
        elif described.default is None and not described.asked.usual:
            yield f"{where} does not say what it comes to where it is left empty: `usual`."
        if not described.asked.about:
            yield f"{where} does not say what it settles: `about`."


def _judges(game: AnyGame) -> Iterator[str]:
    for judge in game.judges.values():
        where = f"The judge “{judge.name}”"
        if not judge.title:
            yield f"{where} has no words: its `title` asks the question."
        if judge.section not in getattr(game, "sections", {}):
            yield f"{where} rests on the section “{judge.section}”, which `sections` lacks."
        for described in fields_of(judge.question):
            if described.name not in game.house_rules.__struct_fields__:
                yield from _unasked(judge.question, described, f"The field `{described.name}`")


def _unasked(struct: type[Struct], described: Field, where: str) -> Iterator[str]:
    """Words that a page needs to ask for this field of `struct`, and that are missing."""
    asked = next(kinds[0].asked for one, kinds in fields_in(struct) if one.name == described.name)
    if asked is None or not asked.title:
        yield f"{where} has no words: `asked(title, …)`."
    for value, _ in described.choices:
        if asked is not None and not value.isdecimal() and value not in asked.choices:
            yield f"{where} has no words for its choice “{value}”."


# --- its templates


def _entry_template(game: AnyGame, root: Path) -> Iterator[str]:
    template = _template(game, root, "entry.html")
    if template is None:
        yield _no_template(game, "entry.html", "the forms of its entries")
        return
    made = {
        form
        for call in template.find_all(nodes.Call)
        if _called(call) in FORM_MACROS
        for form in _constants(call.args[:1])
    }
    for action in own_actions(game):
        if action not in made:
            yield f"entry.html has no form for the entry “{action}”."


def _line_template(game: AnyGame, root: Path) -> Iterator[str]:
    template = _template(game, root, "line.html")
    if template is None:
        yield _no_template(game, "line.html", "an entry in a sentence")
        return
    told = set(_constants(template.find_all(nodes.Const)))
    for action in own_actions(game):
        if action not in told:
            yield f"line.html has no sentence for the entry “{action}”."
    if "sheet/_shared_line.html" not in told:
        yield "line.html does not include sheet/_shared_line.html for the entries of every game."


def _rules_template(game: AnyGame, root: Path) -> Iterator[str]:
    template = _template(game, root, "rules.html")
    if template is None:
        yield _no_template(game, "rules.html", "a minute’s reading, and a part a section")
        return
    calls = list(template.find_all(nodes.Call))
    if "minute" not in map(_called, calls):
        yield "rules.html has no minute’s reading: `r.minute`."
    if _deals_cards(game) and not any(_called(call) in CARD_MACROS for call in calls):
        yield "rules.html shows no cards: `r.examples`, `r.worth`, or `m.hand`."
    parts = [key for call in calls if _called(call) == "part" for key in _constants(call.args[1:2])]
    sections = getattr(game, "sections", {})
    for key in sections:
        if key not in parts:
            yield f"rules.html has no part for the section “{key}”."
    for key in parts:
        if key not in sections:
            yield f"rules.html has a part “{key}”, which `sections` lacks."


def _deals_cards(game: AnyGame) -> bool:
    players = game.seats(game.house_rules())[0]
    return bool(game.judges["deal"].answer({"players": players}).detail["deck"])


def _template(game: AnyGame, root: Path, name: str) -> nodes.Template | None:
    path = root / "templates/games" / game.slug / name
    return _TEMPLATES.parse(path.read_text(encoding="utf-8")) if path.is_file() else None


def _no_template(game: AnyGame, name: str, what: str) -> str:
    return f"templates/games/{game.slug}/{name} is missing: {what}."


def _called(call: nodes.Call) -> str:
    return getattr(call.node, "attr", getattr(call.node, "name", ""))


def _constants(found: Iterable[nodes.Node]) -> list[str]:
    return [str(node.value) for node in found if isinstance(node, nodes.Const)]


# --- its cases and its example


def _cases(game: AnyGame, root: Path) -> Iterator[str]:
    path = root / f"tests/cases/{game.slug}.toml"
    if not path.is_file():
        yield f"tests/cases/{game.slug}.toml is missing: the rulings of the game."
        return
    cases = tomllib.loads(path.read_text(encoding="utf-8"))
    checks, sheets = cases.get("check", []), cases.get("sheet", [])
    asked = {check["judge"] for check in checks}
    for name in game.judges:
        if name not in asked:
            yield f"No case asks the judge “{name}”."
    entries = [entry for sheet in sheets for entry in sheet.get("entries", [])]
    played = {str(entry.get("action")) for entry in entries if isinstance(entry, dict)}
    refused = [one["entry"] for one in cases.get("wrong", []) if isinstance(one["entry"], dict)]
    wrong = {entry.get("action") for entry in refused}
    for action in own_actions(game):
        if action not in played:
            yield f"No case plays the entry “{action}”."
        if action not in wrong:
            yield f"No case has an entry “{action}” with several things wrong: a `[[wrong]]`."
    shown = {page["judge"] for page in cases.get("page", [])}
    for name in game.judges:
        if name not in {*shown, "deal"}:
            yield (
                f"No case has the page of the judge “{name}”: a `[[page]]` with the cards that are "
                "`drawn`, or what it `says` without any."
            )
    if not game.named_by_players:
        yield from _rules_of_its_sources(game, cases)
    yield from _single_tables(game, cases, root)
    yield from _asked_outright(game, sheets)
    for fault in [*_faults_of_checks(game, checks), *_faults_of_sheets(game, sheets)]:
        if fault.section not in (game.sections if fault.game else SHARED_SECTIONS):
            among = "sections" if fault.game else "SHARED_SECTIONS"
            yield f"A fault names the section “{fault.section}”, which `{among}` lacks."


def _single_tables(game: AnyGame, cases: dict[str, Any], root: Path) -> Iterator[str]:
    for name, what in TABLES.items():
        if name not in cases and not (name == "deal" and game.slug in DEALS):
            yield f"Its cases have no `[{name}]`: {what}."
    path = root / "templates/games" / game.slug / "entry.html"
    entry = path.read_text(encoding="utf-8") if path.is_file() else ""
    keys = "_keys(" in entry.replace("card_keys(", "")
    if keys and "numbers" not in cases and game.slug != COUNTS_BY_ITSELF:
        yield "Its cases have no `[numbers]`: the keys for the numbers of its form."


def _rules_of_its_sources(game: AnyGame, cases: dict[str, Any]) -> Iterator[str]:
    """Sections and judges without a rule of a source that are not listed in `beyond`."""
    rules, beyond = cases.get("rule", []), cases.get("beyond", {})
    told = {rule["page"][0] for rule in rules if "page" in rule} | set(beyond.get("sections", ()))
    for section in getattr(game, "sections", {}):
        if section not in told:
            yield f"No `[[rule]]` of its sources is in the section “{section}” (or `beyond`)."
    named = {rule.get("case") for rule in rules}
    asked = {check["judge"] for check in cases.get("check", ()) if check["from"] in named}
    for name in game.judges:
        if name not in {"deal", *asked, *beyond.get("judges", ())}:
            yield f"No `[[rule]]` has a case that asks the judge “{name}” (or `beyond`)."


def _asked_outright(game: AnyGame, sheets: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Rules that use `points[player]`, and so fail if one player’s points are unreadable.

    Each entry by player is played with the values of one after another unreadable.
    """
    asked = set[str]()

    def noted(values: SomeByPlayer, player: str) -> None:
        asked.add(player)
        raise NotRead(player)

    with patch.object(SomeByPlayer, "__missing__", noted):
        for case in sheets:
            try:
                sheet = sheet_from(sheet_file(game.slug, case))
                state = game.start(sheet.table)
                for entry in sheet.entries:
                    yield from _outright(game, state, entry, asked)
                    state, _ = game.apply(state, entry)
            except RefereeError:  # as the case says; the entries before are enough
                continue


def _outright(game: AnyGame, state: Any, entry: Entry, asked: set[str]) -> Iterator[str]:
    value = to_builtins(entry)
    for field, by_player in value.items():
        for player in by_player if isinstance(by_player, dict) else ():
            asked.clear()
            with suppress(RefereeError):
                game.read_entry(value | {field: by_player | {player: None}}, before=state)
            if asked:
                yield (
                    f"A rule of “{value['action']}” asks for the `{field}` of a player outright; "
                    "where these can’t be read it ends there. Ask by `.get`, or for `all_read`."
                )


def _faults_of_checks(game: AnyGame, checks: Iterable[dict[str, Any]]) -> Iterator[Fault]:
    for check in checks:
        if check["judge"] in game.judges:
            try:
                yield from game.judges[check["judge"]].answer(check["ask"]).faults
            except RefereeError as error:
                yield from error.faults


def _faults_of_sheets(game: AnyGame, sheets: Iterable[dict[str, Any]]) -> Iterator[Fault]:
    for case in sheets:
        try:
            sheet = sheet_from(sheet_file(game.slug, case))
            play_through(sheet.game, sheet.table, sheet.entries)
        except RefereeError as error:
            yield from error.faults


def _files(game: AnyGame, root: Path) -> Iterator[str]:
    path = root / f"tests/examples/{game.slug}.json"
    if not path.is_file():
        yield f"{path.relative_to(root)} is missing: its example, written by `--snapshot-update`."
    for name in (game.slug, f"{game.slug}-entries", f"{game.slug}-rules"):
        if not (root / f"tests/snapshots/{name}.txt").is_file():
            yield f"tests/snapshots/{name}.txt is missing: its sentences, as they were read aloud."
