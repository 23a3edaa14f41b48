"""Multiple 9: groups, turns, the stock, going out and the score, as rulings and as properties."""

import json
from collections import Counter
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards.cards import RANKS
from referee.rules.core.ruling import IllegalEntry, RefereeError
from referee.rules.games.multiple_9 import GAME
from referee.rules.games.multiple_9.deal import Multiple9State
from referee.sheets.files import Course, play_through, result, sheet_from

WORTH = {rank: worth for worth, rank in enumerate(RANKS, start=1)}
PACK = [*RANKS] * 4
NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"]
ROUND = NAMES  # where eight play and Hal deals: the order of turns
steady = settings(deadline=None, max_examples=80)


def ask(judge: str, **fields: Any) -> Any:
    """The ruling of one of the game's judges."""
    return GAME.judges[judge].answer(fields)


def turn(player: str, cards: str = "", *, drew: bool = True) -> dict[str, Any]:
    """A turn as it is written down: usually a card is drawn, and often none is laid down."""
    return {"action": "turn", "player": player, "cards": cards, "drew": drew}


def out(player: str, **left: str) -> dict[str, Any]:
    """A deal won, turns not followed, with what the others still hold."""
    return {"action": "out", "player": player, "left": left}


def left(**held: str) -> dict[str, Any]:
    """What the others hold after a turn that emptied a hand."""
    return {"action": "left", "left": held}


def played(players: int, *entries: dict[str, Any], **options: Any) -> Course:
    """A sheet of so many players, the last of them dealing, so that Ann begins."""
    names = NAMES[:players]
    file = {"referee": 1, "game": GAME.slug, "players": names, "dealer": names[-1]}
    sheet = sheet_from({**file, "options": options, "entries": list(entries)})
    return play_through(sheet.game, sheet.table, sheet.entries)


def after(players: int, *entries: dict[str, Any], **options: Any) -> Multiple9State:
    """The state of that sheet."""
    state = played(players, *entries, **options).state
    assert isinstance(state, Multiple9State)
    return state


def scores(players: int, *entries: dict[str, Any], **options: Any) -> list[int]:
    """The scores on that sheet, in seating order."""
    return list(after(players, *entries, **options).scores)


def refused(players: int, *entries: dict[str, Any], **options: Any) -> list[str]:
    """The codes of what is wrong with the last of these entries; the others are legal."""
    with pytest.raises(IllegalEntry) as error:
        played(players, *entries, **options)
    assert error.value.entry == len(entries) - 1
    return [fault.code for fault in error.value.faults]


# --- groups


def worth(cards: Any) -> int:
    """What these cards make together."""
    return sum(WORTH[card] for card in cards)


def splits(cards: tuple[str, ...]) -> bool:
    """Whether these cards can be parted into groups, by trying every way to part them."""
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


def test_a_pack_holds_154_groups_of_9_to_81() -> None:
    """Every way to take cards of one rank or two: a group where they make a multiple of 9."""
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
            continue  # five of a rank, of which there are four
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
    """Legal is what can be parted into groups and makes 18 or more, or 9 as the last play."""
    ruling = ask("discard", cards=" ".join(cards), final=final)
    if cards:
        assert ruling.legal == (splits(cards) and (final or worth(cards) >= 18))
    else:
        assert ruling.legal == (not final)
    assert ruling.detail["total"] == worth(cards)
    if ruling.legal:
        shown = [card for group in ruling.detail["groups"] for card in group]
        assert Counter(shown) == Counter(cards)


@pytest.mark.parametrize(
    ("cards", "final", "says"),
    [
        ("", False, "You never have to lay anything down."),
        ("6 6 6", False, "6+6+6 makes 18."),
        ("8 4 4 A A", False, "Two nines, 8+A and 4+4+A: 18."),
        ("9 8 A 6 3", False, "Three nines, 9, 8+A, and 6+3: 27."),
        ("Q 6 8 A", False, "Q+6 and 8+A make 27."),
        ("8 A", True, "8+A makes 9. Good as your last play."),
    ],
)
def test_a_legal_discard_in_words(cards: str, final: bool, says: str) -> None:
    """The groups, and what they come to."""
    assert list(map(str, ask("discard", cards=cards, final=final).says)) == [says]


