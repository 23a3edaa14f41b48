"""The command line: what it prints, for people and for programs, and how it ends."""

import json
import re
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee import __version__
from referee.cli import main
from referee.ledger.store import Draft, Ledger
from referee.rules.registry import GAMES
from referee.sheets.book import Book

SHEET: dict[str, Any] = {
    "referee": 1,
    "game": "multiple-9",
    "players": ["Ann", "Zoë"],
    "dealer": "Zoë",
    "options": {"target": 2},
    "entries": [
        {"action": "out", "player": "Zoë"},
        {"action": "adjust", "player": "Ann", "points": -3, "reason": "late"},
    ],
}
ILLEGAL = {**SHEET, "entries": [*SHEET["entries"], {"action": "out", "player": "Dan"}]}
RESULT = {
    "game": "multiple-9",
    "entries": 2,
    "deal": 2,
    "dealer": "Ann",
    "finished": False,
    "winners": [],
    "scores": {"Ann": -3, "Zoë": 1},
    "pools": {},
    "lines": [
        {"entry": 0, "scores": {"Ann": 0, "Zoë": 1}},
        {"entry": 1, "scores": {"Ann": -3, "Zoë": 0}},
    ],
}
LEGAL_RULING = {
    "legal": True,
    "faults": [],
    "detail": {"groups": [["8", "A"], ["4", "4", "A"]], "total": 18, "final": False},
}


@pytest.fixture(autouse=True)
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An instance folder of its own for every test."""
    folder = tmp_path / "instance"
    monkeypatch.setenv("REFEREE_INSTANCE", str(folder))
    return folder


def run(*args: str, given: str | bytes | None = None) -> Result:
    """The command with these arguments, `given` on its standard input."""
    result = CliRunner().invoke(main, args, input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def lines_of(result: Result) -> list[Any]:
    """The JSON documents that were printed, one a line."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def as_line(document: Any) -> str:
    """A document as one line of input."""
    return json.dumps(document) + "\n"


# --- help


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ([], ["score sheet", "open the printed address", "referee check multiple-9 discard"]),
        (["serve"], ["--host", "--port", "9999", "--public-url", "--instance", "phones"]),
        (["check"], ["FIELD=VALUE", 'cards="8 4 4 A A"', "--json", "--lines", "Exit 0 legal"]),
        (["score"], ["FILE", "standard input", "--json", "--lines", "Exit 0; 1", "2"]),
        (["import"], ["FILE", "standard input", "link", "--instance"]),
        (["export"], ["number", "link", "history", "--output", "sheets are listed"]),
        (["schema"], ["JSON Schema", "2020-12", "referee score"]),
    ],
    ids=lambda value: " ".join(value) or "referee",
)
def test_help_tells_a_newcomer_what_he_needs(command: list[str], told: list[str]) -> None:
    """Every command says what it takes, what it gives, and how it ends."""
    result = run(*command, "--help")
    assert result.exit_code == 0
    plain = " ".join(result.stdout.split())
    assert [words for words in told if words not in plain] == []


def test_every_command_is_listed_with_a_sentence() -> None:
    """`referee --help` names each command and says what it does."""
    said = run("--help").stdout
    for name, command in main.commands.items():
        assert command.help
        assert re.search(rf"^  {name}\*? +[A-Z]", said, re.MULTILINE)


def test_the_version_is_told() -> None:
    """`--version` names the program and its version."""
    assert run("--version").stdout == f"referee, version {__version__}\n"


@pytest.mark.parametrize("args", [["--nonsense"], ["nonsense"], ["check", "--loud"], ["import"]])
def test_a_command_that_cannot_be_read_shows_its_use(args: list[str]) -> None:
    """What is no command or option ends with exit 2 and a hint at the help."""
    result = run(*args)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr
    assert "--help" in result.stderr


# --- check


def test_a_legal_play_exits_0() -> None:
    """A legal discard is said to be, with its groups; as JSON in the very shape promised."""
    said = run("check", "multiple-9", "discard", "cards=8 4 4 A A")
    assert said.exit_code == 0
    assert said.stdout.startswith("Legal.\n")
    assert "4 + 4 + A = 9" in said.stdout
    result = run("check", "multiple-9", "discard", "cards=8 4 4 A A", "--json")
    assert result.exit_code == 0
    assert lines_of(result) == [LEGAL_RULING]


