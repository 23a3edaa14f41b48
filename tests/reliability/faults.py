"""Inject a fault at the disk calls of each operation in turn; run by `test_faults`.

The first call of an operation fails, in another try a later one, and so on: reads, writes and syncs
as on a broken disk, writes as on a full one, locks as if another program held the book. Each time
the answer must be a sentence that says so, the book unchanged, and the next try must work, once.
Prints a line for each operation and kind of fault, and one for each violation.
"""

import ctypes
import errno
import itertools
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from flask.testing import FlaskClient

from referee.ledger import backup
from referee.settings import DATABASE, Settings
from referee.sheets.files import sheet_from
from referee.web.app import create_app
from referee.web.context import AppState, state
from tests.reliability.exchange import View, fields_of, path_of, view_of
from tests.reliability.log import Wish
from tests.support.books import contents, with_history
from tests.support.command_line import as_line, run
from tests.support.logged_errors import unexpected_errors

FAULTS = {"broken disk": errno.EIO, "full disk": errno.ENOSPC, "busy": errno.EAGAIN}
COPY, KEPT, SHEETS = "copy.sqlite", "kept.sqlite", "sheets.jsonl"
TRIES = 10  # on one book: each adds a sheet, so that later tries make more calls
PENALTY = {"action": "adjust", "player": "Ann", "points": 1, "reason": "late"}
SHEET = {
    "referee": 1,
    "game": "plain-score",
    "players": ["Ann", "Ben"],
    "entries": [{"action": "deal", "points": {"Ann": 3, "Ben": 4}}, PENALTY],
}
BECOMES = {"players": ["Anna", "Ben"], "dealer": "Ben", "options": {"target": 70}}

#: Forms sent to a sheet; the history of `SHEET` has six rows.
FORMS = {
    "record": Wish("play", PENALTY),
    "undo": Wish("undo"),
    "amend": Wish("amend", PENALTY, 1, "seen again"),
    "void": Wish("void", None, 2, "it did not count"),
    "settings": Wish("note", becomes=BECOMES, renamed={"Ann": "Anna"}),
    "trash": Wish("trash"),
    "play again": Wish("again"),
}
PAGES = ("", "/board", "/log", "/share", "/sheet.json", "/settle", "/settings")


@dataclass
class Program:
    """The program on a book, the current sheet, and the unexpected errors logged."""

    folder: Path
    client: FlaskClient
    app: AppState
    token: str = ""
    view: View = field(default_factory=lambda: View((), (), "", {}))
    logged: list[str] = field(default_factory=list)

    def new_sheet(self) -> None:
        """Add a new sheet and make it the current one."""
        self.token = self.app.book.import_sheet(sheet_from(with_history(SHEET))).token
        self.view = view_of(self.client.get(f"/s/{self.token}/sheet.json").data)

    @property
    def database(self) -> Path:
        """The book's file."""
        return self.folder / DATABASE

    @property
    def option(self) -> tuple[str, str]:
        """The command-line option that names the book's folder."""
        return "--instance", str(self.folder)


Result = tuple[bool, bool]  # whether it succeeded, and whether the answer says what happened


def program_in(folder: Path) -> Program:
    """Create a book in this folder, with the program on it."""
    app = create_app(Settings(instance=folder, sheets_an_hour=10**9))
    (folder / SHEETS).write_text(as_line(SHEET), encoding="utf-8")
    return Program(folder, app.test_client(), state(app), logged=unexpected_errors(app))


# --- operations


def begin(program: Program) -> Result:
    """Begin a sheet."""
    form = {"name": ["Ann", "Ben"], "dealer": ["0"], "target": ["0"], "deals": ["0"]}
    return _answered(program, "/new/plain-score", form)


def send(wish: Wish, program: Program) -> Result:
    """Send this form to the sheet."""
    form: dict[str, list[str]] = {}
    for name, value in fields_of(wish, "the-key", program.view):
        form.setdefault(name, []).append(value)
    return _answered(program, f"/s/{program.token}{path_of(wish)}", form)


def open_page(page: str, program: Program) -> Result:
    """Open this page of the sheet."""
    return _answered(program, f"/s/{program.token}{page}")


def _answered(program: Program, path: str, form: dict[str, list[str]] | None = None) -> Result:
    """Ask for a page or send a form; an answer may also be an error page that names the book."""
    answer = program.client.open(path, method="POST" if form else "GET", data=form)
    done = answer.status_code in ((303,) if form else (200, 404))
    failed = answer.status_code in (500, 503) and program.database.name in answer.text
    return done, done or failed or answer.status_code == 404


