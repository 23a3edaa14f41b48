"""A sheet that cannot be replayed disturbs no other, whatever happened to its rows."""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from msgspec import Struct

from referee.ledger.store import Ledger, Link
from referee.rules.core.ruling import IllegalEntry, Ruling, shared_fault
from referee.rules.registry import GAMES
from referee.rules.text import say
from referee.settings import Settings
from referee.sheets.audit import audit
from referee.sheets.book import Book
from referee.sheets.sheet import SickSheetError
from referee.web.app import create_app
from referee.web.context import state
from tests.support.command_line import run
from tests.support.every_route import probes, send_probes
from tests.support.phone import Phone, begin

GARBLED = "CAST(x'7b2261ff' AS TEXT)"  # bytes that are no text
#: What a disk may make of each column: an SQL expression in its place.
DAMAGES = [
    *(("entries", "seq", to) for to in ("7", "-1")),
    *(("entries", "kind", to) for to in ("'sing'", GARBLED, "'void'", "'note'", "'amend'")),
    *(("entries", "target", to) for to in ("1", "2", "99", "-1")),
    *(
        ("entries", "body", to)
        for to in (
            GARBLED, "''", "'null'", "'[]'", "'{'", "'{}'", "'{\"action\":\"sing\"}'",
            "'{\"action\":\"out\",\"player\":\"Zoe\"}'", "'{\"action\":\"out\",\"player\":7}'",
            "'{\"action\":\"turn\",\"player\":\"Ann\",\"cards\":\"Q Q Q Q Q\"}'",
            "replace(hex(zeroblob(30000)), '00', '[')",
        )
    ),
    *(
        (table, column, to)
        for table, column in (
            ("entries", "role"), ("entries", "at"), ("entries", "by"), ("entries", "key"),
            ("sheets", "at"), ("trash", "at"), ("trash", "what"), ("links", "role"),
            ("links", "at"), ("links", "token"),
        )
        for to in ("''", "'31st of March'", GARBLED, "char(10, 0, 27)", "'2026-01-01'")
    ),
    *(
        ("sheets", "head", to)
        for to in (
            GARBLED, "''", "'null'", "'{}'", "'[[]]'", "replace(head, 'multiple-9', 'whist')",
            "replace(head, 'Ben', 'Ann')", "replace(head, '\"dealer\":\"Ann\"', '\"dealer\":7')",
        )
    ),
]  # fmt: skip


