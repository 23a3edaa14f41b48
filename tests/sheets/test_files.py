"""Reading sheet files, and reporting all their faults."""

# ruff: noqa: E501 - the table of what is wrong has a line for each case
import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.cli import main
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, RefereeError
from referee.rules.documents import error_document
from referee.sheets.files import Course, play_through, read_sheet, result, sheet_from
from tests.support.altered import ANYTHING
from tests.support.cases import EXAMPLES

SHEET: dict[str, Any] = {
    "referee": 1,
    "game": "multiple-9",
    "players": ["Ann", "Ben"],
    "dealer": "Ben",
    "options": {"target": 2},
    "entries": [{"action": "out", "player": "Ann"}],
}
OUT = {"action": "out", "player": "Ann"}
AT = "2026-01-02T03:04:05+00:00"
AGREED: dict[str, Any] = {"players": ["Ann", "Ben"], "dealer": "Ben", "options": {"target": 2}}
PLAYED = {"seq": 1, "kind": "play", "at": AT, "entry": OUT}


def text(**changes: Any) -> str:
    """The sheet as JSON, with these changes; None removes a key."""
    changed = {**SHEET, **changes}
    return json.dumps({key: value for key, value in changed.items() if value is not None})


def played(written: str | bytes) -> Course:
    sheet = read_sheet(written)
    return play_through(sheet.game, sheet.table, sheet.entries)


def with_history(*rows: dict[str, Any]) -> str:
    """The sheet with a history of these rows."""
    return text(history=list(rows))


