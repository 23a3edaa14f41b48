"""Every sentence that a game's cases produce, in a golden file to be read aloud."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import RefereeError
from referee.rules.core.table import Line, State, Table
from referee.rules.documents import rule_name
from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from
from referee.sheets.score_pad import cells_of
from tests.support.cases import cases_of, sheet_file
from tests.support.golden import GoldenText


@pytest.mark.parametrize("slug", GAMES)
def test_sentences(slug: str, snapshot: SnapshotAssertion) -> None:
    """Deal cards, small print, breakdowns, faults and rulings are worded as in the golden file."""
    said = "\n".join(_sentences(GAMES[slug]))
    assert said + "\n" == snapshot(name=slug, extension_class=GoldenText)


def _sentences(game: AnyGame) -> Iterator[str]:
    yield f"# {game.title}"
    yield f"{game.summary}"
    yield from (f"{it.title} ({rule_name(game.slug, it.section)})" for it in game.judges.values())
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
    game, state = sheet.game, sheet.game.start(sheet.table)
    yield from _house_rules(game, sheet.table)
    shown = list(_deal_card(game, state))
    yield from shown
    for entry in sheet.entries:
        try:
            state, lines = game.apply(state, entry)
        except RefereeError as error:
            yield from _faults(error)
            return
        for line in (line for line in lines if line.reason):
            margin = "    " if line.opens else "  "  # what opens the next deal is set further in
            yield margin + (str(line.says) if line.to else _with_points(line))
        cells = cells_of(line for line in lines if not line.opens)
        yield from _in_small("  ", {player: cell.small for player, cell in cells.items()})
        card = list(_deal_card(game, state))
        if card != shown:
            yield from card
            shown = card
    yield from _known(game, state)


def _with_points(line: Line) -> str:
    return f"{line.player} {line.points:+}: {line.reason}"


def _house_rules(game: AnyGame, table: Table[Any]) -> Iterator[str]:
    """House rules in words for a number of players, where the value alone does not say it."""
    yield from _in_small("= ", table.options.in_words(len(table.players)))


def _deal_card(game: AnyGame, state: State[Any]) -> Iterator[str]:
    board = game.board(state)
    yield from (f"* {sentence}" for sentence in board.says)
    yield from (f"* {name}: {amount}" for name, amount in board.pools if amount)
    yield from _in_small("* ", game.pad.beside_total(state))
    yield from _in_small("* so far ", game.pad.so_far(state))
    if board.finished:
        yield f"* over: {', '.join(board.winners)}"


def _known(game: AnyGame, state: State[Any]) -> Iterator[str]:
    """The fields that judges are given from the sheet."""
    for name, judge in game.judges.items():
        yield from _in_small(f"? {name} ", judge.known(state))


def _in_small(begins: str, words: Mapping[str, object]) -> Iterator[str]:
    """The small print beside the names, in one line, without players who have none."""
    told = [f"{name}: {_plain(says)}" for name, says in words.items() if _plain(says)]
    if told:
        yield f"{begins}({'; '.join(told)})"


def _plain(says: object) -> str:
    if isinstance(says, Mapping):
        return ", ".join(f"{name} {it}" for name, it in says.items())
    return str(says)


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
    for spread in ruling.spreads:
        yield f"| {spread}{' (upright)' if spread.upright else ''}"
    advice = None if ruling.legal else game.judges[judge].advise(ask)
    if advice is not None:
        yield f"+ {advice.says}"
        yield from (f"| {spread}" for spread in advice.spreads)


def _faults(error: RefereeError) -> Iterator[str]:
    for fault in error.faults:
        yield f"! {fault.says} ({rule_name(fault.game, fault.section)})"
