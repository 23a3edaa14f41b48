"""Random clubs, counted by a second implementation of `docs/clubs.md`."""

import json
from collections import Counter
from typing import Any

import msgspec
import pytest

from referee.extras.clubs.accounts import Accounts
from referee.extras.clubs.commands import table_document
from referee.extras.clubs.figures import ALWAYS, Figures, Period, counted, year
from referee.extras.clubs.file import Club, read_club
from referee.extras.clubs.games import in_order
from referee.extras.clubs.notes import Merge, NoteRow, in_force, zone_of
from referee.extras.clubs.player import player
from referee.extras.clubs.season_table import TABLE_SORTS
from referee.sheets.files import entries_in_force, play_through
from tests.extras.clubs.random_clubs import Clubs, Line
from tests.extras.clubs.recount import Game, Recount, game_of
from tests.support.campaign import SEED, usual_or_nightly

CLUBS = usual_or_nightly(60, 10_000)
#: Situations that must have come up.
EVERYTHING = (
    *("merged", "apart", "not counted", "rated", "handed over", "left", "nemeses", "best tables"),
    *("elsewhere", "payments", "out", "lengths"),
    *("feat: pot", "feat: made-9", "feat: missed-2", "feat: red-nine", "feat: chicken"),
    *("record: greatest_comeback", "record: longest_streak", "record: quickest_win"),
)
PERIODS = {
    "always": (ALWAYS, ("", "9")),
    "a year": (year(2026), ("2026-01-01", "2026-12-31")),
    "some days": (Period("2025-12-31", "2026-03-12"), ("2025-12-31", "2026-03-12")),
    "from a day on": (Period("2026-03-13"), ("2026-03-13", "9")),
}


def file(rows: list[Line], sheets: list[Line]) -> bytes:
    """A club file."""
    head = {"referee": 1, "club": "Thursday table", "history": rows}
    return "".join(json.dumps(line) + "\n" for line in (head, *sheets)).encode()


def recounted(club: Club, rows: list[Line]) -> Recount:
    """The same club, counted by `Recount`."""
    games: list[Game] = []
    for number, sheet in enumerate(club.sheets, start=1):
        called, ended = "", ""
        course = play_through(sheet.game, sheet.table, sheet.entries)
        if sheet.history is not None:
            seqs = [seq for seq, _ in entries_in_force(sheet.game, sheet.history)]
            steps = zip(course.steps, seqs, strict=True)
            numbered = tuple(msgspec.structs.replace(step, seq=seq) for step, seq in steps)
            course = msgspec.structs.replace(course, steps=numbered)
            titles = [row.remark.text for row in sheet.history if row.remark]
            called = " ".join(titles[-1].split()) if titles else ""
            if seqs and course.state.finished:
                ended = sheet.history[seqs[-1] - 1].at
        games.append(game_of(number, course, called, ended))
    return Recount(games, rows)


def assert_counted(club: Club, rows: list[Line], tally: Counter[str]) -> None:
    """Check that every figure of the club is that of the second implementation."""
    figures, again = club.figures, recounted(club, rows)
    document = figures.document()
    ratings = {name: one.pop("rating") for name, one in document["players"].items()}
    assert document["players"] == again.players()
    assert document["head_to_head"] == again.head_to_head()
    assert document["records"] == again.records()
    for person in again.persons:
        last = again.of(person)[-1][0].sheet
        assert ratings[again.name(person)] == pytest.approx(again.ratings[person, last], abs=1e-4)
    for period, (since, until) in PERIODS.values():
        for by in TABLE_SORTS:
            table = table_document(figures, figures.table(period, by))
            assert [_plain(row) for row in table] == again.table(by, since, until), by
        for person in again.persons:
            found = player(figures, person, period).document()
            found.pop("rating")
            found["best_table"]["players"].sort()
            assert _plain(found) == again.player(person, since, until), (person, period)
            tally["nemeses"] += found["nemesis"] is not None
            tally["best tables"] += bool(found["best_table"]["games"])
            tally.update(f"feat: {feat}" for feat in found["feats"])
    assert_settled(club, again, tally)
    lengths = [some for of_game in document["records"].values() for some in of_game.values()]
    tally.update(f"record: {name}" for some in lengths for name in some)
    tally["lengths"] += any(len(of_game) > 1 for of_game in document["records"].values())
    tally["out"] += sum(one.out and one.place > 1 for g in figures.games for one in g.results)
    tally["merged"] += len(figures.people.merged)
    tally["apart"] += len(figures.people.apart)
    tally["games"] += len(figures.games)
    tally["not counted"] += len(club.games) - len(figures.games)
    tally["rated"] += sum(
        row["rating"] is not None for row in table_document(figures, figures.ranking())
    )
    tally["handed over"] += sum(not one.place for game in figures.games for one in game.results)
    tally["left"] += sum(
        not one.seated and one.place > 0 for g in figures.games for one in g.results
    )