def better(**fields: Any) -> list[str]:
    """The cards that the referee would lay down instead, a group each."""
    assert not ask("discard", **fields).legal
    advice = GAME.judges["discard"].advise(fields)
    assert advice is not None
    return [" ".join(group.cards) for group in advice.spreads]


def test_an_illegal_discard_is_answered_with_a_better_one() -> None:
    """From the hand where it is known, else from the cards laid down; a lone nine is none."""
    assert better(cards="7 J 10 10") == ["10 10 7"]
    assert better(cards="8 4 4 2") == []
    assert better(cards="3 3 3") == []
    assert better(cards="3 3 3", final=True, nine_out="cards") == []
    assert better(cards="K", hand="K 8 A") == []


def test_a_discard_comes_from_the_hand_and_may_be_all_of_it() -> None:
    """With the hand known, whether it is the last play need not be said."""
    assert ask("discard", cards="8 A", hand="A 8").detail["final"]
    found = ask("discard", cards="8 A", hand="A 8 K", final=True)
    assert [fault.code for fault in found.faults] == ["lone-nine"]
    found = ask("discard", cards="9 9 K", hand="9 5 5")
    assert [fault.code for fault in found.faults] == [
        "not-in-hand",
        "not-in-hand",
        "not-a-multiple",
    ]


# --- the deal and the stock


@pytest.mark.parametrize("players", range(2, 9))
def test_everybody_gets_five_cards_and_the_rest_is_the_stock(players: int) -> None:
    """Of 52 cards, none turned up."""
    state = after(players)
    assert state.held == (5,) * players
    assert state.stock == 52 - 5 * players
    assert not any(state.discards)


def test_two_packs_make_a_stock_for_sixteen() -> None:
    """104 cards, five each; a seventeenth cannot sit down, nor a ninth with one pack."""
    plan = GAME.judges["deal"].answer
    assert plan({"players": 16, "packs": 2}).detail == {"each": 5, "table": 24, "deck": 104}
    for players, packs in ((17, 2), (9, 1), (1, 1)):
        ruling = plan({"players": players, "packs": packs})
        assert [fault.code for fault in ruling.faults] == ["players"]


def test_turns_go_to_the_left_beginning_left_of_the_dealer() -> None:
    """With Cat dealing Ann begins, then Ben; Cat is told whose turn it is."""
    assert GAME.board(after(3)).acts == "Ann"
    assert GAME.board(after(3, turn("Ann"))).acts == "Ben"
    assert GAME.board(after(3, turn("Ann"), turn("Ben"), turn("Cat"))).acts == "Ann"
    assert refused(3, turn("Ann"), turn("Cat")) == ["out-of-turn"]


def test_a_turn_takes_one_card_from_the_stock() -> None:
    """A player who lays nothing down holds one more; the discards grow by what is laid down."""
    state = after(2, turn("Ann"), turn("Ben", "K 5"))
    assert state.held == (6, 4)
    assert state.stock == 52 - 10 - 2
    assert sum(state.discards) == 2


def test_nobody_plays_more_cards_than_they_hold() -> None:
    """Ben holds four after his turn, and five once he has drawn."""
    assert refused(2, turn("Ann"), turn("Ben", "K 5"), turn("Ann"), turn("Ben", "9 9 9 6 6 6")) == [
        "too-many-cards"
    ]


def test_drawing_comes_first() -> None:
    """Without it only five cards go out, and only before that player has drawn."""
    assert refused(2, turn("Ann", "9 9", drew=False)) == ["must-draw"]
    assert refused(2, turn("Ann", drew=False)) == ["must-draw"]
    once_round = (turn("Ann"), turn("Ben"))
    again = turn("Ann", "Q Q 3 8 10", drew=False)
    assert refused(2, *once_round, again) == ["must-draw"]


