"""Altered forms and paths break no page and leave the sheet sound."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.core.ruling import RefereeError
from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from
from referee.web.context import state
from referee.web.forms.decode import as_form
from tests.fuzz.sound import assert_sound, fuzzed
from tests.support.altered import altered
from tests.support.cases import EXAMPLES

MAX_STEPS = 24
SEEN = {"after": "{after}", "key": "k{step}"}
SURE = {**SEEN, "sure": "1", "why": "seen again"}
LOOKS = (
    *("/s/{view}", "/s/{score}/more", "/s/{host}/print", "/s/{host}/settle?rate=0.10&sign=€"),
    *("/s/{host}/share?code=host", "/s/{host}/standings.csv", "/s/{host}/evening", "/", "/new"),
    *("/s/{host}/code/view.svg", "/s/{host}/entries/1", "/s/{host}/trash", "/referee"),
)

#: A request: a path, and the fields of a form if it is a POST. `{host}`, `{score}`, `{view}` stand
#: for links, `{after}` for the newest row, `{step}` for the number of the step.
Step = dict[str, Any]


def played(sheet: dict[str, Any]) -> list[Step]:
    """Requests that record every entry of a sheet, correct it, share it, trash and restore it."""
    read = sheet_from(sheet)
    entries = []
    for entry in read.entries:
        form = as_form(msgspec.to_builtins(entry), type(entry), read.table.players)
        entries.append({name: values for name, values in form.lists() if values})
    names, last = sheet["players"], len(entries)
    settings = {"was": names, "name": ["Zoë", *names[1:]], "dealer": "0"}
    forms: tuple[tuple[str, Mapping[str, Any]], ...] = (
        *(("/s/{score}/entries", {**fields, **SEEN}) for fields in entries),
        (f"/s/{{score}}/entries/{last}", {**entries[-1], **SURE}),
        (f"/s/{{score}}/entries/{last}/void", SURE),
        (f"/s/{{score}}/entries/{last + 2}/void", SURE),
        ("/s/{score}/undo", SEEN),
        ("/s/{score}/settings", {**settings, **sheet.get("options", {}), **SURE}),
        ("/s/{score}/preview", {**entries[-1], **SEEN}),
        ("/s/{host}/again", {"seen": "0", "key": "again", "game": ""}),
        ("/evenings", {"sheet": ["{host}", "{score}"]}),
        ("/evenings", {"sheet": ["{host}", "{score}"], "apart": "yes"}),
        ("/s/{host}/links", {"role": "score"}),
        ("/s/{host}/phone", {"phone": "Ann’s phone"}),
        ("/s/{host}/trash", {}),
        ("/s/{host}/trash/out", {}),
    )
    return [{"path": path, "fields": dict(fields)} for path, fields in forms]


def looked_at(slug: str) -> list[Step]:
    """Requests for the pages of a sheet and its game, and two other forms."""
    judges = [
        f"/referee/{slug}/{name}?" + "&".join(f"{f}=9" for f in judge.question.__struct_fields__)
        for name, judge in GAMES[slug].judges.items()
    ]
    game = (f"/rules/{slug}", f"/new/{slug}?name=Ann&name=Ben", f"/referee/{slug}")
    new = {"name": ["Ann", "Ben", "Cat"], "dealer": "lot", "target": "5"}
    return [
        *({"path": path} for path in (*LOOKS, *judges, *game)),
        {"path": f"/new/{slug}", "fields": new},
        {"path": "/theme", "fields": {"theme": "x"}},
    ]


def make(client: FlaskClient, step: Step, places: Mapping[str, str]) -> None:
    """Make a request; it may be refused, but not with a 500."""

    def filled(text: object) -> str:
        written = text if isinstance(text, str) else json.dumps(text)
        for name, value in places.items():
            written = written.replace(name, value)
        return written

    path, fields = "/" + filled(step.get("path")).removeprefix("/"), step.get("fields")
    sent = {
        name: [filled(one) for one in (value if isinstance(value, list) else [value])]
        for name, value in (fields if isinstance(fields, dict) else {"": fields}).items()
    }
    with suppress(UnicodeError):  # no client could send it
        answer = client.get(path) if fields is None else client.post(path, data=sent)
        assert answer.status_code != 500, path


@pytest.mark.parametrize("slug", EXAMPLES)
@fuzzed(3)
@given(data=st.data())
def test_altered_requests_break_nothing(app: Flask, slug: str, data: st.DataObject) -> None:
    """Changed, missing, moved or repeated ones, or those of another sheet."""
    sheet = EXAMPLES[slug]
    bare = {name: sheet[name] for name in ("referee", "game", "players")}
    bare["options"] = sheet.get("options", {})
    steps = data.draw(st.sampled_from([played(sheet), looked_at(slug)]))
    if data.draw(st.integers(0, 9)):
        steps = data.draw(altered(steps))
    else:
        bare = data.draw(altered(bare))
    try:
        number = state(app).book.import_sheet(sheet_from(bare)).document
    except RefereeError:
        return  # covered by `test_sheets`
    client, ledger = app.test_client(), state(app).ledger
    for place, step in enumerate(steps[:MAX_STEPS]):
        places = {f"{{{role}}}": token for role, token in ledger.links(number).items()}
        places |= {"{after}": str(ledger.newest(number)), "{step}": str(place)}
        if isinstance(step, dict):
            make(client, step, places)
    assert_sound(app, number)
