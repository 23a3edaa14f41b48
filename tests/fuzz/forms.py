"""Forms and addresses: whatever is sent, no page breaks, and the sheet stays sound."""

import json
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from flask.testing import FlaskClient

from referee.ledger.store import Link
from referee.rules.core.ruling import RefereeError
from referee.rules.registry import GAMES
from referee.settings import Settings
from referee.sheets.audit import course_faults
from referee.sheets.files import sheet_from
from referee.sheets.history import row_faults
from referee.web.app import create_app
from referee.web.context import AppState, state
from referee.web.forms.decode import as_form
from tests.fuzz.engine import Crash
from tests.fuzz.mutation import changed_value
from tests.fuzz.sheets import PAGES, RENEWED_AFTER, example_sheets
from tests.support.scratch import scratch

MAX_STEPS = 24
SEEN = {"after": "{after}", "key": "k{step}"}
LOOKS = (
    *("/s/{view}", "/s/{score}/more", "/s/{host}/print", "/s/{host}/settle?rate=0.10&sign=€"),
    *("/s/{host}/share?code=host", "/s/{host}/standings.csv", "/s/{host}/evening", "/", "/new"),
    *("/s/{host}/code/view.svg", "/s/{host}/entries/1", "/s/{host}/trash", "/referee"),
)


class Forms:
    """A sheet with a row of requests: `{"sheet": …, "steps": [{"path": …, "fields": {…}}, …]}`.

    A step without fields asks for a page. `{host}`, `{score}`, `{view}` in a path stand for links,
    `{after}` in a field for the newest row.
    """

    name = "forms"

    def seeds(self) -> Iterator[bytes]:
        """Every game's example played by its forms, corrected, and looked at from all sides."""
        for sheet in example_sheets():
            bare = {name: sheet[name] for name in ("referee", "game", "players")}
            bare["options"] = sheet.get("options", {})
            read = sheet_from(sheet)
            plays: list[dict[str, Any]] = [
                {"path": "/s/{score}/entries", "fields": {**_fields(read, place), **SEEN}}
                for place in range(len(read.entries))
            ]
            for steps in (plays + _corrections(sheet, plays[-1]["fields"]), _looks(sheet["game"])):
                yield json.dumps({"sheet": bare, "steps": steps}).encode()

    def changed(self, one: bytes, other: bytes, chance: random.Random) -> bytes:
        """A value of a step changed, or a step taken out, moved or said twice."""
        document, more = json.loads(one), json.loads(other)
        part = "steps" if chance.random() < 0.9 else "sheet"
        document[part] = changed_value(document[part], more[part], chance)
        return json.dumps(document).encode("utf-8", "surrogatepass")

    @contextmanager
    def running(self) -> Iterator[None]:
        """An app on a book of its own."""
        with scratch() as folder:
            self._folder, self._books, self._taken = Path(folder), 0, RENEWED_AFTER
            yield

    def _app(self) -> tuple[FlaskClient, AppState]:
        self._taken += 1
        if self._taken >= RENEWED_AFTER:
            self._books, self._taken = self._books + 1, 0
            folder = self._folder / str(self._books)
            app = create_app(Settings(instance=folder, sheets_an_hour=10**9))
            self._client, self._state = app.test_client(), state(app)
        return self._client, self._state

    def tried(self, given: bytes) -> str:
        """What each step was answered, and how many rows came of them."""
        try:
            document = json.loads(given)
            sheet = sheet_from(document["sheet"])
            steps = [step for step in document["steps"] if isinstance(step, dict)]
        except (ValueError, LookupError, TypeError, RefereeError):
            return "no such sheet"  # which the part `files` is about
        client, app = self._app()
        link = app.book.take_in(sheet)
        said = []
        for number, step in enumerate(steps[:MAX_STEPS]):
            path, fields = str(step.get("path")), step.get("fields")
            places = _places(app, link) | {"{step}": str(number)}
            status = _step(client, path, fields, places)
            if status == 500:
                raise Crash(f"500 for {path.split('?', maxsplit=1)[0][:60]}")
            said.append(f"{_kind(path, fields)} {status}")
        rows = _sound(client, app, link)
        return f"{sheet.game.slug}: {sorted(set(said))}, {rows}"


