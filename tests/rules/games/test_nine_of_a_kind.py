"""9 of a Kind: what holds for every hand and every round."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards.cards import JANKEN_SUITS, Card, write_cards
from referee.rules.core.ruling import MalformedEntry
from referee.rules.games.nine_of_a_kind import GAME
from referee.rules.games.nine_of_a_kind.entries import NineOfAKindState
from referee.rules.games.nine_of_a_kind.hands import DECK, DECK_PIPS, blockers_in, pips
from referee.sheets.files import Course, result
from tests.support.some_deals import played

SUITS = "SHDC" + JANKEN_SUITS
RANKS = "A23456789"
NAMES = ["Ida", "Joe", "Kim", "Lea", "Max", "Ned", "Oda", "Pit", "Ria"]

steady = settings(deadline=None, max_examples=80)
shuffled_decks = st.permutations([rank + suit for suit in SUITS for rank in RANKS])
hands = shuffled_decks.map(lambda deck: deck[:9])


def ask(judge: str, **fields: Any) -> Any:
    return GAME.judges[judge].answer(fields)


def round_of(players: int, *entries: dict[str, Any], **options: Any) -> Course:
    """Play these entries with the first of `NAMES`."""
    return played(GAME.slug, NAMES[:players], *entries, **options)


def end(by: str, caller: str, hands: dict[str, Any]) -> dict[str, Any]:
    """The end of a round that one player called."""
    return {"action": "end", "by": by, "callers": [caller], "hands": hands}


def deadwood(hand: list[str]) -> int:
    """The least points outside any one suit or rank, computed from the text alone."""
    value = {rank: RANKS.index(rank) + 1 for rank in RANKS}
    return min(sum(value[card[0]] for card in hand if each not in card) for each in SUITS + RANKS)


@steady
@given(hands, st.randoms(use_true_random=False))
def test_the_best_collection_is_the_least_of_the_eighteen(hand: list[str], random: Any) -> None:
    """None of the others counts less, or as little with more cards kept."""
    cards = " ".join(hand)
    best = ask("collection", cards=cards).detail
    random.shuffle(hand)
    assert ask("collection", cards=",".join(hand)).detail == best
    named = [ask("collection", cards=cards, collecting=each).detail for each in SUITS + RANKS]
    assert best["deadwood"] == deadwood(hand) == min(each["deadwood"] for each in named)
    equals = [each for each in named if each["deadwood"] == best["deadwood"]]
    assert best == max(equals, key=lambda each: each["kept"])


@pytest.mark.parametrize("each", [*SUITS, *RANKS])
def test_all_nine_of_each_suit_and_rank_win(each: str) -> None:
    """The eighteen complete sets are claims and count 0."""
    cards = write_cards(card for card in DECK if each in card)
    ruling = ask("claim", cards=cards)
    assert ruling.legal
    assert ruling.detail == {"claim": "suit" if each in SUITS else "rank", "of": each}
    assert ask("collection", cards=cards).detail == {"collecting": each, "deadwood": 0, "kept": 9}


@steady
@given(st.permutations(SUITS), st.integers(0, 8), st.sampled_from(DECK))
def test_every_blocker_wins_until_a_card_is_changed(
    suits: list[str], place: int, card: Card
) -> None:
    """Any pairing of the nine ranks with the nine suits; as a loser’s hand it counts 36."""
    cards = [rank + suit for rank, suit in zip(RANKS, suits, strict=True)]
    assert ask("claim", cards=" ".join(cards)).detail == {"claim": "blocker", "of": None}
    assert ask("collection", cards=" ".join(cards)).detail["deadwood"] == 36
    spoilt = [*cards[:place], str(card), *cards[place + 1 :]]
    ruling = ask("claim", cards=" ".join(spoilt))
    assert ruling.legal == (spoilt == cards)
    assert ruling.detail["claim"] == ("blocker" if spoilt == cards else None)


@steady
@given(shuffled_decks, st.integers(0, 4), st.integers(0, 4))
def test_trades_are_symmetric(deck: list[str], given_: int, taken: int) -> None:
    """A packet may be given for another if that may be given for it."""
    give, take = " ".join(deck[:given_]), " ".join(deck[given_ : given_ + taken])
    there, back = ask("trade", give=give, take=take), ask("trade", give=take, take=give)
    assert there.legal == back.legal
    assert sorted(fault.code for fault in there.faults) == sorted(
        fault.code for fault in back.faults
    )
    if given_ == taken == 1:
        assert there.legal


@st.composite
def rounds(draw: Any) -> tuple[int, list[str], list[str], dict[str, list[str]]]:
    """A possible round: players, false calls, who calls nine of a suit, and the other hands."""
    players = draw(st.integers(5, 9))
    seated = draw(st.permutations(NAMES[:players]))
    forfeits = draw(st.integers(0, players - 2))
    callers = draw(st.integers(1, min(3, players - forfeits)))
    called = draw(st.permutations(SUITS))[:callers]
    deck = [card for card in draw(shuffled_decks) if card[1] not in called]
    others = seated[forfeits + callers :]
    dealt = {name: deck[9 * place : 9 * place + 9] for place, name in enumerate(others)}
    return players, seated[:forfeits], seated[forfeits : forfeits + callers], dealt


@steady
@given(rounds(), st.booleans(), st.booleans())
def test_a_round_scores_the_deadwood(round_: Any, counted: bool, share: bool) -> None:
    """Each caller gains what the others hold, as cards or as points; nobody else scores."""
    players, out, callers, dealt = round_
    shown: dict[str, Any] = {}
    for name, hand in dealt.items():
        best = ask("collection", cards=" ".join(hand)).detail
        count = {"deadwood": best["deadwood"], "kept": best["kept"]}
        shown[name] = count if counted else {"cards": " ".join(hand)}
    entries = [{"action": "forfeit", "player": name} for name in out]
    called = {"action": "end", "by": "nine", "callers": callers, "hands": shown}
    unison = "share" if share else "each"
    course = round_of(players, *entries, called, target=1000, unison=unison)
    total = sum(map(deadwood, dealt.values()))
    gain = -(-total // len(callers)) if share else total
    expected = {name: gain if name in callers else 0 for name in NAMES[:players]}
    assert result(course)["scores"] == expected
    assert sum(line.points for line in course.steps[-1].lines) == gain * len(callers)
    assert course.state.deal == 2
    assert isinstance(course.state, NineOfAKindState)
    assert course.state.forfeited == frozenset()


@steady
@given(shuffled_decks, st.integers(5, 9), st.integers(0, 8))
def test_chicken_gives_away_half_of_everything(deck: list[str], players: int, seat: int) -> None:
    """Without seven of a kind it fails, and the lowest of the others win."""
    caller = NAMES[seat % players]
    dealt = {name: deck[9 * place :][:9] for place, name in enumerate(NAMES[:players])}
    shown = {name: {"cards": " ".join(hand)} for name, hand in dealt.items()}
    scores = result(round_of(players, end("chicken", caller, shown), chicken=True))["scores"]
    points = {name: deadwood(hand) for name, hand in dealt.items()}
    half = -(-sum(points.values()) // 2)
    lowest = min(points[name] for name in points if name != caller)
    if ask("collection", cards=" ".join(dealt[caller])).detail["kept"] < 7:
        assert scores == {
            name: half if name != caller and points[name] == lowest else 0 for name in points
        }


@steady
@given(st.integers(5, 9), st.lists(st.integers(0, 8), max_size=20))
def test_false_calls_leave_two_players_or_void_the_round(players: int, seats: list[int]) -> None:
    """Nobody forfeits twice in a round; when one is left, it is dealt again with all players."""
    out: set[int] = set()
    entries = []
    for seat in seats:
        if seat >= players or seat in out:
            continue
        entries.append({"action": "forfeit", "player": NAMES[seat]})
        out = out | {seat} if len(out) < players - 2 else set()
    course = round_of(players, *entries)
    assert isinstance(course.state, NineOfAKindState)
    assert course.state.forfeited == out
    assert (course.state.deal, course.state.dealer, sum(course.state.scores)) == (1, 0, 0)
    assert not any(line.points for step in course.steps for line in step.lines)


def test_points_left_have_no_collection() -> None:
    """Such a hand is refused, and the fault says how to enter it, beside all other faults."""
    hands = {"Joe": {"deadwood": 17, "kept": 6, "collecting": "S"}}
    with pytest.raises(MalformedEntry) as error:
        round_of(5, end("nine", "Ida", hands))
    assert [fault.message for fault in error.value.faults] == [
        "Joe’s hand: name what’s collected only with cards, not with points left.",
        *(f"{player}’s hand is missing." for player in ("Kim", "Lea", "Max")),
    ]


@given(st.lists(st.sampled_from(DECK), max_size=60, unique=True))
@settings(max_examples=120, deadline=None)
def test_how_many_blockers_the_free_cards_allow(taken: list[Card]) -> None:
    """As many as can be taken out of them one after another."""
    free = [card for card in DECK if card not in taken]
    number = blockers_in(free)
    by_rank = Counter(card.rank for card in free)
    by_suit = Counter(card.suit for card in free)
    assert 0 <= number <= min([by_rank[r] for r in RANKS] + [by_suit[s] for s in SUITS])
    assert (number > 0) == (_ranks_matched([{c.suit for c in free if c.rank == r} for r in RANKS]))


def _ranks_matched(suits: list[set[str]]) -> bool:
    """Whether each rank can have a suit of its own, by brute force."""
    if not suits:
        return True
    first, *rest = sorted(suits, key=len)
    return any(_ranks_matched([others - {suit} for others in rest]) for suit in first)


def test_the_whole_deck_is_nine_blockers() -> None:
    """It has 405 pips in 81 cards; with a card missing it is eight."""
    assert (len(set(DECK)), pips(DECK), DECK_PIPS) == (81, 405, 405)
    assert [blockers_in(DECK), blockers_in(DECK[1:])] == [9, 8]