def test_an_illegal_play_exits_1() -> None:
    """A discard that is not legal is said to be, with the rule and what would be right."""
    said = run("check", "multiple-9", "discard", "cards=8 4 4 A A 2")
    assert said.exit_code == 1
    assert said.stdout.startswith("Not legal.\n")
    assert "(Multiple 9, " in said.stdout
    assert "From these cards you can lay:\n  8 A: 8 + A = 9\n" in said.stdout
    result = run("check", "multiple-9", "discard", "cards=8 4 4 A A 2", "--json")
    assert result.exit_code == 1
    (ruling,) = lines_of(result)
    assert set(ruling) == {"legal", "faults", "detail"}
    assert ruling["legal"] is False
    assert [set(fault) for fault in ruling["faults"]] == [{"code", "message", "rule"}]
    assert ruling["faults"][0]["code"] == "not-a-multiple"


@pytest.mark.parametrize(
    ("args", "codes"),
    [
        (["chess", "move"], ["unknown-name"]),
        (["multiple-9", "knit"], ["unknown-name"]),
        (["multiple-9", "discard", "8 4 4"], ["no-field"]),
        (["multiple-9", "discard", "8", "4"], ["no-field", "no-field"]),
        (["multiple-9", "discard", "cards=8", "cards=A"], ["field-twice"]),
        (["multiple-9", "discard", "crads=8"], ["unreadable-question"]),
        (["multiple-9", "discard", "=8"], ["unreadable-question"]),
        (["multiple-9", "discard", "final=perhaps"], ["unreadable-question"]),
        (["multiple-9", "discard", "packs=3"], ["unreadable-question"]),
        (["multiple-9", "discard", "cards=8 of hearts"], ["not-a-card", "not-a-card"]),
        (["multiple-9", "discard", "cards=X", "hand=Y"], ["not-a-card", "not-a-card"]),
        (["multiple-9", "deal"], ["unreadable-question"]),
        (["multiple-9", "deal", "players=" + "9" * 5000], ["unreadable-question"]),
    ],
)
def test_a_question_that_cannot_be_read_exits_2(args: list[str], codes: list[str]) -> None:
    """Everything wrong with a question is told at once, in words and as JSON."""
    result = run("check", *args, "--json")
    assert result.exit_code == 2
    (document,) = lines_of(result)
    assert document == {"error": {"entry": None, "faults": document["error"]["faults"]}}
    assert [fault["code"] for fault in document["error"]["faults"]] == codes
    said = run("check", *args)
    assert said.exit_code == 2
    assert said.stdout == ""
    assert len(said.stderr.splitlines()) == len(codes)


@pytest.mark.parametrize("slug", GAMES)
def test_games_judges_and_fields_are_listed(slug: str) -> None:
    """Alone, the command lists every game with every judge and field; with a game, only that."""
    everything, one = run("check"), run("check", slug)
    assert everything.exit_code == one.exit_code == 0
    assert one.stdout in everything.stdout
    assert one.stdout.startswith(f"{slug}  ({GAMES[slug].title})\n")
    for judge in GAMES[slug].judges.values():
        assert f"  {judge.name}:" in one.stdout
        assert judge.title in one.stdout
        for field in judge.question.__struct_fields__:
            assert field in one.stdout
    assert all(other == slug or f"{other}  (" not in one.stdout for other in GAMES)


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_says_what_to_deal(slug: str) -> None:
    """For some number of players each game deals them the same and has as many cards as it says."""
    answers = [run("check", slug, "deal", f"players={n}", "--json") for n in range(1, 20)]
    deals = [
        (number, lines_of(answer)[0]["detail"])
        for number, answer in enumerate(answers, start=1)
        if answer.exit_code == 0
    ]
    assert deals
    for number, detail in deals:
        assert set(detail) == {"each", "table", "deck"}
        assert number * detail["each"] + detail["table"] == detail["deck"]


def test_questions_line_by_line_are_answered_in_order() -> None:
    """One answer a line, also to lines that are blank or broken, and exit 0."""
    asked = (
        as_line({"cards": "8 4 4 A A"})
        + "\n"
        + as_line({"cards": "2"})
        + "{broken\n"
        + as_line([1])
        + as_line({"cards": "8 4 4 A A", "final": "true"})
        + json.dumps({"cards": 8})
    )
    result = run("check", "multiple-9", "discard", "--lines", given=asked)
    assert result.exit_code == 0
    answers = lines_of(result)
    assert len(answers) == 7
    assert answers[0] == LEGAL_RULING
    assert answers[2]["legal"] is False
    assert answers[5]["detail"]["final"] is True
    assert [
        number for number, answer in enumerate(answers) if list(answer) == ["error"]
    ] == [1, 3, 4, 6]  # fmt: skip


def test_no_questions_get_no_answers() -> None:
    """An empty input has no lines."""
    for command in (["check", "multiple-9", "discard"], ["score"]):
        result = run(*command, "--lines", given="")
        assert (result.exit_code, result.output) == (0, "")


# --- score


