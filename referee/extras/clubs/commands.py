"""Count the sheets of a club: `referee club`."""

import csv
import io
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NoReturn

import click
import msgspec

from referee.commands.console import (
    book_options,
    complain,
    print_json,
    print_line,
    printable,
    progress,
    read_input,
    refuse,
    settings_of,
    speak_as_set,
    write_file,
)
from referee.commands.extras import Commands
from referee.extras.clubs.book import ClubBook
from referee.extras.clubs.figures import ALWAYS, Figures, Period, year
from referee.extras.clubs.file import Club, FaultyLines, read_club
from referee.extras.clubs.games import FEATS, game_title
from referee.extras.clubs.notes import club_name, in_force
from referee.extras.clubs.player import player, times_of
from referee.extras.clubs.ratings import Rating, shown
from referee.extras.clubs.records import called
from referee.extras.clubs.season_table import DEFAULT_SORT, TABLE_SORTS, TableRow
from referee.ledger.errors import DamagedError, LedgerError
from referee.ledger.store import Ledger, Link
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, RefereeError, shared_fault
from referee.rules.documents import error_document
from referee.rules.text import Text, decimal, listed, number, say, say_many, signed, without_marks
from referee.sheets.book import Book
from referee.sheets.score_pad import harmless

#: What can be asked of a club.
SUBJECTS = ("table", "player", "records", "export", "import")

NUMBER_DIGITS = 18  # of a club's number at most, so that longer ones are names of files

#: An answer: a JSON document, and lines of cells for people.
Answer = tuple[dict[str, Any], list[tuple[object, ...]]]


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, allow_dash=True))
@click.argument("subject", required=False, type=click.Choice(SUBJECTS))
@click.argument("name", required=False, type=printable)
@click.option("--year", "in_year", type=click.IntRange(1, 9999), help="Only games of this year.")
@click.option(
    "--by", type=click.Choice(tuple(TABLE_SORTS)), default=DEFAULT_SORT, help="Sort the table."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of sentences.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the table for a spreadsheet.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
@book_options
def club(  # noqa: PLR0913, PLR0917 - one for each word of the command line
    file: Path | None,
    subject: str | None,
    name: str | None,
    in_year: int | None,
    by: str,
    as_json: bool,
    as_csv: bool,
    output: Path | None,
    **where: Any,
) -> None:
    """Count a club: who won, against whom, and how. Without FILE, list the clubs of the book.

    FILE is the number of a club in the book, or a file (`-` is standard input) with a sheet in each
    line, as `referee export --all` writes them; its first line may hold a club’s name and notes.
    Without a subject this prints the table, as JSON everything.

    Exit 0; 1 if something breaks a rule; 2 if a line can’t be read.

    \b
    referee club FILE table --year 2026 --by average
    referee club FILE player NAME
    referee club FILE records
    referee club NUMBER export   a club of the book, with its sheets, as such a file
    referee club FILE import     save them in the book, as a new club
    """  # noqa: D301 - click reads the backspace that \b is
    if (subject == "player") is not (name is not None):
        raise click.UsageError("Give a name after “player”, and only there.")
    which = _number(file)
    if file is not None and not which and subject != "import":
        speak_as_set()
    try:
        if file is None:
            _print_list(where, as_json)
            return
        text = _exported(where, which) if which else read_input(file)
        found = _read(text)
        match subject:
            case "export":
                write_file(text.decode(), output)
            case "import":
                _import(where, text, found)
            case _:
                period = year(in_year) if in_year else ALWAYS
                document, lines = _answer(found, name, subject, period, by)
                _print(document if as_json else None, lines, as_csv, output)
    except FaultyLines as faulty:
        _refuse_lines(faulty, as_json)
    except RefereeError as error:
        refuse(error, as_json, 1 if isinstance(error, IllegalEntry) else 2)
    except LedgerError as error:
        raise click.ClickException(str(error)) from error


def _read(text: bytes) -> Club:
    """The club of a file; reports which of its sheets are in it twice."""
    with progress(say("Counting")):
        found = read_club(text)
    for lines in found.twice:
        line, other = map(str, lines)
        says = say(
            "Line {line} is the same sheet as line {other}. It counts once.", line=line, other=other
        )
        print_line(says, err=True)
    return found


def _print(
    document: dict[str, Any] | None,
    lines: list[tuple[object, ...]],
    as_csv: bool,
    output: Path | None,
) -> None:
    """Print an answer: as JSON if there is a document, else its lines as a table or CSV."""
    cells = [[without_marks(str(cell)) for cell in line] for line in lines]
    rows = [line for line in cells if len(line) > 1]  # without headings
    if document is not None:
        print_json(document)
    elif as_csv:
        out = io.StringIO()
        csv.writer(out).writerows([harmless(cell) for cell in row] for row in rows)
        write_file(out.getvalue(), output, "utf-8-sig")
    else:
        widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
        for first, *others in cells:
            padded = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=False))
            print_line("  ".join((first.ljust(widths[0]) if others else first, *padded)))


