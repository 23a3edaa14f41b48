"""Nine Five Two: the exchange, the tricks and the sheet, as properties and as sentences."""

import json
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards.cards import FRENCH_SUITS, RANKS, Card, write_cards
from referee.rules.games.nine_five_two import GAME
from referee.rules.games.nine_five_two.exchange import exchange_steps, handed_back
from referee.rules.games.nine_five_two.house_rules import targets_by_seat
from referee.rules.games.nine_five_two.kitty import shown_from_kitty
from referee.rules.games.nine_five_two.tricks import HEIGHT, trick_winner
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
    return sheet.game.board(play_through(sheet.game, sheet.table, sheet.entries).state)


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
    needed = targets_by_seat((dealer - 1) % 3)
    made = [s for s in SPLITS if all(0 <= up + n <= 16 for up, n in zip(s, needed, strict=True))]
    assert len(made) > 100
    for scores in made:
        steps = exchange_steps(scores, targets_by_seat(dealer))
        asked = ";".join(f"{name}:{score}" for name, score in zip(NAMES, scores, strict=True))
        ruling = GAME.judges["exchange"].answer({"scores": asked, "dealer": NAMES[dealer]})
        assert ruling.legal
        assert ruling.detail["steps"] == [
            {"up": NAMES[step.up], "to": {NAMES[seat]: number for seat, number in step.to}}
            for step in steps
        ]
        assert len(ruling.says) == len(steps) + 1


@settings(max_examples=150, deadline=None)
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


@settings(max_examples=150, deadline=None)
@given(cards, st.integers(0, 9))
def test_the_dealer_shows_what_beats_a_card_given_back(pack: list[Card], number: int) -> None:
    """A kitty card is shown exactly if some returned card of its suit is lower."""
    kitty, returned = pack[:4], pack[4 : 4 + number]
    assert shown_from_kitty(returned, kitty) == tuple(
        card
        for card in kitty
        if any(low.suit == card.suit and HEIGHT[low.rank] < HEIGHT[card.rank] for low in returned)
    )


@settings(max_examples=150, deadline=None)
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


@settings(max_examples=80, deadline=None)
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


@settings(max_examples=60, deadline=None)
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


def said(board: Any) -> list[str]:
    """The sentences of a deal card."""
    return [str(sentence) for sentence in board.says]


def needed(board: Any) -> list[tuple[str, int, str]]:
    """The numbers of a deal card, with their words."""
    return [(need.player, need.number, str(need.label)) for need in board.needs]


@pytest.mark.parametrize(
    ("scores", "last_dealer", "sentences"),
    [
        ("Ann:3;Ben:-3;Cat:0", "Ann", ["Ann (3 up) must give Ben 3 cards."]),
        ("Ann:4;Ben:-3;Cat:-1", "Ann", [
            "Ann (4 up) must give Ben 3 cards and Cat 1 card, both at once.",
        ]),
        ("Ann:1;Ben:2;Cat:-3", "Cat", [
            "First Ben (2 up) must give Cat 2 cards.",
            "Then Ann (1 up) must give Cat 1 card.",
        ]),
    ],
)  # fmt: skip
def test_an_exchange_that_must_be_made(scores: str, last_dealer: str, sentences: list[str]) -> None:
    """By house rule every card is given; who was up most comes first."""
    asked = {"scores": scores, "dealer": "Ann", "last_dealer": last_dealer, "exchange": "must"}
    ruling = GAME.judges["exchange"].answer(asked)
    assert [str(said) for said in ruling.says[:-1]] == sentences


def test_the_deal_card_of_an_exchange_that_must_be_made() -> None:
    """The same, a step each."""
    board = board_of([tricks_of([10, 2, 4])], exchange="must")
    assert said(board)[2:4] == ["Cat gives Ben 2 cards", "Ann gives Ben 1 card"]


def test_an_abandoned_deal_keeps_the_exchange() -> None:
    """The same player deals again, and the scores of the last finished deal still count."""
    before = [tricks_of([11, 4, 1])]
    void = [*before, {"action": "trick", "winner": "Cat"}, {"action": "abandon"}]
    assert board_of(void) == board_of(before)


def test_the_running_count() -> None:
    """While tricks are recorded: how many more of how many left, and who leads."""
    board = board_of([{"action": "trick", "winner": name} for name in ["Cat"] * 4 + ["Ann"] * 8])
    assert needed(board) == [
        ("Ann", 1, "more, 4 to play"),
        ("Ben", 5, "more, 4 to play"),
        ("Cat", 2, "up already"),
    ]
    assert board.acts == "Ann"
    assert said(board) == ["12 tricks played, 4 to go; Ann leads"]


@pytest.mark.parametrize(
    ("judge", "asked", "sentences"),
    [
        ("trick", {"cards": "AH 2S", "trump": "S"}, [
            "The two of spades, card 2, is winning so far: the highest trump.",
        ]),
        ("return", {"hand": "6C", "given": "3C"}, [
            "Give back 1 card: the highest you hold in its suit.",
            "So far, 1 of the 16 cards in your hand has been entered.",
        ]),
        ("return", {"hand": "6D 7D", "given": "3C 4H"}, [
            "Give back 2 cards: the highest you hold in each suit you were given.",
            "The cards you were given go straight back: you hold nothing higher.",
            "So far, 2 of the 16 cards in your hand have been entered.",
        ]),
    ],
)  # fmt: skip
def test_what_is_known_so_far(judge: str, asked: dict[str, str], sentences: list[str]) -> None:
    """The judges say what follows from the cards that they have been told."""
    ruling = GAME.judges[judge].answer(asked)
    assert [str(said) for said in ruling.says] == sentences
