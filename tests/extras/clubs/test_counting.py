"""What counts, for whom and how: the rules of `docs/clubs.md` on small sheets."""

import time
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from referee.extras.clubs.figures import Figures, Period, counted, year
from referee.extras.clubs.games import PlayedGame, game_in_file, game_title, in_order
from referee.extras.clubs.notes import AnyNote, Gone, Guest, Member, Merge, Place, merge_faults
from referee.extras.clubs.player import player
from referee.extras.clubs.records import Record
from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from

Entry = dict[str, Any]
FIVE = ["Ann", "Ben", "Cat", "Dan", "Eve"]
STOP: Entry = {"action": "stop"}


def deal(**points: int) -> Entry:
    """A deal of Any Other Game."""
    return {"action": "deal", "points": points}


def leave(player: str) -> Entry:
    """Somebody leaves."""
    return {"action": "leave", "player": player}


def join(player: str, left_of: str, **points: int) -> Entry:
    """Somebody joins."""
    return {"action": "join", "player": player, "left_of": left_of, **points}


def replaced(player: str, by: str) -> Entry:
    """Somebody takes over a seat."""
    return {"action": "replace", "player": player, "by": by}


def out(**cards: int) -> Entry:
    """A deal of Red Nines (1881) won by Ann, with the cards left to the others."""
    hands = {player: {"plain": left, "red_nines": 0} for player, left in cards.items()}
    return {"action": "out", "player": "Ann", "hands": hands}


def hand(**lost: int) -> Entry:
    """A hand of hold’em in which Ann wins what the others lose."""
    return {"action": "hand", "won": {"Ann": sum(lost.values())}, "lost": lost}


def game(
    players: str | Sequence[str],
    *entries: Entry,
    slug: str = "plain-score",
    at: str = "",
    called: str = "",
    number: int = 1,
    **options: Any,
) -> PlayedGame:
    """The result of a sheet with these entries, which ended `at` this time."""
    names = players.split() if isinstance(players, str) else list(players)
    settings = {"players": names, "dealer": names[0], "options": options}
    file = {"referee": 1, "game": slug, **settings, "entries": list(entries)}
    rows = [{"kind": "play", "entry": entry} for entry in entries]
    if called:
        rows.append({"kind": "note", "remark": {"about": "title", "text": called}})
    file["history"] = [{"seq": n, "at": at, **row} for n, row in enumerate(rows, start=1)]
    return game_in_file(number, sheet_from(file))


def club(*games: PlayedGame) -> list[PlayedGame]:
    """The games, numbered in this order."""
    return [replace(one, sheet=number) for number, one in enumerate(games, start=1)]


WON = game("Ann Ben", deal(Ann=3, Ben=1), deals=1)
LOST = game("Ann Ben", deal(Ann=1, Ben=3), deals=1)
TRICKS_12: Entry = {"action": "tricks", "tricks": {"Ann": 3, "Ben": 12, "Cat": 1}}