class Pair(Struct, frozen=True):
    """An evening of a healthy sheet and one to be damaged, and a phone with their host links."""

    app: Flask
    healthy: Phone
    sick: Phone
    evening: str
    logged: list[str]

    @property
    def link(self) -> Link:
        """The host's link to the sick sheet."""
        link = state(self.app).ledger.link(self.sick.token)
        assert link is not None
        return link

    def disk(self, statement: str) -> None:
        """Run a statement with the second sheet for `?`, past the triggers, as a bad disk would."""
        number = self.link.document
        with closing(sqlite3.connect(state(self.app).settings.file)) as raw, raw:
            raw.execute("PRAGMA foreign_keys=OFF")
            raw.execute("PRAGMA ignore_check_constraints=ON")
            triggers = raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in triggers.fetchall():
                raw.execute(f"DROP TRIGGER {name}")
            raw.execute(statement, (number,))

    def damage(self, table: str, column: str, to: str) -> None:
        """Overwrite a column of the second sheet with this SQL expression."""
        which = {"entries": "sheet = ? AND seq = 3", "sheets": "id = ?"}
        where = which.get(table, "sheet = ?") + " AND role = 'score'" * (table == "links")
        self.disk(f'UPDATE {table} SET "{column}" = {to} WHERE {where}')


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The folder of an undamaged book, and the tokens in it."""
    folder = tmp_path_factory.mktemp("whole")
    client = create_app(Settings(instance=folder)).test_client()
    healthy = begin(client, "multiple-9", ["Ann", "Ben"])
    healthy.record({"action": "out", "player": "Ann"}, 0)
    sick = healthy.again()
    for seq, player in enumerate(("Ben", "Ann", "Ben", "Ann")):
        assert sick.record({"action": "out", "player": player}, seq).status_code == 303
    sick.post("/trash", {})
    sick.post("/trash/out", {})
    evening = healthy.evening()
    state(client.application).ledger.close()
    return folder, [healthy.token, sick.token, evening]


@pytest.fixture
def pair(
    whole: tuple[Path, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Pair]:
    """A fresh copy of that book, opened by a new app."""
    folder, (healthy, sick, evening) = whole
    shutil.copytree(folder, tmp_path / "copy")
    app = create_app(Settings(instance=tmp_path / "copy"))
    logged: list[str] = []
    monkeypatch.setattr(app.logger, "error", lambda text, *args: logged.append(text % args))
    client = app.test_client()
    client.set_cookie("sheets", f"{healthy}.{sick}")
    yield Pair(app, Phone(client, healthy), Phone(client, sick), evening, logged)
    state(app).ledger.close()


def assert_nobody_is_disturbed(pair: Pair) -> None:
    """Check that pages about several sheets, and those of the other sheet, are served."""
    client = pair.healthy.client
    for path in ("/", "/new", "/new/multiple-9", pair.evening):
        assert client.get(path).status_code == 200, path
    for place in ("", "/board", "/more", "/log", "/evening", "/trash", "/sheet.json", "/print"):
        assert pair.healthy.get(place).status_code in (200, 303), place


@pytest.mark.parametrize(("table", "column", "to"), DAMAGES)
def test_damage_affects_only_its_sheet(pair: Pair, table: str, column: str, to: str) -> None:
    """That sheet still has a page, a file and the trash."""
    if table == "trash":
        pair.sick.post("/trash", {})
    pair.damage(table, column, to)
    assert_nobody_is_disturbed(pair)
    page = pair.sick.get()
    assert page.status_code in (200, 303, 500)
    if page.status_code == 500:
        assert "can’t be played through" in page.text
    assert pair.sick.get("/sheet.json").status_code in (200, 303)
    assert pair.sick.get("/trash").status_code == 200
    for phone in (pair.sick, pair.healthy):
        assert phone.post("/trash", {}).status_code == 303
        assert "in the trash" in phone.client.get("/").text
        assert phone.post("/trash/out", {}).status_code == 303
    assert_nobody_is_disturbed(pair)
    assert not [line for line in pair.logged if "failed" in line]
    assert len(pair.logged) <= 1


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the rules: Ben's wins become illegal."""
    game = GAMES["multiple-9"]
    carry_out = game.carry_out

    def stricter(before: Any, entry: Any) -> Any:
        if getattr(entry, "player", "") == "Ben":
            raise IllegalEntry([shared_fault("luck", say("Ben can’t win."), "end")])
        return carry_out(before, entry)

    monkeypatch.setattr(game, "carry_out", stricter)
    monkeypatch.setattr("referee.sheets.derived.code_version", lambda: "another")


@pytest.mark.usefixtures("refused")
def test_the_page_of_a_sick_sheet_shows_its_rows(pair: Pair) -> None:
    """And why it can't be opened, and the file; it is logged once, without its link."""
    page = pair.sick.get()
    assert page.status_code == 500
    assert "can’t be played through: Ben can’t win." in page.text
    assert page.text.count("player: Ben") == 2
    assert 'href="/new/multiple-9?name=Ann&amp;name=Ben"' in page.text
    assert f"/s/{pair.sick.token}/trash" in page.text
    pair.sick.get("/more")
    assert len(pair.logged) == 1
    assert pair.sick.token not in pair.logged[0]
    home = pair.sick.client.get("/").text
    assert home.count("Can’t be opened") == 1
    assert pair.sick.token in home
    evening = pair.sick.client.get(pair.evening).text
    assert "1 game can’t be opened, so it isn’t counted here." in evening
    viewer = Phone(pair.app.test_client(), state(pair.app).book.hosting.links(pair.link)["view"])
    assert "/trash" not in viewer.get().text