@pytest.mark.parametrize("how", ["file", "dash", "input"])
def test_a_sheet_is_scored(tmp_path: Path, how: str) -> None:
    """From a file, a dash or standard input: the standings, or the result as JSON."""
    written = json.dumps(SHEET)
    (tmp_path / "sheet.json").write_text(written)
    file = {"file": [str(tmp_path / "sheet.json")], "dash": ["-"], "input": []}[how]
    result = run("score", *file, "--json", given=written)
    assert result.exit_code == 0
    assert lines_of(result) == [RESULT]
    said = run("score", *file, given=written)
    assert said.exit_code == 0
    assert re.search(r"^ *1\. Zoë +1", said.stdout, re.MULTILINE)
    assert re.search(r"^ *2\. Ann +-3", said.stdout, re.MULTILINE)
    assert "deal 2, Ann deals" in said.stdout


def test_a_game_that_is_over_names_who_won() -> None:
    """The winner is named, in words and as JSON."""
    won = {**SHEET, "entries": [{"action": "out", "player": "Ann"}] * 2}
    assert run("score", given=json.dumps(won)).stdout.endswith("Ann wins.\n")
    (result,) = lines_of(run("score", "--json", given=json.dumps(won)))
    assert (result["finished"], result["winners"], result["deal"]) == (True, ["Ann"], 2)


def test_a_sheet_that_breaks_a_rule_exits_1() -> None:
    """The entry is named, counted from 1 for people and from 0 for programs."""
    said = run("score", given=json.dumps(ILLEGAL))
    assert said.exit_code == 1
    assert said.stdout == ""
    assert said.stderr.startswith("Entry 3: “Dan” is not on this sheet.")
    result = run("score", "--json", given=json.dumps(ILLEGAL))
    assert result.exit_code == 1
    (document,) = lines_of(result)
    assert set(document) == {"error"}
    assert set(document["error"]) == {"entry", "faults"}
    assert document["error"]["entry"] == 2
    assert [set(fault) for fault in document["error"]["faults"]] == [{"code", "message", "rule"}]


def test_a_sheet_that_cannot_be_read_exits_2() -> None:
    """No sheet, no score."""
    result = run("score", "--json", given="no sheet")
    assert result.exit_code == 2
    assert lines_of(result)[0]["error"]["entry"] is None
    assert run("score", given="no sheet").stderr.startswith("This is not a sheet file")


@pytest.mark.parametrize("name", ["missing.json", ".", "\udcff.json"])
def test_a_file_that_is_not_there_exits_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A missing file, a folder, and a name that is no text are named in the answer."""
    monkeypatch.chdir(tmp_path)
    for command in (["score", name, "--json"], ["score", name], ["import", name]):
        result = run(*command)
        assert result.exit_code == 2
        assert "cannot be read" in result.output
        assert len(result.output.splitlines()) == 1


def test_sheets_line_by_line_are_scored_in_order() -> None:
    """One result or error a line, also for lines that are blank or broken, and exit 0."""
    given = as_line(SHEET) + "\n" + as_line(ILLEGAL) + "{\n" + "\xff\n" + json.dumps(SHEET)
    result = run("score", "--lines", given=given.encode("latin-1"))
    assert result.exit_code == 0
    answers = lines_of(result)
    assert len(answers) == 6
    assert answers[0] == answers[5] == RESULT
    assert [answer["error"]["entry"] for answer in answers[1:5]] == [None, 2, None, None]


# --- import and export


def test_a_sheet_goes_in_and_out_the_same(tmp_path: Path) -> None:
    """Imported, exported and imported again, a sheet is the same but for its number and link."""
    result = run("import", "-", given=json.dumps(SHEET))
    assert result.exit_code == 0
    found = re.fullmatch(r"Kept as sheet 1\. Its host link, .*: (/s/\S+)\n", result.stdout)
    assert found is not None
    file = tmp_path / "out.json"
    for named in ("1", found[1], found[1].rsplit("/", 1)[1], f"http://192.0.2.1:9999{found[1]}/"):
        printed = run("export", "--", named)
        assert printed.exit_code == 0
        assert run("export", "-o", str(file), "--", named).output == ""
        assert file.read_text(encoding="utf-8") == printed.stdout
    first = json.loads(printed.stdout)
    assert {**first, "history": None} == {**SHEET, "history": None}
    assert [row["kind"] for row in first["history"]] == ["play", "play"]
    assert run("import", str(file)).stdout.startswith("Kept as sheet 2.")
    assert json.loads(run("export", "2").stdout) == first
    assert lines_of(run("score", str(file), "--json")) == [RESULT]
    listed = run("export").stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["1", "2"]
    assert all("Multiple 9: Ann, Zoë" in line for line in listed)


def test_a_sheet_that_breaks_a_rule_is_not_imported() -> None:
    """The exit code is that of scoring it, and nothing is kept."""
    for given, code in ((json.dumps(ILLEGAL), 1), ("no sheet", 2)):
        result = run("import", "-", given=given)
        assert result.exit_code == code
        assert result.stdout == ""
        assert result.stderr
    assert run("export").output == ""


@pytest.mark.parametrize("named", ["0", "2", "nobody", "", "/", "9" * 5000, "²", "\udcff", "-"])
def test_an_unknown_sheet_is_not_exported(named: str) -> None:
    """What names no sheet is told in one line, exit 1."""
    run("import", "-", given=json.dumps(SHEET))
    result = run("export", "--", named)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: There is no sheet")
    assert len(result.stderr.splitlines()) == 1


def test_an_export_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A folder in place of the file is one line and exit 1."""
    run("import", "-", given=json.dumps(SHEET))
    result = run("export", "1", "-o", str(tmp_path))
    assert result.exit_code == 1
    assert result.stderr == f"Error: {tmp_path} cannot be written: Is a directory.\n"


