"""A command that is told to end in the middle of its work: nothing half made is left behind."""

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.ledger import backup as copies
from tests.support.command_line import PINK, SHEET, as_line, run


class UnheardError(Exception):
    """The command did not listen: the program would have been ended where it was."""


@pytest.fixture
def database(instance: Path) -> Path:
    """The book with two sheets in it."""
    run("import", "-", given=as_line(SHEET) + as_line(PINK))
    return instance / "referee.sqlite"


@pytest.fixture
def listening() -> Iterator[None]:
    """Survive a signal that the command doesn't hear."""

    def unheard(number: int, frame: Any) -> None:
        raise UnheardError

    before = signal.signal(signal.SIGTERM, unheard)
    yield
    assert signal.signal(signal.SIGTERM, before) is unheard, "as it was before the command"


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize(
    ("command", "copying"),
    [
        (["backup", "new"], 0),
        (["backup", "old", "--force"], 0),
        (["restore", "old", "--force"], 0),  # of the backup, to be checked
        (["restore", "old", "--force"], 1),  # of the old book, to be kept
        (["restore", "old", "--force"], 2),  # into the book
    ],
)
def test_a_command_that_is_ended_takes_away_what_it_was_making(
    database: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    copying: int,
) -> None:
    """Ended at each of its copies: book and backup are whole, and there is nothing beside them."""
    folder = tmp_path / "copies"
    folder.mkdir()
    run("backup", str(folder / "old"))
    old = (folder / "old").read_bytes()
    run("import", "-", given=as_line(PINK))
    copy, left = copies._copy, iter(range(copying, -1, -1))

    def ended(*args: Any) -> None:
        copy(*args)
        if next(left) == 0:
            signal.raise_signal(signal.SIGTERM)

    name, file, *options = command
    with monkeypatch.context() as patched:
        patched.setattr(copies, "_copy", ended)
        result = run(name, str(folder / file), *options)
    assert result.exit_code == 128 + signal.SIGTERM
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"old": old}
    assert [path.name for path in database.parent.iterdir() if path.name.startswith(".")] == []
    assert run("verify").exit_code == 0
    aside = list(database.parent.glob("*-before-*.sqlite"))
    books = [run("verify", str(book)).stdout for book in (database, *aside)]
    assert any("3 sheets with 4 rows, all played through" in book for book in books)


@pytest.mark.usefixtures("database", "listening")
def test_a_book_that_is_being_verified_is_not_left_in_a_public_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy that is looked at, with all links in it, goes as well."""
    copy = copies._copy

    def ended(*args: Any) -> None:
        copy(*args)
        signal.raise_signal(signal.SIGTERM)

    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(copies, "_copy", ended)
    assert run("verify").exit_code == 128 + signal.SIGTERM
    assert list((tmp_path / "temporary").iterdir()) == []
