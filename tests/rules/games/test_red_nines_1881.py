"""What holds for every sheet of Red Nines (1881), whatever is written on it."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.ruling import IllegalEntry
from referee.rules.core.table import State, Table
from referee.rules.games.red_nines_1881.house_rules import HouseRules
from referee.rules.registry import GAMES
from referee.rules.text import say
from referee.sheets.files import play_through, result, sheet_from

GAME = GAMES["red-nines-1881"]
NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]
RANKS = ["A", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
PACK = [rank + suit for rank in RANKS for suit in "SHDC"]
CALM = settings(max_examples=150, deadline=None)

options = st.fixed_dictionaries(
    {},
    optional={
        "counters": st.integers(0, 40),
        "red_nine_pool": st.integers(0, 9),
        "unswept": st.sampled_from(["carry", "top-up"]),
        "deals": st.integers(1, 6),
        "leftover": st.sampled_from(["divide", "last-winner"]),
    },
)


@st.composite
def hands(draw: st.DrawFn, players: list[str]) -> dict[str, Any]:
    """Hands from one shuffled pack, some of them only counted."""
    pack = draw(st.permutations(PACK))
    shown: dict[str, Any] = {}
    for player in players:
        size = draw(st.integers(1, 5))
        cards, pack = pack[:size], pack[size:]
        red = sum(card in ("9H", "9D") for card in cards)
        shown[player] = " ".join(cards)
        if draw(st.booleans()):
            shown[player] = {"plain": size - red, "red_nines": red}
    return shown


@st.composite
def entries(draw: st.DrawFn, players: list[str]) -> list[dict[str, Any]]:
    """Entries of all kinds; some break a rule."""
    written: list[dict[str, Any]] = []
    for action in draw(
        st.lists(st.sampled_from(["out", "out", "aces", "abandon", "adjust", "buy"]), max_size=12)
    ):
        entry: dict[str, Any] = {"action": action}
        player, other = draw(st.permutations(players))[:2]
        if action == "abandon":
            entry["reason"] = "dropped"
        else:
            entry["player"] = player
        if action == "out":
            entry["red_nine"] = draw(st.booleans())
            entry["hands"] = draw(hands([name for name in players if name != player]))
        if action == "adjust":
            entry |= {"points": draw(st.integers(-9, 9)), "reason": "talked", "to": other}
        if action == "buy":
            entry["amount"] = draw(st.integers(1, 36))
        written.append(entry)
    return written


@st.composite
def sheets(draw: st.DrawFn) -> dict[str, Any]:
    """Sheet files for two to five players."""
    players = NAMES[: draw(st.integers(2, 5))]
    return {
        "referee": 1,
        "game": GAME.slug,
        "players": players,
        "dealer": draw(st.sampled_from(players)),
        "options": draw(options),
        "entries": draw(entries(players)),
    }


def legal_part(sheet: dict[str, Any]) -> dict[str, Any]:
    """The sheet without the entries that are refused where they stand."""
    read = sheet_from({**sheet, "entries": []})
    state = GAME.start(read.table)
    kept = []
    for written in sheet["entries"]:
        try:
            state, _ = GAME.apply(state, GAME.read_entry(written))
        except IllegalEntry:
            continue
        kept.append(written)
    return {**sheet, "entries": kept}


@CALM
@given(sheets())
def test_counters_are_conserved(sheet: dict[str, Any]) -> None:
    """Balances and pools together change only by what is bought from the bank."""
    sheet = legal_part(sheet)
    read = sheet_from(sheet)
    course = play_through(read.game, read.table, read.entries)
    assert isinstance(read.table.options, HouseRules)
    there = read.table.options.counters * len(read.table.players)
    states: list[State[HouseRules]] = [course.start]
    for step, written in zip(course.steps, sheet["entries"], strict=True):
        there += written.get("amount", 0)
        states.append(step.after)
        assert sum(step.after.scores) + sum(step.after.pools.values()) == there
        assert min(step.after.pools.values()) >= 0
    if course.state.finished:
        assert set(course.state.pools.values()) == {0}
        best = max(course.state.scores)
        assert all(
            (s == best) == (i in course.state.winners) for i, s in enumerate(course.state.scores)
        )


@CALM
@given(sheets(), st.randoms(use_true_random=False))
def test_order_of_cards_and_hands_does_not_matter(sheet: dict[str, Any], random: Any) -> None:
    """Hands typed in another order, and read back from the entries, come to the same result."""
    sheet = legal_part(sheet)
    read = sheet_from(sheet)
    found = result(play_through(read.game, read.table, read.entries))
    again = msgspec.json.decode(msgspec.json.encode([msgspec.to_builtins(e) for e in read.entries]))
    for entry in again:
        shown = list(entry.get("hands", {}).items())
        random.shuffle(shown)
        if shown:
            entry["hands"] = {name: _shuffled(hand, random) for name, hand in shown}
    reread = sheet_from({**sheet, "entries": again})
    assert result(play_through(reread.game, reread.table, reread.entries)) == found


def _shuffled(hand: Any, random: Any) -> Any:
    if not isinstance(hand, str):
        return hand
    cards = hand.split()
    random.shuffle(cards)
    return ", ".join(cards)


@CALM
@given(hands(["Ben", "Cat", "Dan"]), st.booleans())
def test_payments_reckoned_otherwise(shown: dict[str, Any], red_nine: bool) -> None:
    """Each loser pays one a card and one more a red nine, twice that after a red nine."""
    table = Table(("Ann", "Ben", "Cat", "Dan"), 1, GAME.house_rules(red_nine_pool=0))
    entry = GAME.read_entry(
        {"action": "out", "player": "Ann", "red_nine": red_nine, "hands": shown}
    )
    try:
        after, _ = GAME.apply(GAME.start(table), entry)
    except IllegalEntry as error:
        assert [fault.code for fault in error.faults] == ["too-many-red-nines"]
        return
    due = []
    for hand in shown.values():
        if isinstance(hand, str):
            due.append(sum(1 + (card in ("9H", "9D")) for card in hand.split()))
        else:
            due.append(hand["plain"] + hand["red_nines"] + hand["red_nines"])
    due = [one + one if red_nine else one for one in due]
    assert after.scores == (36 + sum(due), *(36 - one for one in due))


def test_nobody_has_the_red_aces_once_the_game_is_over() -> None:
    """Cat swept them, cannot pay, and is out: her seat is no longer there to be marked."""
    hands = {"Ben": {"plain": 1, "red_nines": 0}, "Cat": {"plain": 11, "red_nines": 0}}
    out = {"action": "out", "player": "Ann", "red_nine": True, "hands": hands}
    file = {"referee": 1, "game": GAME.slug, "players": NAMES[:3], "dealer": "Ann"}
    options = {"cannot_pay": "out", "counters": 10, "red_nine_pool": 4, "deals": 1}
    read = sheet_from(
        {**file, "options": options, "entries": [{"action": "aces", "player": "Cat"}, out]}
    )
    course = play_through(read.game, read.table, read.entries)
    assert GAME.pad.beside_total(course.steps[0].after) == {"Cat": say("red aces")}
    assert course.state.has_left("Cat")
    assert GAME.pad.beside_total(course.state) == {}
