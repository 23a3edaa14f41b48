"""Nine Five Two: the exchange, the tricks and the sheet, as properties and as sentences."""

import json
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards.cards import FRENCH_SUITS, RANKS, Card, write_cards
from referee.rules.core.ruling import RefereeError
from referee.rules.games.nine_five_two import GAME
from referee.rules.games.nine_five_two.exchange import (
    HEIGHT,
    exchange_steps,
    handed_back,
    shown_from_kitty,
    trick_winner,
)
from referee.rules.games.nine_five_two.terms import targets_by_seat
from referee.sheets.files import play_through, read_sheet, result, sheet_from

NAMES = ("Ann", "Ben", "Cat")
PACK = tuple(Card(rank, suit) for suit in FRENCH_SUITS for rank in RANKS)
SPLITS = [(a, b, -a - b) for a in range(-9, 10) for b in range(-9, 10) if -9 <= -a - b <= 9]

cards = st.permutations(PACK)
totals = st.tuples(st.integers(0, 16), st.integers(0, 16)).map(sorted)
deals = st.lists(totals.map(lambda cut: [cut[0], cut[1] - cut[0], 16 - cut[1]]), max_size=8)


def file_of(entries: list[Any], **options: Any) -> dict[str, Any]:
    """A sheet file for Ann, Ben and Cat."""
    return {
        "referee": 1,
        "game": "nine-five-two",
        "players": list(NAMES),
        "options": options,
        "entries": entries,
    }


def score(entries: list[Any], **options: Any) -> dict[str, Any]:
    """The result of these entries."""
    sheet = sheet_from(file_of(entries, **options))
    return result(play_through(sheet.game, sheet.table, sheet.entries))


def board_of(entries: list[Any], **options: Any) -> Any:
    """The board after these entries."""
    sheet = sheet_from(file_of(entries, **options))
    return GAME.board(play_through(sheet.game, sheet.table, sheet.entries).state)


def tricks_of(won: list[int]) -> dict[str, Any]:
    """The entry of a deal in which the players won these tricks."""
    return {"action": "tricks", "tricks": dict(zip(NAMES, won, strict=True))}


@pytest.mark.parametrize("dealer", range(3))
def test_every_exchange_keeps_the_rules(dealer: int) -> None:
    """All who were up give, to those who were down, a card a trick, the most up first."""
    targets = targets_by_seat(dealer)
    for scores in SPLITS:
        steps = exchange_steps(scores, targets)
        assert sorted(step.up for step in steps) == [s for s in range(3) if scores[s] > 0]
        received = [0, 0, 0]
        for step in steps:
            assert sum(number for _, number in step.to) == scores[step.up]
            for seat, number in step.to:
                assert scores[seat] < 0 < number
                received[seat] += number
        assert received == [max(0, -score) for score in scores]
        order = [(scores[step.up], targets[step.up]) for step in steps]
        assert order == sorted(order, reverse=True)
        assert all(len(step.to) == 1 for step in steps) or len(steps) == 1


@pytest.mark.parametrize("dealer", range(3))
def test_the_judge_names_every_exchange(dealer: int) -> None:
    """The judge reads the scores as text and says the same steps by name, a sentence each."""
    for scores in SPLITS:
        steps = exchange_steps(scores, targets_by_seat(dealer))
        asked = ";".join(f"{name}:{score}" for name, score in zip(NAMES, scores, strict=True))
        ruling = GAME.judges["exchange"].answer({"scores": asked, "dealer": NAMES[dealer]})
        assert ruling.legal
        assert ruling.detail["steps"] == [
            {"up": NAMES[step.up], "to": {NAMES[seat]: number for seat, number in step.to}}
            for step in steps
        ]
        assert len(ruling.says) == len(steps) + 1


