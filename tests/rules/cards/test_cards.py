"""How each game’s notation reads cards, and how cards are named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.cards.cards import (
    FRENCH_SUITS,
    JANKEN_SUITS,
    JOKER,
    NINE_SUITS,
    RANK_NAMES,
    RANKS,
    RANKS_AND_JOKERS,
    RANKS_AND_RED_NINES,
    RANKS_ONLY,
    RED,
    SUITED,
    SUITED_RED_NINES,
    Card,
    Laid,
    Notation,
    card_name,
    count_of,
    is_red_nine,
    read_cards,
    reading_cards,
    write_cards,
)
from referee.rules.core.ruling import NotationError
from referee.rules.text import say

NOTATIONS = {
    "ranks": RANKS_ONLY,
    "ranks and jokers": RANKS_AND_JOKERS,
    "ranks and red nines": RANKS_AND_RED_NINES,
    "suited": SUITED,
    "suited red nines": SUITED_RED_NINES,
    "nine suits": NINE_SUITS,
}


def read(text: str, notation: Notation = RANKS_ONLY) -> str:
    """The cards in a text, written out again."""
    return write_cards(read_cards(text, notation))


def faults(text: str, notation: Notation) -> list[str]:
    """The codes of all faults in a text."""
    with pytest.raises(NotationError) as refused:
        read_cards(text, notation)
    return [fault.code for fault in refused.value.faults]


# --- reading


@pytest.mark.parametrize("separator", [" ", ",", "+", "-", ", ", " + ", " - ", "\t", "\n", "\xa0"])
def test_cards_are_separated_by_blanks_commas_plus_and_minus(separator: str) -> None:
    """One separator or several make no difference; none is needed at either end."""
    assert read(separator.join(["A", "10", "K"])) == "A 10 K"
    assert read(f"{separator}A{separator}{separator}K{separator}") == "A K"


@pytest.mark.parametrize(
    "text",
    ["1", "0", "11", "1S", "B", "AK", "S", "SA", "A♠♠", "A;K", "A/K", "A|K", "A.K", "A–K"],
)  # fmt: skip
def test_texts_that_are_no_cards(text: str) -> None:
    """Numbers beyond the ranks, suits without a rank, and two cards run together."""
    for notation in NOTATIONS.values():
        assert notation.card(text) is None


@pytest.mark.parametrize(("sign", "letter"), [("♠", "S"), ("♥", "H"), ("♦", "D"), ("♣", "C")])
@pytest.mark.parametrize("selector", ["", "\ufe0e", "\ufe0f"])
def test_suits_may_be_signs(sign: str, letter: str, selector: str) -> None:
    """As phones write them: plain, or with a selector for text or for a colored picture."""
    assert read(f"10{sign}{selector}", SUITED) == f"10{letter}"
    assert read(f"K{sign}{selector},4{sign}{selector}") == "K 4"


def test_a_ten_may_be_written_t_and_letters_in_lower_case() -> None:
    """Where suits do not matter they may still be written, and are dropped."""
    assert read("T a ks 10h th") == "10 A K 10 10"


def test_a_joker_has_no_suit() -> None:
    """It is a card only where the pack has jokers."""
    assert read("* K", RANKS_AND_JOKERS) == "* K"
    assert RANKS_AND_JOKERS.card("*S") is None
    others = [notation for name, notation in NOTATIONS.items() if "jokers" not in name]
    assert [notation.card("*") for notation in others] == [None] * 5


@pytest.mark.parametrize("notation", [SUITED, SUITED_RED_NINES, NINE_SUITS])
def test_where_suits_matter_each_card_needs_one(notation: Notation) -> None:
    """A bare rank is no card there, not even a nine."""
    assert faults("8 9 8S 9C", notation) == ["not-a-card", "not-a-card"]


def test_nine_suits_are_read_in_nine_of_a_kind_only() -> None:
    """Rock, paper, scissors, water and lizard, with nine ranks each."""
    suits = FRENCH_SUITS + JANKEN_SUITS
    everything = " ".join(rank + suit for rank in RANKS[:9] for suit in suits)
    assert read(everything, NINE_SUITS) == everything
    assert len(set(read_cards(everything, NINE_SUITS))) == 81
    assert NINE_SUITS.card("10S") is None
    for name in ("ranks", "ranks and red nines", "suited", "suited red nines"):
        assert [NOTATIONS[name].card("8" + suit) for suit in JANKEN_SUITS] == [None] * 5


# --- the red nine


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("ranks", Card("9")),
        ("ranks and jokers", Card("9")),
        ("ranks and red nines", Card("9", RED)),
        ("suited", None),
        ("suited red nines", Card("9", RED)),
        ("nine suits", Card("9", "R")),
    ],
)
def test_9r_in_each_notation(name: str, card: Card | None) -> None:
    """A nine, a red nine, no card, or the nine of rock."""
    found = NOTATIONS[name].card("9R")
    assert found == card
    if found is not None:
        assert is_red_nine(found) == ("red nines" in name)
        assert str(found) == ("9R" if found.suit else "9")


def test_red_nines_and_black_ones() -> None:
    """Without suits all red nines are alike; with suits each keeps its own."""
    assert read("9H 9D 9R 9 9S 9C", RANKS_AND_RED_NINES) == "9R 9R 9R 9 9 9"
    assert read("9H 9D 9R 9S 9C", SUITED_RED_NINES) == "9H 9D 9R 9S 9C"
    red = [is_red_nine(card) for card in read_cards("9H 9D 9R 9S 9C 8H", SUITED_RED_NINES)]
    assert red == [True, True, True, False, False, False]


def test_a_red_nine_stands_for_another_card() -> None:
    """Written `9H=8S`; alone it stands for itself."""
    with reading_cards() as reader:
        run = reader.run("9H=8S 9D 10S", SUITED_RED_NINES)
    assert run == (
        Laid(Card("9", "H"), Card("8", "S"), declared=True),
        Laid(Card("9", "D"), Card("9", "D")),
        Laid(Card("10", "S"), Card("10", "S")),
    )
    assert write_cards(run) == "9H=8S 9D 10S"
    with reading_cards() as reader:
        assert write_cards(reader.run("9d=t 9r=a", RANKS_AND_RED_NINES)) == "9R=10 9R=A"


@pytest.mark.parametrize("text", ["9S=8S", "8S=9S", "KS=KS"])
def test_no_other_card_stands_for_another(text: str) -> None:
    """Not even a black nine."""
    with pytest.raises(NotationError) as refused, reading_cards() as reader:
        reader.run(text, SUITED_RED_NINES)
    assert [fault.code for fault in refused.value.faults] == ["not-wild"]
    assert str(refused.value) == f"{text}: only a red nine can stand for another card."


@pytest.mark.parametrize("text", ["9H=", "9H=1", "=8S", "9H=8S=7S", "9H=8"])
def test_half_a_substitution_is_no_card(text: str) -> None:
    """There must be one card on each side."""
    with pytest.raises(NotationError) as refused, reading_cards() as reader:
        reader.run(text, SUITED_RED_NINES)
    assert [fault.code for fault in refused.value.faults] == ["not-a-card"]


# --- faults


def read_three_texts() -> None:
    """Read a hand with a typo, a named player’s hand without any card, and a run."""
    with reading_cards() as reader:
        assert write_cards(reader.cards("A 0 K", RANKS_ONLY)) == "A K"
        reader.cards("x" * 500, RANKS_ONLY, say("{player}’s hand", player="Ben"))
        reader.run("8=7 y", RANKS_AND_RED_NINES)


def test_faults_of_all_texts_come_at_once() -> None:
    """Each says which text it is in; long texts are cut short."""
    with pytest.raises(NotationError) as refused:
        read_three_texts()
    assert [fault.message for fault in refused.value.faults] == [
        "“0” isn’t a card in this game. Use A, 2–10, J, Q, K, separated by spaces.",
        f"“{'x' * 40}…” in Ben’s hand isn’t a card in this game. Use A, 2–10, J, Q, K, separated "
        "by spaces.",
        "8=7: only a red nine can stand for another card.",
        "“y” isn’t a card in this game. Use A, 2–10, J, Q, K, or 9R for a red nine, separated by "
        "spaces.",
    ]


@given(st.text(max_size=30), st.sampled_from(list(NOTATIONS.values())))
def test_any_text_is_cards_or_faults(text: str, notation: Notation) -> None:
    """Cards that were read can be written and read again."""
    try:
        cards = read_cards(text, notation)
    except NotationError as error:
        assert {fault.code for fault in error.faults} == {"not-a-card"}
    else:
        assert read_cards(write_cards(cards), notation) == cards


# --- names


def test_every_rank_has_its_names() -> None:
    """Alone, with an article, and counted."""
    for rank in (*RANKS, JOKER):
        name = str(RANK_NAMES[rank])
        assert str(card_name(Card(rank))).split() == ["an" if name[0] in "ae" else "a", name]
        many = f"{name}es" if name == "six" else f"{name}s"
        counted = [str(count_of(number, rank)) for number in range(3)]
        assert counted == [f"0 {many}", f"1 {name}", f"2 {many}"]