def test_a_sheet_that_can_no_longer_be_played_through_stops_no_other(instance: Path) -> None:
    """A sheet written under other rules is listed as such, and the others are listed as ever."""
    ledger = Ledger(instance / "referee.sqlite")
    link = Book(ledger).begin("multiple-9", ["Ann", "Ben"], None, {})
    ledger.append(link.sheet, 0, [Draft("play", '{"action":"sing"}', "k", "host", "")])
    ledger.close()
    run("import", "-", given=json.dumps(SHEET))
    listed = run("export")
    assert listed.exit_code == 0
    assert "1  cannot be opened: “sing” is no entry of Multiple 9." in listed.stdout
    assert "Multiple 9: Ann, Zoë" in listed.stdout
    alone = run("export", "1")
    assert alone.exit_code == 1
    assert alone.stderr.startswith("Error: “sing” is no entry")


# --- what can go wrong with the place


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody else listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def one_error(result: Result) -> str:
    """The one line in which the command says why it could not be carried out, with exit 1."""
    assert result.exit_code == 1
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


def test_a_taken_port_is_told(taken: int) -> None:
    """One line names the port and the way out."""
    said = one_error(run("serve", "--host", "127.0.0.1", "--port", str(taken)))
    assert said.startswith(f"Cannot listen on 127.0.0.1:{taken}: Address already in use.")
    assert "--port" in said


@pytest.mark.parametrize("host", ["999.9.9.9", "no such host", "\udcff", ""])
def test_an_address_of_nobody_is_told(host: str) -> None:
    """An address that does not exist is told in one line."""
    assert one_error(run("serve", "--host", host, "--port", "0")).startswith("Cannot listen on")


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["export"], ["import", "-"]])
def test_an_instance_folder_that_cannot_be_used_is_told(
    tmp_path: Path, instance: Path, command: list[str]
) -> None:
    """Every command that needs the ledger says in one line why it cannot be had."""
    (tmp_path / "file").write_text("a file")
    given = json.dumps(SHEET)
    said = one_error(run(*command, "--instance", str(tmp_path / "file" / "deeper"), given=given))
    assert str(tmp_path / "file" / "deeper") in said
    (instance / "referee.sqlite").mkdir(parents=True)
    assert "cannot be opened" in one_error(run(*command, given=given))
    (instance / "referee.sqlite").rmdir()
    (instance / "referee.sqlite").write_bytes(b"no database, but something else" * 99)
    assert "is damaged or no database of ours" in one_error(run(*command, given=given))


def test_a_ledger_of_a_newer_version_is_told(instance: Path) -> None:
    """The program asks to be updated, and leaves the file alone."""
    run("import", "-", given=json.dumps(SHEET))
    with closing(sqlite3.connect(instance / "referee.sqlite")) as raw, raw:
        raw.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) "
            "VALUES ('referee', 'm999', '')"
        )
    assert "Update the program." in one_error(run("export"))


def test_a_setting_that_cannot_be_used_is_told(
    instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bad variable or settings file is one line, for every command that reads them."""
    monkeypatch.setenv("REFEREE_PORT", "nine")
    for command in (["serve"], ["export"]):
        assert "port" in one_error(run(*command))
    monkeypatch.delenv("REFEREE_PORT")
    instance.mkdir()
    (instance / "referee.toml").write_text("port = [")
    for command in (["serve"], ["export"]):
        assert "referee.toml is no settings file" in one_error(run(*command))


def test_rulings_and_scores_need_no_place(tmp_path: Path) -> None:
    """Without a usable instance folder, plays are still ruled on and sheets scored."""
    (tmp_path / "instance").write_text("a file")
    assert run("check", "multiple-9", "discard", "cards=9 9").exit_code == 0
    assert run("score", given=json.dumps(SHEET)).exit_code == 0