def _number(file: Path | None) -> int:
    """The number of a club in the book; 0 for a file."""
    named = str(file or "")
    is_number = named.isascii() and named.isdecimal() and len(named) <= NUMBER_DIGITS
    return int(named) if is_number and not Path(named).exists() else 0


# --- in the book


def _opened(where: dict[str, Any]) -> tuple[Ledger, ClubBook]:
    """The book and its clubs, until the command ends."""
    ledger = Ledger(settings_of(**where).book)
    click.get_current_context().call_on_close(ledger.close)
    return ledger, ClubBook(ledger, Book(ledger))


def _link(ledger: Ledger, which: int) -> Link:
    if which not in ledger.sheets("club"):
        says = say("There’s no club {number} in the book.", number=str(which))
        raise click.ClickException(str(says))
    return Link(ledger.links(which).get("host", ""), which, "host", kind="club")


def _print_list(where: dict[str, Any], as_json: bool) -> None:
    ledger, clubs = _opened(where)
    for which in ledger.sheets("club"):
        try:
            name = clubs.open(_link(ledger, which)).name
        except DamagedError as error:  # the others can be read
            print_line(error.says, err=True)
            continue
        if as_json:
            print_json({"club": which, "name": name})
        else:
            print_line(f"{which:>4}  {name}")


def _exported(where: dict[str, Any], which: int) -> bytes:
    """A club of the book as a file."""
    ledger, clubs = _opened(where)
    with progress(say("Reading")):
        return b"\n".join((*clubs.in_lines(_link(ledger, which).document), b""))


def _import(where: dict[str, Any], text: bytes, found: Club) -> None:
    """Import the club of a file, and say where; raises if its figures differ from the file's.

    They may if a sheet has no history: such a game ends when it is imported, after all others.
    """
    if not text.strip():
        says = say("There’s nothing in this file: no club and no sheet.")
        raise MalformedEntry([shared_fault("empty", says, "file")])
    _, clubs = _opened(where)
    link = clubs.import_club(found)
    says = say(
        "Saved as club {club}, with {sheets}. Its host link while `referee` is serving: /c/{token}",
        club=str(link.document),
        sheets=say_many("{n} sheet", "{n} sheets", n=len(found.sheets)),
        token=link.token,
    )
    print_line(says)
    here = clubs.counts.of(clubs.open(link)).figures.document()["players"]
    timed = all(sheet.history is not None for sheet in found.sheets)
    if timed and here != found.figures.document()["players"]:
        raise click.ClickException(str(say("It isn’t counted as the file is.")))


# --- what is counted


def _answer(found: Club, name: str | None, subject: str | None, period: Period, by: str) -> Answer:
    figures = found.figures
    if name is not None:
        return _player(figures, name, period)
    if subject == "records":
        return _records(figures)
    document, lines = _table(figures, period, by)
    called = club_name(found.head, in_force(found.history))
    games = sum(period.holds(game) for game in figures.games)
    title = say_many("{club}: {n} game", "{club}: {n} games", n=games, club=called)
    everything = subject is None and period == ALWAYS
    return figures.document() if everything else document, [(title,), *lines]