# Eight players hold 40 of the 52 cards: after twelve turns the stock is used up.
TWELVE_TURNS = [turn(ROUND[number % 8]) for number in range(12)]
ELEVEN_AND_FOUR_NINES = [*TWELVE_TURNS[:11], turn("Dan", "9 9 9 9")]


def test_the_discards_become_the_stock_once_it_is_used_up() -> None:
    """Not a card before: Dan takes the last one, and Eve draws from what Dan laid down."""
    before = after(8, *ELEVEN_AND_FOUR_NINES)
    assert (before.stock, sum(before.discards)) == (0, 4)
    assert not before.nothing_to_draw
    now = after(8, *ELEVEN_AND_FOUR_NINES, turn("Eve"))
    assert (now.stock, sum(now.discards)) == (3, 0)
    assert now.held[4] == 7


def test_with_neither_stock_nor_discards_a_turn_is_played_without_drawing() -> None:
    """Whether a draw is written down or not, there is nothing to draw."""
    for drew in (True, False):
        state = after(8, *TWELVE_TURNS, turn("Eve", drew=drew))
        assert state.held == (7, 7, 7, 7, 6, 6, 6, 6)
        assert GAME.board(state).acts == "Fay"


def test_turns_keep_their_order_when_nothing_can_be_drawn() -> None:
    """Fay may not play before Eve, with or without drawing."""
    for drew in (True, False):
        assert refused(8, *TWELVE_TURNS, turn("Fay", drew=drew)) == ["out-of-turn"]


def test_a_discard_gives_the_others_something_to_draw() -> None:
    """Eve lays two nines down without drawing; Fay draws one of them."""
    state = after(8, *TWELVE_TURNS, turn("Eve", "9 9"), turn("Fay"))
    assert state.held == (7, 7, 7, 7, 4, 7, 6, 6)
    assert (state.stock, sum(state.discards)) == (1, 0)


ALL_STUCK = [turn(ROUND[number % 8]) for number in range(12, 20)]


def test_a_deal_in_which_everybody_is_stuck_is_dealt_again() -> None:
    """Once all in turn have neither drawn nor laid down: same dealer, no winner, five cards."""
    stuck = after(8, *TWELVE_TURNS, *ALL_STUCK[:-1])
    assert stuck.nothing_to_draw
    again = after(8, *TWELVE_TURNS, *ALL_STUCK)
    assert (again.deal, again.dealer, again.scores) == (1, 7, (0,) * 8)
    assert (again.held, again.stock) == ((5,) * 8, 12)
    assert again == after(8)


def test_one_discard_and_nobody_is_stuck_any_more() -> None:
    """Seven lay nothing down, the eighth two nines: play goes on, and eight more turns do too."""
    saved = [*ALL_STUCK[:-1], turn("Dan", "9 9")]
    state = after(8, *TWELVE_TURNS, *saved)
    assert state.held == (7, 7, 7, 5, 6, 6, 6, 6)
    drawn = [turn("Eve"), turn("Fay")]
    state = after(8, *TWELVE_TURNS, *saved, *drawn, *(turn(name) for name in ROUND[6:]))
    assert state.held == (7, 7, 7, 5, 7, 7, 6, 6)
    assert state.nothing_to_draw
    assert state.deal == 1


def test_a_stuck_player_may_go_out() -> None:
    """Without drawing: Eve's six cards at once are her last play, and win the deal."""
    assert scores(8, *TWELVE_TURNS, turn("Eve", "J J J 3 9 9"))[4] == 1


# --- going out


def test_the_dealt_cards_go_out_at_once() -> None:
    """Five cards that split win without drawing, even where they make only one nine."""
    assert scores(2, turn("Ann", "Q Q 3 8 10", drew=False)) == [1, 0]
    assert scores(2, turn("Ann", "A A A A 5", drew=False)) == [1, 0]
    assert refused(2, turn("Ann", "Q Q 3 8 9", drew=False)) == ["not-a-multiple"]


def test_whoever_can_goes_out_from_the_deal_before_their_turn() -> None:
    """Ben need not wait for Ann, who would draw first; once he has drawn he must."""
    assert scores(2, turn("Ben", "Q Q 3 8 10", drew=False)) == [0, 1]
    assert refused(2, turn("Ben", "Q Q 3 8 10")) == ["out-of-turn"]


