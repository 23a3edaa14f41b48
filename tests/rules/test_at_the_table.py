"""Who sits at the table, in real games: each ruling of docs/rules.md §10 on comings and goings.

The number in a test's name is that of its ruling. Those from 19 on are about single games, and are
in their cases; 21 is also in `games/test_holdem_betting.py`.
"""

from typing import Any

import pytest

from referee.rules.core.ruling import IllegalEntry
from referee.rules.registry import GAMES
from referee.sheets.files import play_through, result, sheet_from

ABC = ["Ann", "Ben", "Cat"]
FIVE = [*ABC, "Dan", "Eve"]


def join(player: str, left_of: str, points: int | None = None) -> dict[str, Any]:
    entry = {"action": "join", "player": player, "left_of": left_of}
    return entry if points is None else {**entry, "points": points}


def leave(player: str) -> dict[str, Any]:
    return {"action": "leave", "player": player}


def take_over(player: str, by: str) -> dict[str, Any]:
    return {"action": "replace", "player": player, "by": by}


def deals(player: str) -> dict[str, Any]:
    return {"action": "dealer", "player": player}


def out(player: str, **hands: Any) -> dict[str, Any]:
    return {"action": "out", "player": player, **({"hands": hands} if hands else {})}


def bet(player: str, move: str) -> dict[str, Any]:
    return {"action": "bet", "player": player, "move": move}


def deal(**points: int) -> dict[str, Any]:
    return {"action": "deal", "points": points}


STOP = {"action": "stop", "reason": "the pub closes"}
ABANDON = {"action": "abandon"}


def scored(game: str, players: list[str], *entries: dict[str, Any], **options: Any) -> Any:
    """What `referee score --json` prints of such a sheet."""
    file = {"referee": 1, "game": game, "players": players, "options": options}
    sheet = sheet_from({**file, "entries": list(entries)})
    return result(play_through(sheet.game, sheet.table, sheet.entries))


def refused(game: str, players: list[str], *entries: dict[str, Any], **options: Any) -> list[str]:
    """The codes of the faults for which the last of these entries is refused."""
    with pytest.raises(IllegalEntry) as found:
        scored(game, players, *entries, **options)
    assert found.value.entry == len(entries) - 1
    return [fault.code for fault in found.value.faults]


def last_line(found: Any) -> Any:
    """The change in score that the last entry made, by player."""
    return found["lines"][-1]["scores"]


# --- 1 to 4: when, and what happens to the stakes


@pytest.mark.parametrize(
    ("game", "players", "first"),
    [
        ("multiple-9", ABC, {"action": "turn", "player": "Ben", "cards": ""}),
        ("multiple-9-holdem", ABC, bet("Ann", "call")),
        ("9-of-a-kind", [*FIVE, "Fay"], {"action": "forfeit", "player": "Eve"}),
        ("red-nines-1881", ABC, {"action": "aces", "player": "Ann"}),
        ("nine-five-two", ABC, {"action": "trick", "winner": "Ann"}),
        ("colorado-nines", ABC, {"action": "last", "player": "Ann"}),
    ],
)
def test_1_and_2_seats_stay_during_a_deal(game: str, players: list[str], first: Any) -> None:
    """Nobody can join, leave or be made dealer; but a place can be taken, and play stopped."""
    if game != "nine-five-two":
        assert "deal-begun" in refused(game, players, first, join("Zoe", "Ann"))
        assert "deal-begun" in refused(game, players, first, leave("Cat"))
        scored(game, players, first, ABANDON, join("Zoe", "Ann"))
        scored(game, players, first, ABANDON, leave("Cat"))
    assert refused(game, players, first, deals("Cat")) == ["deal-begun"]
    scored(game, players, first, ABANDON, deals("Cat"))
    found = scored(game, players, first, take_over("Ben", "Zoe"), STOP)
    assert found["finished"]
    assert "Zoe" in found["scores"]
    assert refused(game, players, first, STOP, take_over("Ben", "Zoe")) == ["finished"]


