"""A cached sheet is never older than its rows, whoever wrote them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.ledger.store import Draft, Ledger, Link
from referee.sheets.book import Book, Kept
from referee.sheets.comparison import Change, NewSettings

PLAYERS = ["Ann", "Ben", "Cat"]


def out(player: str) -> dict[str, object]:
    """A deal that `player` has won."""
    return {"action": "out", "player": player}


def started(path: Path) -> Book:
    """A book as another program would open it, with an empty cache."""
    return Book(Ledger(path))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the ledger lies."""
    return tmp_path / "referee.sqlite"


@pytest.fixture
def book(path: Path) -> Iterator[Book]:
    """Another program’s book, while others write."""
    ledger = Ledger(path)
    yield Book(ledger)
    ledger.close()


@pytest.fixture
def host(book: Book) -> Link:
    """A sheet of Multiple 9 with two deals, which was opened."""
    link = book.begin("multiple-9", PLAYERS, None, {"target": 0})
    book.record(link, out("Ann"), 0, "a")
    book.record(link, out("Ben"), 1, "b")
    assert book.open(link).seq == 2
    return link


def test_what_another_program_writes_is_seen_at_once(book: Book, host: Link, path: Path) -> None:
    """Entries, an undo, corrections and new names: every time as if it were read anew."""
    other = started(path)
    writes: list[Callable[[int], object]] = [
        lambda seq: other.record(host, out("Cat"), seq, "c"),
        lambda seq: other.undo(host, seq, "d"),
        lambda seq: other.correct(host, Change(4), seq, "e"),
        lambda seq: other.correct(host, Change(1, out("Cat")), seq, "f"),
        lambda seq: other.record(host, out("Ann"), seq, "g"),
        lambda seq: book.record(host, out("Ann"), seq, "h"),
        lambda seq: _rename(other, host, seq),
        lambda seq: other.record(host, out("Bea"), seq, "j"),
    ]
    for seq, write in enumerate(writes, start=2):
        write(seq)
        assert book.open(host).seq == seq + 1
        assert book.open(host) == started(path).open(host)
        assert book.open(host).fates == started(path).open(host).fates


def _rename(book: Book, link: Link, seq: int) -> None:
    sheet = book.open(link)
    now = sheet.head.settings
    becomes = type(now)(["Ann", "Bea", "Cat"], now.dealer, now.options)
    book.correct(link, NewSettings(becomes, {"Ben": "Bea"}), seq, "i")


def test_several_entries_at_once(book: Book, host: Link, path: Path) -> None:
    """Those that another program wrote while nobody here looked."""
    other = started(path)
    for seq in range(2, 7):
        other.record(host, out("Cat"), seq, f"many-{seq}")
    assert book.open(host) == started(path).open(host)


def test_what_is_kept_is_not_read_again(book: Book, host: Link) -> None:
    """The sheet that was opened is the very one that comes again; each role has its own."""
    assert book.open(host) is book.open(host)
    viewer = book.find(book.hosting.links(host)["view"])
    assert viewer is not None
    assert book.open(viewer).role == "view"
    assert book.open(host).role == "host"
    assert book.open(viewer).course is book.open(host).course


def test_another_book_in_its_place(book: Book, host: Link, path: Path, tmp_path: Path) -> None:
    """Where the newest row cached is not the one in the database, all is read anew."""
    assert book.open(host).rows[-1].key == "b"
    elsewhere = Ledger(tmp_path / "other.sqlite")
    began = elsewhere.create(_head(path), [("host", host.token)], "2026-01-02T03:04:05+00:00")
    for seq, who in enumerate(("Cat", "Cat", "Cat")):
        draft = Draft("play", f'{{"action":"out","player":"{who}"}}', f"x{seq}", "host", "then")
        elsewhere.append(began, seq, [draft])
    book._ledger = elsewhere
    assert [row.key for row in book.open(Link(host.token, began, "host")).rows] == [
        "x0",
        "x1",
        "x2",
    ]


def _head(path: Path) -> str:
    found = Ledger(path).head(1)
    assert found is not None
    return found[0]


def test_only_so_many_rows_are_kept() -> None:
    """What nobody asked for longest goes; what is too long alone is not kept."""
    kept = Kept[int, str](len, most_rows=10)
    kept.put(1, "four")
    kept.put(2, "more")
    assert kept.get(1) == "four"  # so it is the second that was not asked for longest
    kept.put(3, "last")
    assert [kept.get(key) for key in (1, 2, 3)] == ["four", None, "last"]
    kept.put(1, "far too long")
    assert kept.get(1) is None