#: What was written, the code of the fault, and the entry to blame.
UNREADABLE: dict[str, tuple[str | bytes, str, int | None]] = {
    # --- not JSON
    "empty": ("", "not-json", None),
    "something behind it": (text() + text(), "not-json", None),
    "not UTF-8": (text().encode().replace(b"Ann", b"Zo\xeb"), "not-json", None),
    "a lone surrogate": (text().replace("Ann", "\\ud800"), "not-json", None),
    "NaN": (text(options={"target": float("nan")}), "not-json", None),
    "a number beyond all bounds": (text().replace('"target": 2', '"target": 1e999'), "not-json", None),
    "a number of 5000 digits": (text().replace('"target": 2', '"target": ' + "9" * 5000), "not-json", None),
    "deep nesting": ("[" * 100_000, "not-json", None),
    # --- keys given twice
    "two dealers": (text().replace('"dealer"', '"dealer": "Ann", "dealer"'), "key-twice", None),
    "two dealers, one written otherwise": (text().replace('"dealer"', r'"d\u0065aler": "Ann", "dealer"'), "key-twice", None),
    "an option twice": (text().replace('"target"', '"target": 1, "target"'), "key-twice", None),
    "a player twice": (text().replace('"player"', '"player": "Ben", "player"'), "key-twice", 0),
    "a hand twice, further down": (text(entries=[OUT, {**OUT, "left": {"Ben": "K"}}]).replace('"Ben": "K"', '"Ben": "K", "Ben": "A"'), "key-twice", 1),
    "the time of a row twice": (with_history(PLAYED).replace('"at"', f'"at": "{AT}", "at"'), "key-twice", None),
    # --- not a sheet
    "a list": ("[]", "unreadable-sheet", None),
    "no version": (text(referee=None), "unreadable-sheet", None),
    "another version": (text(referee=2), "unreadable-sheet", None),
    "a version as fraction": (text(referee=1.0), "unreadable-sheet", None),
    "an unknown key": (text(title="Friday"), "unreadable-sheet", None),
    "an unknown game": (text(game="nine-nine-nine"), "unknown-game", None),
    # --- players
    "no players": (text(players=None), "unreadable-sheet", None),
    "nobody": (text(players=[], dealer=None), "players", None),
    "one player": (text(players=["Ann"], dealer=None), "players", None),
    "too many players": (text(players=[f"P{n}" for n in range(20)], dealer=None), "players", None),
    "an empty name": (text(players=["Ann", "", "Ben"]), "name-length", None),
    "a blank name": (text(players=["Ann", "  ", "Ben"]), "name-length", None),
    "a long name": (text(players=["Ann", "x" * 25, "Ben"]), "name-length", None),
    "a name of nothing": (text(players=["Ann", "\u3164", "Ben"]), "name-characters", None),
    "the same name": (text(players=["Ann", "Ben", "Ann"]), "name-twice", None),
    "the same but for capitals": (text(players=["Ann", "Ben", "aNN"]), "name-twice", None),
    # --- dealer and options
    "a strange dealer": (text(dealer="Dan"), "unknown-dealer", None),
    "an unknown option": (text(options={"targt": 2}), "unreadable-options", None),
    "an option out of range": (text(options={"target": -1}), "unreadable-options", None),
    "an option as truth": (text(options={"target": True}), "unreadable-options", None),
    "no such choice": (text(options={"scoring": "chips"}), "unreadable-options", None),
    # --- entries
    "entries as object": (text(entries={"0": OUT}), "unreadable-sheet", None),
    "an entry as text": (text(entries=["out"]), "unreadable-entry", 0),
    "an entry as null": (text(entries=[OUT, None]), "unreadable-entry", 1),
    "no action": (text(entries=[OUT, {"player": "Ann"}]), "unknown-action", 1),
    "an unknown action": (text(entries=[OUT, {"action": "win"}]), "unknown-action", 1),
    "an action of another game": (text(entries=[{"action": "tricks"}]), "unknown-action", 0),
    "an endless action": (text(entries=[{"action": "out" * 9999}]), "unknown-action", 0),
    "a field left out": (text(entries=[{"action": "out"}]), "field-missing", 0),
    "an unknown field": (text(entries=[OUT, {**OUT, "points": 3}]), "unreadable-entry", 1),
    "a field as null": (text(entries=[{**OUT, "player": None}]), "field-missing", 0),
    "a wrong type deep inside": (text(entries=[{**OUT, "left": {"Ben": 9}}]), "unreadable-entry", 0),
    "an endless reason": (text(entries=[{"action": "abandon", "reason": "r" * 201}]), "unreadable-entry", 0),
    "no cards": (text(entries=[OUT, {"action": "turn", "player": "Ben", "cards": "8 hearts"}]), "not-a-card", 1),
    # --- history
    "an empty history of an entry": (with_history(), "history", None),
    "a history of something else": (with_history({**PLAYED, "entry": {**OUT, "player": "Ben"}}), "history", None),
    "more history than entries": (with_history(PLAYED, {**PLAYED, "seq": 2}), "history", None),
    "everything voided": (with_history(PLAYED, {"seq": 2, "kind": "void", "at": AT, "target": 1}), "history", None),
    "a history that skips": (with_history({**PLAYED, "seq": 2}), "history", None),
    "a void without target": (with_history(PLAYED, {"seq": 2, "kind": "void", "at": AT}), "history", None),
    "a void with an entry": (with_history(PLAYED, {**PLAYED, "seq": 2}, {"seq": 3, "kind": "void", "at": AT, "target": 2, "entry": OUT}), "history", None),
    "a void of what never was": (with_history(PLAYED, {"seq": 2, "kind": "void", "at": AT, "target": 7}), "history", None),
    "a void of what is void": (with_history({**PLAYED}, {"seq": 2, "kind": "void", "at": AT, "target": 1}, {"seq": 3, "kind": "void", "at": AT, "target": 1}), "history", None),
    "an amendment of a void": (with_history(PLAYED, {"seq": 2, "kind": "void", "at": AT, "target": 1}, {"seq": 3, "kind": "void", "at": AT, "target": 2}, {"seq": 4, "kind": "amend", "at": AT, "target": 2, "entry": OUT}), "history", None),
    "an amendment to something else": (with_history(PLAYED, {"seq": 2, "kind": "amend", "at": AT, "target": 1, "entry": {**OUT, "player": "Ben"}}), "history", None),
    "a voided entry that is none": (with_history({**PLAYED, "entry": {"x": 1}}, {"seq": 2, "kind": "void", "at": AT, "target": 1}, {**PLAYED, "seq": 3}), "history", None),
    "an unknown kind": (with_history({**PLAYED, "kind": "erase"}), "unreadable-sheet", None),
    "a reason nobody can see": (with_history(PLAYED, {"seq": 2, "kind": "void", "at": AT, "target": 1, "reason": "\x1b[2J"}, {"seq": 3, "kind": "void", "at": AT, "target": 2}), "history", None),
    "a time nobody can see": (with_history({**PLAYED, "at": f"{AT}\u202e"}), "history", None),
    "a voided name nobody can see": (with_history({**PLAYED, "entry": {"action": "out", "player": "\x1b[2J"}}, {"seq": 2, "kind": "void", "at": AT, "target": 1}, {**PLAYED, "seq": 3}), "history", None),
    "other house rules than the history’s": (with_history(PLAYED, {"seq": 2, "kind": "note", "at": AT, "agreed": {"was": AGREED, "becomes": {**AGREED, "options": {"target": 3}}}}), "history", None),
    "an unknown key in history": (with_history({**PLAYED, "who": "Ann"}), "unreadable-sheet", None),
    "a history without time": (with_history({"seq": 1, "kind": "play", "entry": OUT}), "unreadable-sheet", None),
}  # fmt: skip

