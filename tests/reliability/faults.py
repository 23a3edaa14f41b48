"""Inject a fault at each disk call of each operation in turn.

`python -m tests.reliability.faults` does this for all operations, or for those named as arguments,
on a disk that can fail (`watched_disk`). The first call of an operation fails, in another try the
second, and so on: reads, writes and syncs as on a broken disk, writes as on a full one, locks as
if another program held the book; and SQLite's own work is interrupted. Each time the answer must
be a sentence that says so, the book unchanged, and the next try must work, once.

Prints a line for each operation and kind of fault, and one for each violation.
"""

import ctypes
import errno
import itertools
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from referee.ledger import backup, engine
from referee.settings import DATABASE, Settings
from referee.sheets.files import sheet_from
from referee.web.app import create_app
from referee.web.context import AppState, state
from tests.reliability.exchange import View, fields_of, path_of, view_of
from tests.reliability.log import Wish
from tests.reliability.watched_disk import run as run_watched
from tests.support.books import contents, scratch, with_history
from tests.support.command_line import as_line, run
from tests.support.unexpected import unexpected_errors

INTERRUPTED = -1  # an interruption of SQLite, not a disk error
FAULTS = {
    "broken disk": errno.EIO,
    "full disk": errno.ENOSPC,
    "busy": errno.EAGAIN,
    "interrupted": INTERRUPTED,
}
COPY, KEPT, SHEETS = "copy.sqlite", "kept.sqlite", "sheets.jsonl"
STEPS = 7  # steps of SQLite's virtual machine between two interruptions
BUSY_SECONDS = 0.02  # how long the program waits for locks here
PATIENCE = ((engine, "BUSY_SECONDS"), (engine, "READ_SECONDS"), (backup, "READ_SECONDS"))
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
class Room:
    """The program on a book, the current sheet, and the unexpected errors logged."""

    folder: Path
    client: FlaskClient
    app: AppState
    token: str = ""
    view: View = field(default_factory=lambda: View((), (), "", {}))
    logged: list[str] = field(default_factory=list)

    def new_sheet(self) -> None:
        """Add a new sheet and make it the current one."""
        self.token = self.app.book.take_in(sheet_from(with_history(SHEET))).token
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
Operation = Callable[[Room], Result]


def room_in(folder: Path) -> Room:
    """Create a book in this folder, with the program on it."""
    app = create_app(Settings(instance=folder, sheets_an_hour=10**9))
    (folder / SHEETS).write_text(as_line(SHEET), encoding="utf-8")
    return Room(folder, app.test_client(), state(app), logged=unexpected_errors(app))


# --- operations


def sent(wish: Wish) -> Operation:
    """The operation that sends this form to the sheet."""

    def operation(room: Room) -> Result:
        fields: dict[str, list[str]] = {}
        for name, value in fields_of(wish, "the-key", room.view):
            fields.setdefault(name, []).append(value)
        answer = room.client.post(f"/s/{room.token}{path_of(wish)}", data=fields)
        return answer.status_code == 303, _is_told(room, answer.status_code, answer.text)

    return operation


def opened(page: str) -> Operation:
    """The operation that opens this page."""

    def operation(room: Room) -> Result:
        answer = room.client.get(f"/s/{room.token}{page}")
        return answer.status_code in (200, 404), _is_told(room, answer.status_code, answer.text)

    return operation


def begun(room: Room) -> Result:
    """Begin a sheet."""
    form = {"name": ["Ann", "Ben"], "dealer": "0", "target": "0", "deals": "0"}
    answer = room.client.post("/new/plain-score", data=form)
    return answer.status_code == 303, _is_told(room, answer.status_code, answer.text)


def _is_told(room: Room, status: int, page: str) -> bool:
    """Whether an answer is the requested one, or an error page that names the book."""
    return status in (200, 303, 404) or (status in (500, 503) and room.database.name in page)


def commanded(*line: str) -> Operation:
    """The operation that runs a command; `COPY`, `KEPT` and `SHEETS` become paths."""

    def operation(room: Room) -> Result:
        files = {name: str(room.folder / name) for name in (COPY, KEPT, SHEETS)}
        args = [files.get(word, word) for word in line]
        result = run(*args, *room.option)
        done = result.exit_code == 0
        return done, done or len(result.stderr.splitlines()) == 1 or "fault" in result.stdout

    return operation


def _half_made(room: Room) -> bool:
    """Whether an incomplete copy exists; removes any copy."""
    copy = room.folder / COPY
    half = copy.exists() and run("verify", str(copy)).exit_code != 0
    copy.unlink(missing_ok=True)
    return half


OPERATIONS: dict[str, Operation] = {
    "begin": begun,
    **{name: sent(wish) for name, wish in FORMS.items()},
    **{f"page {page}": opened(page) for page in PAGES},
    "backup": commanded("backup", COPY),
    "verify": commanded("verify"),
    "export": commanded("export", "--all"),
    "import": commanded("import", SHEETS),
    "restore": commanded("restore", KEPT, "--force"),
}