def test_1_some_entries_do_not_begin_a_deal() -> None:
    """Penalties, purchases, new blinds, and an entry that voids the deal leave it not begun."""
    scored("multiple-9", ABC, {"action": "adjust", "player": "Ann", "points": 1, "reason": "x"},
           join("Dan", "Ann"))  # fmt: skip
    scored("pink-nines", ABC, {"action": "buy", "player": "Ann", "amount": 1}, leave("Ann"))
    blinds = {"action": "blinds", "small": 2, "big": 4}
    scored("multiple-9-holdem", ABC, blinds, join("Dan", "Ann"))
    calls = [{"action": "forfeit", "player": name} for name in FIVE[1:]]
    assert "Fay" in scored("9-of-a-kind", FIVE, *calls, join("Fay", "Ann"))["scores"]


def test_3_and_4_stakes_follow_the_table() -> None:
    """Stakes are returned and paid again; the line has the net change."""
    found = scored("pink-nines", ABC, join("Dan", "Ann"))
    assert found["scores"] == {"Ann": 35, "Dan": 35, "Ben": 35, "Cat": 35}
    assert last_line(found) == {"Ann": 0, "Dan": 35, "Ben": 0, "Cat": 0}
    assert found["pools"] == {"pool": 4}
    found = scored("pink-nines", [*ABC, "Dan"], ABANDON, leave("Ann"))
    assert (found["scores"], found["pools"]) == (
        {"Ben": 35, "Cat": 35, "Dan": 35, "Ann": 36},
        {"pool": 3},
    )
    assert last_line(found) == {"Ann": 1, "Ben": 0, "Cat": 0, "Dan": 0}
    found = scored("red-nines-1881", ABC, deals("Cat"))
    assert last_line(found) == {"Ann": 9, "Ben": 0, "Cat": -9}
    assert found["pools"] == {"red_nine": 6, "red_ace": 3}
    carried = [out("Ann", Ben="KS", Cat="QS"), {"action": "aces", "player": "Cat"}, ABANDON]
    found = scored("red-nines-1881", ABC, *carried, leave("Ben"))
    assert (found["dealer"], found["pools"]) == ("Cat", {"red_nine": 12, "red_ace": 6})
    assert last_line(found) == {"Ann": 0, "Ben": 9, "Cat": -9}
    found = scored("multiple-9-holdem", ABC, join("Dan", "Ann"))
    assert last_line(found) == {"Ann": 0, "Dan": 199, "Ben": -1, "Cat": 2}


def test_4_lines_have_the_names_as_they_were() -> None:
    """Earlier lines name players as they were then, and everybody in the scores after the entry."""
    found = scored("plain-score", ABC, deal(Ann=1, Ben=2, Cat=3), take_over("Ben", "Zoe"),
                   deal(Ann=1, Zoe=1, Cat=1), leave("Ann"))  # fmt: skip
    assert [line["scores"] for line in found["lines"]] == [
        {"Ann": 1, "Ben": 2, "Cat": 3},
        {"Ann": 0, "Zoe": 0, "Cat": 0},
        {"Ann": 1, "Zoe": 1, "Cat": 1},
        {"Ann": 0, "Zoe": 0, "Cat": 0},
    ]
    assert found["left"] == ["Ann"]
    assert scored("plain-score", ABC)["left"] == []


# --- 5 to 10: joining


def test_5_the_coming_dealer_stays() -> None:
    """The dealer stays when a player joins on either side; the new player deals in turn."""
    for left_of, order in (("Ann", "Dan"), ("Ben", "Ben"), ("Cat", "Ben")):
        found = scored("plain-score", ABC, join("Dan", left_of))
        assert found["dealer"] == "Ann"
        points = dict.fromkeys(found["scores"], 0)
        assert scored("plain-score", ABC, join("Dan", left_of), deal(**points))["dealer"] == order


