"""Sheet files and histories: refused in words, or taken in, sound, and the same when taken out."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from flask.testing import FlaskClient

from referee.rules.core.ruling import RefereeError
from referee.rules.documents import error_document
from referee.settings import Settings
from referee.sheets.audit import course_faults
from referee.sheets.book import Book
from referee.sheets.files import play_through, read_sheet, result
from referee.sheets.history import row_faults
from referee.sheets.sheet import as_file
from referee.web.app import create_app
from referee.web.context import state
from tests.fuzz.engine import Crash
from tests.fuzz.mutation import changed_json, changed_value
from tests.reliability import model
from tests.support.scratch import scratch

EXAMPLES = Path(__file__).parent.parent / "examples"
AT = "2026-01-02T03:04:05+00:00"
PAGES = ("", "/board", "/log", "/more", "/settings", "/share", "/entries/1", "/sheet.json")
RENEWED_AFTER = 400  # sheets; a book with more is opened more slowly


def example_sheets() -> Iterator[dict[str, Any]]:
    """A whole sheet of each game."""
    for path in sorted(EXAMPLES.glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))["sheet"]


class Files:
    """Files as `score` and `import` are given them."""

    name = "files"

    def seeds(self) -> Iterator[bytes]:
        """The example of each game, one with a history too."""
        for sheet in example_sheets():
            yield json.dumps(sheet).encode()
            yield json.dumps(with_history(sheet)).encode()

    def changed(self, one: bytes, other: bytes, chance: random.Random) -> bytes:
        """A value of the file changed, or a byte."""
        return changed_json(one, other, chance)

    @contextmanager
    def running(self) -> Iterator[None]:
        """A book to take sheets into, with its pages."""
        with scratch() as folder:
            self._folder, self._books, self._taken = Path(folder), 0, RENEWED_AFTER
            yield

    def _pages(self) -> tuple[FlaskClient, Book]:
        self._taken += 1
        if self._taken >= RENEWED_AFTER:
            self._books, self._taken = self._books + 1, 0
            app = create_app(Settings(instance=self._folder / str(self._books)))
            self._client, self._book = app.test_client(), state(app).book
        return self._client, self._book

    def tried(self, given: bytes) -> str:
        """The codes of what is wrong with it; or that it was taken in, and what it holds."""
        try:
            sheet = read_sheet(given)
            course = play_through(sheet.game, sheet.table, sheet.entries)
        except RefereeError as error:
            document = error_document(error)
            if not error.faults or not all(str(fault.says) for fault in error.faults):
                raise Crash("refused without a word") from error
            msgspec.json.encode(document)
            return f"{type(error).__name__}: {sorted({f'{f.game} {f.code}' for f in error.faults})}"
        msgspec.json.encode(result(course))
        client, book = self._pages()
        link = book.take_in(sheet)
        opened = book.ruled_on(link.sheet)
        wrong = [str(one) for one in (*row_faults(opened.history), *course_faults(opened.course))]
        if wrong:
            raise Crash(f"accepted, then unsound: {wrong[0]}")
        exported = json.loads(json.dumps(as_file(opened)))
        again = read_sheet(json.dumps(exported))
        if again.entries != sheet.entries or again.table != sheet.table:
            raise Crash("accepted, then exported as something else")
        for page in PAGES:
            status = client.get(f"/s/{link.token}{page}").status_code
            if status not in (200, 404):
                raise Crash(f"accepted, then {status} for {page or 'the sheet'}")
        kinds = {row["kind"] for row in exported["history"]}
        return f"taken: {sheet.game.slug}, {len(sheet.entries)} entries, {sorted(kinds)}"


class Histories(Files):
    """Histories: changed anywhere, then given the entries that they come to."""

    name = "histories"

    def seeds(self) -> Iterator[bytes]:
        """Each game's example with amendments, voids, voids of voids, and other settings."""
        for sheet in example_sheets():
            yield json.dumps(with_history(sheet)).encode()

    def changed(self, one: bytes, other: bytes, chance: random.Random) -> bytes:
        """Another history, and the entries and settings that follow from it where they can."""
        sheet, more = json.loads(one), json.loads(other)
        if more["game"] != sheet["game"]:
            more = sheet
        rows = changed_value(sheet["history"], more["history"], chance)
        if isinstance(rows, list) and chance.random() < 0.7:
            rows = [{**row, "seq": n} for n, row in enumerate(rows, 1) if isinstance(row, dict)]
        sheet["history"] = rows
        try:
            sheet["entries"] = model.entries(rows)
            notes = [row["agreed"]["becomes"] for row in rows if row["kind"] == "note"]
            sheet |= notes[-1] if notes else {}
        except (LookupError, TypeError, AttributeError, ValueError):
            pass  # a history that comes to nothing keeps the entries it had
        return json.dumps(sheet).encode("utf-8", "surrogatepass")


def with_history(sheet: dict[str, Any]) -> dict[str, Any]:
    """The same sheet, as if its last entry had been amended, taken out and brought back."""
    plays = [{"kind": "play", "entry": entry} for entry in sheet["entries"]]
    settings = {
        "players": sheet["players"],
        "dealer": sheet.get("dealer", sheet["players"][0]),
        "options": sheet.get("options", {}),
    }
    last = len(plays)
    rows = [
        *plays,
        {"kind": "amend", "target": last, "entry": sheet["entries"][-1], "reason": "seen again"},
        {"kind": "void", "target": last + 1},
        {"kind": "void", "target": last, "by": "Ann’s phone"},
        {"kind": "void", "target": last + 3, "reason": "it did count"},
    ]
    numbered = [{"seq": n, "at": AT, **row} for n, row in enumerate(rows, start=1)]
    return {**sheet, **settings, "history": numbered}