def _places(app: AppState, link: Link) -> dict[str, str]:
    """What stands for what in a step."""
    tokens = {f"{{{role}}}": token for role, token in app.ledger.links(link.sheet).items()}
    return {**tokens, "{after}": str(app.ledger.newest(link.sheet))}


def _step(client: FlaskClient, path: str, fields: object, places: Mapping[str, str]) -> int:
    """The status that a request is answered with."""

    def filled(text: object) -> str:
        written = text if isinstance(text, str) else json.dumps(text)
        for name, value in places.items():
            written = written.replace(name, value)
        return written

    path = filled(path)
    path = path if path.startswith("/") else f"/{path}"
    sent = {
        name: [filled(one) for one in (value if isinstance(value, list) else [value])]
        for name, value in (fields if isinstance(fields, dict) else {"": fields}).items()
    }
    try:
        if fields is None:
            return client.get(path).status_code
        return client.post(path, data=sent).status_code
    except UnicodeError:  # what no client could send either
        return 0


def _kind(path: str, fields: object) -> str:
    part = path.partition("?")[0].rstrip("/").rpartition("/")[2][:12]
    return f"{'GET' if fields is None else 'POST'} {part}"


def _sound(client: FlaskClient, app: AppState, link: Link) -> str:
    """Raise `Crash` where what was accepted is unsound; returns the kinds of rows there are."""
    host = app.ledger.links(link.sheet)["host"]
    opened = app.book.ruled_on(link.sheet)
    wrong = [str(one) for one in (*row_faults(opened.history), *course_faults(opened.course))]
    if wrong:
        raise Crash(f"accepted, then unsound: {wrong[0]}")
    for page in PAGES:
        status = client.get(f"/s/{host}{page}").status_code
        if status not in (200, 303, 404):
            raise Crash(f"accepted, then {status} for {page or 'the sheet'}")
    return f"{sorted({row.kind for row in opened.rows})}, {min(len(opened.rows), 4)}"


def _fields(read: Any, place: int) -> dict[str, Any]:
    entry = read.entries[place]
    return {
        name: values if len(values) > 1 else values[0]
        for name, values in as_form(
            msgspec.to_builtins(entry), type(entry), read.table.players
        ).lists()
        if values
    }


def _corrections(sheet: dict[str, Any], entry: dict[str, Any]) -> list[dict[str, Any]]:
    names = sheet["players"]
    settings = {
        "was": names,
        "name": ["Zoë", *names[1:]],
        "dealer": "0",
        **sheet.get("options", {}),
    }
    sure = {**SEEN, "sure": "1", "why": "seen again"}
    last = len(sheet["entries"])
    return [
        {"path": f"/s/{{score}}/entries/{last}", "fields": {**entry, **sure}},
        {"path": f"/s/{{score}}/entries/{last}/void", "fields": sure},
        {"path": f"/s/{{score}}/entries/{last + 2}/void", "fields": sure},
        {"path": "/s/{score}/undo", "fields": SEEN},
        {"path": "/s/{score}/settings", "fields": {**settings, **sure}},
        {"path": "/s/{score}/preview", "fields": entry},
        {"path": "/s/{host}/again", "fields": {"seen": "0", "key": "again", "game": ""}},
        {"path": "/s/{host}/links", "fields": {"role": "score"}},
        {"path": "/s/{host}/phone", "fields": {"phone": "Ann’s phone"}},
        {"path": "/s/{host}/trash", "fields": {}},
        {"path": "/s/{host}/trash/out", "fields": {}},
    ]


def _looks(slug: str) -> list[dict[str, Any]]:
    game = GAMES[slug]
    judges = [
        f"/referee/{slug}/{name}?" + "&".join(f"{f}=9" for f in judge.question.__struct_fields__)
        for name, judge in game.judges.items()
    ]
    new = {"name": ["Ann", "Ben", "Cat"], "dealer": "lot", "target": "5"}
    posts = [{"path": f"/new/{slug}", "fields": new}, {"path": "/theme", "fields": {"theme": "x"}}]
    pages = [
        *LOOKS,
        *judges,
        f"/rules/{slug}",
        f"/new/{slug}?name=Ann&name=Ben",
        f"/referee/{slug}",
    ]
    return [*({"path": path} for path in pages), *posts]
