"""What is noted beside a book: whatever becomes of its log, no recorded row is lost in silence."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger.backup import backup, restore
from referee.ledger.ends import LINE, EndsFile, ends_in_book
from referee.ledger.errors import DamagedError, LossError
from referee.ledger.mending import take_as_it_is
from referee.ledger.store import Draft, Ledger

AT = "2026-01-02T03:04:05+00:00"
HEAD = '{"game":"any"}'


def rows(ledger: Ledger, sheet: int, number: int) -> None:
    """Append so many plays, each in a transaction of its own."""
    for _ in range(number):
        newest = ledger.newest(sheet)
        ledger.append(sheet, newest, [Draft("play", "{}", f"k{newest}", "host", AT)])


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A book as a program leaves it that was killed: three sheets; the last rows lie in the log."""
    alive = tmp_path / "alive" / "referee.sqlite"
    ledger = Ledger(alive)
    for number in (1, 2):
        ledger.create(HEAD, [("host", f"h{number}")], AT)
        rows(ledger, number, 3)
    ledger._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    rows(ledger, 2, 4)
    ledger.create(HEAD, [("host", "h3")], AT)
    ledger.renew_link(1, "host", "new", AT)
    ledger._ends.flush()
    shutil.copytree(alive.parent, tmp_path / "killed")
    ledger.close()
    return tmp_path / "killed" / "referee.sqlite"


def log(book: Path) -> Path:
    """The write-ahead log of a book."""
    return book.with_name("referee.sqlite-wal")


