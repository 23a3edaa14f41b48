"""Multiple 9: groups, turns, the stock, going out and the score."""

from collections import Counter
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards.cards import RANKS
from referee.rules.core.ruling import IllegalEntry
from referee.rules.games.multiple_9 import GAME
from referee.rules.games.multiple_9.deal import Multiple9State
from tests.support.some_deals import played

WORTH = {rank: worth for worth, rank in enumerate(RANKS, start=1)}
PACK = [*RANKS] * 4
NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"]
steady = settings(deadline=None, max_examples=80)


def ask(judge: str, **fields: Any) -> Any:
    return GAME.judges[judge].answer(fields)


def turn(player: str, cards: str = "", *, drew: bool = True) -> dict[str, Any]:
    """A turn as an entry; by default a card is drawn and none laid down."""
    return {"action": "turn", "player": player, "cards": cards, "drew": drew}


def out(player: str, **left: str) -> dict[str, Any]:
    """A deal won, its turns not recorded, with what the others still hold."""
    return {"action": "out", "player": player, "left": left}


def after(players: int, *entries: dict[str, Any], **options: Any) -> Multiple9State:
    """The state of a sheet of this many players; the last one deals, so Ann begins."""
    names = NAMES[:players]
    dealer = {"action": "dealer", "player": names[-1]}
    state = played(GAME.slug, names, dealer, *entries, **options).state
    assert isinstance(state, Multiple9State)
    return state


def scores(players: int, *entries: dict[str, Any], **options: Any) -> list[int]:
    """The scores on that sheet, in seating order."""
    return list(after(players, *entries, **options).scores)


def refused(players: int, *entries: dict[str, Any], **options: Any) -> list[str]:
    """The codes of the faults of the last of these entries; the others are legal."""
    with pytest.raises(IllegalEntry) as error:
        after(players, *entries, **options)
    assert error.value.entry == len(entries)
    return [fault.code for fault in error.value.faults]


# --- groups


def worth(cards: Any) -> int:
    """The sum of these cards’ values."""
    return sum(WORTH[card] for card in cards)


def splits(cards: tuple[str, ...]) -> bool:
    """Whether these cards split into groups, by brute force."""
    if not cards:
        return True
    first, *others = cards
    for number in range(len(others) + 1):
        for places in combinations(range(len(others)), number):
            group = [first, *(others[place] for place in places)]
            rest = tuple(card for place, card in enumerate(others) if place not in places)
            if len(set(group)) <= 2 and worth(group) % 9 == 0 and splits(rest):
                return True
    return False


def test_groups_from_one_pack() -> None:
    """All choices of cards of one or two ranks: 154 of them are groups, of 9 to 81."""
    hands = {
        (one,) * some + (two,) * more
        for one, two in combinations(RANKS, 2)
        for some, more in product(range(5), repeat=2)
        if some + more
    }
    groups = [hand for hand in hands if ask("discard", cards=" ".join(hand), final=True).legal]
    assert set(groups) == {hand for hand in hands if worth(hand) % 9 == 0}
    assert len(groups) == 154
    assert sorted({worth(group) for group in groups}) == list(range(9, 82, 9))


def test_one_deal_in_forty_goes_straight_out() -> None:
    """65,600 of the 2,598,960 hands of five cards split into groups."""
    dealt = straight_out = 0
    for hand in combinations_with_replacement(RANKS, 5):
        ways = 1
        for number in Counter(hand).values():
            ways *= comb(4, number)
        if not ways:
            continue  # five of a rank that has four
        goes_out = ask("hand", hand=" ".join(hand)).detail["out"]
        assert goes_out == splits(hand), hand
        dealt += ways
        straight_out += ways * goes_out
    assert (straight_out, dealt) == (65_600, 2_598_960)


some_cards = st.permutations(PACK).flatmap(
    lambda pack: st.integers(0, 7).map(lambda number: tuple(pack[:number]))
)


@steady
@given(some_cards, st.booleans())
def test_a_discard_splits_and_makes_18_unless_it_is_the_last_play(
    cards: tuple[str, ...], final: bool
) -> None:
    """Legal discards split into groups and make 18 or more, or 9 as the last play."""
    ruling = ask("discard", cards=" ".join(cards), final=final)
    if cards:
        assert ruling.legal == (splits(cards) and (final or worth(cards) >= 18))
    else:
        assert ruling.legal == (not final)
    assert ruling.detail["total"] == worth(cards)
    if ruling.legal:
        shown = [card for group in ruling.detail["groups"] for card in group]
        assert Counter(shown) == Counter(cards)


