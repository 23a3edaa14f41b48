"""The book's file alone is the whole book, as people copy that file without its log."""

import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

from referee.ledger.engine import BUSY_SECONDS
from referee.ledger.sqlite import MOVE_SECONDS
from tests.support.books import begin_sheet, record_rows
from tests.support.campaign import usual_or_nightly
from tests.support.command_line import run
from tests.support.server import PATIENCE, Server
from tests.support.until import until

ROWS = 30
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
#: How the program is stopped, and whether a worker was killed just before.
STOPS = [*product(SIGNALS, [False]), *product(usual_or_nightly(SIGNALS[:1], SIGNALS), [True])]

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")


class Served:
    """A book of one sheet, served by `workers` processes."""

    def __init__(self, folder: Path, workers: str) -> None:
        self.book = folder / "served" / "referee.sqlite"
        self.alone = folder / "copied" / "of-the-evening.sqlite"
        self.alone.parent.mkdir()
        self.token = begin_sheet(self.book.parent)
        self.server = Server(self.book.parent, "--workers", workers, "--name", "")

    def record(self, rows: range) -> None:
        record_rows(self.server.address, self.token, rows)

    def rows_in_copy(self) -> int:
        """Copy only the file that the program names; returns the number of rows in the copy."""
        shutil.copyfile(self.book, self.alone)
        with closing(sqlite3.connect(f"{self.alone.as_uri()}?immutable=1", uri=True)) as raw:
            return int(raw.execute("SELECT count(*) FROM entries").fetchone()[0])

    def log(self) -> Path:
        return Path(f"{self.book}-wal")


@pytest.fixture(params=["1", "2"], ids=["one process", "two processes"])
def served(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    """A served book, and the folder for its copies."""
    it = Served(tmp_path, request.param)
    yield it
    if it.server.process.poll() is None:
        it.server.kill()


def test_a_quiet_book_is_one_file(served: Served) -> None:
    """Soon after the last entry a copy of that file has all of them, and is intact.

    Also if the process that wrote last was killed.
    """
    served.record(range(ROWS))
    until(lambda: served.rows_in_copy() == ROWS, pause=0.2)
    said = run("verify", str(served.alone))
    assert said.exit_code == 0
    assert f"1 sheet with {ROWS} rows" in said.stdout
    assert "`referee backup`" in said.stdout  # `verify` can't know that no log is missing
    served.record(range(ROWS, ROWS + 3))
    for worker in served.server.workers():
        os.kill(worker, signal.SIGKILL)
    until(lambda: served.rows_in_copy() == ROWS + 3, pause=0.2)


def test_a_long_reader_only_delays_moving_the_log(served: Served) -> None:
    """A program that keeps reading keeps the newest rows in the log; afterwards they are moved.

    Nobody waits for it meanwhile.
    """
    served.record(range(2))
    until(lambda: served.rows_in_copy() == 2, pause=0.2)
    with closing(sqlite3.connect(served.book, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM entries").fetchone() == (2,)
        rows, over = 2, time.monotonic() + MOVE_SECONDS + 1  # time for a try to move the log
        while time.monotonic() < over:
            begun = time.monotonic()
            served.record(range(rows, rows + 1))
            assert time.monotonic() - begun < BUSY_SECONDS, "it waited as for a writer"
            rows += 1
        assert served.rows_in_copy() < rows
        reader.execute("ROLLBACK")
        until(lambda: served.rows_in_copy() == rows, pause=0.2)


@pytest.mark.parametrize(("how", "killed"), STOPS, ids=str)
def test_a_stopped_book_is_one_file(served: Served, how: signal.Signals, killed: bool) -> None:
    """Stopped in any way right after an entry, it leaves nothing in the log."""
    served.record(range(ROWS))
    if killed:
        os.kill(served.server.workers()[0], signal.SIGKILL)
    served.server.process.send_signal(how)
    served.server.process.wait(timeout=PATIENCE)
    assert served.rows_in_copy() == ROWS
    assert not served.log().exists()
