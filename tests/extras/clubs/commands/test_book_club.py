"""`referee club` with the clubs of a book, by their numbers."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.extras.clubs.book import ClubBook
from referee.extras.clubs.games import PlayedGame
from referee.extras.clubs.members import Clubs
from referee.extras.clubs.notes import Merge
from referee.ledger.chain import Mark
from referee.ledger.store import Ledger, Link
from referee.sheets.book import Book
from tests.extras.clubs.commands.test_club import MERGE, file, head, sheet
from tests.support.command_line import as_line, lines_of, one_error, run


@pytest.fixture
def ledger(instance: Path) -> Iterator[Ledger]:
    """A book with sheets 1 to 3 and club 4, which has the first two."""
    with closing(Ledger(instance / "referee.sqlite")) as ledger:
        book = Book(ledger)
        links = []
        for winner, other in (("Ben", "Ann"), ("Benny", "Ann"), ("Zoe", "Yan")):
            link = book.begin("plain-score", [winner, other], None, {"deals": 1})
            book.record(link, {"action": "deal", "points": {winner: 5, other: 2}}, Mark(0), "deal")
            links.append(link)
        clubs = ClubBook(ledger, book)
        clubs.put(clubs.begin("Thursday table"), links[:2])
        yield ledger


def players(*words: str) -> dict[str, list[int]]:
    """How many games everybody has in a club, and how many of them they won."""
    (found,) = lines_of(run("club", *words, "--json"))
    return {name: [one["games"], one["wins"]] for name, one in found["players"].items()}


def test_the_clubs_of_a_book_are_listed(ledger: Ledger) -> None:
    """With their numbers, by which they are counted."""
    assert run("club").stdout == "   4  Thursday table\n"
    assert lines_of(run("club", "--json")) == [{"club": 4, "name": "Thursday table"}]
    assert players("4") == {"Ben": [1, 1], "Ann": [2, 0], "Benny": [1, 1]}
    assert "Thursday table: 2 games" in run("club", "4").stdout
    assert "no club 3" in one_error(run("club", "3"))
    assert len(ledger.sheets()) == 3


def test_a_club_is_exported_and_imported(ledger: Ledger, tmp_path: Path) -> None:
    """Its file has exactly its notes, with their hashes, and its sheets."""
    clubs, host = ClubBook(ledger, Book(ledger)), ledger.links(4)["host"]
    clubs.note(Link(host, 4, "host", kind="club"), Merge("Ben", ["Benny"]), "one")
    assert players("4") == {"Ben": [2, 2], "Ann": [2, 0]}
    file = tmp_path / "club.jsonl"
    assert run("club", "4", "export", "-o", str(file)).exit_code == 0
    first, *sheets = lines_of(run("club", "4", "export"))
    assert first["history"][1]["note"] == MERGE
    assert len(sheets) == 2
    assert players(str(file)) == players("4")
    assert "Saved as club 7, with 2 sheets" in run("club", str(file), "import").stdout
    assert players("7") == players("4")
    assert ledger.rows(7)[-1].hash == ledger.rows(4)[-1].hash
    assert list(Clubs(ledger).sheets(7)) == [5, 6]
    assert run("verify").exit_code == 0


def test_a_table_is_printed_as_csv(ledger: Ledger) -> None:
    """With the names of columns, and without a title."""
    found = run("club", "4", "--csv").stdout.splitlines()
    assert found[0].startswith(",Wins,Games")
    assert found[1].startswith(" 1. Ben,1,1,")
    assert len(ledger.sheets()) == len(found) - 1


def test_verify_checks_stored_results(
    ledger: Ledger, instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the sheet and the club of a stored result that differs."""
    clubs = ClubBook(ledger, Book(ledger, summaries=instance / "referee-summaries.sqlite"))
    with monkeypatch.context() as wrongly:
        wrongly.setattr(
            "referee.extras.clubs.counts.game_of", lambda sheet: PlayedGame(sheet.id, "", ())
        )
        clubs.counts.of(clubs.open(Link("", 4, "view")))
    said = run("verify")
    assert said.exit_code == 1
    assert "Club 4: sheet 2 isn’t counted as it was played." in said.stdout


def test_a_faulty_club_file_is_not_imported(ledger: Ledger, tmp_path: Path) -> None:
    """Nothing of it."""
    file = tmp_path / "club.jsonl"
    file.write_text(as_line(head(MERGE)) + "no sheet\n")
    assert run("club", str(file), "import").exit_code == 2
    assert (len(ledger.sheets()), len(ledger.sheets("club"))) == (3, 1)


def test_sheets_without_a_history_end_when_they_are_imported(instance: Path) -> None:
    """So they count after the others, though they are first in the file."""
    untimed = sheet({"Ann": 3, "Ben": 1})
    given = file(untimed, sheet({"Ann": 1, "ben": 2}, "2025-12-31T23:00:00+00:00"))
    assert run("club", "-", "import", given=given).exit_code == 0
    assert players("3") == {"Ann": [2, 1], "Ben": [2, 1]}