def down_to(held: int) -> list[dict[str, Any]]:
    """Turns after which Ann holds so many cards, 2 to 4, and it is her turn again; Ben waits."""
    laid = {4: ["K 5"], 3: ["K 5", "K 5"], 2: ["K 5", "K 5", "9 9"]}[held]
    return [entry for cards in laid for entry in (turn("Ann", cards), turn("Ben"))]


def test_a_nine_on_its_own_is_only_a_last_play() -> None:
    """Of three cards, the nine of three threes empties the hand; an 8 and an ace do not."""
    assert refused(2, *down_to(2), turn("Ann", "8 A")) == ["lone-nine"]
    assert refused(2, *down_to(2), turn("Ann", "9")) == ["lone-nine"]
    assert scores(2, *down_to(2), turn("Ann", "3 3 3")) == [1, 0]


def test_a_table_may_agree_that_a_last_nine_is_a_9_or_two_cards() -> None:
    """Then three threes stay in the hand, and so does a nine of the five dealt cards."""
    agreed = {"nine_out": "cards"}
    assert refused(2, *down_to(2), turn("Ann", "3 3 3"), **agreed) == ["nine-of-two-cards"]
    dealt = turn("Ann", "A A A A 5", drew=False)
    assert refused(2, dealt, **agreed) == ["nine-of-two-cards"]
    two_left = [*down_to(3), turn("Ann", "J J 5"), turn("Ben")]
    assert scores(2, *two_left, turn("Ann", "8 A"), **agreed) == [1, 0]
    nines = [*down_to(3), turn("Ann", "9 9 9 9")]
    assert scores(2, *nines, **agreed) == [1, 0]


def test_the_deal_passes_to_the_left_of_the_dealer_not_to_the_winner() -> None:
    """Ben dealt, so Ann deals next, whoever wins."""
    for winner in ("Ann", "Ben"):
        state = after(2, out(winner))
        assert (state.deal, state.name(state.dealer)) == (2, "Ann")
        assert GAME.board(state).acts == "Ben"


# --- how many cards there are of a rank


def test_a_pack_has_four_of_a_rank_and_two_packs_have_eight() -> None:
    """Kings laid down before count, whoever laid them."""
    kings = [turn("Ann", "K 5"), turn("Ben", "K 5"), turn("Ann", "K 5"), turn("Ben", "K 5")]
    assert refused(2, *kings, turn("Ann", "K 9 9")) == ["too-many-of-rank", "not-a-multiple"]
    assert refused(2, *kings, turn("Ann", "K 5")) == ["too-many-of-rank", "too-many-of-rank"]
    assert after(2, *kings, turn("Ann", "K 5"), packs=2).held[0] == 2


def test_cards_shuffled_into_the_stock_come_back_one_a_draw() -> None:
    """Four nines lie in the new stock: Eve, who drew one of its cards, may hold one and no more."""
    assert refused(8, *ELEVEN_AND_FOUR_NINES, turn("Eve", "9 9")) == ["too-many-of-rank"]
    assert after(8, *ELEVEN_AND_FOUR_NINES, turn("Eve", "9 K 5")).held[4] == 4
    both_drew = [*ELEVEN_AND_FOUR_NINES, turn("Eve")]
    assert after(8, *both_drew, turn("Fay", "9 9")).held[5] == 5


# --- the score


def test_five_deals_won_are_the_game() -> None:
    """Unless another number was agreed, or none."""
    four = [out("Ann")] * 4
    assert not after(2, *four).finished
    assert after(2, *four, out("Ann")).winners == (0,)
    assert after(2, out("Ben"), target=1).winners == (1,)
    assert not after(2, *four, *four, target=0).finished


def test_counted_cards_go_to_the_winner() -> None:
    """An ace is 1, a king 13; with cards counted the game is to 100."""
    assert scores(3, out("Ann", Ben="K J 3", Cat="A"), scoring="cards") == [28, 0, 0]
    much = out("Ann", Ben="K K K K Q Q")
    assert scores(2, much, scoring="cards") == [76, 0]
    assert not after(2, much, scoring="cards").finished
    assert after(2, much, much, scoring="cards").winners == (0,)


