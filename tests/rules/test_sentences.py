"""Every sentence that a game's cases produce, in a golden file to be read aloud."""

from collections.abc import Iterator
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import RefereeError
from referee.rules.core.table import State
from referee.rules.documents import rule_name
from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from
from tests.support.cases import cases_of, sheet_file
from tests.support.golden import GoldenText


@pytest.mark.parametrize("slug", GAMES)
def test_sentences(slug: str, snapshot: SnapshotAssertion) -> None:
    """Deal cards, breakdowns, faults, rulings and answers are worded as they were read last."""
    said = "\n".join(_sentences(GAMES[slug]))
    assert said + "\n" == snapshot(name=slug, extension_class=GoldenText)


def _sentences(game: AnyGame) -> Iterator[str]:
    yield f"# {game.title}"
    yield f"{game.summary}"
    for case in cases_of(game.slug, "sheet"):
        yield f"\n## {case['from']}"
        yield from _of_a_sheet(sheet_file(game.slug, case))
    for case in cases_of(game.slug, "check"):
        yield f"\n## {case['from']}"
        asked = " ".join(f"{field}={value!r}" for field, value in case["ask"].items())
        yield f"{game.judges[case['judge']].title} {asked}"
        yield from _of_a_question(game, case["judge"], case["ask"])


def _of_a_sheet(file: dict[str, Any]) -> Iterator[str]:
    try:
        sheet = sheet_from(file)
    except RefereeError as error:
        yield from _faults(error)
        return
    state = sheet.game.start(sheet.table)
    shown = list(_deal_card(sheet.game, state))
    yield from shown
    for entry in sheet.entries:
        try:
            state, lines = sheet.game.apply(state, entry)
        except RefereeError as error:
            yield from _faults(error)
            return
        yield from (f"  {line.player} {line.points:+}: {line.reason}" for line in lines)
        card = list(_deal_card(sheet.game, state))
        if card != shown:
            yield from card
            shown = card


def _deal_card(game: AnyGame, state: State[Any]) -> Iterator[str]:
    board = game.board(state)
    yield from (f"* {sentence}" for sentence in board.says)
    yield from (f"* {need.player}: {need.number} {need.label}" for need in board.needs)
    yield from (f"* {name}: {amount}" for name, amount in board.pools if amount)
    if board.finished:
        yield f"* over: {', '.join(board.winners)}"


def _of_a_question(game: AnyGame, judge: str, ask: dict[str, Any]) -> Iterator[str]:
    try:
        ruling = game.judges[judge].answer(ask)
    except RefereeError as error:
        yield from _faults(error)
        return
    if game.judges[judge].yes_or_no:
        yield f"> {ruling.answer}"
    yield from (f"> {sentence}" for sentence in ruling.says)
    yield from (
        f"! {fault.says} ({rule_name(fault.game, fault.section)})" for fault in ruling.faults
    )
    yield from (f"| {spread}" for spread in game.judges[judge].lay_out(ask))
    advice = None if ruling.legal else game.judges[judge].advise(ask)
    if advice is not None:
        yield f"+ {advice.says}"
        yield from (f"| {spread}" for spread in advice.spreads)


def _faults(error: RefereeError) -> Iterator[str]:
    for fault in error.faults:
        yield f"! {fault.says} ({rule_name(fault.game, fault.section)})"
