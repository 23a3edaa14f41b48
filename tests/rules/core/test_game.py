"""What all games share, tried with games that are as small as a game can be."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.entries import Buy
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, RefereeError
from referee.rules.core.seating import span
from referee.rules.core.table import State, Table, change_by_player
from tests.support.tiny_games import MostPoints
from tests.support.tiny_sheets import (
    FEWEST,
    MOST,
    NAMES,
    POT,
    adjust,
    lines_of,
    played,
    points_table,
    pot_table,
    refused,
    win,
)

STRANGER = "“Zoe” isn’t on this sheet. The players are Ann, Ben, and Cat."

# --- reading entries


def test_every_kind_of_entry_is_found_by_its_action() -> None:
    """The game's own and those of every game."""
    assert list(MOST.entries) == [
        *("hint", "win", "adjust", "abandon", "buy"),
        *("stop", "join", "leave", "replace", "dealer"),
    ]


NO_ACTION = (
    "Every Most Points entry needs an “action”: hint, win, adjust, abandon, buy, stop, join, "
    "leave, replace, or dealer."
)
OTHER_ACTION = (
    "Most Points has no entry called “{}”. It has hint, win, adjust, abandon, buy, stop, join, "
    "leave, replace, and dealer."
)


@pytest.mark.parametrize(
    ("written", "code", "message"),
    [
        ({"action": "deal"}, "unknown-action", OTHER_ACTION.format("deal")),
        ({"action": "x" * 99}, "unknown-action", OTHER_ACTION.format("x" * 40)),
        ({"player": "Ann"}, "unknown-action", NO_ACTION),
        ({"action": ["win"]}, "unknown-action", NO_ACTION),
        ([], "unreadable-entry", NO_ACTION),
        (None, "unreadable-entry", NO_ACTION),
        ({"action": "win"}, "field-missing", "Still missing: who won."),
        (
            {"action": "win", "player": "Ann", "card": "K"},
            "unreadable-entry",
            "“card” doesn’t belong here. Leave it out.",
        ),
        (
            {"action": "win", "player": "Ann", "points": 100},
            "unreadable-entry",
            "Points: enter a number of at most 99, not 100.",
        ),
    ],
)
def test_entries_that_cannot_be_read(written: Any, code: str, message: str) -> None:
    """Said in words, of which none is a type or a traceback."""
    with pytest.raises(MalformedEntry) as found:
        MOST.read_entry(written)
    (fault,) = found.value.faults
    assert (fault.code, fault.message, fault.game) == (code, message, "")


def test_an_entry_that_can_be_read() -> None:
    """What is left out has its default."""
    entry = MOST.read_entry({"action": "win", "player": "Ann"})
    assert (entry.player, entry.points, entry.helpers) == ("Ann", 1, [])  # type: ignore[attr-defined]


# --- sitting down


@pytest.mark.parametrize(
    ("players", "options", "codes"),
    [
        (2, {}, []),
        (4, {}, []),
        (1, {}, ["players"]),
        (5, {}, ["players"]),
        (2, {"target": 0}, ["no-end"]),
        (5, {"target": 0}, ["no-end", "players"]),
    ],
)
def test_who_can_sit_down(players: int, options: dict[str, int], codes: list[str]) -> None:
    """House rules that do not go together and a wrong number of players, all at once."""
    table = points_table(("Ann", "Ben", "Cat", "Dan", "Eve")[:players], **options)
    assert [fault.code for fault in MOST.table_faults(table)] == codes


def test_how_many_players_in_words() -> None:
    """A span, or the only number there is."""
    assert str(span(range(2, 9))) == "2 to 8"
    assert str(span(range(3, 4))) == "3"
    (fault,) = MOST.table_faults(points_table(("Ann",)))
    assert fault.message == "Most Points is for 2 to 4 players here, not 1."


def test_a_sheet_begins_with_the_stakes_paid() -> None:
    """Before any entry the first deal has begun."""
    state = POT.start(pot_table())
    assert (state.deal, state.dealer, state.scores) == (1, 0, (9, 9, 9))
    assert state.pools == {"pot": 3, "side": 0}
    assert not state.finished


# --- ruling on entries


def test_a_fault_is_of_the_game_and_its_section() -> None:
    """Code and section for programs, a sentence for people."""
    state = MOST.start(points_table())
    (fault,) = MOST.check(state, MOST.read_entry(win("Ann", 10))).faults
    assert (fault.code, fault.game, fault.section) == ("points", "most-points", "play")
    assert fault.message == "A deal is won with 1 to 9 points."


