"""Histories of concurrent clients pass the model, and the model notices faults."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.reliability.histories import play
from tests.reliability.log import LOST, Attempt, Log, Reading, Token, Wish
from tests.reliability.model import check
from tests.support.campaign import SEED, usual_or_nightly

FORMS, KILLS = usual_or_nightly(400, 2000), usual_or_nightly(6, 200)

HOST = Token("host", "host", 0, 0)


@pytest.mark.parametrize(
    ("run", "seconds"),  # for the clients, on a machine with other work; kills take any time
    [({"forms": FORMS}, 300), ({"forms": FORMS, "workers": 2}, 300), ({"kills": KILLS}, 1)],
)
def test_sixteen_clients_do_everything_at_once(
    tmp_path: Path, run: dict[str, int], seconds: float
) -> None:
    """Acknowledged entries are stored once, in order; refused ones are not; no page is stale.

    This holds also when the server is killed and restarted again and again.
    """
    outcome = play(tmp_path, SEED + len(run), seconds, **run)
    print(outcome)
    assert not outcome.faults, "\n".join(outcome.faults)
    wishes = ("play", "undo", "amend", "void", "note", "again")
    undone = [wish for wish in wishes if not outcome.answers[f"{wish}: done"]]
    assert len(undone) <= usual_or_nightly(1, 0) or "kills" in run, f"nobody managed to {undone}"
    assert outcome.answers["play: 409"], "they did get into one another’s way"
    assert outcome.answers["play: lost"] > run.get("kills", 0), "answers were lost"
    assert outcome.rows > 2 * run.get("kills", 0), "they got to write between the kills"


def penalty(number: int) -> dict[str, Any]:
    """An entry whose reason has this number."""
    return {"action": "adjust", "player": "Ann", "points": 1, "reason": f"r{number}"}


def attempt(number: int, **fields: Any) -> Attempt:
    """An entry that was requested at time `number` and acknowledged 0.5 later."""
    plain = Attempt(
        by=f"a{number}",
        table=0,
        token=HOST,
        wish=Wish("play", penalty(number)),
        key=f"k{number}",
        after=number - 1,
        asked=number,
        answered=number + 0.5,
        status=303,
    )
    return replace(plain, **fields)


def row(number: int, **fields: Any) -> dict[str, Any]:
    """The row that `attempt(number)` writes."""
    entry = {"seq": number, "kind": "play", "entry": penalty(number), "by": f"a{number}"}
    return {**entry, **fields}


def file(*rows: dict[str, Any]) -> dict[str, Any]:
    """A sheet file with these rows, all entries in force."""
    entries = [one["entry"] for one in rows if "entry" in one]
    people = {"players": ["Ann", "Ben"], "dealer": "Ann", "options": {}}
    return {**people, "entries": entries, "history": list(rows)}


GOOD = [attempt(1), attempt(2), attempt(3, status=0, answered=LOST)]
ROWS = [row(1), row(2), row(3)]
BECOMES = {"players": ["Ann", "Ben"], "dealer": "Ann", "options": {}}
NOTE = {"seq": 1, "kind": "note", "agreed": {"becomes": BECOMES}, "by": "a1"}


def found(
    attempts: list[Attempt], rows: list[dict[str, Any]], *readings: Reading, **parts: Any
) -> str:
    """The faults that the model finds, in one text."""
    return "\n".join(check(Log(attempts, list(readings)), {0: {**file(*rows), **parts}}))


@pytest.mark.parametrize("rows", [ROWS, ROWS[:2]], ids=["stored", "not stored"])
def test_a_lost_answer_may_mean_either(rows: list[dict[str, Any]]) -> None:
    """A history is right whether or not an entry with a lost answer was stored."""
    assert found(GOOD, rows) == ""


@pytest.mark.parametrize(
    ("attempts", "rows", "fault"),
    [
        (GOOD, ROWS[:1], "acknowledged, yet not stored"),
        ([*GOOD, attempt(4, key="k2", after=1)], ROWS, "acknowledged, yet not stored"),
        ([*GOOD, attempt(4, key="k2", wish=Wish("undo"))], ROWS, "acknowledged, yet not stored"),
        ([attempt(1), attempt(2, status=409), attempt(3)], ROWS, "row 2 was refused (409)"),
        ([attempt(1), attempt(2, status=422)], ROWS[:1], "refused (422) without a cause"),
        ([*GOOD, attempt(4, wish=GOOD[1].wish, key="k2", status=409)], ROWS, "without a cause"),
        (GOOD, [*ROWS, row(4)], "row 4 was written by nobody"),
        (GOOD, [row(1), row(2, entry=penalty(9))], "row 2 isn’t what was sent"),
        ([replace(GOOD[0], asked=2.6, answered=2.7), GOOD[1]], ROWS[:2], "row 2 was there before"),
        ([attempt(1), attempt(2, key="k1")], ROWS[:2], "the key k1 stands in rows [1, 2]"),
        (
            [attempt(1), attempt(2, wish=Wish("void", target=1))],
            [NOTE, {"seq": 2, "kind": "void", "target": 1, "by": "a2"}],
            "row 2 can’t follow the rows before it",
        ),
        ([attempt(1, status=500)], [], "answered 500"),
        ([attempt(1, status=404)], [], "a link in use led nowhere"),
        (
            [attempt(1, key="", wish=Wish("links", role="host")), attempt(2, after=0)],
            [row(1, by="a2", entry=penalty(2))],
            "a link that had been withdrawn worked",
        ),
        (
            [attempt(1, key="", wish=Wish("trash")), attempt(2, after=0)],
            [row(1, by="a2", entry=penalty(2))],
            "a sheet in the trash could be had",
        ),
    ],
)
def test_the_model_notices(attempts: list[Attempt], rows: list[dict[str, Any]], fault: str) -> None:
    """Each kind of fault is found and named."""
    assert fault in found(attempts, rows)


@pytest.mark.parametrize(
    ("history", "asked", "fault"),
    [
        (ROWS[:1], 9, "more had been acknowledged"),
        (ROWS[:2], 1.2, "before the last was asked for"),
        ([row(1, entry=penalty(9))], 1.2, "differs from what is there now"),
    ],
)
def test_the_model_notices_what_is_read(
    history: list[dict[str, Any]], asked: float, fault: str
) -> None:
    """A reading with too few, too many or other rows is a fault."""
    reading = Reading(0, HOST, asked, asked + 0.1, 200, tuple(history))
    assert fault in found(GOOD, ROWS, reading)
    right = Reading(0, HOST, 1.2, 2.2, 200, tuple(ROWS[:1]))
    assert found(GOOD, ROWS, right) == ""


def test_the_model_adds_up_the_file() -> None:
    """The file's entries and settings must follow from its rows."""
    assert "not what the rows come to" in found(GOOD, ROWS, entries=[])
    note = replace(attempt(1), wish=Wish("note", becomes=BECOMES))
    assert found([note], [NOTE]) == ""
    assert "the last note says" in found([note], [NOTE], dealer="Ben")