def test_the_advice_is_the_whole_hand_if_that_can_go() -> None:
    """An 8 alone is no discard; with the ace that is left it is a last play."""
    advice = GAME.judges["discard"].advise({"cards": "8", "hand": "A 8"})
    assert advice is not None
    assert [group.cards for group in advice.spreads] == [("8", "A")]


# --- turns and the stock


# Eight players hold 40 of the 52 cards: after twelve turns the stock is used up.
TWELVE_TURNS = [turn(NAMES[number % 8]) for number in range(12)]
ELEVEN_AND_FOUR_NINES = [*TWELVE_TURNS[:11], turn("Dan", "9 9 9 9")]
ALL_STUCK = [turn(NAMES[number % 8]) for number in range(12, 20)]


def test_the_discards_become_the_stock_once_it_is_used_up() -> None:
    """Not before: Dan takes the last card, and Eve draws from what Dan laid down."""
    before = after(8, *ELEVEN_AND_FOUR_NINES)
    assert (before.stock, sum(before.discards)) == (0, 4)
    assert not before.nothing_to_draw
    now = after(8, *ELEVEN_AND_FOUR_NINES, turn("Eve"))
    assert (now.stock, sum(now.discards)) == (3, 0)
    assert now.held[4] == 7
    two_drew = after(8, *ELEVEN_AND_FOUR_NINES, turn("Eve"), turn("Fay", "9 9"))
    assert two_drew.held[5] == 5


@pytest.mark.parametrize("drew", [True, False])
def test_with_nothing_to_draw_turns_go_on(drew: bool) -> None:
    """Whether the entry says that a card was drawn makes no difference; turns stay in order."""
    state = after(8, *TWELVE_TURNS, turn("Eve", drew=drew))
    assert state.held == (7, 7, 7, 7, 6, 6, 6, 6)
    assert GAME.board(state).acts == "Fay"
    assert refused(8, *TWELVE_TURNS, turn("Fay", drew=drew)) == ["out-of-turn"]
    assert scores(8, *TWELVE_TURNS, turn("Eve", "J J J 3 9 9", drew=drew))[4] == 1


def test_a_deal_in_which_everybody_is_stuck_is_dealt_again() -> None:
    """After a round without a draw or discard: same dealer, no winner, five cards each."""
    assert after(8, *TWELVE_TURNS, *ALL_STUCK[:-1]).nothing_to_draw
    assert after(8, *TWELVE_TURNS, *ALL_STUCK) == after(8)


def test_one_discard_and_nobody_is_stuck_any_more() -> None:
    """After seven idle turns the eighth lays two nines down: eight more turns are possible."""
    saved = [*TWELVE_TURNS, *ALL_STUCK[:-1], turn("Dan", "9 9")]
    state = after(8, *saved)
    assert state.held == (7, 7, 7, 5, 6, 6, 6, 6)
    state = after(8, *saved, turn("Eve"), turn("Fay"), turn("Gus"), turn("Hal"))
    assert state.held == (7, 7, 7, 5, 7, 7, 6, 6)
    assert (state.nothing_to_draw, state.deal) == (True, 1)


# --- going out


ANN_GOES_OUT = turn("Ann", "Q Q 3 8 10", drew=False)


def test_the_five_dealt_cards_may_go_out_at_once() -> None:
    """If they split they win without drawing, one nine or several, even out of turn."""
    assert scores(2, turn("Ann", "A A A A 5", drew=False)) == [1, 0]
    assert refused(2, turn("Ann", "Q Q 3 8 9", drew=False)) == ["not-a-multiple"]
    assert scores(2, turn("Ben", "Q Q 3 8 10", drew=False)) == [0, 1]
    assert refused(2, turn("Ann"), turn("Ben"), ANN_GOES_OUT) == ["must-draw"]
    assert refused(2, turn("Ann", drew=False)) == ["must-draw"]


def test_a_last_nine_on_its_own() -> None:
    """Three threes are a last play; by house rule only a 9 or two cards are."""
    of_four = [turn("Ann", "K 5"), turn("Ben"), turn("Ann", "K 5"), turn("Ben")]
    of_three = [*of_four, turn("Ann", "9 9"), turn("Ben")]
    agreed = {"nine_out": "cards"}
    for cards, codes in (("8 A", ["lone-nine"]), ("9", ["lone-nine"])):
        assert refused(2, *of_three, turn("Ann", cards)) == codes
    assert scores(2, *of_three, turn("Ann", "3 3 3")) == [1, 0]
    assert refused(2, *of_three, turn("Ann", "3 3 3"), **agreed) == ["nine-of-two-cards"]
    dealt = turn("Ann", "A A A A 5", drew=False)
    assert refused(2, dealt, **agreed) == ["nine-of-two-cards"]
    two_left = [*of_four, turn("Ann", "J J 5"), turn("Ben"), turn("Ann", "8 A")]
    assert scores(2, *two_left, **agreed) == [1, 0]
    assert scores(2, *of_four, turn("Ann", "9 9 9 9"), **agreed) == [1, 0]