@pytest.mark.parametrize(
    ("entry", "error", "messages"),
    [
        (
            win("Zoe", 0, helpers=["Ann", "Zoe"]),
            IllegalEntry,
            [STRANGER, "A deal is won with 1 to 9 points."],
        ),
        (
            {"action": "win", "points": 0, "helpers": [3], "cards": "K"},
            MalformedEntry,
            [
                "“cards” doesn’t belong here. Leave it out.",
                "Still missing: who won.",
                "Helpers: enter a player’s name, not 3.",
                "A deal is won with 1 to 9 points.",
            ],
        ),
        (
            {"action": "win", "player": "Ann", "points": "3", "helpers": ["Ann", "Zoe"]},
            MalformedEntry,
            [
                "Points: enter a whole number, not “3”.",
                STRANGER,
                "The winner can’t help the winner.",
            ],
        ),
        (
            {"action": "adjust", "player": "Zoe", "points": 0, "reason": "\u2028"},
            IllegalEntry,
            [
                STRANGER,
                "Say what the penalty or bonus is for.",
                "A penalty or bonus of 0 changes nothing.",
                "The reason “\\u2028” has an invisible character in it. Type it again.",
            ],
        ),
        (
            {"action": "buy", "player": "Zoe", "amount": 0},
            MalformedEntry,
            [
                STRANGER,
                "How many: enter a number of at least 1, not 0.",
                "Most Points is played for points, so there’s nothing to buy.",
            ],
        ),
    ],
)
def test_what_can_be_read_is_ruled_on(
    entry: dict[str, Any], error: type[RefereeError], messages: list[str]
) -> None:
    """Strangers and what cannot be read keep no broken rule back; the worst names the error."""
    state = MOST.start(points_table())
    with pytest.raises(error) as found:
        MOST.apply(state, MOST.read_entry(entry, state))
    assert [fault.message for fault in found.value.faults] == messages


def test_what_is_known_to_be_legal_is_not_ruled_on_again() -> None:
    """`carry_out` does what `apply` does, without asking."""
    state = MOST.start(points_table())
    entry = MOST.read_entry(win("Ann", 3))
    assert MOST.carry_out(state, entry) == MOST.apply(state, entry)


@pytest.mark.parametrize(
    ("entry", "strangers"),
    [
        (win("Zoe", helpers=["Ann", "Yan", "Zoe"]), ["Zoe", "Yan"]),
        (adjust("Zoe", 1), ["Zoe"]),
        (adjust("Ann", 1, to="Zoe"), ["Zoe"]),
        (win("ann"), ["ann"]),
    ],
)
def test_only_the_players_of_the_sheet(entry: dict[str, Any], strangers: list[str]) -> None:
    """Every unknown player named anywhere in an entry is a fault, each once."""
    ruling = MOST.check(MOST.start(points_table()), MOST.read_entry(entry))
    assert [fault.code for fault in ruling.faults] == ["unknown-player"] * len(strangers)
    assert [fault.message for fault in ruling.faults] == [
        f"“{name}” isn’t on this sheet. The players are Ann, Ben, and Cat." for name in strangers
    ]


@pytest.mark.parametrize(
    "entry",
    [
        win("Zoe"),
        adjust("Ann", -9),
        {"action": "abandon"},
        {"action": "buy", "player": "Ann", "amount": 1},
    ],
)
def test_nothing_after_the_end(entry: dict[str, Any]) -> None:
    """The only thing wrong with any entry is that the game is over."""
    state = played(MOST, points_table(target=3), win("Ann", 3))
    assert state.finished
    assert refused(MOST, state, entry) == ["finished"]


# --- the end of a deal


def test_the_deal_passes_to_the_left() -> None:
    """Round the table and on; the number of the deal goes up."""
    table = points_table()
    for number in range(7):
        state = played(MOST, table, *[win("Ann")] * number)
        assert (state.deal, state.dealer) == (number + 1, number % 3)
        assert state.scores == (number, 0, 0)