def test_everybody_but_the_winner_shows_a_hand() -> None:
    """Cards counted or not: the winner holds none, nobody else holds nothing."""
    counted = {"scoring": "cards"}
    assert refused(3, out("Ann", Ben="K"), **counted) == ["hand-missing"]
    assert refused(3, out("Ann", Ben="K", Cat=""), **counted) == ["hand-empty"]
    assert refused(2, out("Ann", Ann="K", Ben="K"), **counted) == ["winner-holds"]
    assert refused(3, out("Ann", Ben="K K K", Cat="K K"), **counted) == ["too-many-of-rank"]
    assert scores(3, out("Ann")) == [1, 0, 0]
    assert refused(3, out("Ann", Cat="")) == ["hand-empty"]


ANN_GOES_OUT = turn("Ann", "Q Q 3 8 10", drew=False)


def test_an_emptied_hand_waits_for_the_count() -> None:
    """Nothing scores and nobody plays until what the others hold is entered."""
    counted = {"scoring": "cards"}
    state = after(2, ANN_GOES_OUT, **counted)
    assert (state.deal, state.scores, GAME.board(state).acts) == (1, (0, 0), None)
    for entry in (turn("Ben"), out("Ben", Ann="K")):
        assert refused(2, ANN_GOES_OUT, entry, **counted) == ["count-first"]
    assert scores(2, ANN_GOES_OUT, left(Ben="K J 3 2 2"), **counted) == [31, 0]


def test_a_count_follows_a_hand_that_was_emptied() -> None:
    """Before anybody is out, and where cards do not score, there is nothing to count."""
    assert refused(2, left(Ben="K"), scoring="cards") == ["nobody-out"]
    assert refused(2, ANN_GOES_OUT, left(Ben="K")) == ["nobody-out"]


def test_the_count_fits_the_turns_on_the_sheet() -> None:
    """Ben drew once, so he holds six; the four nines that lie there are not in his hand."""
    counted = {"scoring": "cards"}
    turns = [*down_to(3), turn("Ann", "9 9 9 9")]
    assert refused(2, *turns, left(Ben="K K J J 3 3"), **counted) == ["hand-size"]
    assert refused(2, *turns, left(Ben="9 K J J 3 3 2"), **counted) == ["too-many-of-rank"]
    assert scores(2, *turns, left(Ben="K K J J 3 3 2"), **counted) == [56, 0]


def test_an_abandoned_deal_is_begun_again_even_while_the_count_is_waited_for() -> None:
    """The hand that was emptied wins nothing, and the same dealer deals."""
    for entries in ([turn("Ann", "K 5")], [ANN_GOES_OUT]):
        state = after(2, *entries, {"action": "abandon", "reason": "misdealt"}, scoring="cards")
        assert state == after(2, scoring="cards")


# --- whole deals


@steady
@given(st.integers(2, 8), st.permutations(PACK), st.randoms(use_true_random=False))
def test_a_real_deal_is_followed_card_for_card(players: int, pack: list[str], random: Any) -> None:
    """Whatever real players do, the sheet follows it: hands, stock, turns, and who wins."""
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
    """The values of all their cards, or one point for the deal; nobody else gains anything."""
    names = NAMES[: len(hands) + 1]
    won = names[winner % len(names)]
    others = [name for name in names if name != won]
    held = {name: " ".join(hand) for name, hand in zip(others, hands, strict=True)}
    course = played(len(names), out(won, **held), scoring="cards" if counted else "deals", target=0)
    gain = sum(map(worth, hands)) if counted else 1
    assert result(course)["scores"] == {name: gain if name == won else 0 for name in names}
    lines = course.steps[-1].lines
    assert sum(line.points for line in lines) == gain
    assert {line.player for line in lines if line.points} == {won}


actions = st.lists(
    st.tuples(
        st.sampled_from(["out", "out", "turn", "abandon", "adjust"]),
        st.integers(0, 3),
        st.integers(-3, 3),
    ),
    max_size=14,
)