def test_6_a_newcomer_s_score() -> None:
    """The worst score at the table unless points were given; bought, in games for counters."""
    rows = [deal(Ann=5, Ben=-2, Cat=9)]
    assert scored("plain-score", ABC, *rows, join("Dan", "Ann"))["scores"]["Dan"] == -2
    lowest = scored("plain-score", ABC, *rows, join("Dan", "Ann"), lowest_wins=True)
    assert lowest["scores"]["Dan"] == 9
    assert scored("plain-score", ABC, *rows, join("Dan", "Ann", -70))["scores"]["Dan"] == -70
    assert scored("pink-nines", ABC, join("Dan", "Ann", 0))["scores"]["Dan"] == -1
    assert refused("pink-nines", ABC, join("Dan", "Ann", -1)) == ["points"]
    assert refused("multiple-9-holdem", ABC, join("Dan", "Ann", 0)) == ["points"]
    assert "Dan" in scored("multiple-9-holdem", ABC, join("Dan", "Ann", 1))["scores"]
    assert refused("9-of-a-kind", FIVE, join("Fay", "Ann", 300)) == ["points"]
    assert refused("plain-score", ABC, join("Dan", "Ann", 20), target=20) == ["points"]


def test_7_a_player_who_left_may_come_back() -> None:
    """They have the score they left with, and may sit elsewhere."""
    gone = [deal(Ann=5, Ben=7, Cat=9), leave("Ben"), deal(Ann=1, Cat=1)]
    found = scored("plain-score", ABC, *gone, join("Ben", "Cat"))
    assert found["scores"] == {"Ann": 6, "Cat": 10, "Ben": 7}
    assert (last_line(found), found["left"]) == ({"Ann": 0, "Cat": 0, "Ben": 0}, [])
    assert refused("plain-score", ABC, *gone, join("Ben", "Cat", 7)) == ["points"]
    assert last_line(scored("pink-nines", ABC, leave("Ben"), join("Ben", "Ann")))["Ben"] == -1


def test_8_a_new_name_must_be_free() -> None:
    """Compared trimmed and case-folded; a name that was given up is free again."""
    assert refused("plain-score", ABC, join("ann", "Ben")) == ["name-twice"]
    assert refused("plain-score", ABC, leave("Ann"), join("ANN", "Ben")) == ["name-twice"]
    assert refused("plain-score", ABC, leave("Ann"), take_over("Ben", "Ann")) == ["name-twice"]
    assert refused("plain-score", ABC, take_over("Ben", "ben ")) == ["name-twice"]
    assert refused("plain-score", ABC, take_over("Ben", "")) == ["name-length"]
    found = scored("plain-score", ABC, deal(Ann=5, Ben=7, Cat=9), take_over("Ben", "Zoe"),
                   join("Ben", "Ann"))  # fmt: skip
    assert found["scores"] == {"Ann": 5, "Ben": 5, "Zoe": 7, "Cat": 9}


@pytest.mark.parametrize(
    "slug", [slug for slug, game in GAMES.items() if game.wrong_number_fault is None]
)
def test_9_the_number_of_players_stays_legal(slug: str) -> None:
    """Nobody can join a full table, or leave one that would be too small."""
    seats = GAMES[slug].seats(GAMES[slug].house_rules())
    few = [f"P{seat}" for seat in range(seats[0])]
    many = [f"P{seat}" for seat in range(seats[-1])]
    assert refused(slug, few, leave("P0")) == ["players"]
    assert refused(slug, many, join("Zoe", "P0")) == ["players"]
    assert len(scored(slug, few, join("Zoe", "P0"))["scores"]) == len(few) + 1
    assert scored(slug, many, leave("P0"))["left"] == ["P0"]


