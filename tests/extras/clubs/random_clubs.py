"""Make random clubs: sheets of all games by random play, corrected and renamed, and notes."""

import json
import random
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.rules.core.entries import Leave
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import RefereeError
from referee.rules.core.table import Table
from referee.rules.registry import GAMES
from referee.sheets.files import entries_in_force, seat_table, table_settings
from referee.sheets.history import HistoryRow, Remark, SettingsChange
from referee.sheets.sheet import course_of
from tests.support.random_play import NAMES, RandomPlayer

Line = dict[str, Any]

#: Spellings of each name of random play; the last two are other people unless merged.
SPELLED = {name: (name, name.upper(), f" {name} ", f"{name}y", f"Old  {name}") for name in NAMES}
TITLES = ("Skat", "SKAT", "Rummy", " skat", "Old  Maid", "Old Maid")
TIMES = (
    *("2025-12-31T23:59:59+00:00", "2026-01-01T00:30:00+01:00", "2026-01-01T00:00:00+00:00"),
    *("2026-03-12T20:41:07+00:00", "2026-03-12T20:41:07Z", "2026-03-13", "", "last Thursday"),
    *("2026-07-01T12:00:00.5-05:00", "2027-01-01T00:00:00"),
)
#: Days for payments; the first means no limit.
DAYS = ("", "2025-12-31", "2026-01-01", "2026-03-12", "2026-03-13", "2026-07-01", "2027-01-01")
#: House rules of the small games.
SHORT: dict[str, Line] = {"plain-score": {"deals": 2}, "9-of-a-kind": {"chicken": True}}
ACTIONS = ("merge", "merge", "merge", "guest", "gone", "member", "called", "paid", "place")
ZONES = ("Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Etc/UTC")