READABLE: dict[str, str] = {
    "a void that was voided": with_history(
        PLAYED,
        {"seq": 2, "kind": "void", "at": AT, "target": 1},
        {"seq": 3, "kind": "void", "at": AT, "target": 2, "reason": "it was right"},
    ),
    "an entry that was amended": with_history(
        {**PLAYED, "entry": {**OUT, "player": "Ben"}},
        {"seq": 2, "kind": "amend", "at": AT, "target": 1, "entry": OUT},
    ),
    "dealer and options left out": text(dealer=None, options=None),
    "names of one and of 24 characters": text(players=["A", "B" * 24], dealer=None, entries=[]),
    "names of other scripts": text(players=["Zoë", "林"], dealer="林", entries=[]),
    "its own history": with_history(PLAYED),
    "names that need joiners": text(players=["Ann", "👩\u200d🚀", "علی\u200cرضا"], dealer="Ann"),
    "a history with an undo": with_history(
        {**PLAYED, "entry": {"action": "out", "player": "Ben"}},
        {"seq": 2, "kind": "void", "at": AT, "target": 1},
        {**PLAYED, "seq": 3},
    ),
    "defaults written out in the history": with_history({**PLAYED, "entry": {**OUT, "left": {}}}),
}


@pytest.mark.parametrize(
    ("written", "code", "entry"), list(UNREADABLE.values()), ids=list(UNREADABLE)
)
def test_unreadable_files(written: str | bytes, code: str, entry: int | None) -> None:
    """Refused with their fault and the entry at fault; the exit code is 2."""
    with pytest.raises(RefereeError) as refused:
        played(written)
    assert not isinstance(refused.value, IllegalEntry)
    assert {fault.code for fault in refused.value.faults} == {code}
    assert refused.value.entry == entry
    fault = refused.value.faults[0]
    assert fault.message[-1] in ".!?", "a fault is a sentence"
    assert len(fault.message) < 1000
    assert fault.section
    answer = CliRunner().invoke(main, ["score", "-", "--json"], input=written)
    assert answer.exit_code == 2
    assert json.loads(answer.stdout) == error_document(refused.value)


@pytest.mark.parametrize("written", list(READABLE.values()), ids=list(READABLE))
def test_readable_files(written: str) -> None:
    """With optional fields and alternative spellings."""
    assert len(played(written).steps) <= 1


def test_all_faults_of_the_head_come_at_once() -> None:
    """Those of names, dealer and options together."""
    with pytest.raises(RefereeError) as refused:
        read_sheet(text(players=["Ann", "ann ", ""], dealer="Dan", options={"x": 1}))
    codes = {fault.code for fault in refused.value.faults}
    assert codes == {"name-twice", "name-length", "unknown-dealer", "unreadable-options"}
    with pytest.raises(RefereeError, match="has 25"):  # with the blanks at its end
        read_sheet(text(players=["Ann", "x" + " " * 24]))


def test_a_history_is_compared_once_read() -> None:
    """One with 1 for true is refused although 1 equals true: it could never be opened."""
    turn = {"action": "turn", "player": "Ann", "cards": "8 A", "drew": True}
    row = {**PLAYED, "entry": {**turn, "drew": 1}}
    with pytest.raises(RefereeError, match="row 1 can’t be read"):
        read_sheet(text(entries=[turn], history=[row]))