def test_9_nine_five_two_is_for_three() -> None:
    """Nobody can join or leave; a place can be taken over."""
    assert refused("nine-five-two", ABC, join("Zoe", "Ann")) == ["three"]
    assert refused("nine-five-two", ABC, leave("Ann")) == ["three"]
    tricks = {"action": "tricks", "tricks": {"Ann": 11, "Ben": 4, "Cat": 1}}
    found = scored("nine-five-two", ABC, tricks, take_over("Ann", "Zoe"))
    assert found["scores"] == {"Zoe": 2, "Ben": -1, "Cat": -1}


def test_10_the_pack_follows_the_number_seated() -> None:
    """Suits and red nines in Red Nines, packs in Colorado Nines, unless a house rule fixes them."""
    four = [*ABC, "Dan"]
    hands = {"Ben": "9R", "Cat": "9R", "Dan": "9R"}
    assert refused("red-nines", four, out("Ann", **hands)) == ["too-many-red-nines"]
    scored("red-nines", four, join("Eve", "Dan"), out("Ann", **hands, Eve="2"))
    jacks = {"Ann": "J J J | J 2 3 | 4 5 6", "Ben": "J 7 8 | 2 3 4 | 5 6 7", "Cat": 9}
    grids = {"action": "grids", "grids": {**jacks, "Dan": 9}}
    scored("colorado-nines", ABC, join("Dan", "Cat"), grids)
    assert refused("colorado-nines", ABC, join("Dan", "Cat"), grids, packs=1) == [
        "too-many-of-rank"
    ]
    held = {"Ann": {"plain": 13, "red_nines": 0}, "Ben": "KS"}
    scored("red-nines-1881", ABC, out("Cat", **held))
    more = out("Cat", **held, Dan="QS")
    assert refused("red-nines-1881", ABC, join("Dan", "Cat"), more) == ["too-many-cards"]


# --- 11 to 14: leaving


def test_11_the_deal_passes_to_the_left() -> None:
    """To the next player, or in hold’em to the next who has chips."""
    assert scored("plain-score", ABC, leave("Ann"))["dealer"] == "Ben"
    assert scored("plain-score", ABC, leave("Cat"))["dealer"] == "Ann"
    four = [*ABC, "Dan"]
    broke = {"action": "hand", "won": {"Dan": 200, "Cat": 0}, "lost": {"Ben": 200}}
    assert scored("multiple-9-holdem", four, broke, deals("Ann"), leave("Ann"))["dealer"] == "Cat"
    assert refused("plain-score", ABC, leave("Ann"), leave("Ann")) == ["unknown-player", "players"]
    assert refused("plain-score", ABC, leave("Ann"), deals("Ann")) == ["unknown-player"]


def test_12_only_those_seated_win() -> None:
    """A player who left with the best score does not win."""
    found = scored("plain-score", ABC, deal(Ann=50, Ben=7, Cat=9), leave("Ann"), STOP)
    assert (found["winners"], found["scores"]["Ann"]) == (["Cat"], 50)
    found = scored("plain-score", ABC, deal(Ann=50, Ben=7, Cat=9), leave("Ann"), deal(Ben=3, Cat=1),
                   join("Dan", "Ben"), target=60)  # fmt: skip
    assert (found["finished"], found["scores"]["Dan"]) == (False, 10)