def running(*line: str) -> Callable[[Program], Result]:
    """The operation that runs a command; `COPY`, `KEPT` and `SHEETS` become paths."""

    def operation(program: Program) -> Result:
        files = {name: str(program.folder / name) for name in (COPY, KEPT, SHEETS)}
        result = run(*(files.get(word, word) for word in line), *program.option)
        done, lines = result.exit_code == 0, result.stderr.splitlines()
        explained = (
            len(lines) == 1 or "not all is well:" in result.stderr or "fault" in result.stdout
        )
        return done, done or explained

    return operation


OPERATIONS: dict[str, Callable[[Program], Result]] = {
    "begin": begin,
    **{name: partial(send, wish) for name, wish in FORMS.items()},
    **{f"page {page}": partial(open_page, page) for page in PAGES},
    "backup": running("backup", COPY),
    "verify": running("verify"),
    "export": running("export", "--all"),
    "import": running("import", SHEETS),
    "restore": running("restore", KEPT, "--force"),
}


# --- faults


def try_at_calls(name: str, fault: int, programs: Iterator[Program], every: int) -> int:
    """Fail one call in `every` of an operation in turn, and print each violation.

    Returns the number of calls. If the book is closed before, opening it can fail too.
    """
    calls = 0
    for closed in (False, True):
        for after in itertools.count(step=every):
            failed, wrong = _try(next(programs), name, fault, after, closed)
            for one in wrong:
                print(f"WRONG {name}, fault {fault}, call {after}: {one}")
            if not failed:
                break
            calls += 1
    return calls


def _programs(folder: Path, tries: int) -> Generator[Program]:
    """Yield a program for `tries` tries, then another with an empty book, and so on."""
    for number in itertools.count():
        program = program_in(folder / str(number))
        with closing(program.app.ledger):
            yield from itertools.repeat(program, tries)


def _try(
    program: Program, name: str, fault: int, after: int, closed: bool
) -> tuple[bool, list[str]]:
    """Try an operation with one fault; returns whether a call failed, and the violations."""
    operation = OPERATIONS[name]
    program.new_sheet()
    program.logged.clear()
    if closed or name == "restore":
        program.app.ledger.close()
    if name == "restore":
        assert run("backup", str(program.folder / KEPT), "--force", *program.option).exit_code == 0
    before = contents(program.database)
    disk_fail = ctypes.CDLL(None).disk_fail
    disk_fail(after, fault, fault == errno.EAGAIN)
    done, explained = operation(program)
    failed = disk_fail(0, 0, 0) > 0
    wrong = []
    if not explained or program.logged:
        wrong.append(f"no sentence says what happened {program.logged}")
    if not done and contents(program.database) != before:
        wrong.append("not done, yet something is written")
    if _half_made(program):
        wrong.append("a copy is there that is not whole")
    if not all(operation(program)):
        wrong.append(f"the next try does not work {program.logged}")
    _half_made(program)
    if name in FORMS and _number(contents(program.database)) != _number(before) + 1:
        wrong.append("it is not there exactly once")
    return failed, wrong


def _half_made(program: Program) -> bool:
    """Whether an incomplete copy exists; removes any copy."""
    copy = program.folder / COPY
    half = copy.exists() and run("verify", str(copy)).exit_code != 0
    copy.unlink(missing_ok=True)
    return half


def _number(book: dict[str, list[Any]]) -> int:
    """The number of entries, sheets and trash records."""
    return sum(len(book[name]) for name in ("entries", "sheets", "trash"))


def main() -> None:
    """Try operations with every kind of fault, on a disk that can fail.

    The arguments are the folder, N to let one call in N fail, and the operations.
    """
    _, folder, every, *names = sys.argv
    for number, name in enumerate(names):
        place = Path(folder) / str(number)
        tries = TRIES if name != "restore" else 1  # restoring replaces the book
        programs = _programs(place, tries)
        for fault, code in FAULTS.items():
            print(f"{name}, {fault}: {try_at_calls(name, code, programs, int(every))} calls")
        programs.close()
        for book in place.rglob(DATABASE):
            if run("verify", str(book)).exit_code:
                print(f"WRONG {name}: in the end {book} is not sound")


if __name__ == "__main__":
    with mock.patch.object(backup, "READ_SECONDS", 0.02):  # in which a lock can be had
        main()