def test_unreadable_entries_are_found_before_illegal_ones() -> None:
    """A sheet is read whole before it is played: the second entry is at fault, not the first."""
    with pytest.raises(RefereeError) as refused:
        read_sheet(text(entries=[{**OUT, "player": "Dan"}, {"action": "?"}]))
    assert refused.value.entry == 1


@pytest.mark.parametrize("nest", ["[]", "{}"])
def test_no_depth_of_nesting_breaks_the_reader(nest: str) -> None:
    """An action nested almost as deep as can be read is just an unknown action."""
    opened = {"[]": "[", "{}": '{"a":'}[nest]
    for depth in range(600, 1100):
        deep = opened * depth + nest + nest[1] * depth
        with pytest.raises(RefereeError) as refused:
            read_sheet(text().replace('"out"', deep))
        assert refused.value.faults[0].code in ("unknown-action", "not-json")


def test_the_result_of_a_sheet() -> None:
    """It holds what the contract lists, and no more."""
    written = text(entries=[OUT, {"action": "abandon", "reason": "misdeal"}])
    assert result(played(written)) == {
        "game": "multiple-9",
        "entries": 2,
        "deal": 2,
        "dealer": "Ann",
        "finished": False,
        "winners": [],
        "scores": {"Ann": 1, "Ben": 0},
        "left": [],
        "pools": {},
        "lines": [
            {"entry": 0, "scores": {"Ann": 1, "Ben": 0}},
            {"entry": 1, "scores": {"Ann": 0, "Ben": 0}},
        ],
    }


@pytest.mark.parametrize("blank", ["\r\n", "\t", "\u2028"])
def test_blanks_between_cards_are_kept(blank: str) -> None:
    """Any blanks between cards stay in the history of an imported sheet."""
    hands = {"Ann": f"A{blank}K", "Cat": "9R 2", "Dan": "J Q"}
    entries = [{"action": "out", "player": "Ben", "red_nine": False, "hands": hands}]
    document = {
        "referee": 1,
        "game": "red-nines",
        "players": ["Ann", "Ben", "Cat", "Dan"],
        "entries": entries,
        "history": [{"seq": 1, "kind": "play", "at": "2026-01-02T03:04:05Z", "entry": entries[0]}],
    }
    assert sheet_from(document).history
    entries[0]["hands"] = {**hands, "Ann": f"A{blank}K\x1b"}
    with pytest.raises(MalformedEntry, match="invisible character"):
        sheet_from(document)


def test_all_duplicate_keys_are_named() -> None:
    """By their paths; those in entries only if the rest of the file is right."""
    entries = [{**OUT, "left": {"Ben": "K"}}] * 2
    doubled = text(entries=entries).replace('"Ben": "K"', '"Ben": "K", "Ben": "A"')
    doubled = doubled.replace('"action"', '"action": "turn", "action"')
    with pytest.raises(MalformedEntry) as refused:
        read_sheet(doubled)
    assert refused.value.entry == 0
    assert [str(one.says) for one in refused.value.faults] == [
        "“action” is given twice.",
        "“left.Ben” is given twice.",
    ]
    with pytest.raises(MalformedEntry) as refused:
        read_sheet(
            doubled.replace('"target"', '"target": 1, "target"').replace("{", '{"a": 1, "a": 2,', 1)
        )
    assert refused.value.entry is None
    assert [str(one.says) for one in refused.value.faults] == [
        "“a” is given twice.",
        "“options.target” is given twice.",
    ]


@settings(max_examples=150, deadline=None)
@given(value=ANYTHING)
@example(value="\ud800")
def test_json_that_is_no_sheet_is_refused(value: Any) -> None:
    """No value breaks the reader."""
    with pytest.raises(RefereeError):
        played(json.dumps(value))


@pytest.mark.parametrize("sheet", EXAMPLES.values(), ids=EXAMPLES)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_damaged_files(sheet: dict[str, Any], data: st.DataObject) -> None:
    """With bytes overwritten or cut off they are scored or refused."""
    whole = bytearray(json.dumps(sheet, ensure_ascii=False).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with suppress(RefereeError):
        msgspec.json.encode(result(played(bytes(whole[: data.draw(st.integers(0, len(whole)))]))))
