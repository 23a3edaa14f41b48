"""Exporting sheets from the score book and importing them: `referee export`, `referee import`."""

import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import msgspec

from referee.commands import console
from referee.ledger.disk import writable
from referee.ledger.integrity import as_written
from referee.ledger.store import Ledger
from referee.progress import steps
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, RefereeError
from referee.rules.text import Text, listed, say, say_many
from referee.sheets.book import Book
from referee.sheets.files import Sheet, play_through, read_sheet, sheet_from
from referee.sheets.score_pad import pad_csv
from referee.sheets.sheet import OpenSheet, SickSheetError, as_file, file_as_written


@click.command(name="import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--again", is_flag=True, help="Save a copy of sheets that are here already.")
@console.book_options
def import_(files: tuple[Path, ...], again: bool, **where: Any) -> None:
    """Save the sheets in FILES (`-` is standard input) and print the links that open them.

    A file holds one sheet, or one per line as `referee export --all` writes them. If any sheet
    can't be read or breaks a rule, none is saved. One that was exported and is here already, with
    all its history, isn't saved again.
    """
    settings = console.settings_of(**where)
    with console.progress(say("Reading")):
        sheets = [sheet for file in files for sheet in _sheets_in(file)]
    with console.one_line_errors(), closing(Ledger(settings.book)) as ledger:
        book, new = Book(ledger), list[Sheet]()
        for sheet in sheets:
            here = [] if again else book.already_here(sheet)
            if not here:
                new.append(sheet)
            for number in here[:1]:
                console.print_line(
                    say(
                        "Already here as sheet {sheet}; {option} saves a copy. Its host link while "
                        "`referee` is serving: /s/{token}",
                        sheet=str(number),
                        option="--again",
                        token=ledger.links(number).get("host", ""),
                    )
                )
        with console.progress(say("Saving")):
            links = book.import_sheets(new)
        for link in links:
            console.print_line(
                say(
                    "Saved as sheet {sheet}. Its host link while `referee` is serving: /s/{token}",
                    sheet=str(link.document),
                    token=link.token,
                )
            )


def _sheets_in(file: Path) -> list[Sheet]:
    """The sheets of a file, played through; if one is wrong the command ends."""
    faulty: int | None = None
    try:
        text = console.read_input(file)
        lines = text.splitlines()
        if not _one_a_line(lines):
            return [_checked(text)]
        sheets = []
        for number, line in enumerate(steps(lines), start=1):
            if line.strip():
                faulty = number  # unless it can be read and played through
                sheets.append(_checked(line))
    except RefereeError as error:
        console.refuse(error, False, 1 if isinstance(error, IllegalEntry) else 2, faulty)
    return sheets


def _one_a_line(lines: list[bytes]) -> bool:
    """Whether each line is a document: there are several lines, and the first is a JSON object."""
    written = [line for line in lines if line.strip()]
    if len(written) < 2:
        return False
    try:
        return isinstance(msgspec.json.decode(written[0]), dict)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False


def _checked(text: bytes) -> Sheet:
    sheet = read_sheet(text)
    play_through(sheet.game, sheet.table, sheet.entries)
    return sheet


@click.command()
@click.argument("sheet", required=False, type=console.printable)
@click.option("--all", "every", is_flag=True, help="Every sheet, one per line; or -o FOLDER.")
@click.option("--csv", "as_csv", is_flag=True, help="The score pad, for a spreadsheet.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
@console.book_options
def export(sheet: str | None, every: bool, as_csv: bool, output: Path | None, **where: Any) -> None:
    """Print a sheet as a file, with its history.

    SHEET is its number, its link, or the last part of its link. Without it, the sheets are listed.
    """
    settings = console.settings_of(**where)
    if every and (sheet is not None or as_csv):
        says = say(
            "{option} exports every sheet whole, so don’t name a sheet, and leave out {other}.",
            option="--all",
            other="--csv",
        )
        raise click.ClickException(str(says))
    if as_csv and sheet is None:
        says = say("Name the sheet to export. `referee export` lists them.")
        raise click.ClickException(str(says))
    with console.one_line_errors(), closing(Ledger(settings.book)) as ledger:
        book = Book(ledger)
        if every:
            with console.progress(say("Writing"), prints=output is None):
                code = _export_all(book, output)
            sys.exit(code)
        if sheet is None:
            _list_sheets(book)
            return
        if sheet.isascii() and sheet.isdecimal():
            number = sheet.lstrip("0")
            link = next((one for one in book.all_links() if str(one.document) == number), None)
        else:
            link = book.ledger.link(sheet.rstrip("/").rsplit("/", 1)[-1])
        if link is None:
            says = say("There’s no sheet “{name}”. `referee export` lists them.", name=sheet)
            raise click.ClickException(str(says))
        try:
            opened = book.open(link)
        except SickSheetError as error:
            if as_csv:
                raise
            console.print_line(say("{why} Here is what was written.", why=error.says), err=True)
            written = as_written(book.ledger, link.document)
            console.write_file(_json_text(file_as_written(written)), output)
            sys.exit(1)
        if as_csv:
            console.write_file(pad_csv(opened.pad), output, "utf-8-sig")
        else:
            console.write_file(_json_text(as_file(opened)), output)


def _json_text(document: Mapping[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n"


def _export_all(book: Book, folder: Path | None) -> int:
    """Write all sheets that can be opened, and complain of those that can't.

    Returns the exit code: 1 if one was left out, or written without its history.
    """
    code = written = 0
    for link in steps(book.all_links()):
        try:
            sheet = book.open(link)
            document, complaint = _importable(sheet)
        except (SickSheetError, RefereeError) as error:
            document = None
            complaint = say(
                "Sheet {sheet} can’t be opened: {why} It’s left out here; export it alone to get "
                "what was written.",
                sheet=str(link.document),
                why=error.why if isinstance(error, SickSheetError) else str(error),
            )
        if complaint is not None:
            console.print_line(complaint, err=True)
            code = 1
        if document is None:
            continue
        if folder is None:
            console.print_json(document)
        else:
            name = f"{sheet.id:04}-{sheet.game.slug}-{sheet.begun[:10]}.json"
            with writable(folder):
                folder.mkdir(parents=True, exist_ok=True)
            console.write_file(_json_text(document), folder / name)
        written += 1
    if folder is not None:
        says = say_many(
            "Wrote {n} sheet to {folder}.",
            "Wrote {n} sheets to {folder}.",
            n=written,
            folder=click.format_filename(folder),
        )
        console.print_line(says)
    return code


def _importable(sheet: OpenSheet) -> tuple[dict[str, Any], Text | None]:
    """The content of a file that can be imported, and why its history was left out, if it was."""
    document = as_file(sheet)
    try:
        sheet_from(msgspec.to_builtins(document))
    except MalformedEntry as error:
        del document["history"]
        sheet_from(msgspec.to_builtins(document))
        return document, say(
            "Sheet {sheet} is exported without its history: {why}",
            sheet=str(sheet.id),
            why=str(error),
        )
    return document, None


def _list_sheets(book: Book) -> None:
    for link in book.all_links():
        try:
            sheet = book.open(link)
        except SickSheetError as error:
            says = say("can’t be opened: {why}", why=error.why)
            console.print_line(f"{link.document:>4}  {says}")
            continue
        played = say("{game}: {players}", game=sheet.game.title, players=listed(sheet.head.players))
        console.print_line(f"{link.document:>4}  {sheet.begun[:10]}  {played}")