PLACES: dict[str, tuple[PlayedGame, dict[str, int]]] = {
    "a tie for first is a win for each": (
        game("Ann Ben Cat", deal(Ann=5, Ben=5, Cat=1), STOP), {"Ann": 1, "Ben": 1, "Cat": 3},
    ),
    "equals share a place, and the next is after all of them": (
        game("Ann Ben Cat Dan", deal(Ann=5, Ben=1, Cat=1, Dan=0), STOP),
        {"Ann": 1, "Ben": 2, "Cat": 2, "Dan": 4},
    ),
    "in games that the fewest points win, by these": (
        game("Ann Ben Cat", deal(Ann=5, Ben=1, Cat=3), STOP, lowest_wins=True),
        {"Ben": 1, "Cat": 2, "Ann": 3},
    ),
    "those who left come after all who were seated, however many points they had": (
        game("Ann Ben Cat Dan", deal(Ann=1, Ben=2, Cat=9, Dan=0), leave("Cat"), leave("Dan"), STOP),
        {"Ben": 1, "Ann": 2, "Cat": 3, "Dan": 3},
    ),
    "who lost their last chip is placed by when, and before who left with some": (
        game("Ann Ben Cat Dan Eve", hand(Ben=1, Cat=2, Dan=200), leave("Cat"),
             hand(Ben=199, Eve=1), hand(Eve=199), slug="multiple-9-holdem"),
        {"Ann": 1, "Eve": 2, "Ben": 3, "Dan": 4, "Cat": 5},
    ),
    "who bought chips again counts as if never broke, and who gets up with none as broke": (
        game("Ann Ben Cat Dan", hand(Ben=1, Cat=2, Dan=200),
             {"action": "buy", "player": "Dan", "amount": 9},
             hand(Cat=198, Dan=2), leave("Cat"), hand(Ben=199), STOP, slug="multiple-9-holdem"),
        {"Ann": 1, "Dan": 2, "Ben": 3, "Cat": 4},
    ),
    "who was put out by the rules is placed by when": (
        game("Ann Ben Cat", out(Ben=2, Cat=12), out(Ben=12),
             slug="red-nines-1881", counters=11, red_nine_pool=0, cannot_pay="out", deals=9),
        {"Ann": 1, "Ben": 2, "Cat": 3},
    ),
    "who came back was never away": (
        game("Ann Ben Cat", deal(Ann=1, Ben=2, Cat=9), leave("Cat"), deal(Ann=1, Ben=1),
             join("Cat", "Ann"), STOP),
        {"Cat": 1, "Ben": 2, "Ann": 3},
    ),
    "who joined counts like anybody else": (
        game("Ann Ben", deal(Ann=1, Ben=2), join("Cat", "Ann", points=1), STOP),
        {"Ben": 1, "Ann": 2, "Cat": 2},
    ),
    "the game is of whoever took over the seat": (
        game("Ann Ben", deal(Ann=1, Ben=2), replaced("Ben", "Zed"), STOP),
        {"Zed": 1, "Ann": 2, "Ben": 0},
    ),
    "who won counts before who has more points": (
        game("Ann Ben Cat", TRICKS_12, slug="nine-five-two", twelve_wins=True),
        {"Ben": 1, "Cat": 2, "Ann": 3},
    ),
    "a game that was stopped before anything was scored is nobody’s": (
        game("Ann Ben", STOP), {"Ann": 0, "Ben": 0},
    ),
    "a game that goes on is nobody’s yet": (
        game("Ann Ben", deal(Ann=1, Ben=2)), {"Ann": 0, "Ben": 0},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("played", "places"), list(PLACES.values()), ids=list(PLACES))
def test_places(played: PlayedGame, places: dict[str, int]) -> None:
    """Each case; a game counts only if somebody has won."""
    assert {one.name: one.place for one in played.results} == places
    assert played.counts is (1 in places.values())
    assert len(in_order([played])) == played.counts


def test_points_are_the_score_and_in_counters_what_was_won() -> None:
    """Counters bought or held at the start are no win, so that they add up to 0."""
    score = game("Ann Ben", deal(Ann=7, Ben=2), join("Cat", "Ann", points=1), STOP)
    assert {one.name: one.points for one in score.results} == {"Ann": 7, "Cat": 1, "Ben": 2}
    pink = game(
        "Ann Ben Cat", {"action": "buy", "player": "Cat", "amount": 50},
        {"action": "out", "player": "Ann"}, leave("Cat"), join("Dan", "Ben"), STOP,
        slug="pink-nines", ante=2,
    )  # fmt: skip
    assert {one.name: one.points for one in pink.results} == {
        "Ann": 4, "Ben": -2, "Dan": 0, "Cat": -2,
    }  # fmt: skip


def test_deals_belong_to_those_who_played_them() -> None:
    """To the player who held the seat when the deal ended."""
    played = game(
        "Ann Ben", deal(Ann=5, Ben=2), deal(Ann=1, Ben=2), replaced("Ann", "Zed"),
        deal(Zed=9, Ben=2), STOP,
    )  # fmt: skip
    ann, ben, zed = (played_by(played, name) for name in ("Ann", "Ben", "Zed"))
    assert (ann.deals, ann.best, ann.worst) == (2, ann.best, ann.worst)
    assert [(one.points, one.row) for one in (ann.best, ann.worst) if one] == [(5, 1), (1, 2)]
    assert [(one.points, one.row) for one in (zed.best, ben.best) if one] == [(9, 4), (2, 1)]
    assert (zed.deals, zed.points, played.deals) == (1, 15, 3)
    low = game("Ann Ben", deal(Ann=5, Ben=2), deal(Ann=1, Ben=2), STOP, lowest_wins=True)
    best = played_by(low, "Ann").best
    assert best is not None
    assert best.points == 1


def played_by(played: PlayedGame, name: str) -> Any:
    """The result of a game for this name."""
    return next(one for one in played.results if one.name == name)


def test_a_player_who_returns_to_another_seat_is_one_person() -> None:
    """Also in another spelling: the deals before and after are theirs."""
    played = game(
        "Ann Ben", deal(Ann=5, Ben=2), replaced("Ann", "Zed"), join(" ANN ", "Ben", points=0),
        {"action": "deal", "points": {"Zed": 1, "Ben": 0, " ANN ": 20}}, STOP,
    )  # fmt: skip
    assert [(one.name, one.deals, one.place) for one in played.results] == [
        ("Zed", 1, 2), ("Ben", 2, 3), (" ANN ", 2, 1),
    ]  # fmt: skip
    assert counted([played]).document()["players"]["ANN"]["games"] == 1
    back = game(
        "Ann Ben", deal(Ann=5, Ben=2), replaced("Ann", "Zed"), join(" ANN ", "Ben", points=0), STOP
    )
    assert [(one.name, one.deals, one.place) for one in back.results] == [
        ("Zed", 0, 1), ("Ben", 1, 2), (" ANN ", 1, 3),
    ]  # fmt: skip


FEATS: dict[str, tuple[PlayedGame, dict[str, dict[str, int]]]] = {
    "tricks made and missed, by seat": (
        game("Ann Ben Cat", {"action": "tricks", "tricks": {"Ann": 9, "Ben": 4, "Cat": 3}},
             {"action": "adjust", "player": "Ann", "points": 1, "reason": "x"},
             {"action": "tricks", "tricks": {"Ann": 9, "Ben": 4, "Cat": 3}}, STOP,
             slug="nine-five-two"),
        {"Ann": {"made-9": 1, "made-2": 1}, "Ben": {"missed-5": 1, "missed-9": 1},
         "Cat": {"made-2": 1, "missed-5": 1}},
    ),
    "trick by trick, once the deal is over": (
        game("Ann Ben Cat", *[{"action": "trick", "winner": "Ann"}] * 16, STOP,
             slug="nine-five-two"),
        {"Ann": {"made-9": 1}, "Ben": {"missed-5": 1}, "Cat": {"missed-2": 1}},
    ),
    "red nines caught with in 1881": (
        game("Ann Ben Cat", {"action": "out", "player": "Ann", "hands": {
            "Ben": "9H 9D KS", "Cat": {"plain": 2, "red_nines": 0}}}, STOP,
             slug="red-nines-1881"),
        {"Ben": {"red-nine": 2}},
    ),
    "and in the other Red Nines": (
        game("Ann Ben Cat Dan", {"action": "out", "player": "Ann", "hands": {
            "Ben": "9R", "Cat": {"points": 11, "red_nines": 1}, "Dan": "2"}}, STOP,
             slug="red-nines"),
        {"Ben": {"red-nine": 1}, "Cat": {"red-nine": 1}},
    ),
    "a Chicken, though it fails": (
        game(FIVE, {"action": "end", "by": "chicken", "callers": ["Ben"],
             "hands": {name: {"deadwood": 20, "kept": 5} for name in FIVE}},
             STOP, slug="9-of-a-kind", chicken=True),
        {"Ben": {"chicken": 1}},
    ),
    "a pot that everybody else left, and one told by its result": (
        game("Ann Ben", {"action": "bet", "player": "Ann", "move": "fold"},
             {"action": "hand", "won": {"Ann": 5}, "lost": {"Ben": 5}}, STOP,
             slug="multiple-9-holdem"),
        {"Ann": {"pot": 1}, "Ben": {"pot": 1}},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("played", "feats"), list(FEATS.values()), ids=list(FEATS))
def test_feats(played: PlayedGame, feats: dict[str, dict[str, int]]) -> None:
    """Each with words for it."""
    found = {one.name: one.feats for one in played.results if one.feats}
    assert found == feats
    assert {feat for some in found.values() for feat in some} <= GAMES[
        played.slug
    ].feats.called.keys()


def test_a_pot_that_is_shared_counts_for_both() -> None:
    """Once a hand, however many pots they share."""
    bets = [{"action": "bet", "player": "Ann", "move": "call"},
            {"action": "bet", "player": "Ben", "move": "check"}]  # fmt: skip
    for cards in ("J 7 9", "2", "10"):
        bets.append({"action": "board", "cards": cards})
        bets += [{"action": "bet", "player": name, "move": "check"} for name in ("Ben", "Ann")]
    show = {"action": "show", "hands": {"Ann": "K K", "Ben": "K K"}}
    played = game("Ann Ben", *bets, show, STOP, slug="multiple-9-holdem")
    assert {one.name: one.feats for one in played.results} == {"Ann": {"pot": 1}, "Ben": {"pot": 1}}


def test_two_pots_of_a_hand_count_once() -> None:
    """The main pot and a side pot won by one player."""
    more = [{"action": "buy", "player": name, "amount": 10} for name in ("Ann", "Ben")]
    bets: list[Entry] = [{"action": "bet", "player": "Ann", "move": "raise", "to": 20},
            {"action": "bet", "player": "Ben", "move": "call"},
            {"action": "bet", "player": "Cat", "move": "call"}]  # fmt: skip
    board = [{"action": "board", "cards": cards} for cards in ("J 7 9", "2", "10")]
    show = {"action": "show", "hands": {"Ann": "9 9", "Ben": "K Q", "Cat": "K Q"}}
    played = game("Ann Ben Cat", *more, *bets, *board, show, slug="multiple-9-holdem", stack=10)
    assert [(one.points, one.feats) for one in played.results] == [
        (30, {"pot": 1}), (-20, {}), (-10, {}),
    ]  # fmt: skip


# --- which games count, in what order, under which key


def test_games_count_in_the_order_in_which_they_ended() -> None:
    """By the moment, in any time zone; without a time, after the game before it in the file."""
    times = ("2026-02-01T10:00:00+00:00", "last Thursday", "2026-02-01T10:30:00+02:00",
             "2026-02-01T10:00:00Z", "", "2026-01-31")  # fmt: skip
    games = club(*(game("Ann Ben", deal(Ann=3, Ben=1), at=at, deals=1) for at in times))
    assert [one.sheet for one in in_order(games)] == [6, 3, 1, 2, 4, 5]
    assert counted(games).ranking(Period("2026-02-01", "2026-02-01"))[0].games == 5
    assert counted(games).ranking(Period(until="2026-01-31"))[0].games == 1
    assert counted(games).ranking(year(2025)) == []


def test_any_other_game_counts_under_its_name() -> None:
    """In any capitals; all other games count under their slug, whatever their title."""
    names = ("", "Skat", " skat", "Old  Maid", "SKAT")
    games = [game("Ann Ben", deal(Ann=3, Ben=1), called=name, deals=1) for name in names]
    out = [{"action": "out", "player": "Ann"}, STOP]
    games.append(game("Ann Ben", *out, slug="multiple-9", called="Skat"))
    assert counted(club(*games)).document()["players"]["Ann"]["points"] == {
        "plain-score": 3, "plain-score: SKAT": 9, "plain-score: Old Maid": 3, "multiple-9": 1,
    }  # fmt: skip
    assert game_title("plain-score: Old Maid") == "Old Maid"
    assert game_title("multiple-9") == "Multiple 9"


# --- people


def test_a_name_is_one_person_however_it_is_written() -> None:
    """Capitals and blanks don't matter; the last spelling is shown."""
    games = club(*(game([name, "Ben"], {"action": "deal", "points": {name: 1, "Ben": 0}}, deals=1)
                   for name in ("old ann", " Old  Ann ")))  # fmt: skip
    found = counted(games).document()
    assert found["players"]["Old Ann"]["games"] == 2
    assert found["head_to_head"]["Ben"] == {"Old Ann": [0, 2, 0]}


def test_merged_people_are_called_as_the_note_says() -> None:
    """A later note may merge them under another name; without the notes all is as before."""
    games = club(*(game([name, "Zed"], {"action": "deal", "points": {name: 1, "Zed": 0}}, deals=1)
                   for name in ("Ben", "Benny", "Benno", "BEN")))  # fmt: skip
    first, second = Merge("Ben", ["Benny"]), Merge("Benjamin", ["benno", "BENNY"])
    assert games_of(counted(games)) == {"BEN": 2, "Benny": 1, "Benno": 1, "Zed": 4}
    assert games_of(counted(games, [first])) == {"BEN": 3, "Benno": 1, "Zed": 4}
    assert games_of(counted(games, [first, second])) == {"Benjamin": 4, "Zed": 4}
    third = Merge("ben", ["Nobody"])  # then called Benjamin
    assert games_of(counted(games, [first, second, third])) == {"BEN": 4, "Zed": 4}


def games_of(figures: Figures) -> dict[str, int]:
    """How many games everybody has."""
    return {name: one["games"] for name, one in figures.document()["players"].items()}


def test_two_who_sat_at_one_table_cannot_be_merged() -> None:
    """The fault names the sheet; if they meet later, the merge doesn't hold."""
    apart = club(game("Ben Zed", deal(Ben=1, Zed=0), deals=1),
                 game("Benny Zed", deal(Benny=1, Zed=0), deals=1))  # fmt: skip
    merge = Merge("Ben", ["Benny"])
    merged = counted(apart, [merge])
    assert not list(merge_faults(merged.people, apart, merge))
    together = game("Ben Benny", deal(Ben=1, Benny=0), number=3)  # not over yet
    (fault,) = merge_faults(Figures().people, [*apart, together], merge)
    assert (fault.code, "Ben and Benny" in fault.message, "3" in fault.message) == (
        "at-one-table", True, True,
    )  # fmt: skip
    assert merged.with_game(together) is None
    assert games_of(counted([*apart, together], [merge])) == {"Ben": 1, "Zed": 2, "Benny": 1}
    assert counted([*apart, together], [merge]).people.apart == (merge,)
    codes = [one.code for one in merge_faults(merged.people, apart, Merge("Ben", ["ben"]))]
    assert codes == ["name-twice"]


def test_guests_are_not_in_season_tables() -> None:
    """But everywhere else; the last note counts, for any of a person’s names."""
    games = club(WON, LOST)
    assert [row.person for row in counted(games, [Guest("BEN")]).ranking()] == ["ann"]
    assert counted(games, [Guest("Ben")]).duel("ann", "ben").games == 2
    for last in (Member("ben"), Gone("Ben")):
        assert len(counted(games, [Guest("Ben"), last]).ranking()) == 2
    notes: list[AnyNote] = [Guest("Benny"), Member("Ben"), Guest("Benny")]
    merged = counted(games, [Merge("Ben", ["Benny"]), *notes])
    assert merged.people.status("ben") == "guest"
    assert [row.person for row in merged.ranking()] == ["ann"]


# --- records


def holders(*games: PlayedGame) -> dict[str, tuple[str, int, int, int]]:
    """The records of games of one length: person, figure, sheet, row."""
    found = next(iter(counted(club(*games)).records.values()), {})
    return {name: (held[-1].person, held[-1].figure, held[-1].sheet, held[-1].row)
            for name, held in found.items()}  # fmt: skip


def test_the_earliest_of_equals_holds_a_record() -> None:
    """By game, by deal, and then by seat."""
    both = game("Ann Ben", deal(Ann=1, Ben=4), deal(Ann=4, Ben=1), STOP)
    assert holders(both, both)["highest_deal"] == ("ben", 4, 1, 1)
    level = game("Ann Ben", deal(Ann=4, Ben=4), target=4)
    assert holders(level, level)["lowest_winning_total"] == ("ann", 4, 1, 0)
    assert holders(level, game("Ann Ben", deal(Ann=1, Ben=4), target=4))["highest_deal"] == (
        "ann", 4, 1, 1,
    )  # fmt: skip


def test_a_stopped_game_sets_no_record_of_a_win() -> None:
    """Its deals can set one, and its win counts in a streak."""
    stopped = game("Ann Ben", deal(Ann=1, Ben=9), deal(Ann=20, Ben=9), STOP)
    assert set(holders(stopped)) == {"highest_deal"}
    assert holders(stopped, stopped)["longest_streak"] == ("ann", 2, 2, 0)
    unplayed = game(
        "Ann Ben", {"action": "adjust", "player": "Ann", "points": 50, "reason": "x"}, target=50
    )
    assert holders(unplayed) == {}


def test_the_records_of_a_game_that_was_won() -> None:
    """A comeback is the largest distance after a deal; also where the fewest points win."""
    back = game("Ann Ben Cat", deal(Ann=1, Ben=9, Cat=0), deal(Ann=1, Ben=9, Cat=3),
                deal(Ann=30, Ben=0, Cat=0), target=32)  # fmt: skip
    assert holders(back) == {
        "highest_deal": ("ann", 30, 1, 3),
        "lowest_winning_total": ("ann", 32, 1, 0),
        "quickest_win": ("ann", 3, 1, 0),
        "greatest_comeback": ("ann", 16, 1, 2),
    }
    low = game("Ann Ben", deal(Ann=9, Ben=1), deal(Ann=1, Ben=20), target=20, lowest_wins=True)
    assert holders(low)["greatest_comeback"] == ("ann", 8, 1, 1)
    assert holders(low)["highest_deal"] == ("ben", 20, 1, 2)
    quick = game("Ann Ben", deal(Ann=40, Ben=0), target=32)
    assert holders(back, quick)["quickest_win"] == ("ann", 1, 2, 0)


def test_each_length_of_a_game_has_records_of_its_own() -> None:
    """By the target and the number of deals in its house rules."""
    short, long = (game("Ann Ben", deal(Ann=n, Ben=1), target=n) for n in (20, 50))
    figures = counted(club(short, long, WON))
    assert {contest.length: held["highest_deal"][-1].figure
            for contest, held in figures.records.items()} == {
        "target 20": 20, "target 50": 50, "deals 1": 3,
    }  # fmt: skip
    assert list(figures.records_document()["plain-score"]) == ["target 20", "target 50", "deals 1"]
    five = game("Ann Ben", *[m9("Ann")] * 5, slug="multiple-9", target=5)
    usual = game("Ann Ben", *[m9("Ann")] * 5, slug="multiple-9")
    assert five.contest == usual.contest, "a target that is the usual one sets no other length"
    assert set(counted(club(short, long, long)).broken(short)) == set()


def m9(player: str) -> Entry:
    """A deal of Multiple 9 won."""
    return {"action": "out", "player": player}


def test_a_figure_that_the_house_rules_fix_is_no_record() -> None:
    """A point a deal, an agreed number of deals, the target as the winning total."""
    won = game("Ann Ben", m9("Ben"), *[m9("Ann")] * 5, slug="multiple-9")
    assert holders(won, won) == {
        "quickest_win": ("ann", 6, 1, 0),
        "greatest_comeback": ("ann", 1, 1, 1),
        "longest_streak": ("ann", 2, 2, 0),
    }
    assert set(holders(WON)) == {"highest_deal", "lowest_winning_total"}
    dealt = [{"action": "out", "player": "Ann"}] * 2
    assert "quickest_win" not in holders(game("Ann Ben", *dealt, slug="pink-nines"))


def test_the_row_of_a_record_is_the_first_entry_of_its_deal() -> None:
    """New blinds begin no hand, nor does a void round."""
    blinds = {"action": "blinds", "small": 2, "big": 4}
    hand = {"action": "hand", "won": {"Ann": 200}, "lost": {"Ben": 200}}
    assert holders(game("Ann Ben", blinds, hand, slug="multiple-9-holdem"))["highest_deal"] == (
        "ann", 200, 1, 2,
    )  # fmt: skip


def test_a_game_without_a_known_time_shows_none() -> None:
    """It counts after the game before it, on the same day."""
    known = replace(WON, ended="2026-03-12T20:00:00+00:00")
    unknown = replace(game("Ann Ben", deal(Ann=9, Ben=1), deals=1), ended="")
    figures = counted(club(known, unknown))
    record = figures.records_document()["plain-score"]["deals 1"]["highest_deal"]
    assert (record["sheet"], record["at"]) == (2, None)
    assert [one.day for one in figures.games] == ["2026-03-12"] * 2


def test_days_are_in_the_clubs_time_zone() -> None:
    """Half past midnight in Berlin is the next day there, though not yet in UTC."""
    late = replace(WON, ended="2025-12-31T23:30:00+00:00")
    for zone, of in (("Europe/Berlin", 2026), ("America/New_York", 2025), ("Etc/UTC", 2025)):
        figures = counted([late], [Place("Asia/Tokyo"), Place(zone)])
        assert [bool(figures.ranking(year(number))) for number in (2025, 2026)] == [
            of == 2025, of == 2026,
        ], zone  # fmt: skip


def test_without_a_note_days_are_in_the_machines_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the program."""
    late = replace(WON, ended="2025-12-31T23:30:00+00:00")
    with monkeypatch.context() as here:
        here.setenv("TZ", "Europe/Berlin")
        time.tzset()
        assert counted([late]).games[0].day == "2026-01-01"
    time.tzset()


def test_a_streak_counts_the_games_that_a_person_played() -> None:
    """Of one kind: other games and games without them don't break it; leaving one does."""
    other = game("Ann Ben", deal(Ann=0, Ben=1), called="Skat", deals=1)
    without = game("Ben Cat", deal(Ben=0, Cat=1), deals=1)
    games = club(WON, other, WON, without, WON)
    figures = counted(games)
    (streak,) = figures.records[WON.contest]["longest_streak"][-1:]
    assert (streak.person, streak.figure, streak.sheet) == ("ann", 3, 5)
    assert figures.rests_on(WON.contest, "longest_streak", streak) == [1, 3, 5]
    left = game("Ann Ben Cat", leave("Ann"), deal(Ben=1, Cat=0), deals=1)
    assert holders(WON, left, WON, WON)["longest_streak"] == ("ann", 2, 4, 0)


def test_a_record_is_announced_when_it_is_broken() -> None:
    """By a deal during the game, by other figures at its end; a first game breaks none."""
    begun = game("Ann Ben", deal(Ann=4, Ben=1), deals=1, number=7)
    assert Figures().broken(begun) == {}
    figures = counted(club(WON, LOST))
    going_on = replace(game("Ann Ben", deal(Ann=1, Ben=4), deals=2, number=7), agreed=1)
    before, new = figures.broken(going_on)["highest_deal"]
    assert (before.person, before.figure) == ("ann", 3)
    assert new == Record("ben", 4, 7, 1)
    assert set(figures.broken(begun)) == {"highest_deal"}
    assert set(counted(club(LOST, WON)).broken(WON)) == set()  # a first streak breaks none
    assert set(counted(club(WON, WON)).broken(WON)) == {"longest_streak"}
    assert not figures.broken(game("Ann Ben", deal(Ann=3, Ben=3), deals=1, number=7))


# --- seasons, and updating figures


def test_points_for_places_and_last_five() -> None:
    """A point a game and one for everybody who placed worse; the last places with sheets."""
    level = game("Ann Ben Cat Dan", deal(Ann=5, Ben=1, Cat=1, Dan=0), leave("Dan"), STOP)
    rows = {row.person: row for row in counted(club(level, *[LOST] * 5)).ranking()}
    assert {name: row.points for name, row in rows.items()} == {
        "ann": 4 + 5, "ben": 2 + 10, "cat": 2, "dan": 1,
    }  # fmt: skip
    assert rows["ann"].last == ((2, 2), (2, 3), (2, 4), (2, 5), (2, 6))
    assert (rows["ann"].average, rows["cat"].rating) == (11 / 6, None)
    assert rows["ann"].rating is not None


def test_a_rating_is_shown_from_five_games_on() -> None:
    """Counted in the whole club, not in the season."""
    games = [game("Ann Ben", deal(Ann=3, Ben=1), at=f"{year}-01-01", deals=1)
             for year in (2022, 2023, 2024, 2025, 2026)]  # fmt: skip
    assert counted(club(*games[:4])).ranking()[0].rating is None
    figures = counted(club(*games))
    assert figures.ranking(year(2025))[0].rating is None
    assert figures.ranking(year(2026))[0].rating == player(figures, "ann").rating
    assert player(figures, "zed").rating is None


def test_the_course_of_a_season_has_only_its_games() -> None:
    """At most a hundred of them, with the last."""
    games = [game("Ann Ben", deal(Ann=3, Ben=1), at=f"{year}-01-01", deals=1)
             for year in (2024, 2025, *[2026] * 250)]  # fmt: skip
    figures = counted(club(*games))
    assert [[row and row.wins for row in rows]
            for rows in figures.course(["ann", "ben"], Period("2024-06-01", "2025-06-01")).values()
            ] == [[1, 0]]  # fmt: skip
    course = figures.course(["ann"])
    assert (
        [row and row.wins for (row,) in course.values()] == list(course) == [*range(0, 253, 3)][1:]
    )
    assert figures.course(["ann"], year(2023)) == {}


def test_figures_are_updated_only_by_later_games() -> None:
    """For one that ended before the last, all are counted again."""
    early, late = (replace(WON, ended=f"2026-0{n}-01T00:00:00+00:00") for n in (1, 2))
    early, late = (in_order([one])[0] for one in (early, late))
    figures = counted([late])
    assert figures.with_game(early) is None
    assert figures.with_game(late) is None  # the same sheet once more
    assert figures.with_game(game("Ann Ben", deal(Ann=1, Ben=0), number=2)) is figures
    again = replace(late, sheet=2)
    assert figures.with_game(again) == counted([again, late])
    assert counted([again]).with_game(late) is None  # in the same second, and numbered before