class Clubs:
    """Writes one club after another."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.player = RandomPlayer(seed)

    def club(self) -> tuple[list[Line], list[Line]]:
        """A club: the rows of its history, and its sheets.

        Half of the clubs play small games repeatedly, so that there is more to count.
        """
        chance, often = self.chance, self.chance.random() < 0.5
        slugs = list(GAMES)
        if often:
            slugs = chance.choices(slugs, k=2)
        many = chance.choice((8, 12)) if often else chance.choice((1, 3, 5))
        sheets = [self.sheet(GAMES[chance.choice(slugs)], often) for _ in range(many)]
        return self.notes(), sheets

    def notes(self) -> list[Line]:
        """A history of notes, some of them voided, and some of the voids voided."""
        rows: list[Line] = []
        for seq in range(1, self.chance.choice((1, 2, 6, 10))):
            row = {"seq": seq, "at": self.chance.choice(TIMES), "by": "Ann’s phone"}
            in_force = _in_force(rows)
            if in_force and self.chance.random() < 0.3:
                rows.append({**row, "kind": "void", "target": self.chance.choice(in_force)})
            else:
                rows.append({**row, "kind": "note", "note": self.note()})
        return rows

    def note(self) -> Line:
        """A note about names that are probably on some sheet."""
        action = self.chance.choice(ACTIONS)
        names = {
            name.split()[-1].casefold(): name
            for name in self.chance.choices(
                [each for some in SPELLED.values() for each in some], k=3
            )
        }
        one, *others = names.values()
        if action == "called":
            return {"action": action, "name": "Thursday"}
        if action == "place":
            return {"action": action, "zone": self.chance.choice(ZONES)}
        if action == "merge":
            return {"action": action, "name": one, "others": others or ["Nobody"]}
        if action == "paid":
            days = zip(("since", "until"), sorted(self.chance.choices(DAYS, k=2)), strict=True)
            unit = self.chance.choice(("counter", "chip"))
            paid = {"payer": one, "payee": "Somebody", "amount": 3, "unit": unit}
            return {"action": action, **paid, **{name: day for name, day in days if day}}
        return {"action": action, "name": one}

    # --- sheets

    def sheet(self, game: AnyGame, often: bool) -> Line:
        """A sheet file of random entries, some corrected, with names in varied spelling."""
        table = self.player.sheet(game)
        if often:  # few people and a short game with the usual house rules
            seats = game.seats(game.house_rules())
            options = SHORT.get(game.slug, {})
            rules = [rule.name for rule in msgspec.structs.fields(game.house_rules)]
            length = next((rule for rule in ("deals", "rounds", "target") if rule in rules), None)
            if length and self.chance.random() < 0.2:  # of another length than usual
                options = {**options, length: 3}
            table = seat_table(game.slug, NAMES[: max(seats[0], 3)], None, options)[1]
        rows, table = self.rows(game, table, 6 if often else 16)
        entries = [msgspec.to_builtins(entry) for _, entry in entries_in_force(game, rows)]
        settings = msgspec.to_builtins(table_settings(table))
        written: Line = {"referee": 1, "game": game.slug, **settings, "entries": entries}
        if self.chance.random() < 0.9:
            written["history"] = msgspec.to_builtins(rows)
        text = json.dumps(written)
        for name, ways in SPELLED.items():
            way = self.chance.choice(ways) if self.chance.random() < 0.3 else name
            text = text.replace(f'"{name}"', json.dumps(way))
        found: Line = json.loads(text)
        return found

    def rows(
        self, game: AnyGame, table: Table[Any], most: int
    ) -> tuple[list[HistoryRow], Table[Any]]:
        """The rows of a sheet, and its table at the end, after renaming somebody perhaps."""
        chance, rows = self.chance, list[HistoryRow]()
        state = game.start(table)
        for _ in range(most):
            entry = self.player.entry(game, state)
            with suppress(RefereeError):
                played = game.read_entry(entry)
                if isinstance(played, Leave) and chance.random() < 0.7:
                    continue  # so that not all games end with nobody there
                state, _ = game.apply(state, played)
                rows.append(self.row(rows, "play", entry=msgspec.to_builtins(played)))
        if not state.finished and chance.random() < 0.8:
            rows.append(self.row(rows, "play", entry={"action": "stop"}))
        for _ in range(chance.choice((0, 0, 1, 2)) if rows else 0):
            rows = self.corrected(game, table, rows)
        if chance.random() < 0.5:
            title = Remark("title", chance.choice(TITLES))
            rows.append(self.row(rows, "note", remark=title))
        if chance.random() < 0.2:
            names = {table.players[0]: "Quin"}
            seated = replace(table, players=("Quin", *table.players[1:]))
            agreed = SettingsChange(table_settings(table), table_settings(seated), names)
            rows.append(self.row(rows, "note", agreed=agreed))
            table = seated
        return rows, table

    def row(self, rows: list[HistoryRow], kind: Any, **fields: Any) -> HistoryRow:
        """The next row of this kind, with a random time."""
        return HistoryRow(len(rows) + 1, kind, self.chance.choice(TIMES), **fields)

    def corrected(
        self, game: AnyGame, table: Table[Any], rows: list[HistoryRow]
    ) -> list[HistoryRow]:
        """The rows and one that voids or amends an earlier one, if the rest is still legal."""
        target = self.chance.choice(rows)
        change = self.row(rows, "void", target=target.seq)
        if target.kind == "play" and self.chance.random() < 0.4:
            before = course_of(game, table, rows).before(target.seq).state
            with suppress(RefereeError):
                entry = game.read_entry(self.player.entry(game, before))
                change = self.row(
                    rows, "amend", target=target.seq, entry=msgspec.to_builtins(entry)
                )
        with suppress(RefereeError):
            course_of(game, table, [*rows, change])
            if target.seq in _in_force([msgspec.to_builtins(row) for row in rows]):
                return [*rows, change]
        return rows


def _in_force(rows: list[Line]) -> list[int]:
    """The numbers of the rows that no row in force voids."""
    in_force = {row["seq"] for row in rows}
    for row in reversed(rows):
        if row["kind"] == "void" and row["seq"] in in_force:
            in_force.discard(row["target"])
    return sorted(in_force)