# --- faults


@contextmanager
def failing(room: Room, fault: int, after: int) -> Iterator[list[int]]:
    """Make the call after `after` others fail; yields a list with the number of failures."""
    times = [0]
    if fault == INTERRUPTED:
        calls = iter(range(after, -1, -1))

        def interrupt() -> int:
            now = next(calls, 1) == 0
            times[0] += now
            return now

        room.app.ledger.engine.connection.set_progress_handler(interrupt, 1)
        yield times
        room.app.ledger.engine.connection.set_progress_handler(None, 1)
        return
    fail = ctypes.CDLL(None).disk_fail
    fail(after, fault, fault == errno.EAGAIN)
    yield times
    times[0] = fail(0, 0, 0)


def try_at_every_call(
    name: str, fault: int, rooms: Iterator[Room], every: int
) -> tuple[int, list[str]]:
    """Fail each call of an operation in turn; returns the number of calls and the violations."""
    if name == "restore" and fault == INTERRUPTED:
        return 0, []  # it opens its own connections, which cannot be interrupted from here
    wrong: list[str] = []
    calls = 0
    step = every * (STEPS if fault == INTERRUPTED else 1)
    # If the book is closed before, opening it can fail too; that cannot be interrupted.
    for closed in (False, True)[: 1 if fault == INTERRUPTED else 2]:
        for after in itertools.count(step=step):
            fired, found = _try(next(rooms), name, fault, after, closed)
            wrong += [f"{name}, fault {fault}, call {after}: {one}" for one in found]
            if not fired:
                break
            calls += 1
    return calls, wrong


def _rooms(folder: Path, tries: int) -> Generator[Room]:
    """Yield a room for `tries` tries, then another with an empty book, and so on."""
    for number in itertools.count():
        room = room_in(folder / str(number))
        with closing(room.app.ledger):
            yield from itertools.repeat(room, tries)


def _try(room: Room, name: str, fault: int, after: int, closed: bool) -> tuple[bool, list[str]]:
    """Try an operation with one fault; returns whether a call failed, and the violations."""
    operation = OPERATIONS[name]
    room.new_sheet()
    room.logged.clear()
    if closed or name == "restore":
        room.app.ledger.close()
    if name == "restore":
        assert run("backup", str(room.folder / KEPT), "--force", *room.option).exit_code == 0
    before = contents(room.database)
    with failing(room, fault, after) as times:
        done, told = operation(room)
    now = contents(room.database)
    wrong = []
    if not told or room.logged:
        wrong.append(f"nobody was told in a sentence {room.logged}")
    # After an interruption during the commit the outcome is unknown until the next try.
    whole = fault == INTERRUPTED and _grown(before, now) == 1
    if not done and now != before and not whole:
        wrong.append("not done, yet something is written")
    if _half_made(room):
        wrong.append("a copy is there that is not whole")
    if not all(operation(room)):
        wrong.append(f"the next try does not work {room.logged}")
    _half_made(room)
    if name in FORMS and _grown(before, contents(room.database)) != 1:
        wrong.append("it is not there exactly once")
    return times[0] > 0, wrong


def _grown(before: dict[str, list[Any]], after: dict[str, list[Any]]) -> int:
    """The number of new entries, sheets and trash records."""
    return sum(len(after[name]) - len(before[name]) for name in ("entries", "sheets", "trash"))


def try_all(names: Sequence[str], folder: Path, every: int) -> None:
    """Try these operations with every kind of fault, at one call in `every`, in this folder."""
    for module, name in PATIENCE:
        setattr(module, name, BUSY_SECONDS)
    for number, name in enumerate(names):
        place = folder / str(number)
        rooms = _rooms(place, TRIES if name != "restore" else 1)  # restoring replaces the book
        for fault, code in FAULTS.items():
            calls, wrong = try_at_every_call(name, code, rooms, every)
            print(f"{name}, {fault}: {calls} calls", flush=True)
            print(*(f"WRONG {one}" for one in wrong), sep="\n", end="\n" if wrong else "")
        rooms.close()
        for book in place.rglob(DATABASE):
            if run("verify", str(book)).exit_code:
                print(f"WRONG {name}: in the end {book} is not sound")


def main() -> int:
    """Run in a child process on a disk that can fail; returns 1 on any violation."""
    if len(sys.argv) > 2 and sys.argv[2].isdecimal():
        _, folder, every, *names = sys.argv
        try_all(names, Path(folder), int(every))
        return 0
    names = sys.argv[1:] or list(OPERATIONS)
    with scratch() as folder:
        printed = run_watched("tests.reliability.faults", Path(folder), "1", *names)
    print(printed, end="")
    return int("WRONG" in printed)


if __name__ == "__main__":
    sys.exit(main())