def test_13_a_game_ends_when_everybody_has_dealt() -> None:
    """After a deal, or because the only player who had not dealt leaves."""
    two = [out("Ann"), out("Ben")]
    found = scored("pink-nines", ABC, *two, leave("Cat"))
    assert (found["finished"], found["winners"]) == (True, ["Ann", "Ben"])
    assert (found["deal"], found["dealer"], found["pools"]) == (2, "Ben", {"pool": 0})
    assert found["scores"] == {"Ann": 37, "Ben": 37, "Cat": 34}
    assert last_line(found) == {"Ann": 1, "Ben": 1, "Cat": 1}
    found = scored("pink-nines", ABC, *two, join("Dan", "Cat"), out("Cat"))
    assert (found["finished"], found["dealer"]) == (False, "Dan")
    found = scored("pink-nines", ABC, out("Ann"), take_over("Ann", "Zoe"), out("Ben"), out("Cat"))
    assert found["finished"]
    assert not scored("pink-nines", ABC, *two, leave("Cat"), deals=3)["finished"]
    found = scored("red-nines-1881", ABC, out("Ann", Ben="KS", Cat="QS"),
                   out("Cat", Ann="KS", Ben="QS"), leave("Cat"))  # fmt: skip
    assert (found["deal"], found["dealer"]) == (2, "Ben")
    assert found["pools"] == {"red_nine": 0, "red_ace": 0}
    assert last_line(found) == {"Ann": 9, "Ben": 9, "Cat": 9}


def test_13_the_last_dealer_may_have_left() -> None:
    """The sheet still names the last dealer, and odd counters go round from that seat."""
    four = [*ABC, "Dan"]
    rounds = [out("Ann", Ben="KS", Cat="QS", Dan="JS"), out("Ann", Ben="KS", Cat="QS", Dan="JS"),
              out("Ann", Ben="KS", Cat="QS", Dan="JS")]  # fmt: skip
    found = scored("red-nines-1881", four, *rounds, leave("Cat"), leave("Dan"), red_nine_pool=1)
    assert (found["deal"], found["dealer"], found["finished"]) == (3, "Cat", True)
    # Three counters, Ann sits to the left of Cat's old seat: she has the odd one.
    assert last_line(found) == {"Ann": 2, "Ben": 1, "Dan": 1, "Cat": 0}


def test_14_leaving_may_end_the_game() -> None:
    """9 of a Kind checks the target again; in hold’em the last player with chips wins."""
    even = {"deadwood": 60, "kept": 2}
    six = [*FIVE, "Fay"]
    both = {"action": "end", "by": "nine", "callers": ["Ann", "Ben"],
            "hands": dict.fromkeys(six[2:], even)}  # fmt: skip
    found = scored("9-of-a-kind", six, both, target=240)
    assert not found["finished"]
    found = scored("9-of-a-kind", six, both, leave("Ann"), target=240)
    assert (found["winners"], found["deal"], found["dealer"]) == (["Ben"], 1, "Ann")
    broke = {"action": "hand", "won": {"Ann": 201}, "lost": {"Ben": 1, "Cat": 200}}
    found = scored("multiple-9-holdem", ABC, broke, leave("Ann"))
    assert (found["winners"], found["pools"]) == (["Ben"], {"pot": 0})
    assert found["scores"] == {"Ben": 199, "Cat": 0, "Ann": 401}


# --- 15 to 18: another dealer, and the end


def test_15_a_place_is_taken_over_as_it_is() -> None:
    """Even in the middle of a hand: the same cards, chips and turn."""
    found = scored("multiple-9-holdem", ABC, bet("Ann", "call"), take_over("Ben", "Zoe"),
                   bet("Zoe", "call"))  # fmt: skip
    assert found["scores"] == {"Ann": 198, "Zoe": 198, "Cat": 198}
    turn = {"action": "turn", "player": "Ben", "cards": "8 A 9"}
    again = {"action": "turn", "player": "Zoe", "cards": "9 9"}
    assert refused("multiple-9", ["Ann", "Ben"], turn, take_over("Ben", "Zoe"), again) == [
        "out-of-turn"
    ]


def test_16_choosing_the_dealer() -> None:
    """The next deal passes to that dealer’s left; choosing the present dealer changes nothing."""
    assert scored("pink-nines", ABC, deals("Cat"), out("Ann"))["dealer"] == "Ann"
    found = scored("pink-nines", ABC, deals("Ann"))
    assert (last_line(found), found["dealer"]) == ({"Ann": 0, "Ben": 0, "Cat": 0}, "Ann")
    # Ann deals twice, since Cat dealt in between and Ben has yet to.
    order = [deals("Cat"), out("Ann"), out("Ann"), deals("Ann"), out("Ann")]
    assert not scored("pink-nines", ABC, *order)["finished"]
    assert scored("pink-nines", ABC, *order, out("Ann"))["finished"]
    broke = {"action": "hand", "won": {"Ann": 201}, "lost": {"Ben": 1, "Cat": 200}}
    assert refused("multiple-9-holdem", ABC, broke, deals("Cat")) == ["no-chips"]