@steady
@given(st.integers(2, 4), st.integers(0, 4), actions)
def test_points_reckoned_otherwise(players: int, target: int, wanted: list[Any]) -> None:
    """A point a deal won and the penalties make the score; it ends with the target reached."""
    names = NAMES[:players]
    state: Any = after(players, target=target)
    tally, kept, deals = dict.fromkeys(names, 0), [], 1
    for action, who, points in wanted:
        player = names[who % players]
        entry = {"action": action, "player": player}
        if action == "adjust":
            entry |= {"points": points, "reason": "agreed"}
        if action == "abandon":
            entry = {"action": action}
        try:
            state, _ = GAME.apply(state, GAME.read_entry(entry))
        except IllegalEntry:
            continue
        kept.append(entry)
        tally[player] += {"out": 1, "adjust": points}.get(action, 0)
        deals += action == "out"
    course = played(players, *kept, target=target)
    found = result(course)
    assert found["scores"] == tally
    assert found["finished"] == bool(target and len(_leaders(tally, target)) == 1)
    assert found["winners"] == (_leaders(tally, target) if found["finished"] else [])
    assert found["deal"] == deals - (found["finished"] and kept[-1]["action"] == "out")
    assert course.state == state


def _leaders(tally: dict[str, int], target: int) -> list[str]:
    best = max(tally.values())
    return [name for name, points in tally.items() if points == best >= target]


texts = st.one_of(
    st.sampled_from(["", "K 5", "9", "9 9 9 9 9", "*", "10D-8h", "♠", "T T 7"]),
    st.lists(st.sampled_from(RANKS), max_size=8).map(" ".join),
    st.text(max_size=8),
)
values = st.one_of(texts, st.none(), st.booleans(), st.integers(), st.lists(texts, max_size=2))
seated = st.sampled_from(NAMES[:3])
some_entries = st.one_of(
    st.builds(turn, seated, texts, drew=st.booleans()),
    st.fixed_dictionaries({"action": st.just("out"), "player": seated}),
    st.fixed_dictionaries(
        {"action": st.just("left"), "left": st.dictionaries(seated, texts, max_size=3)}
    ),
    st.dictionaries(st.sampled_from(["action", "player", "cards", "drew", "left", "x"]), values),
)
house_rules = st.fixed_dictionaries(
    {},
    optional={
        "target": st.integers(0, 30),
        "packs": st.sampled_from([1, 2]),
        "nine_out": st.sampled_from(["sets", "cards"]),
        "scoring": st.sampled_from(["deals", "cards"]),
    },
)


@settings(deadline=None, max_examples=250)
@given(st.lists(some_entries, max_size=5), house_rules)
def test_any_entry_is_ruled_on_or_refused(entries: list[Any], options: dict[str, Any]) -> None:
    """Whatever is written down, the referee answers; every fault rests on a rule and says why."""
    try:
        course = played(3, *json.loads(json.dumps(entries)), **options)
    except RefereeError as error:
        assert error.faults
        assert all(fault.message for fault in error.faults)
        own = [fault for fault in error.faults if fault.game]
        assert all(fault.section in GAME.sections for fault in own)
    else:
        assert json.dumps(result(course))
        course.game.board(course.state)


@settings(deadline=None, max_examples=200)
@given(
    st.sampled_from(["discard", "hand", "deal"]),
    st.dictionaries(
        st.sampled_from(["cards", "hand", "final", "packs", "nine_out", "players", "deal"]), values
    ),
)
def test_any_question_is_answered_or_refused(judge: str, fields: dict[str, Any]) -> None:
    """Whatever is asked, there is a ruling in words, with cards laid out, or a reason why not."""
    try:
        ruling = GAME.judges[judge].answer(fields)
        GAME.judges[judge].lay_out(fields)
        if not ruling.legal:
            GAME.judges[judge].advise(fields)
    except RefereeError as error:
        assert error.faults
    else:
        assert ruling.faults or ruling.says
        assert all(map(str, ruling.says))
        assert json.dumps(ruling.detail)
