"""Play random entries in every game: likely ones, ones made from the types, and wrong ones.

`python -m tests.support.random_play 100000` plays that many over all games and prints a tally;
the same seed plays the same entries.
"""

import random
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from referee.rules.cards.card_keys import RANK_KEYS
from referee.rules.core.asking import ASKED, CARD_KEYS, Asked, CardKeys
from referee.rules.core.entries import SHARED, Entry, Leave, Stop
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import MalformedEntry, RefereeError
from referee.rules.core.table import State, Table, change_by_player
from referee.rules.documents import error_document, rule_name
from referee.rules.registry import GAMES
from referee.sheets.audit import course_faults
from referee.sheets.files import Course, Step, seat_table, table_settings
from referee.sheets.history import HistoryRow, SettingsChange, in_force
from referee.sheets.score_pad import EMPTY, Cell, score_pad_of
from referee.sheets.sheet import course_of
from tests.support.likely_play import likely

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")
CARDS = (*"A23456789JQK", "10", "9R", "4", "8", "A")
WILD: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 10**6, 10**12, 10**13, 2**64, 1.5, "", " ", "Zoe", "9R=", "|"),
    *("\0", "\u202e", "♠", "9" * 700, [], {}, ["Ann"], {"Ann": 1}, {"Ann": {"Ann": []}}),
)
STEPS_A_SHEET = 14