def test_the_line_of_a_deal_holds_the_stakes_of_the_next() -> None:
    """A deal's line has its winnings and the next deal's stakes."""
    begun = POT.start(pot_table())
    staked = [(name, -1, "stake") for name in NAMES]
    assert lines_of(POT, begun, {"action": "takes", "player": "Ben"}) == [
        ("Ben", 3, "the pot"),
        *staked,
    ]
    assert lines_of(POT, begun, {"action": "nobody"}) == staked


def test_the_last_deal_winds_up_and_stakes_nothing() -> None:
    """What is left is handed out before the winners are named; the deal stays the last one."""
    state = played(POT, pot_table(), {"action": "nobody"})
    assert lines_of(POT, state, {"action": "nobody"}) == [
        (name, 2, "share of what was left in the pools") for name in ("Cat", "Ann", "Ben")
    ]
    state = played(POT, pot_table(), {"action": "nobody"}, {"action": "nobody"})
    assert (state.finished, state.winners) == (True, (0, 1, 2))
    assert (state.deal, state.dealer) == (2, 1)
    assert (state.scores, state.pools) == ((10, 10, 10), {"pot": 0, "side": 0})


def test_the_target_ends_the_game() -> None:
    """The player who reaches the target has won; the deal and dealer stay those of that deal."""
    state = played(MOST, points_table(target=5), win("Ann", 4), win("Ben", 5))
    assert (state.finished, state.winners) == (True, (1,))
    assert (state.deal, state.dealer) == (2, 1)


@pytest.mark.parametrize(("game", "winners"), [(MOST, (0, 1)), (FEWEST, (2,))])
def test_after_the_last_deal_the_best_have_won(game: MostPoints, winners: tuple[int, ...]) -> None:
    """Equals share; which end of the scores is the best is the game's business."""
    state = played(game, points_table(target=0, deals=2), win("Ann", 4), win("Ben", 4))
    assert (state.finished, state.winners) == (True, winners)


# --- whatever is written

names = st.sampled_from(NAMES)
points_entries = st.lists(
    st.one_of(
        st.builds(win, names, st.integers(-1, 10)),
        st.builds(adjust, names, st.integers(-9, 9)),
        st.builds(lambda name: {"action": "hint", "player": name}, names),
        st.just({"action": "abandon"}),
    ),
    max_size=12,
)
pot_entries = st.lists(
    st.one_of(
        st.builds(lambda name: {"action": "takes", "player": name}, names),
        st.just({"action": "nobody"}),
        st.just({"action": "abandon"}),
        st.builds(lambda one, n, to: adjust(one, n, to=to), names, st.integers(-9, 9), names),
        st.builds(lambda name, n: {"action": "buy", "player": name, "amount": n}, names,
                  st.integers(1, 9)),
    ),
    max_size=12,
)  # fmt: skip


def walk(game: AnyGame, table: Table[Any], entries: list[dict[str, Any]]) -> tuple[State[Any], int]:
    """Enter what is legal: the state it leads to, and how many counters were bought on the way.

    The lines of each entry must be the change that it makes.
    """
    state: State[Any] = game.start(table)
    bought = 0
    for written in entries:
        entry = game.read_entry(written)
        try:
            after, lines = game.apply(state, entry)
        except IllegalEntry as error:
            assert error.faults
            assert not game.check(state, entry).legal
            continue
        moved = [now - was for was, now in zip(state.scores, after.scores, strict=True)]
        assert moved == list(change_by_player(lines, table.players).values())
        assert after.finished == bool(after.winners)
        game.board(after)
        state = after
        bought += entry.amount if isinstance(entry, Buy) else 0
    return state, bought


@settings(max_examples=150, deadline=None)
@given(points_entries, st.integers(0, 12), st.integers(1, 4))
def test_lines_are_the_change_of_the_scores(
    entries: list[dict[str, Any]], target: int, deals: int
) -> None:
    """Of every entry, the last deal and the end of the game included."""
    state, _ = walk(MOST, points_table(target=target, deals=deals), entries)
    assert state.deal <= deals


@settings(max_examples=150, deadline=None)
@given(pot_entries, st.integers(1, 4))
def test_counters_are_only_bought(entries: list[dict[str, Any]], deals: int) -> None:
    """What is on the table is what everybody began with and bought since; none get lost."""
    state, bought = walk(POT, pot_table(deals=deals), entries)
    assert sum(state.scores) + sum(state.pools.values()) == 30 + bought
    assert sum(POT.seating.if_stopped(state)) == 30 + bought
    assert not state.finished or not any(state.pools.values())