@settings(derandomize=True, max_examples=150, deadline=None)
@given(cards, st.integers(0, 9))
def test_cards_given_one_by_one_or_together_bring_back_the_same(
    pack: list[Card], number: int
) -> None:
    """One at a time is one way to do it; hands end at sixteen either way."""
    hand, given_cards = pack[:16], pack[16 : 16 + number]
    held, back = list(hand), []
    for card in given_cards:
        (returned,) = handed_back(held, [card])
        held = [other for other in [*held, card] if other != returned]
        back.append(returned)
    assert len(held) == 16
    together = handed_back(hand, given_cards)
    assert set(together) == set(back)
    assert [card.suit for card in together] == sorted(
        (card.suit for card in given_cards), key=FRENCH_SUITS.index
    )
    kept = {*hand, *given_cards} - set(together)
    for card in together:
        assert all(HEIGHT[card.rank] > HEIGHT[low.rank] for low in kept if low.suit == card.suit)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(cards, st.integers(0, 9))
def test_the_dealer_shows_what_beats_a_card_given_back(pack: list[Card], number: int) -> None:
    """A kitty card is shown exactly if some returned card of its suit is lower."""
    kitty, returned = pack[:4], pack[4 : 4 + number]
    assert shown_from_kitty(returned, kitty) == tuple(
        card
        for card in kitty
        if any(low.suit == card.suit and HEIGHT[low.rank] < HEIGHT[card.rank] for low in returned)
    )


@settings(derandomize=True, max_examples=150, deadline=None)
@given(cards, st.sampled_from(["", *FRENCH_SUITS]))
def test_a_trick_is_won_by_a_card_nothing_beats(pack: list[Card], trump: str) -> None:
    """The order of the cards that follow does not matter; only what was led does."""
    led, *others = pack[:3]
    winner = [led, *others][trick_winner([led, *others], trump)]
    for order in permutations(others):
        trick = [led, *order]
        assert trick[trick_winner(trick, trump)] == winner
        ruling = GAME.judges["trick"].answer({"cards": write_cards(trick), "trump": trump})
        assert ruling.detail == {"winner": trick.index(winner) + 1}
    assert winner.suit in (trump, led.suit)


@settings(derandomize=True, max_examples=80, deadline=None)
@given(deals, st.randoms(use_true_random=False))
def test_totals_and_single_tricks_score_alike(won: list[list[int]], random: Any) -> None:
    """Nothing is won that nobody loses, and an exported sheet scores the same again."""
    by_totals = [tricks_of(tricks) for tricks in won]
    one_by_one = []
    for tricks in won:
        takers = [name for name, number in zip(NAMES, tricks, strict=True) for _ in range(number)]
        random.shuffle(takers)
        one_by_one += [{"action": "trick", "winner": name} for name in takers]
    ends = {"target": 1_000_000}
    found, again = score(by_totals, **ends), score(one_by_one, **ends)
    assert sum(found["scores"].values()) == 0
    for key in ("deal", "dealer", "scores"):
        assert found[key] == again[key]
    assert board_of(by_totals, **ends) == board_of(one_by_one, **ends)
    sheet = read_sheet(json.dumps(file_of(by_totals, **ends)))
    assert result(play_through(sheet.game, sheet.table, sheet.entries)) == found


@settings(derandomize=True, max_examples=60, deadline=None)
@given(deals, st.integers(1, 30))
def test_a_game_ends_when_one_alone_has_reached_the_target(
    won: list[list[int]], target: int
) -> None:
    """Winners have the best score, at least the target, and share it with nobody."""
    for played in range(len(won) + 1):
        found = score([tricks_of(tricks) for tricks in won[:played]], target=target)
        best = sorted(found["scores"].values(), reverse=True)
        assert found["finished"] == (best[0] >= target and best[0] > best[1])
        if found["finished"]:
            assert [found["scores"][name] for name in found["winners"]] == best[:1]
            return


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-20, 20),
    st.sampled_from([*NAMES, "Dan", "", "S", "♠", "x" * 700, "AS KS", "10**9", 10**30]),
    st.dictionaries(st.sampled_from([*NAMES, "Dan"]), st.integers(-2, 18), max_size=4),
)
wild_entries = st.fixed_dictionaries(
    {"action": st.sampled_from(["tricks", "trick", "abandon", "adjust", "buy", "deal"])},
    optional={
        "tricks": values,
        "trump": values,
        "winner": st.sampled_from(NAMES) | values,
        "player": st.sampled_from(NAMES),
        "points": st.integers(-3, 3),
        "reason": st.sampled_from(["", "late"]),
        "extra": values,
    },
)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(wild_entries, max_size=5))
def test_wild_entries_are_refused_or_scored(entries: list[Any]) -> None:
    """Nothing but the referee's own errors, and a board for whatever is accepted."""
    try:
        board_of(entries)
    except RefereeError as error:
        assert error.faults