class RandomPlayer:
    """Writes entries for one sheet after another."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.tally: Counter[str] = Counter()

    # --- entries

    def sheet(self, game: AnyGame) -> Table[Any]:
        """A random table: players, dealer and house rules, some of which end the game soon."""
        seats = game.seats(game.house_rules())
        players = NAMES[: self.random.choice([seats[0], self.random.choice(seats)])]
        options: dict[str, Any] = {}
        for field in msgspec.structs.fields(game.house_rules):
            if self.random.random() < 0.3:
                options[field.name] = self.value(field.type, players)
        try:
            return seat_table(game.slug, players, self.random.choice(players), options)[1]
        except MalformedEntry:
            self.tally["tables refused"] += 1
            return seat_table(game.slug, players, None, {})[1]

    def entry(self, game: AnyGame, state: State[Any]) -> Any:
        """A random entry: half are likely legal, and one in twelve has a wild value."""
        seated = state.table.players  # a penalty among them is seldom legal if made from its type
        if game.has_counters and len(seated) > 1 and self.random.random() < 0.03:
            payer, payee = self.random.sample(seated, 2)
            penalty = {"action": "adjust", "player": payer, "to": payee}
            return {**penalty, "points": -1, "reason": "looked"}
        if not state.finished and self.random.random() < 0.5:
            return likely(self.random, game.slug, state)
        seats = game.turns.in_play(state)
        players = [state.name(seat) for seat in seats]
        acts = None if state.finished else game.turns.acts(state)
        if acts is not None and self.random.random() < 0.8:
            players = [state.name(acts)]
        kinds = [kind.entry for kind in game.entries.values()]
        shared = [kind for kind in kinds if kind in SHARED]
        own = [kind for kind in kinds if kind not in SHARED]
        kind = self.random.choice(shared if self.random.random() < 0.5 else own)
        if kind is Stop and self.random.random() < 0.7:
            kind = Leave
        value = self.struct(kind, players or list(state.table.players))
        if self.random.random() < 1 / 6:
            self.spoil(value)
        return value

    def struct(self, kind: type[Any], players: Sequence[str]) -> dict[str, Any]:
        """Values for all required fields of a struct, and for some optional ones."""
        hints = get_type_hints(kind, include_extras=True)
        tag = kind.__struct_config__.tag
        value: dict[str, Any] = {"action": tag} if issubclass(kind, Entry) else {}
        for field in msgspec.structs.fields(kind):
            if field.required or self.random.random() < 0.6:
                there = [name for name in players if name != value.get("player")]
                around = there if self.random.random() < 0.85 and there else players
                value[field.encode_name] = self.value(hints[field.name], around)
        return value

    def value(self, hint: Any, players: Sequence[str]) -> Any:  # noqa: PLR0911 - one for each type
        """A random value of that type, such as a player at the table or a number in range."""
        origin, inner = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self._annotated(inner[0], [m for m in inner[1:] if isinstance(m, Meta)], players)
        if origin is Literal:
            return self.random.choice(inner)
        if origin in (Union, UnionType):
            return self.value(self.random.choice(inner), players)
        if origin is dict:
            few = self.random.random() < 0.2
            some = [name for name in players if not few or self.random.random() < 0.6]
            return {name: self.value(inner[1], players) for name in some}
        if origin in (list, tuple):
            return [self.value(inner[0], players) for _ in range(self.random.randint(0, 2))]
        if hint is bool:
            return self.random.random() < 0.3
        if hint is type(None):
            return None
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return self.struct(hint, players)
        return self.random.randint(-2, 30) if hint is int else "x"

    def _annotated(self, plain: Any, metas: Sequence[Meta], players: Sequence[str]) -> Any:
        extra: dict[str, Any] = {}
        for meta in metas:
            extra |= meta.extra or {}
        if any(meta.title == "player" for meta in metas):
            return self.random.choice(players)
        if any(meta.title == "new player" for meta in metas):
            return self.random.choice(NAMES)
        if CARD_KEYS in extra:
            return self.cards(extra[CARD_KEYS])
        asked: Asked | None = extra.get(ASKED)
        if asked is not None and asked.choices:
            return self.random.choice(list(asked.choices))
        if plain is int:
            least = max((meta.ge for meta in metas if meta.ge is not None), default=-20)
            return max(int(least), self.random.choice([-3, 0, 1, 2, 5, 10, 40, 100]))
        return self.value(plain, players)

    def cards(self, pad: CardKeys) -> str:
        """A random hand, as written with these card keys."""
        suits = tuple(pad.suits) or ("",)
        sizes = (9, 9) if pad.column else (1, 9) if pad.nine_suits else (0, 6)
        if pad == RANK_KEYS and self.random.random() < 0.3:
            return self.random.choice(
                ["8 A", "4 4 A", "9", "9 9", "A 2 6", "A A A", "J 5", "2 3 4"]
            )
        number = self.random.choice([1, 2, 3, 3]) if pad == RANK_KEYS else 0
        hand = [
            self.random.choice(CARDS[:13]) + self.random.choice(suits)
            for _ in range(number or self.random.randint(*sizes))
        ]
        if pad.column:
            hand[3:3], hand[7:7] = ["|"], ["|"]
        return " ".join(hand)

    def spoil(self, value: dict[str, Any]) -> None:
        """Put a wild value in one place, or remove or add a field."""
        key = self.random.choice([*value, "more"])
        if self.random.random() < 0.2:
            value.pop(key, None)
        elif isinstance(value.get(key), dict) and value[key] and self.random.random() < 0.6:
            value[key][self.random.choice(list(value[key]))] = self.random.choice(WILD)
        else:
            value[key] = self.random.choice(WILD)

    # --- playing

    def file(self, game: AnyGame) -> dict[str, Any]:
        """A sheet file with the legal ones among `STEPS_A_SHEET` random entries."""
        table = self.sheet(game)
        state, entries = game.start(table), list[dict[str, Any]]()
        for _ in range(STEPS_A_SHEET):
            written = self.entry(game, state)
            with suppress(RefereeError):
                state, _ = game.apply(state, game.read_entry(written))
                entries.append(written)
        settings = msgspec.to_builtins(table_settings(table))
        return {"referee": 1, "game": game.slug, **settings, "entries": entries}

    def play(self, game: AnyGame) -> int:
        """Play one short sheet of random entries and check each; returns how many were tried."""
        table = self.sheet(game)
        rows: list[HistoryRow] = []
        states = [game.start(table)]
        tried = 0
        while tried < STEPS_A_SHEET:
            tried += 1
            state = states[-1]
            written = self.entry(game, state)
            try:
                entry = game.read_entry(written)
                after, lines = game.apply(state, entry)
            except RefereeError as error:
                self.refused(error)
                if state.finished:
                    break
                continue
            self.recorded(game, table, written["action"])
            assert_sound(after)
            one_step = Course(game, state, (Step(1, entry, lines, after),))
            assert not list(course_faults(one_step)), (game.slug, written)
            assert set(state.everybody) - set(after.everybody) <= {written.get("player")}
            game.board(after)
            rows.append(HistoryRow(len(rows) + 1, "play", "", msgspec.to_builtins(entry)))
            states.append(after)
        assert_pad(course_of(game, table, rows), states[-1])
        if rows:
            self.correct(game, table, rows, states)
            self.rename(game, table, rows, states[-1])
        self.undo(game, table, rows, states)
        return tried

    def refused(self, error: RefereeError) -> None:
        """Check that a refusal has faults with a code, a message and a rule, and a document."""
        assert error.faults
        for fault in error.faults:
            assert fault.code
            assert fault.message
            assert str(rule_name(fault.game, fault.section))
        msgspec.json.encode(error_document(error))
        self.tally[f"refused: {type(error).__name__}"] += 1

    def recorded(self, game: AnyGame, table: Table[Any], action: str) -> None:
        """Count a recorded entry by game and by house rules."""
        self.tally["recorded"] += 1
        self.tally[f"{game.slug}: {action}"] += 1
        for rule in house_rules_of(table):
            self.tally[f"{game.slug} with {rule}"] += 1

    def correct(
        self,
        game: AnyGame,
        table: Table[Any],
        rows: Sequence[HistoryRow],
        states: Sequence[State[Any]],
    ) -> None:
        """Void or amend an earlier entry, so that all later ones are ruled on again.

        Check that it is refused with faults or leaves a sound sheet.
        """
        target, number = self.random.choice(rows), len(rows) + 1
        change = HistoryRow(number, "void", "", None, target.seq)
        try:
            if self.random.random() < 0.5:
                written = game.read_entry(self.entry(game, states[target.seq - 1]))
                change = HistoryRow(number, "amend", "", msgspec.to_builtins(written), target.seq)
            course = course_of(game, table, [*rows, change])
        except RefereeError as error:
            self.refused(error)
            self.tally[f"correction refused: {change.kind}"] += 1
            return
        self.tally[f"corrected: {change.kind}"] += 1
        for step in course.steps:
            assert_sound(step.after)
        assert not list(course_faults(course)), (game.slug, change)
        assert_pad(course, course.state)

    def rename(
        self, game: AnyGame, table: Table[Any], rows: Sequence[HistoryRow], now: State[Any]
    ) -> None:
        """Rename a player, and check that scores and winners stay with them."""
        was = self.random.choice(now.everybody)
        names = {was: "Quin"}
        seated = replace(table, players=tuple(names.get(name, name) for name in table.players))
        change = SettingsChange(table_settings(table), table_settings(seated), names)
        note = HistoryRow(len(rows) + 1, "note", "", agreed=change)
        course = course_of(game, seated, [*rows, note])
        totals = {names.get(name, name): total for name, total in now.totals.items()}
        assert course.state.totals == totals, (game.slug, rows, was)
        assert course.state.deal == now.deal
        assert course.state.winners == now.winners
        assert_pad(course, course.state)

    def undo(
        self,
        game: AnyGame,
        table: Table[Any],
        plays: Sequence[HistoryRow],
        states: Sequence[State[Any]],
    ) -> None:
        """Void entries from the last; check the state half way back and at the start."""
        history = list(plays)
        halfway = len(plays) // 2
        for kept in range(len(plays) - 1, -1, -1):
            history.append(
                HistoryRow(len(history) + 1, "void", "", None, in_force(history)[-1].play.seq)
            )
            if kept in (0, halfway):
                course = course_of(game, table, history, legal=True)
                assert course.state == states[kept], (game.slug, kept)


def house_rules_of(table: Table[Any]) -> list[str]:
    usual = msgspec.structs.asdict(type(table.options)())
    given = msgspec.structs.asdict(table.options)
    return [
        f"{name} {value}" if isinstance(value, str) else name
        for name, value in given.items()
        if value != usual[name]
    ]


def assert_pad(course: Course, state: State[Any]) -> None:
    """Check that the score pad's last totals are right and its cells add up to them."""
    pad = score_pad_of(course)
    before = score_pad_of(course.before(course.steps[-1].seq)) if course.steps else None
    rows = [(row.kind, row.cells, row.totals) for row in pad.all_rows]
    goes_on = score_pad_of(course, before).all_rows
    assert [(row.kind, row.cells, row.totals) for row in goes_on] == rows, course
    written = [*pad.rows, *([pad.current] if pad.current else [])]
    assert written[-1].totals == state.totals, course
    for player, total in state.totals.items():
        cells = sum(row.cells.get(player, EMPTY).points for row in written)
        assert pad.start.get(player, 0) + cells == total, (player, course)
    for row in written:
        scored = change_by_player((*row.lines, *row.opening), row.totals)
        for player, cell in row.cells.items():
            assert cell.points == scored[player], (player, row)
            if row.kind != "between":  # there people write any points
                assert_adds_up(cell)


