"""Club files: any text is counted, or all its faults are reported by line."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.extras.clubs.figures import ALWAYS
from referee.extras.clubs.file import FaultyLines, first_line, read_club
from referee.extras.clubs.notes import AnyNote, ClubHead, Merge, NoteRow, in_force, note_body
from referee.extras.clubs.player import player
from referee.rules.documents import error_document
from referee.sheets.history import chained
from tests.support.altered import altered
from tests.support.books import AT, with_history
from tests.support.campaign import usual_or_nightly
from tests.support.cases import EXAMPLES

NOTES: list[dict[str, Any]] = [
    {"action": "merge", "name": "Ann", "others": ["Zed", "Quin"]},
    {"action": "guest", "name": "Ben"},
    {"action": "paid", "payer": "Ann", "payee": "Ben", "amount": 3, "unit": "chip",
     "since": "2026-03-05", "until": "2026-03-12"},
    {"action": "called", "name": "Friday table"},
]  # fmt: skip
HEAD: dict[str, Any] = {
    "referee": 1,
    "club": "Thursday table",
    "history": [
        *({"seq": n, "kind": "note", "at": AT, "note": note} for n, note in enumerate(NOTES, 1)),
        {"seq": 5, "kind": "void", "at": AT, "target": 4, "by": "Ann’s phone"},
    ],
}
LINES = [HEAD, *EXAMPLES.values(), with_history(EXAMPLES["plain-score"])]


@settings(max_examples=usual_or_nightly(60, 1500))
@given(st.data())
@example(None)
def test_anything_is_counted_or_refused(data: st.DataObject | None) -> None:
    """Every fault has a sentence and an existing line."""
    lines = LINES if data is None else data.draw(altered(LINES))
    text = "\n".join(json.dumps(line) for line in lines)
    if data is not None and data.draw(st.booleans()):
        cut = data.draw(st.integers(0, len(text)))
        text = text[:cut] + data.draw(st.sampled_from(["", "\n", "\0", "{", '"'])) + text[cut + 1 :]
    try:
        club = read_club(text.encode("utf-8", "surrogatepass"))
    except FaultyLines as faulty:
        assert data is not None
        places = [line for line, _ in faulty.lines]
        assert places == sorted(set(places))
        assert all(1 <= place <= text.count("\n") + 1 for place in places)
        for _, error in faulty.lines:
            assert error_document(error)["error"]["faults"]
        return
    figures = club.figures
    msgspec.json.encode(figures.document())
    for person in figures.seen:
        msgspec.json.encode(player(figures, person, ALWAYS).document())


def test_the_hashes_of_the_first_line_are_checked() -> None:
    """A changed row is a fault."""
    club = read_club(json.dumps(HEAD).encode())
    line = first_line(club.head, club.history)
    again = read_club(line)
    assert [row.hash for row in again.history] == [
        made for _, made in chained(again.head.text(), again.history, note_body)
    ]
    assert [msgspec.structs.replace(row, hash="") for row in again.history] == list(club.history)
    assert json.loads(line)["history"][2]["note"] == NOTES[2]
    for was, now in ((b"Zed", b"Zoe"), (b"Thursday", b"Monday"), (b"-03-12", b"-03-13")):
        changed = line.replace(was, now)
        with pytest.raises(FaultyLines):
            read_club(changed)
    row = NoteRow(6, "note", AT, Merge("Cat", ["Cy"]))
    assert first_line(club.head, (*club.history, row)).startswith(line[:-2])


def test_all_faults_of_a_first_line_are_reported() -> None:
    """Also an invalid hash."""
    row = {"seq": 1, "kind": "note", "at": AT, "note": NOTES[0]}
    for wrong, says in (
        ({"hash": "00"}, "Hash: This can’t be read as it is written."),
        ({"by": "\u202e"}, "The history can’t be right: row 1 can’t be read (The name “"),
    ):
        with pytest.raises(FaultyLines) as refused:
            read_club(json.dumps({**HEAD, "history": [row | wrong]}).encode())
        ((_, error),) = refused.value.lines
        assert str(error).startswith(says), str(error)


def test_a_note_can_be_voided_and_brought_back() -> None:
    """But not voided twice, nor brought back while it is in force."""

    def read(*targets: int) -> list[AnyNote]:
        note = NoteRow(1, "note", AT, Merge("Ann", ["Anna"]))
        voids = (NoteRow(n, "void", AT, target=of) for n, of in enumerate(targets, start=2))
        return in_force(read_club(first_line(ClubHead("Friday"), (note, *voids))).history)

    assert read(1) == []
    assert read(1, 2) == [Merge("Ann", ["Anna"])]
    assert read(1, 2, 1) == read(1, 2, 3) == []
    for twice in ((1, 1), (1, 2, 2), (1, 2, 1, 1), (1, 2, 3, 1)):
        with pytest.raises(FaultyLines):
            read(*twice)


def test_the_examples_of_the_document_are_right() -> None:
    """The file and the notes can be read, and the output has these keys."""
    text = (Path(__file__).parents[3] / "docs/clubs.md").read_text(encoding="utf-8")
    file, printed = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.S))
    assert len(read_club(json.dumps(file).encode()).history) == 2
    notes = [json.loads(note) for note in re.findall(r'^\| `(\{"action".*?\})`', text, re.M)]
    rows = [{"seq": n, "kind": "note", "at": AT, "note": note} for n, note in enumerate(notes, 1)]
    read = read_club(json.dumps({**HEAD, "history": rows}).encode()).history
    assert {type(row.note) for row in read} == set(get_args(AnyNote))
    found = read_club(json.dumps(EXAMPLES["nine-five-two"]).encode()).figures.document()
    assert list(found) == list(printed)
    for one in (found, printed):
        one["records"] = one["records"]["nine-five-two"]["target 10"]
    for part, who in (("players", "Ann"), ("records", "highest_deal")):
        assert list(found[part][who]) == list(printed[part][who])
