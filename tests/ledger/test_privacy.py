"""Only its owner can read a book, whatever the umask of the program."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger.backup import backup, restore
from referee.ledger.disk import open_to_others
from referee.ledger.store import Ledger, NewSheet
from tests.support.books import AT, written

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights are another thing there")


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    """The program was started with this umask."""
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_only_the_owner_can_read_what_is_written(tmp_path: Path) -> None:
    """A book, its log, a backup, and a book that `restore` has put aside."""
    book = tmp_path / "new" / "instance" / "referee.sqlite"
    with closing(Ledger(book)) as ledger:
        ledger.create_all([NewSheet("{}", [("host", "h")], AT)])
        backup(book, book.parent / "copy.sqlite")
        there = list((tmp_path / "new").rglob("*"))
        assert len(there) == 5, "the folder, the book and its log, and the copy"
        assert [path for path in there if path.stat().st_mode & 0o077] == []
    restore(book.parent / "copy.sqlite", book, force=True)
    assert [path for path in tmp_path.rglob("*") if path.stat().st_mode & 0o077] == []


def test_opening_ends_others_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a copy or an earlier version left."""
    book = written(tmp_path / "referee.sqlite")
    (tmp_path / "backups").mkdir()
    ours = [book, tmp_path / "backups" / "referee-00001.sqlite"]
    ours.append(tmp_path / "referee-before-2026-01-02-030405.sqlite")
    others = tmp_path / "letters.txt"
    for path in (*ours, others):
        path.touch()
        path.chmod(0o666)
    tmp_path.chmod(0o755)

    def refused(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted", str(path))

    with monkeypatch.context() as during:
        during.setattr(Path, "chmod", refused)
        with closing(Ledger(book)) as ledger:
            assert ledger.sheets() == [1]
        assert set(open_to_others(book)) == set(ours)
    Ledger(book).close()
    assert open_to_others(book) == []
    assert [path.stat().st_mode & 0o777 for path in ours] == [0o600] * 3
    assert (others.stat().st_mode & 0o777, tmp_path.stat().st_mode & 0o777) == (0o666, 0o755)
