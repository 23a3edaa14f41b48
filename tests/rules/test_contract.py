"""What every game must have, and that missing parts are named."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from flask.testing import FlaskClient

from referee.rules.core.entries import EntryKind
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Options
from referee.rules.games.plain_score import PlainScore, PlainState, Scored
from referee.rules.registry import GAMES
from referee.rules.text import say
from tests.support.contract import lacks
from tests.support.unfinished_game import UnfinishedGame


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_keeps_the_contract(game: AnyGame) -> None:
    """Its words, templates, cases, example, and documents are all there."""
    found = lacks(game)
    assert not found, "\n".join([f"{game.title} is not finished.", *found])


# --- a game that lacks nearly everything

WORDS_LACKING = [
    "It has no `summary`: a sentence for choosing a game.",
    "Its slug “Half Done” is more than small letters and digits with dashes.",
    "A source lacks its name, or what was taken from it.",
    "Its section “end” has no heading.",
    "Its pool “pot” has no name.",
    "It has a `too_few` of its own, where only its parts may differ from other games.",
    "The house rule `rounds` has no words: `asked(title, …)`.",
    "The house rule `rounds` does not say what it settles: `about`.",
    "The house rule `sweep` has no words for its choice “half”.",
    "The house rule `sweep` does not say what it settles: `about`.",
    "The house rule `packs` does not say what it comes to where it is left empty: `usual`.",
    "The judge “snap” has no words: its `title` asks the question.",
    "The judge “snap” rests on the section “snaps”, which `sections` lacks.",
    "The field `cards` has no words: `asked(title, …)`.",
    "The judge “deal” rests on the section “deal”, which `sections` lacks.",
]
NOT_LISTED = [
    "README.md does not name it: `--snapshot-update` does, from the registry.",
    "docs/sheet.schema.json does not know it: make it anew, by `referee schema`.",
]
FILES_LACKING = [
    "templates/games/Half Done/entry.html is missing: the forms of its entries.",
    "templates/games/Half Done/line.html is missing: an entry in a sentence.",
    "templates/games/Half Done/rules.html is missing: a minute’s reading, and a part a section.",
    "tests/cases/Half Done.toml is missing: the rulings of the game.",
    "tests/examples/Half Done.json is missing: its example, written by `--snapshot-update`.",
    "tests/snapshots/Half Done.txt is missing: its sentences, as they were read aloud.",
    "tests/snapshots/Half Done-entries.txt is missing: its sentences, as they were read aloud.",
    "tests/snapshots/Half Done-rules.txt is missing: its sentences, as they were read aloud.",
    "docs/rules.md has no section on it.",
    "docs/sheet-format.md has no section on it.",
    *NOT_LISTED,
]


def test_the_missing_parts_of_a_game_are_named(tmp_path: Path) -> None:
    """Every missing word, section, and file, all at once."""
    assert lacks(UnfinishedGame(), tmp_path) == [*WORDS_LACKING, *FILES_LACKING]


def written(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_unfinished_files_are_not_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file is opened, and its missing parts are named."""
    game = UnfinishedGame()
    monkeypatch.setitem(GAMES, game.slug, game)
    folder = f"templates/games/{game.slug}"
    files = {
        f"{folder}/entry.html": '{% call(form) m.entry_form("clap", _("Clap"), target, form) %}'
        "{% endcall %}",
        f"{folder}/line.html": "{% trans %}It happened.{% endtrans %}",
        f"{folder}/rules.html": '{% call r.part(game, "fun") %}{% endcall %}',
        f"tests/cases/{game.slug}.toml": "",
        f"tests/examples/{game.slug}.json": "{}",
        f"tests/snapshots/{game.slug}.txt": "",
        f"tests/snapshots/{game.slug}-entries.txt": "",
        f"tests/snapshots/{game.slug}-rules.txt": "",
        "docs/rules.md": "## 1. Another Game\n",
        "docs/sheet-format.md": "### `another-game` (§1)\n",
    }
    written(tmp_path, files)
    assert lacks(game, tmp_path) == [
        *WORDS_LACKING,
        "entry.html has no form for the entry “snap”.",
        "line.html has no sentence for the entry “snap”.",
        "line.html does not include sheet/_shared_line.html for the entries of every game.",
        "rules.html has no minute’s reading: `r.minute`.",
        "rules.html shows no cards: `r.examples`, `r.worth`, or `m.hand`.",
        "rules.html has no part for the section “end”.",
        "rules.html has a part “fun”, which `sections` lacks.",
        "No case asks the judge “snap”.",
        "No case asks the judge “deal”.",
        "No case plays the entry “snap”.",
        "No case has an entry “snap” with several things wrong: a `[[wrong]]`.",
        "No case has the page of the judge “snap”: a `[[page]]` with the cards that are `drawn`, "
        "or what it `says` without any.",
        "No `[[rule]]` of its sources is in the section “end” (or `beyond`).",
        "No `[[rule]]` has a case that asks the judge “snap” (or `beyond`).",
        "Its cases have no `[deal]`: one that “winner” wins and “others” lose.",
        "Its cases have no `[example]`: a whole sheet, and the result it comes to.",
        "Its cases have no `[filled_in]`: a deal filled in on the page, and what it scores.",
        "Its cases have no `[usual]`: how a deal is tapped, and the taps that it takes at most.",
        "docs/rules.md has no section on it.",
        "docs/sheet-format.md has no section on it.",
        *NOT_LISTED,
    ]


