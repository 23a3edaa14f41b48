"""Write a short evening of every kind of change, and log each acknowledgement.

Run by `power_loss` on a watched disk; the argument is the book's folder. With the further argument
"careless" it does not sync, to show what that would lose.
"""

import sys
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

from referee.ledger.chain import Mark
from referee.ledger.evenings import Evenings
from referee.ledger.store import Ledger, Link
from referee.sheets.book import Book
from referee.sheets.comparison import Change, NewSettings
from referee.sheets.evening import EveningBook
from referee.sheets.history import UNDO, SheetSettings
from tests.reliability.watched_disk import acknowledge
from tests.support.books import sqlite_of

PLAYERS = ["Ann", "Ben"]
COMMITS = 7  # between checkpoints of the log: few, so that many moments are within one


def penalty(number: int) -> dict[str, object]:
    """An entry with this number of points."""
    return {"action": "adjust", "player": "Ann", "points": number, "reason": "late again"}


def write(path: Path, name: str, careless: bool) -> None:
    """Open the book, make every kind of change once, and close it."""
    with closing(Ledger(path)) as ledger:
        engine, done = sqlite_of(ledger), count(1)
        if careless:
            engine.connection.execute("PRAGMA synchronous=OFF")

        def do(what: str, change: Callable[[], object]) -> None:
            """Make a change and acknowledge it; every few times move the log into the book."""
            change()
            acknowledge(what)
            if next(done) % COMMITS == 0:
                assert engine.move_log()

        book = Book(ledger)
        evenings = EveningBook(book)
        begun: list[Link] = []
        do("begun", lambda: begun.append(book.begin("plain-score", PLAYERS, None, {})))
        (host,) = begun
        for number in range(1, 5):
            key = f"{name}-{number}"
            do(key, lambda n=number, k=key: book.record(host, penalty(n), Mark(n - 1), k))  # type: ignore[misc]
        do(f"{UNDO}4", lambda: book.undo(host, Mark(4)))
        change = Change(1, penalty(9), "seen again")
        do(f"{name}-amend", lambda: book.correct(host, change, Mark(5), f"{name}-amend"))
        do(f"{name}-void", lambda: book.correct(host, Change(2), Mark(6), f"{name}-void"))
        becomes = SheetSettings(["Anna", "Ben"], "Ben", {"target": 50})
        do(
            f"{name}-name",
            lambda: book.correct(
                host, NewSettings(becomes, {"Ann": "Anna"}), Mark(7), f"{name}-name"
            ),
        )
        do("again", lambda: evenings.play_again(host, 0, f"{name}-again"))
        do("evening", lambda: evenings.token_of(host.document))
        joining, both = Evenings(ledger), (host.document, host.document + 1)
        do("parted", lambda: joining.part(joining.evening_of(host.document) or 0, both, book.now()))
        do("apart", lambda: joining.leave_apart(both, book.now()))
        do("joined", lambda: joining.join(both, book.now()))
        do("link", lambda: book.hosting.renew(host, "score"))
        do("trash", lambda: book.trash.put(host))
        do("restored", lambda: book.trash.take_out(host))


def main() -> None:
    """Play two evenings, the second on the book that the first has closed."""
    path = Path(sys.argv[1]) / "referee.sqlite"
    write(path, "first", "careless" in sys.argv)
    write(path, "second", "careless" in sys.argv)


if __name__ == "__main__":
    main()