def test_17_stopping_play() -> None:
    """The deal in progress is void and stays the last one; if none was finished, nobody wins."""
    found = scored("pink-nines", ABC, STOP)
    assert (found["winners"], found["scores"]) == ([], {"Ann": 36, "Ben": 36, "Cat": 36})
    found = scored("pink-nines", ABC, out("Ben"), STOP)
    assert (found["winners"], found["deal"], found["dealer"]) == (["Ben"], 2, "Ben")
    won = [{"action": "turn", "player": "Ben", "cards": "9 9 9 9 5 4"}]
    found = scored("multiple-9", ABC, {"action": "out", "player": "Cat", "left": {"Ann": "2", "Ben":
                   "3"}}, scoring="cards", target=0)  # fmt: skip
    assert found["scores"]["Cat"] == 5
    found = scored("multiple-9", ABC, *won, STOP, scoring="cards")
    assert (found["scores"], found["winners"]) == ({"Ann": 0, "Ben": 0, "Cat": 0}, [])
    aces = {"action": "aces", "player": "Cat"}
    found = scored("red-nines-1881", ABC, aces, STOP)
    # The aces go back: nine counters for three, as if nobody had swept them.
    assert found["scores"] == {"Ann": 30, "Ben": 39, "Cat": 39}
    found = scored("multiple-9-holdem", ABC, bet("Ann", "call"), STOP)
    assert (found["scores"], found["pools"]) == ({"Ann": 200, "Ben": 200, "Cat": 200}, {"pot": 0})


def test_18_pools_at_the_end() -> None:
    """They are divided as one sum from the dealer’s left, or go to a last winner still seated."""
    found = scored("red-nines-1881", ABC, STOP, red_nine_pool=5)
    assert last_line(found) == {"Ann": 2, "Ben": 3, "Cat": 2}
    won = out("Ben", Ann="KS", Cat="QS")
    rules = {"leftover": "last-winner"}
    assert last_line(scored("red-nines-1881", ABC, won, STOP, **rules))["Ben"] == 18
    assert last_line(scored("red-nines-1881", ABC, STOP, **rules))["Ben"] == 3
    gone = scored("red-nines-1881", [*ABC, "Dan"], out("Ben", Ann="KS", Cat="QS", Dan="JS"),
                  leave("Ben"), STOP, **rules)  # fmt: skip
    assert last_line(gone) == {"Ann": 6, "Cat": 6, "Dan": 6, "Ben": 0}
    taken = scored("red-nines-1881", ABC, won, take_over("Ben", "Zoe"), STOP, **rules)
    assert last_line(taken)["Zoe"] == 18


def test_the_judge_of_turns_gets_the_seat_of_a_dealer_who_left() -> None:
    """After the last deal it is given all places, those of players who left included."""
    file = {"referee": 1, "game": "pink-nines", "players": [*ABC, "Dan"]}
    entries = [out("Ben"), out("Ben"), out("Ben"), leave("Cat"), leave("Dan")]
    sheet = sheet_from({**file, "entries": entries})
    state = play_through(sheet.game, sheet.table, sheet.entries).state
    known = sheet.game.judges["sequence"].known(state)
    assert known == {"seating": "Ann, Ben, Cat, Dan", "dealer": "Cat"}
    ruling = sheet.game.judges["sequence"].answer({"turns": "Dan: 3 4 5; Ann: 6 7", **known})
    assert ruling.faults == ()