def table_document(figures: Figures, rows: list[TableRow]) -> list[dict[str, Any]]:
    """A season table as plain values, rounded."""
    return [
        {
            **msgspec.structs.asdict(row),
            "person": figures.name(row.person),
            "average": round(row.average, 4),
            "rating": row.rating and [round(part, 4) for part in row.rating],
        }
        for row in rows
    ]


def _table(figures: Figures, period: Period, by: str) -> Answer:
    rows = figures.table(period, by)
    heads = (say("Wins"), say("Games"), say("Average place"), say("Points"), say("Rating"))
    return {"table": table_document(figures, rows)}, [
        ("", *heads),
        *(
            (
                f"{place:>2}. {figures.name(row.person)}",
                *map(number, (row.wins, row.games)),
                decimal(row.average),
                number(row.points),
                _rating(row.rating),
            )
            for place, row in enumerate(rows, start=1)
        ),
    ]


def _rating(rating: Rating | None) -> str:
    return "–" if rating is None else "{} ± {}".format(*map(number, shown(rating)))


def _player(figures: Figures, name: str, period: Period) -> Answer:
    person = figures.people.of(name)
    if person not in figures.seen:
        says = say("There’s nobody called “{name}” in this club.", name=name)
        raise IllegalEntry([shared_fault("nobody", says, "club")])
    one = player(figures, person, period)
    lines: list[tuple[object, ...]] = [
        (one.name,),
        (say("Games"), number(len(one.games))),
        (say("Wins"), number(len(one.wins))),
        (say("Average place"), decimal(one.average)),
        (say("Rating"), _rating(one.rating)),
        (say("Wins in a row"), number(len(one.streak)), say("at most {n}", n=len(one.best_streak))),
    ]
    for words, played, which in (
        (say("Best deal"), one.best, "best"),
        (say("Worst deal"), one.worst, "worst"),
    ):
        if played is not None:
            brought = signed(getattr(played.result, which).points)
            lines.append((words, brought, game_title(played.game.key), _sheet(played.game.sheet)))
    if one.nemesis is not None:
        won_lost = f"{len(one.nemesis.won)} : {len(one.nemesis.lost)}"
        lines.append((say("Nemesis"), won_lost, figures.name(one.nemesis.other)))
    opponents, games = one.best_table
    if opponents:
        won_played = f"{sum(each.won for each in games)} : {len(games)}"
        lines.append((say("Best table"), won_played, listed(map(figures.name, opponents))))
    for key, of_game in one.by_game.items():
        won = sum(each.won for each in of_game)
        points = sum(each.result.points for each in of_game)
        wins = say_many("{n} win", "{n} wins", n=won)
        lines.append((game_title(key), number(len(of_game)), wins, number(points)))
    lines += [(FEATS[feat], number(times_of(feat, some))) for feat, some in one.feats.items()]
    return {"player": one.document()}, lines


def _sheet(sheet: int) -> Text:
    return say("sheet {n}", n=sheet)


def _records(figures: Figures) -> Answer:
    lines: list[tuple[object, ...]] = []
    for contest, records in figures.records.items():
        title = f"{game_title(figures.keys[contest.kind])} ({contest.length})"
        words = called(contest)
        for name, held in records.items():
            holder = figures.name(held[-1].person)
            lines.append(
                (title, words[name], number(held[-1].figure), holder, _sheet(held[-1].sheet))
            )
    return {"records": figures.records_document()}, lines


def _refuse_lines(faulty: FaultyLines, as_json: bool) -> NoReturn:
    """Print the faults of each line of a file, and exit."""
    if as_json:
        lines = [{"line": line, **error_document(error)["error"]} for line, error in faulty.lines]
        print_json({"error": lines[0], "further": lines[1:]})
    else:
        for line, error in faulty.lines:
            complain(error, line)
    unread = any(not isinstance(error, IllegalEntry) for _, error in faulty.lines)
    sys.exit(2 if unread else 1)


def faults(book: Book) -> Iterator[Text]:
    """Faults in the clubs of a book, and in the stored results of their games."""
    return ClubBook(book.ledger, book).faults()


PART = Commands(commands=(club,), faults=faults)
