"""`export` and `import`: one sheet, all sheets, and tables."""

import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger.chain import Mark
from referee.ledger.store import Ledger, new_token
from referee.sheets.book import Book
from tests.support.books import play
from tests.support.command_line import (
    ILLEGAL,
    PINK,
    RESULT,
    SHEET,
    as_line,
    lines_of,
    one_error,
    run,
)

# --- one sheet


def test_an_exported_sheet_imports_as_the_same(tmp_path: Path) -> None:
    """Only its number and link are new."""
    result = run("import", "-", given=json.dumps(SHEET))
    assert result.exit_code == 0
    found = re.fullmatch(r"Saved as sheet 1\. Its host link while .*: (/s/\S+)\n", result.stdout)
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
    assert run("import", "--again", str(file)).stdout.startswith("Saved as sheet 2.")
    assert json.loads(run("export", "2").stdout) == first
    assert lines_of(run("score", str(file), "--json")) == [RESULT]
    listed = run("export").stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["1", "2"]
    assert all("Multiple 9: Ann and Zoë" in line for line in listed)


@pytest.mark.parametrize("named", ["0", "2", "nobody", "", "/", "9" * 5000, "²", "\udcff", "-"])
def test_an_unknown_sheet_is_not_exported(named: str) -> None:
    """One line says so, exit 1."""
    run("import", "-", given=json.dumps(SHEET))
    result = run("export", "--", named)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: There’s no sheet")
    assert len(result.stderr.splitlines()) == 1


def test_a_sick_sheet_is_exported_as_written(database: Path) -> None:
    """It is listed as sick, and the others are exported with it."""
    with closing(Ledger(database)) as ledger:
        ledger.append(1, Mark(2), [play("k", body='{"action":"sing"}')])
    listed = run("export")
    assert listed.exit_code == 0
    assert "1  can’t be opened: Multiple 9 has no entry called “sing”." in listed.stdout
    assert "Pink Nines: Ann and =Ben" in listed.stdout
    alone = run("export", "1")
    assert alone.exit_code == 1
    assert "can’t be played through: Multiple 9 has no entry called “sing”" in alone.stderr
    assert json.loads(alone.stdout)["history"][2]["entry"] == {"action": "sing"}
    assert "no entry called “sing”" in one_error(run("export", "1", "--csv"))


# --- all sheets


def test_all_sheets_are_exported_and_imported(database: Path, tmp_path: Path) -> None:
    """One a line, with their whole history; imported again they are the same."""
    with closing(Ledger(database)) as ledger:
        book = Book(ledger)
        book.undo(book.all_links()[0], Mark(2))
    printed = run("export", "--all")
    assert printed.exit_code == 0
    first, second = lines_of(printed)
    assert (first["game"], second["game"]) == ("multiple-9", "pink-nines")
    assert [row["kind"] for row in first["history"]] == ["play", "play", "void"]
    elsewhere = ["--instance", str(tmp_path / "elsewhere")]
    said = run("import", "-", *elsewhere, given=printed.stdout)
    assert re.findall(r"^Saved as sheet (\d+)\.", said.stdout, re.MULTILINE) == ["1", "2"]
    assert run("export", "--all", *elsewhere).stdout == printed.stdout
    assert run("score", "--lines", given=printed.stdout).exit_code == 0


def test_a_sheet_that_is_here_is_not_imported_again(database: Path) -> None:
    """As it is or as it was before it went on; its link is printed. A sheet without history is."""
    before = run("export", "1").stdout
    with closing(Ledger(database)) as ledger:
        book = Book(ledger)
        host = book.all_links()[0]
        book.undo(host, Mark(2))
    for file in (before, run("export", "1").stdout):
        said = run("import", "-", given=file)
        assert said.exit_code == 0
        assert said.stdout.startswith("Already here as sheet 1; ")
        assert said.stdout.endswith(f"/s/{host.token}\n")
    whole = run("export", "--all").stdout
    said = run("import", "-", given=whole + as_line(SHEET))
    assert re.findall(r"^\w+.* sheet \d", said.stdout, re.MULTILINE) == [
        "Already here as sheet 1",
        "Already here as sheet 2",
        "Saved as sheet 3",
    ]


def test_all_sheets_are_exported_to_a_folder(database: Path, tmp_path: Path) -> None:
    """A file a sheet, as `export` writes it; all can be imported at once."""
    folder = tmp_path / "out" / "deeper"
    said = run("export", "--all", "-o", str(folder))
    assert (said.exit_code, said.output) == (0, f"Wrote 2 sheets to {folder}.\n")
    files = sorted(folder.iterdir())
    assert [file.name[:16] for file in files] == ["0001-multiple-9-", "0002-pink-nines-"]
    assert files[0].read_text(encoding="utf-8") == run("export", "1").stdout
    elsewhere = ["--instance", str(tmp_path / "elsewhere")]
    said = run("import", *elsewhere, *map(str, files))
    assert said.stdout.count("Saved as sheet") == 2
    assert "can’t be written" in one_error(run("export", "--all", "-o", str(files[0])))
    refused = one_error(run("export", "1", "-o", str(tmp_path)))
    assert refused == f"{tmp_path} can’t be written: Is a directory."


def test_if_one_of_several_sheets_is_wrong_none_is_imported(instance: Path) -> None:
    """Its line is named, with the exit status that the sheet alone would have."""
    for wrong, code, said in (
        (as_line(ILLEGAL), 1, "Entry 3: “Dan” isn’t on this sheet."),
        ("{\n", 2, "This isn’t a sheet file"),
    ):
        for before, line in (("", ""), (as_line(SHEET) + "\n", "Line 3: ")):
            result = run("import", "-", given=before + wrong)
            assert (result.exit_code, result.stdout) == (code, "")
            assert result.stderr.startswith(line + said)
    assert run("export").output == ""


# --- tables


def test_the_score_pad_is_exported_as_csv(database: Path, tmp_path: Path) -> None:
    """A file begins with the bytes by which Excel recognizes UTF-8."""
    printed = run("export", "2", "--csv")
    assert printed.exit_code == 0
    lines = printed.stdout_bytes.decode().split("\r\n")
    assert lines[0] == 'Deal,Ann,\'=Ben,"Ann, total","\'=Ben, total",Details'
    assert [line.split(",")[:5] for line in lines[1:3]] == [
        ["At the start", "", "", "36", "36"],
        ["1", "1", "-1", "37", "35"],
    ]
    file = tmp_path / "out.csv"
    assert run("export", "2", "--csv", "-o", str(file)).output == ""
    assert file.read_bytes() == b"\xef\xbb\xbf" + printed.stdout_bytes


@pytest.mark.parametrize("args", [["--csv"], ["--all", "--csv"], ["1", "--all"]])
def test_arguments_that_exclude_each_other_are_refused(database: Path, args: list[str]) -> None:
    """One line says which are too many, or which is missing."""
    assert one_error(run("export", *args))


# --- interrupted imports


def test_an_import_that_fails_midway_stores_nothing(
    instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the last of four sheets can't be stored, none is, so that it can be repeated."""
    tokens = iter([*"abcdefghi", "a"])  # three links a sheet; the tenth repeats the first
    monkeypatch.setattr("referee.sheets.book.new_token", lambda: next(tokens, "") or new_token())
    four = as_line(PINK) * 4
    assert "UNIQUE constraint" in one_error(run("import", "-", given=four))
    assert run("export").stdout == ""
    assert len(run("import", "-", given=four).stdout.splitlines()) == 4
    assert len(run("export").stdout.splitlines()) == 4
    assert run("verify", "--instance", str(instance)).exit_code == 0
