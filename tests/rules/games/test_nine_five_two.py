"""Nine Five Two: the exchange, the tricks and the sheet."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards.cards import FRENCH_SUITS, RANKS, Card, write_cards
from referee.rules.games.nine_five_two import GAME
from referee.rules.games.nine_five_two.exchange import handed_back
from referee.rules.games.nine_five_two.house_rules import targets_by_seat
from referee.rules.games.nine_five_two.kitty import shown_from_kitty
from referee.rules.games.nine_five_two.tricks import HEIGHT, trick_winner
from referee.sheets.files import result
from tests.support.some_deals import played

NAMES = ("Ann", "Ben", "Cat")
PACK = tuple(Card(rank, suit) for suit in FRENCH_SUITS for rank in RANKS)
SPLITS = [(a, b, -a - b) for a in range(-9, 10) for b in range(-9, 10) if -9 <= -a - b <= 9]

cards = st.permutations(PACK)
totals = st.tuples(st.integers(0, 16), st.integers(0, 16)).map(sorted)
deals = st.lists(totals.map(lambda cut: [cut[0], cut[1] - cut[0], 16 - cut[1]]), max_size=8)
steady = settings(max_examples=150, deadline=None)


def score(entries: list[Any], **options: Any) -> dict[str, Any]:
    return result(played(GAME.slug, NAMES, *entries, **options))


def board_of(entries: list[Any], **options: Any) -> Any:
    state: Any = played(GAME.slug, NAMES, *entries, **options).state
    return GAME.board(state)


def tricks_of(won: list[int]) -> dict[str, Any]:
    """The entry of a deal in which the players won these tricks."""
    return {"action": "tricks", "tricks": dict(zip(NAMES, won, strict=True))}


@pytest.mark.parametrize("dealer", range(3))
def test_every_exchange_keeps_the_rules(dealer: int) -> None:
    """Players who were up give a card a trick to those who were down, the most up first."""
    last, coming = targets_by_seat((dealer - 1) % 3), targets_by_seat(dealer)
    made = [s for s in SPLITS if all(0 <= up + n <= 16 for up, n in zip(s, last, strict=True))]
    assert len(made) > 100
    for scores in made:
        up = dict(zip(NAMES, scores, strict=True))
        asked = ";".join(f"{name}:{score}" for name, score in up.items())
        ruling = GAME.judges["exchange"].answer({"scores": asked, "dealer": NAMES[dealer]})
        assert len(ruling.says) == len(ruling.detail["steps"]) + 1
        givers = [step["up"] for step in ruling.detail["steps"]]
        assert sorted(givers) == [name for name in NAMES if up[name] > 0]
        order = [(up[name], coming[NAMES.index(name)]) for name in givers]
        assert order == sorted(order, reverse=True)
        received = dict.fromkeys(NAMES, 0)
        for step in ruling.detail["steps"]:
            assert sum(step["to"].values()) == up[step["up"]]
            assert len(step["to"]) == 1 or len(givers) == 1
            for name, number in step["to"].items():
                received[name] += number
        assert received == {name: max(0, -score) for name, score in up.items()}


@steady
@given(cards, st.integers(0, 9))
def test_cards_given_one_by_one_or_together_bring_back_the_same(
    pack: list[Card], number: int
) -> None:
    """And all hands end with sixteen cards."""
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


@steady
@given(cards, st.integers(0, 9))
def test_the_dealer_shows_what_beats_a_card_given_back(pack: list[Card], number: int) -> None:
    """A kitty card is shown if, and only if, a lower card of its suit was given back."""
    kitty, returned = pack[:4], pack[4 : 4 + number]
    assert shown_from_kitty(returned, kitty) == tuple(
        card
        for card in kitty
        if any(low.suit == card.suit and HEIGHT[low.rank] < HEIGHT[card.rank] for low in returned)
    )


@steady
@given(cards, st.sampled_from(["", *FRENCH_SUITS]))
def test_a_trick_is_won_by_a_card_nothing_beats(pack: list[Card], trump: str) -> None:
    """The order of the following cards does not matter, only which one was led."""
    led, *others = pack[:3]
    winner = [led, *others][trick_winner([led, *others], trump)]
    for order in permutations(others):
        trick = [led, *order]
        ruling = GAME.judges["trick"].answer({"cards": write_cards(trick), "trump": trump})
        assert ruling.detail == {"winner": trick.index(winner) + 1}
    assert winner.suit in (trump, led.suit)


@settings(max_examples=80, deadline=None)
@given(deals, st.randoms(use_true_random=False))
def test_totals_and_single_tricks_score_alike(won: list[list[int]], random: Any) -> None:
    """And the scores add up to 0, whichever way they are recorded."""
    one_by_one = []
    for tricks in won:
        takers = [name for name, number in zip(NAMES, tricks, strict=True) for _ in range(number)]
        random.shuffle(takers)
        one_by_one += [{"action": "trick", "winner": name} for name in takers]
    by_totals = board_of(list(map(tricks_of, won)), target=1_000_000)
    assert sum(line.score for line in by_totals.standings) == 0
    assert by_totals == board_of(one_by_one, target=1_000_000)


@settings(max_examples=60, deadline=None)
@given(deals, st.integers(1, 30))
def test_a_game_ends_when_one_alone_has_reached_the_target(
    won: list[list[int]], target: int
) -> None:
    """The winner has the best score, at least the target, and shares it with nobody."""
    for number in range(len(won) + 1):
        found = score([tricks_of(tricks) for tricks in won[:number]], target=target)
        best = sorted(found["scores"].values(), reverse=True)
        assert found["finished"] == (best[0] >= target and best[0] > best[1])
        if found["finished"]:
            assert [found["scores"][name] for name in found["winners"]] == best[:1]
            return


def test_whoever_won_the_last_trick_leads() -> None:
    """Before the first trick is recorded the leader is unknown."""
    assert board_of([tricks_of([10, 2, 4])]).acts is None
    board = board_of([{"action": "trick", "winner": name} for name in ["Cat"] * 4 + ["Ann"] * 8])
    assert board.acts == "Ann"
