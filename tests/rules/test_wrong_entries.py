"""Entries with several things wrong: all faults come at once, in words for people."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core import entries
from referee.rules.core.ruling import (
    IllegalEntry,
    MalformedEntry,
    NotationError,
    RefereeError,
)
from referee.rules.registry import GAMES
from referee.sheets.files import play_through, sheet_from
from tests.support.altered import altered
from tests.support.cases import EXAMPLES, cases_of

WRONG = [
    pytest.param(slug, wrong, id=f"{slug}: {wrong['about']}")
    for slug in GAMES
    for wrong in cases_of(slug, "wrong")
]
NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]
ERRORS = {"malformed": MalformedEntry, "no card": NotationError, "against a rule": IllegalEntry}


def play(file: dict[str, Any]) -> None:
    sheet = sheet_from(file)
    play_through(sheet.game, sheet.table, sheet.entries)


def players(slug: str) -> list[str]:
    """Three players, or as few as can play this game."""
    game = GAMES[slug]
    return NAMES[: max(3, game.seats(game.house_rules())[0])]


def refusal(slug: str, wrong: dict[str, Any], entry: Any) -> RefereeError:
    """The error for a sheet that ends in this entry."""
    before = wrong.get("before", [])
    file = {
        "referee": 1,
        "game": slug,
        "players": wrong.get("players", players(slug)),
        "options": wrong.get("options", {}),
        "entries": [*before, entry],
    }
    with pytest.raises(RefereeError) as refused:
        play(file)
    assert refused.value.entry == len(before)
    return refused.value


@pytest.mark.parametrize(("slug", "wrong"), WRONG)
def test_all_faults_come_at_once(slug: str, wrong: dict[str, Any]) -> None:
    """In exactly these words and this order, with this kind of error."""
    error = refusal(slug, wrong, wrong["entry"])
    assert [fault.message for fault in error.faults] == wrong["says"]
    assert type(error) is ERRORS[wrong["error"]]


@pytest.mark.parametrize(("slug", "wrong"), WRONG)
def test_an_unknown_field_hides_no_other_fault(slug: str, wrong: dict[str, Any]) -> None:
    """It adds one fault to whatever else is wrong."""
    entry = wrong["entry"]
    if not isinstance(entry, dict) or entry.get("action") not in GAMES[slug].entries:
        return  # there is no kind of entry whose fields it could have
    said = [fault.message for fault in refusal(slug, wrong, {**entry, "gossip": 1}).faults]
    assert sorted(said) == sorted([*wrong["says"], "“gossip” doesn’t belong here. Leave it out."])


def test_every_kind_of_entry_that_all_games_have_is_there() -> None:
    """Those of each game are in its contract."""
    entries_ = [wrong["entry"] for slug in GAMES for wrong in cases_of(slug, "wrong")]
    there = {entry.get("action") for entry in entries_ if isinstance(entry, dict)}
    assert {kind.__struct_config__.tag for kind in entries.SHARED} <= there


# --- whatever is written

SHARED = [
    {"action": "adjust", "player": "Ann", "points": 3, "reason": "late", "to": "Ben"},
    {"action": "abandon", "reason": "late"},
    {"action": "buy", "player": "Ann", "amount": 3},
    {"action": "stop", "reason": "late"},
    {"action": "join", "player": "Zoe", "left_of": "Ann", "points": 3},
    {"action": "leave", "player": "Ann"},
    {"action": "replace", "player": "Ann", "by": "Zoe"},
    {"action": "dealer", "player": "Ann"},
]


@st.composite
def one_wrong_entry(draw: st.DrawFn) -> dict[str, Any]:
    """The sheet of an example up to some entry, and that entry altered."""
    sheet = EXAMPLES[draw(st.sampled_from(sorted(EXAMPLES)))]
    place = draw(st.integers(0, len(sheet["entries"]) - 1))
    entry = draw(st.sampled_from([sheet["entries"][place], *SHARED]))
    return {**sheet, "entries": [*sheet["entries"][:place], draw(altered(entry))]}


NO_WORDS = re.compile(
    r"[\[\]`$_{}]|Expected|None|\b(int|str|bool|dict|float|null|array|object|struct|enum)\b"
)


@settings(max_examples=400, deadline=None)
@given(one_wrong_entry())
def test_no_fault_speaks_of_types_or_indexes(file: dict[str, Any]) -> None:
    """Except in what it quotes of the entry, whatever is altered."""
    try:
        play(file)
    except RefereeError as error:
        assert error.entry == len(file["entries"]) - 1
        assert error.faults
        assert len(set(error.faults)) == len(error.faults)
        for fault in error.faults:
            said = re.sub("“[^”]*”", "", fault.message)
            assert not NO_WORDS.search(said), fault.message
            assert "can’t be read as it is written" not in said  # which says nothing
            assert said.endswith("."), fault.message