def assert_adds_up(cell: Cell) -> None:
    """Check that a cell's written arithmetic yields its points, and names its parts if several."""
    assert len(cell.parts) < 2 or cell.arithmetic
    written = str(cell.arithmetic)
    if not written or "share of" in written:  # an odd point may be shared, too
        return
    written = re.sub(r"half of ([\d,]+)", r"((\1 + 1) // 2)", written)
    written = re.sub(r"[A-Za-z,]", "", written.replace("×", "*").replace("−", "-"))
    paid = all(part.points < 0 for part in cell.parts)
    came_to = eval(written)
    assert came_to == (-cell.points if paid else cell.points), (written, cell)


def assert_sound(state: State[Any]) -> None:
    """Check a state: no player twice, and seats and scores match."""
    names = state.everybody
    assert len(set(names)) == len(names)
    assert len(state.scores) == len(state.table.players)
    assert set(state.places) in (set(), set(names))
    assert state.dealt <= set(names)
    assert 0 <= state.dealer < len(state.table.players)
    assert state.dealer_name in names
    assert all(seat < len(state.table.players) for seat in state.winners)
    assert all(type(score) is int for score in state.all_scores)
    assert min(state.pools.values(), default=0) >= 0
    assert not state.finished or not any(state.pools.values())


def play(number: int, seed: int) -> Counter[str]:
    """Play `number` entries spread over all games; returns the tally."""
    total = Counter[str]()
    for place, game in enumerate(GAMES.values()):
        player = RandomPlayer(seed * 1000 + place)
        tried = 0
        while tried < number / len(GAMES):
            tried += player.play(game)
        total += player.tally
        total[f"{game.slug}: all"] = player.tally["recorded"]
        total["entries"] += tried
    return total


if __name__ == "__main__":
    begun = time.monotonic()
    for what, count in sorted(play(int(sys.argv[1]), 9).items()):
        print(f"{count:>8}  {what}")
    print(f"{time.monotonic() - begun:>8.0f}  seconds")