def cut_short(book: Path) -> None:
    """Let the log end a little too early."""
    content = log(book).read_bytes()
    log(book).write_bytes(content[: len(content) // 2])


def garbled(book: Path) -> None:
    """Change a byte in the middle of the log."""
    content = bytearray(log(book).read_bytes())
    content[len(content) // 2] ^= 255
    log(book).write_bytes(content)


LOST: dict[str, Callable[[Path], None]] = {
    "deleted": lambda book: log(book).unlink(),
    "emptied": lambda book: os.truncate(log(book), 0),
    "cut short": cut_short,
    "garbled": garbled,
}


def test_a_killed_program_left_nothing_to_blame(killed: Path) -> None:
    """With its log the book has all that was noted, and opens."""
    with closing(Ledger(killed)) as ledger:
        assert [ledger.newest(sheet) for sheet in ledger.sheets()] == [3, 7, 0]


@pytest.mark.parametrize("case", LOST)
def test_a_lost_log_is_told(killed: Path, case: str) -> None:
    """The book is not opened as an older one; it can neither be backed up nor verified as sound."""
    LOST[case](killed)
    before = killed.read_bytes()
    with pytest.raises(LossError, match=r"isn’t all there.*`referee mend`"):
        Ledger(killed)
    with pytest.raises(DamagedError, match=r"recorded|missing"):
        backup(killed, killed.with_name("copy"))
    assert killed.read_bytes() == before
    assert not killed.with_name("copy").exists()


def test_what_is_missing_is_said(killed: Path) -> None:
    """Each sheet with how much of it is left; and that links were changed."""
    log(killed).unlink()
    with pytest.raises(LossError) as told:
        Ledger(killed)
    assert [str(lost) for lost in told.value.lost] == [
        "Sheet 2 has 3 of 7 recorded rows.",
        "Sheet 3 is missing.",
        "4 changes of sheets, links, evenings, or the trash are missing.",
    ]


def test_the_log_can_be_put_back(killed: Path, tmp_path: Path) -> None:
    """Nothing was written in the meantime: with its log the book is what it was."""
    log(killed).replace(tmp_path / "elsewhere")
    for _ in range(2):
        with pytest.raises(LossError):
            Ledger(killed)
    (tmp_path / "elsewhere").replace(log(killed))
    with closing(Ledger(killed)) as ledger:
        assert [ledger.newest(sheet) for sheet in ledger.sheets()] == [3, 7, 0]


@pytest.mark.parametrize("left", ["log", "nothing"])
@pytest.mark.parametrize("empty", [True, False])
def test_a_book_that_is_gone_is_not_begun_anew(killed: Path, left: str, empty: bool) -> None:
    """Where the file itself is missing, or empty, nothing is made in its place."""
    killed.unlink()
    if empty:
        killed.touch()
    if left == "nothing":
        log(killed).unlink()
    with pytest.raises(LossError, match="The file is missing or empty"):
        Ledger(killed)
    assert killed.exists() == empty
    assert log(killed).exists() == (left == "log")


def test_a_fresh_book_whose_log_is_lost(tmp_path: Path) -> None:
    """All of it was still in the log, tables too: it is told, and not begun anew."""
    ledger = Ledger(tmp_path / "alive" / "referee.sqlite")
    ledger.create(HEAD, [("host", "h")], AT)
    ledger._ends.flush()
    shutil.copytree(tmp_path / "alive", tmp_path / "killed")
    ledger.close()
    log(tmp_path / "killed" / "referee.sqlite").unlink()
    with pytest.raises(LossError, match="Sheet 1 is missing"):
        Ledger(tmp_path / "killed" / "referee.sqlite")


def test_an_older_copy_put_in_place_by_hand_is_told(killed: Path, tmp_path: Path) -> None:
    """Not by `restore`: nobody has said that what came since may go."""
    Ledger(killed).close()
    shutil.copy(killed, tmp_path / "older")
    with closing(Ledger(killed)) as ledger:
        rows(ledger, 1, 1)
    shutil.copy(tmp_path / "older", killed)
    with pytest.raises(LossError, match="Sheet 1 has 3 of 4 recorded rows"):
        Ledger(killed)


def test_another_past_put_in_place_by_hand_is_told(killed: Path, tmp_path: Path) -> None:
    """An older copy that was played on elsewhere has rows enough, but others."""
    Ledger(killed).close()
    shutil.copy(killed, tmp_path / "other.sqlite")
    with closing(Ledger(killed)) as ledger:
        rows(ledger, 1, 1)
    with closing(Ledger(tmp_path / "other.sqlite")) as ledger:
        ledger.append(1, 3, [Draft("play", "[]", "mine", "host", AT)])
        rows(ledger, 1, 3)
    shutil.copy(tmp_path / "other.sqlite", killed)
    with pytest.raises(LossError, match="Sheet 1 has other rows than were recorded"):
        Ledger(killed)


# --- never wrong


def test_a_healthy_book_is_never_blamed(killed: Path) -> None:
    """Killed between the book and the note, or with a note that is torn or gone: it opens."""
    noted = EndsFile(killed).path
    whole = noted.read_bytes()
    behind = whole[: 2 * LINE] + b" " * LINE + whole[3 * LINE :]
    torn = whole[: 2 * LINE + 20] + bytes(LINE - 20) + whole[3 * LINE :]
    short = whole[: 2 * LINE + 20]
    for content in (whole, behind, torn, short, b"", b"\0" * 999, b"\xff" * 64, whole[5:]):
        noted.write_bytes(content)
        with closing(Ledger(killed)) as ledger:
            assert ledger.newest(2) == 7
        assert noted.read_bytes()[: len(whole)] == whole, "it is brought up to date"
    noted.unlink()
    Ledger(killed).close()
    assert noted.read_bytes() == whole
    assert noted.stat().st_mode & 0o077 == 0


def test_a_note_is_behind_the_book_at_every_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever a line is noted, what it says is in the book for any other program to see."""
    note, compared = EndsFile.note, 0

    def watched(self: EndsFile, ends: dict[int, object]) -> None:
        nonlocal compared
        with closing(sqlite3.connect(ledger.path)) as other:
            there = ends_in_book(other)
        assert all(there[one] == end for one, end in ends.items())
        compared += len(ends)
        note(self, ends)  # type: ignore[arg-type]

    ledger = Ledger(tmp_path / "referee.sqlite")
    monkeypatch.setattr(EndsFile, "note", watched)
    ledger.create(HEAD, [("host", "h")], AT)
    rows(ledger, 1, 5)
    ledger.renew_link(1, "host", "new", AT)
    ledger.note_trash(1, "put", AT)
    ledger.close()
    assert compared == 9
    with closing(sqlite3.connect(ledger.path)) as raw:
        assert EndsFile(ledger.path).read() == ends_in_book(raw)


def test_where_nothing_can_be_noted_recording_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in the book has been recorded: nobody is told otherwise because of the witness."""
    with closing(Ledger(tmp_path / "referee.sqlite")) as ledger:
        ledger.create(HEAD, [("host", "h")], AT)
        EndsFile(ledger.path).path.unlink()
        EndsFile(ledger.path).path.mkdir()
        rows(ledger, 1, 2)
        ledger._ends.flush()
        assert ledger.newest(1) == 2


def test_what_is_noted_is_written_by_itself(tmp_path: Path) -> None:
    """In a moment, and not only when the book is closed."""
    with closing(Ledger(tmp_path / "referee.sqlite")) as ledger:
        ledger.create(HEAD, [("host", "h")], AT)
        rows(ledger, 1, 3)
        due = ledger._ends._due
        if due is not None:
            due.join(timeout=30)
        assert EndsFile(ledger.path).read()[1].rows == 3


# --- going on


def test_its_owner_may_go_on_without(killed: Path) -> None:
    """What is missing is said once; then the book is what it is, and is sound."""
    log(killed).unlink()
    lost = take_as_it_is(killed)
    assert [str(says) for says in lost][:1] == ["Sheet 2 has 3 of 7 recorded rows."]
    with closing(Ledger(killed)) as ledger:
        assert [ledger.newest(sheet) for sheet in ledger.sheets()] == [3, 3]
    assert list(take_as_it_is(killed)) == []


def test_a_book_that_is_gone_can_be_begun_anew(killed: Path) -> None:
    """When its owner says so, and what is left of it is put aside."""
    killed.unlink()
    assert [str(says) for says in take_as_it_is(killed)] == ["The file is missing or empty."]
    with closing(Ledger(killed)) as ledger:
        assert ledger.sheets() == []
    assert len(list(killed.parent.glob("referee-before-*.sqlite-wal"))) == 1


def test_a_backup_can_be_restored_over_it(killed: Path, tmp_path: Path) -> None:
    """That is the owner's word, too: what was noted goes with the old book."""
    copy = tmp_path / "copy.sqlite"
    with closing(Ledger(killed)) as ledger:
        backup(killed, copy)
        rows(ledger, 2, 2)
    shutil.copy(copy, killed)  # by hand, so that rows are missing
    with pytest.raises(LossError):
        Ledger(killed)
    _, old = restore(copy, killed, force=True)
    with closing(Ledger(killed)) as ledger:
        assert ledger.newest(2) == 7
    assert old is not None
    with pytest.raises(LossError):
        Ledger(old)


# --- a line is not to be had


def test_a_line_is_never_set_back(tmp_path: Path) -> None:
    """Of two processes the one that wrote first may note last: the newer end stays."""
    with closing(Ledger(tmp_path / "referee.sqlite")) as one:
        one.create(HEAD, [("host", "h")], AT)
        with closing(Ledger(one.path)) as other:
            rows(one, 1, 1)
            rows(other, 1, 1)
            other._ends.flush()
            one._ends.flush()
            assert EndsFile(one.path).read()[1].rows == 2


@pytest.mark.parametrize("number", [2**31, 2**58, 2**62, -5])
def test_a_damaged_number_makes_no_huge_file(tmp_path: Path, number: int) -> None:
    """The number of a sheet is its line, unless a bit of it has flipped; other sheets go on."""
    path = tmp_path / "referee.sqlite"
    with closing(Ledger(path)) as ledger:
        for host in ("h1", "h2"):
            ledger.create(HEAD, [("host", host)], AT)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE ends SET sheet = ? WHERE sheet = 2", (number,))
    EndsFile(path).remove()
    with closing(Ledger(path)) as ledger:
        rows(ledger, 1, 1)
    assert EndsFile(path).path.stat().st_size <= 3 * LINE
    assert EndsFile(path).read()[1].rows == 1


@pytest.mark.parametrize(
    ("column", "value"), [("hash", "a" * 50), ("hash", "x"), ("rows", 2**63 - 1)]
)
def test_a_damaged_end_overwrites_no_other_line(
    tmp_path: Path, column: str, value: str | int
) -> None:
    """A line is as long as a line, whatever is to be noted."""
    path = tmp_path / "referee.sqlite"
    with closing(Ledger(path)) as ledger:
        for host in ("h1", "h2", "h3"):
            ledger.create(HEAD, [("host", host)], AT)
            rows(ledger, 1, 1)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(f"UPDATE ends SET {column} = ? WHERE sheet = 2", (value,))
    noted = EndsFile(path).path
    lines = noted.read_bytes()
    noted.write_bytes(lines[: 2 * LINE] + b" " * LINE + lines[3 * LINE :])
    Ledger(path).close()
    assert noted.read_bytes()[3 * LINE :] == lines[3 * LINE :]


def test_what_cannot_be_noted_is_noted_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A full disk costs no line once there is room again; that it was full is logged once."""
    with closing(Ledger(tmp_path / "referee.sqlite")) as ledger:
        ledger.create(HEAD, [("host", "h")], AT)
        ledger._ends.flush()
        file = EndsFile(ledger.path).path
        noted = file.read_bytes()
        file.unlink()
        file.mkdir()
        for _ in range(2):
            rows(ledger, 1, 1)
            ledger._ends.flush()
        assert len(caplog.records) == 1
        assert "referee.sqlite-ends can't be written" in caplog.text
        file.rmdir()
        file.write_bytes(noted)
        ledger._ends.flush()
        assert EndsFile(ledger.path).read()[1].rows == 2


def test_everything_is_noted_before_the_book_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Afterwards another book may be put in its place, of which the line would not be true."""
    ledger = Ledger(tmp_path / "referee.sqlite")
    ledger.create(HEAD, [("host", "h")], AT)
    flush, open_then = EndsFile.flush, list[bool]()

    def watched(self: EndsFile) -> None:
        open_then.append(ledger._local.opened is not None)
        flush(self)

    monkeypatch.setattr(EndsFile, "flush", watched)
    ledger.close()
    assert open_then == [True]