# --- the score


def test_with_cards_counted_the_game_is_to_100() -> None:
    """Unless another target was chosen, or none."""
    much = out("Ann", Ben="K K K K Q Q")
    assert not after(2, much, scoring="cards").finished
    assert after(2, much, much, scoring="cards").winners == (0,)
    assert not after(2, much, much, scoring="cards", target=0).finished


def test_only_the_winner_s_hand_is_empty() -> None:
    """Hands that do not score need not be entered, but what is entered must be possible."""
    assert scores(3, out("Ann")) == [1, 0, 0]
    assert refused(3, out("Ann", Cat="")) == ["hand-empty"]


def test_play_waits_until_the_hands_are_counted() -> None:
    """No turns until the other hands are entered; if the deal is abandoned nobody wins."""
    counted = {"scoring": "cards"}
    assert GAME.board(after(2, ANN_GOES_OUT, **counted)).acts is None
    for entry in (turn("Ben"), out("Ben", Ann="K")):
        assert refused(2, ANN_GOES_OUT, entry, **counted) == ["count-first"]
    left = {"action": "left", "left": {"Ben": "K"}}
    assert refused(2, ANN_GOES_OUT, left) == ["nobody-out"]  # it has scored a point
    assert after(2, ANN_GOES_OUT, {"action": "abandon"}, **counted) == after(2, **counted)


# --- whole deals


@steady
@given(st.integers(2, 8), st.permutations(PACK), st.randoms(use_true_random=False))
def test_a_real_deal_is_followed_card_for_card(players: int, pack: list[str], random: Any) -> None:
    """The sheet agrees with a simulated deal about hands, stock, turns, and the winner."""
    names = NAMES[:players]
    hands = {name: pack[5 * seat : 5 * seat + 5] for seat, name in enumerate(names)}
    stock, discards, idle = pack[5 * players :], list[str](), 0
    eager = random.random()
    state: Any = after(players)
    for number in range(150):
        name = names[number % players]
        stuck = not stock and not discards
        if not stock:
            stock, discards = discards, []
            random.shuffle(stock)
        if stock:
            hands[name].append(stock.pop())
        best = ask("hand", hand=" ".join(hands[name])).detail["best"]
        laid = best if random.random() < eager else ""
        for card in laid.split():
            hands[name].remove(card)
            discards.append(card)
        state, lines = GAME.apply(state, GAME.read_entry(turn(name, laid)))
        idle = idle + 1 if stuck and not laid else 0
        if not hands[name]:
            assert [(line.player, line.points) for line in lines] == [(name, 1)]
            assert (state.deal, state.held) == (2, (5,) * players)
            return
        assert not lines
        if idle == players:
            assert state == after(players)
            return
        assert state.held == tuple(len(hands[each]) for each in names)
        assert (state.stock, sum(state.discards)) == (len(stock), len(discards))
        assert GAME.board(state).acts == names[(number + 1) % players]
        held = Counter(card for hand in hands.values() for card in hand)
        reach = dict(zip(RANKS, state.out_of_reach, strict=True))
        assert all(held[rank] + reach[rank] <= 4 for rank in RANKS)


hands_left = st.permutations(PACK).flatmap(
    lambda pack: st.lists(st.integers(1, 6), min_size=1, max_size=7).map(
        lambda sizes: [pack[6 * seat :][:size] for seat, size in enumerate(sizes)]
    )
)


@steady
@given(hands_left, st.integers(0, 7), st.booleans())
def test_the_winner_gains_what_the_others_hold(
    hands: list[list[str]], winner: int, counted: bool
) -> None:
    """The values of all their cards, or one point for the deal; nobody else scores."""
    names = NAMES[: len(hands) + 1]
    won = names[winner % len(names)]
    others = [name for name in names if name != won]
    held = {name: " ".join(hand) for name, hand in zip(others, hands, strict=True)}
    rules = {"scoring": "cards" if counted else "deals", "target": 0}
    state = after(len(names), **rules)
    _, lines = GAME.apply(state, GAME.read_entry(out(won, **held)))
    gain = sum(map(worth, hands)) if counted else 1
    assert sum(line.points for line in lines) == gain
    assert {line.player for line in lines if line.points} == {won}