def assert_settled(club: Club, again: Recount, tally: Counter[str]) -> None:
    """Check that the payments settle exactly what is owed, unless other days are involved."""
    found = Accounts(club.figures.games, in_force(club.history), club.figures.people)
    for period, (since, until) in PERIODS.values():
        for one in found.settlings_of(period):
            left = Counter(again.owed(one.unit, since, until))
            for each in one.payments:
                left.update({each.payer: each.amount, each.payee: -each.amount})
            assert one.elsewhere or not any(left.values()), (one, period)
            tally["elsewhere"] += one.elsewhere
            tally["payments"] += len(one.payments)
            assert period != ALWAYS or not one.elsewhere


def _plain(value: Any) -> Any:
    """The document after a round trip through JSON."""
    return json.loads(msgspec.json.encode(value))


def assert_goes_on(club: Club) -> None:
    """Check that updating figures in steps of any size gives the same as counting all."""
    notes = in_force(club.history)
    games = in_order(club.games, zone_of(notes))
    whole = club.figures
    people = [row.person for row in whole.ranking()]
    course = whole.course(people)
    assert list(course) == list(range(1, len(games) + 1))
    for begun in {0, len(games) // 2}:
        figures = Figures(whole.people).followed_by(games[:begun])
        known = [msgspec.json.encode(figures.document())]
        for number, game in enumerate(games[begun:], start=begun + 1):
            before, more = figures, figures.with_game(game)
            assert more is not None
            figures = more
            rows = {row.person: row for row in figures.ranking()}
            assert course[number] == list(map(rows.get, people))
            assert msgspec.json.encode(before.document()) == known[-1], "it was changed"
            known.append(msgspec.json.encode(figures.document()))
        assert figures == whole
        assert known[-1] == msgspec.json.encode(whole.document())
    assert counted(club.games, notes) == whole


def assert_merged_and_parted(club: Club, clubs: Clubs) -> None:
    """Check that voiding a merge restores every figure, byte for byte."""
    names = [one.name for game in club.games for one in game.results]
    seq = len(club.history) + 1
    merge = Merge(clubs.chance.choice(names), [clubs.chance.choice(names), "Nobody"])
    rows = (NoteRow(seq, "note", "", merge), NoteRow(seq + 1, "void", "", target=seq))
    parted = msgspec.structs.replace(club, history=(*club.history, *rows))
    before, after = club.figures, parted.figures
    assert msgspec.json.encode(after.document()) == msgspec.json.encode(before.document())
    assert after == before


def test_random_clubs_have_the_figures_of_a_second_implementation() -> None:
    """For all time and for periods, and also when they are updated."""
    clubs, tally = Clubs(SEED), Counter[str]()
    for _ in range(CLUBS):
        rows, sheets = clubs.club()
        club = read_club(file(rows, sheets))
        assert_counted(club, rows, tally)
        assert_goes_on(club)
        assert_merged_and_parted(club, clubs)
    for what in EVERYTHING:
        assert tally[what] >= CLUBS / 50, (what, tally)