@pytest.mark.usefixtures("refused")
def test_a_sheet_found_sick_on_another_page(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """That page's link doesn't lead to the sheet, so there are no links to its file and trash."""
    number = pair.link.document

    def found_sick(*_: object) -> None:
        raise SickSheetError(number, ValueError())

    monkeypatch.setattr(Book, "open", found_sick)
    page = pair.healthy.get("/more")
    assert page.status_code == 500
    assert "What was written" in page.text
    assert not re.search("/sheet.json|/trash", page.text)


def test_the_file_of_a_sick_sheet_can_be_imported_under_the_old_rules(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If only newer rules refuse it."""
    file = pair.sick.get("/sheet.json").data
    monkeypatch.undo()
    assert run("import", "-", "--instance", str(tmp_path / "new"), given=file).exit_code == 0
    printed = run("export", "1", "--instance", str(tmp_path / "new"))
    assert json.loads(printed.stdout) == json.loads(file)


@pytest.mark.usefixtures("refused")
@pytest.mark.parametrize("role", ["view", "score", "host"])
def test_no_route_of_a_sick_sheet_fails_or_writes(pair: Pair, role: str) -> None:
    """By any of its links."""
    pair.damage("entries", "body", "'[]'")
    token = state(pair.app).book.hosting.links(pair.link)[role]  # type: ignore[index]
    changes = {"sheet_sharing.renew", "sheet_sharing.put_away"}
    found = (
        probe for probe in probes(pair.app, token, only="token") if probe.endpoint not in changes
    )
    rows = partial(state(pair.app).ledger.rows, pair.link.document)
    before, met = len(rows()), set()
    for probe, answer in send_probes(pair.app.test_client(), found):
        met.add(answer.status_code)
        if answer.status_code == 500 and probe.method != "HEAD":
            assert "can’t be played through" in answer.text, probe
    assert 500 in met
    assert not [line for line in pair.logged if "failed" in line]
    assert len(rows()) == before


def test_rows_before_and_after_damage_are_shown(pair: Pair) -> None:
    """As when a page of the file is overwritten."""
    pair.disk("DELETE FROM entries WHERE sheet = ? AND seq = 2")
    page = pair.sick.get()
    assert page.status_code == 500
    assert "1 of its rows is missing" in page.text
    assert page.text.count('<th scope="row">') == 3
    assert_nobody_is_disturbed(pair)


def test_a_sheet_that_stricter_rules_would_refuse_still_opens(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on as recorded; the audit reports it."""
    game = GAMES["multiple-9"]
    check = game.check

    def stricter(before: Any, entry: Any) -> Ruling:
        if getattr(entry, "player", "") == "Ben":
            return Ruling((shared_fault("luck", say("Ben can’t win."), "end"),))
        return check(before, entry)

    monkeypatch.setattr(game, "check", stricter)
    assert pair.sick.get().status_code == 200
    assert pair.sick.record({"action": "out", "player": "Ann"}, 4).status_code == 303
    assert pair.sick.record({"action": "out", "player": "Ben"}, 5).status_code == 422
    assert pair.sick.post("/undo", {"after": 5}).status_code == 303
    changed = pair.sick.post("/entries/2", {"action": "out", "player": "Ann", "after": 6})
    assert changed.status_code == 422
    assert "would then break a rule: Ben can’t win." in changed.text
    assert pair.sick.get("/entries/4").status_code == 200
    assert_nobody_is_disturbed(pair)
    assert pair.logged == []
    found = audit(Ledger(state(pair.app).settings.file)).faults
    assert "Ben can’t win." in str(found[0])