@settings(derandomize=True, max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(GAME.judges)),
    st.dictionaries(
        st.sampled_from(
            ["cards", "trump", "scores", "dealer", "hand", "given", "returned", "kitty"]
        ),
        st.text("AS10KH*:;-♠9Rt ß", max_size=30) | values,
        max_size=2,
    ),
)
def test_wild_questions_are_refused_or_answered(judge: str, asked: dict[str, Any]) -> None:
    """Nothing but the referee's own errors."""
    try:
        GAME.judges[judge].answer(asked)
    except RefereeError as error:
        assert error.faults


def test_the_first_deal_card() -> None:
    """Targets by seat and name; trumps before the kitty; who leads."""
    board = board_of([])
    assert [(need.player, need.number, need.label) for need in board.needs] == [
        ("Ann", 9, "tricks, dealer"),
        ("Ben", 5, "tricks, left"),
        ("Cat", 2, "tricks, right"),
    ]
    assert board.says == (
        "Cat cuts, Ann deals 16 cards each; 4 are the kitty.",
        "Nothing is exchanged in the first deal.",
        "Ann names trumps, then takes the kitty and lays any 4 cards away.",
        "Ben leads to the first trick.",
    )


def test_a_later_deal_card_says_who_exchanges_and_what_the_dealer_shows() -> None:
    """The exchange follows the last deal, with counts, and is compulsory where agreed."""
    board = board_of([tricks_of([11, 4, 1])])
    assert board.says[1:] == (
        "Ann (2 up) may give Ben up to 1 card and Cat up to 1 card, both at once.",
        "For each card the highest of its suit comes back, be it the very card that was given.",
        "Ben names trumps, then takes the kitty and lays any 4 cards away.",
        "Ben was down, so shows Ann alone the kitty cards that are higher than the card given "
        "back in their suit.",
        "Cat leads to the first trick.",
    )
    board = board_of([tricks_of([10, 2, 4])], exchange="must")
    assert board.says[1:3] == (
        "First Cat (2 up) gives Ben 2 cards.",
        "Then Ann (1 up) gives Ben 1 card.",
    )


def test_an_abandoned_deal_keeps_the_exchange() -> None:
    """The same player deals again, and the scores of the last finished deal still count."""
    before = [tricks_of([11, 4, 1])]
    void = [*before, {"action": "trick", "winner": "Cat"}, {"action": "abandon"}]
    assert board_of(void) == board_of(before)


def test_the_running_count() -> None:
    """While tricks are recorded: how many more of how many left, and who cannot make it."""
    board = board_of([{"action": "trick", "winner": name} for name in ["Cat"] * 4 + ["Ann"] * 8])
    assert [(need.player, need.number, need.label) for need in board.needs] == [
        ("Ann", 1, "more of 4 left"),
        ("Ben", 5, "more of 4 left"),
        ("Cat", 0, "more: 2 up already"),
    ]
    assert board.acts == "Ann"
    assert board.says[1:] == (
        "12 tricks played, 4 left. Ann leads.",
        "Ben can no longer make 5.",
    )


def test_a_tie_at_the_target_is_said() -> None:
    """Two have reached it together: the deal card says why the game is not over."""
    board = board_of([tricks_of([3, 8, 5])], target=3)
    assert "Two are level with 3: play goes on until one is ahead." in board.says