def test_documents_with_a_heading_alone_are_not_enough(tmp_path: Path) -> None:
    """Every house rule, entry and judge must be below it, with all its fields."""
    game = UnfinishedGame()
    part = '### `Half Done` (§1)\n\nOptions: `sweep` (`"half"`), `kitty` (`1`).\n'
    rows = "| `sweep` | all, half | half |\n| `kitty` | 9 | 1 |\n"
    rules = f"## 1. Half Done\n\n### House rules\n\n{rows}\n## 2. Another\n"
    files = {"docs/rules.md": rules + "| `rounds` | 9 |\n", "docs/sheet-format.md": part}
    written(tmp_path, files)
    told = [words for words in lacks(game, tmp_path) if words.startswith("docs/")]
    assert told[:-1] == [
        "docs/rules.md does not have it in its contents.",
        "docs/rules.md has no row for its house rule `rounds`, under “House rules”.",
        "docs/rules.md has another default of its house rule `sweep`.",
        "docs/rules.md has no row for its house rule `packs`, under “House rules”.",
        "docs/rules.md has a row for `kitty`, which is none of its house rules.",
        "docs/sheet-format.md does not name its option `rounds`, with the default in brackets.",
        "docs/sheet-format.md has another default of its option `sweep`.",
        "docs/sheet-format.md does not name its option `packs`, with the default in brackets.",
        "docs/sheet-format.md names `kitty`, which is none of its options.",
        "docs/sheet-format.md has no row for its entry “snap”.",
        "docs/sheet-format.md has no row for its judge “snap”.",
    ]
    judges = "### Judges of `Half Done`\n\n| `snap` | `hand` |\n"
    written(tmp_path, {"docs/sheet-format.md": f"{part}\n| `snap` | `who` |\n\n{judges}"})
    told = [words for words in lacks(game, tmp_path) if " field" in words and "docs/" in words]
    assert told == [
        "docs/sheet-format.md does not name the field `player` of its entry “snap”.",
        "docs/sheet-format.md names `who`, which is no field of its entry “snap”.",
        "docs/sheet-format.md does not name the field `cards` of its judge “snap”.",
        "docs/sheet-format.md names `hand`, which is no field of its judge “snap”.",
    ]


class OffThePage(PlainScore):
    """A game whose faults cite a section that it does not declare."""

    sections = {"deal": say("the deal"), "end": say("the end")}


def test_cases_find_sections_that_do_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the fault is made, if a case leads to it."""
    game = OffThePage()
    monkeypatch.setitem(GAMES, game.slug, game)
    assert lacks(game) == [
        "rules.html has a part “score”, which `sections` lacks.",
        "A fault names the section “score”, which `sections` lacks.",
    ]


def test_no_page_fails_if_a_section_has_no_heading(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ruling, a rules page and a refused form can still be read."""
    game = OffThePage()
    game.sections = {}  # type: ignore[misc]  # not even the one that the judge rests on
    monkeypatch.setitem(GAMES, game.slug, game)
    rules = client.get(f"/rules/{game.slug}")
    assert rules.status_code == 200
    assert 'id="score"' in rules.text
    ruling = client.get(f"/referee/{game.slug}/deal?players=2")
    assert ruling.status_code == 200
    assert "#deal" in ruling.text
    sheet = client.post(f"/new/{game.slug}", data={"name": ["Ann", "Ben"], "dealer": "0"})
    entry = {"action": "deal", "after": "0", "key": "once", "points.0": "12", "points.1": ""}
    refused = client.post(sheet.headers["Location"] + "/entries", data=entry)
    assert refused.status_code == 422
    assert "Ben’s points are missing." in refused.text


class NoRules(Options, frozen=True, forbid_unknown_fields=True):
    target: ClassVar = 0
    deals: ClassVar = 0
    lowest_wins: ClassVar = False


def test_a_game_without_house_rules_has_no_heading_for_them(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither on its rules page nor where a sheet is begun, looked up, or changed."""
    game = PlainScore()
    game.house_rules = NoRules  # type: ignore[assignment]
    monkeypatch.setitem(GAMES, game.slug, game)
    sheet = client.post(f"/new/{game.slug}", data={"name": ["Ann", "Ben"], "dealer": "0"})
    here = sheet.headers["Location"]
    for page in (f"/rules/{game.slug}", f"/new/{game.slug}", f"{here}/more", f"{here}/settings"):
        answer = client.get(page)
        assert answer.status_code == 200
        assert "House rules" not in answer.text, page


class Outright(PlainScore):
    """A game with a rule that looks up every player’s points, read or not."""

    def own_entries(self) -> tuple[EntryKind[PlainState, Any], ...]:
        return (EntryKind(Scored, self._play_scored, self.too_many),)

    def too_many(self, state: PlainState, entry: Scored) -> Iterator[Fault]:
        for player in state.table.players:
            if player in entry.points and entry.points[player] > 1_000:
                yield Fault("too-many", say("Too many points."), self.slug, "score")


def test_a_rule_that_would_hide_faults_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If Ann’s points can’t be read, that rule would not report what is wrong with Ben’s."""
    game = Outright()
    monkeypatch.setitem(GAMES, game.slug, game)
    (found,) = lacks(game)
    assert found.startswith("A rule of “deal” asks for the `points` of a player outright;")
