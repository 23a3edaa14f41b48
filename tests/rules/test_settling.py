"""Settling up: everybody even, with the fewest payments, and money exact to the last digit."""

from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.entries import Buy, Entry, Join, Leave, Replace
from referee.rules.core.ruling import MalformedEntry, RefereeError
from referee.rules.language import language, speaking
from referee.rules.registry import GAMES
from referee.rules.settling import Payment, balances, in_money, payments, read_rate
from referee.sheets.files import seat_table

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def nets(smallest: int, largest: int, size: int) -> st.SearchStrategy[dict[str, int]]:
    """Random wins and losses of this many players, which add up to 0."""

    def even(won: list[int]) -> dict[str, int]:
        return dict(zip(NAMES, [*won, -sum(won)], strict=False))

    return st.lists(st.integers(smallest, largest), min_size=1, max_size=size - 1).map(even)


def settled(before: dict[str, int], made: tuple[Payment, ...]) -> dict[str, int]:
    """Everybody’s net once the payments have been made."""
    after = dict(before)
    for one in made:
        assert one.amount > 0
        after[one.payer] += one.amount
        after[one.payee] -= one.amount
    return after


@cache
def fewest(uneven: tuple[int, ...]) -> int:
    """The fewest payments, by brute force: the first player settles with each of the others."""
    first, *others = uneven or (0,)
    if not first:
        return fewest(tuple(others)) if others else 0
    found = []
    for place, other in enumerate(others):
        if other * first < 0:
            rest = [*others[:place], other + first, *others[place + 1 :]]
            found.append(1 + fewest(tuple(rest)))
    return min(found)


@settings(max_examples=300, deadline=None)
@given(nets(-9, 9, 6))
def test_no_fewer_payments_are_possible(before: dict[str, int]) -> None:
    """Up to six players, compared with every way to settle."""
    made = payments(before)
    assert set(settled(before, made).values()) == {0}
    assert len(made) == fewest(tuple(before.values()))


@settings(max_examples=150, deadline=None)
@given(nets(-1000, 1000, 26))
def test_everybody_is_even(before: dict[str, int]) -> None:
    """With any number of players, in fewer payments than players, and the same every time."""
    made = payments(before)
    assert set(settled(before, made).values()) == {0}
    assert len(made) <= max(0, sum(map(bool, before.values())) - 1)
    assert made == payments(before)


def test_ties_between_payments_go_by_seat() -> None:
    """Dan could pay Ann as well as Cat; Eve’s four go to those whom the list names first."""
    owed = {"Ann": 3, "Ben": 1, "Cat": 3, "Dan": -3, "Eve": -4}
    assert payments(owed) == (
        Payment("Eve", "Ann", 3),
        Payment("Eve", "Ben", 1),
        Payment("Dan", "Cat", 3),
    )


def test_the_fewest_payments_of_twelve_players() -> None:
    """Four groups of three make eight payments; always paying the largest creditor takes ten."""
    owed = dict(zip(NAMES, (4, 3, 5, -9, -6, -12, 4, -11, 8, -7, 13, 8), strict=False))
    assert len(payments(owed)) == 8


def test_nothing_is_owed() -> None:
    """With nobody, or everybody even; nets that do not add up to 0 are an error."""
    assert payments({}) == payments({"Ann": 0, "Ben": 0}) == ()
    with pytest.raises(ValueError, match="missing"):
        payments({"Ann": 1})


# --- balances


def test_pools_are_shared_and_purchases_count() -> None:
    """Ann’s stakes of 9 are shared, the odd counter to Ben; the 10 that Cat bought are her own."""
    game = GAMES["red-nines-1881"]
    _, table = seat_table(game.slug, ["Ann", "Ben", "Cat", "Dan"], None, {})
    begun = game.start(table)
    buy = Buy("Cat", 10)
    state, _ = game.apply(begun, buy)
    found = {one.player: one for one in balances(game, begun, state, [buy])}
    start = table.options.counters
    assert [one.net for one in found.values()] == [-9 + 2, 3, 2, 2]
    assert (found["Cat"].given, found["Cat"].held) == (start + 10, start + 12)


def stand(*entries: Entry) -> dict[str, tuple[int, int]]:
    """What each player in Pink Nines was given, and holds.

    Stakes for the deal in progress are returned.
    """
    game = GAMES["pink-nines"]
    _, table = seat_table(game.slug, ["Ann", "Ben", "Cat"], None, {})
    begun = state = game.start(table)
    for entry in entries:
        state, _ = game.apply(state, entry)
    return {one.player: (one.given, one.held) for one in balances(game, begun, state, entries)}


def test_a_newcomer_has_bought_their_counters() -> None:
    """As many as were named, or as many as everybody was given: nothing is won or lost."""
    assert stand(Join("Dan", "Cat", 20), Join("Eve", "Dan")) == {
        **dict.fromkeys(("Ann", "Ben", "Cat"), (36, 36)),
        "Dan": (20, 20),
        "Eve": (36, 36),
    }


def test_purchases_still_count_after_leaving_and_coming_back() -> None:
    """Cat has bought 10, and neither wins nor loses them by leaving and returning."""
    assert stand(Buy("Cat", 10), Leave("Cat"), Join("Cat", "Ben"))["Cat"] == (46, 46)


def test_a_name_may_be_used_by_somebody_else_later() -> None:
    """Zoe has Ben’s place and what he was given; a new Ben begins with his own counters."""
    assert stand(Buy("Ben", 5), Replace("Ben", "Zoe"), Join("Ben", "Zoe", 20)) == {
        "Ann": (36, 36),
        "Zoe": (41, 41),
        "Ben": (20, 20),
        "Cat": (36, 36),
    }


DEEDS = st.tuples(st.sampled_from((Buy, Leave, Join, Replace)), st.integers(0, 9))


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.has_counters])
@settings(max_examples=60)
@given(st.lists(DEEDS, max_size=25))
def test_nothing_is_won_or_lost_by_coming_and_going(
    slug: str, deeds: list[tuple[type[Entry], int]]
) -> None:
    """The nets add up to 0 after each purchase, leaving, return or replacement."""
    game = GAMES[slug]
    _, table = seat_table(slug, ["Ann", "Ben", "Cat", "Dan"], None, {})
    begun = state = game.start(table)
    entries: list[Entry] = []
    for kind, drawn in deeds:
        seated, away = state.table.players, [gone.name for gone in state.left]
        one = seated[drawn % len(seated)]
        other = (*away, f"P{len(entries)}")[drawn % (len(away) + 1)]
        entry = {
            Buy: Buy(one, 3 + drawn),
            Leave: Leave(one),
            Join: Join(other, one),
            Replace: Replace(one, f"P{len(entries)}"),
        }[kind]
        with suppress(RefereeError):
            state, _ = game.apply(state, entry)
            entries.append(entry)
        assert sum(one.net for one in balances(game, begun, state, entries)) == 0


def test_bets_of_a_hand_in_progress_go_back() -> None:
    """Blinds are posted, but nobody owes anything yet."""
    game = GAMES["multiple-9-holdem"]
    _, table = seat_table(game.slug, ["Ann", "Ben", "Cat"], None, {})
    begun = game.start(table)
    assert [one.net for one in balances(game, begun, begun, [])] == [0, 0, 0]


# --- money


@pytest.mark.parametrize(
    ("rate", "sign", "count", "shown"),
    [
        ("0.05", "€", 3, "€0.15"),
        ("0,05", "€", -3, "−€0.15"),
        ("0.5", "$", 2, "$1.00"),
        ("0.005", "€", 3, "€0.015"),
        ("0.005", "€", 2, "€0.01"),
        ("2.00", "£", 5, "£10.00"),
        ("10", "kr", 12, "120\u00a0kr"),
        (".1", "zł", 3, "0.30\u00a0zł"),
        (" 1 ", " Fr. ", 0, "0\u00a0Fr."),
        ("100", "€", 12, "€1,200"),
        ("999999.999999", "€", 1_000_000_000_000_000, "€999,999,999,999,000,000,000.00"),
    ],
)
def test_money(rate: str, sign: str, count: int, shown: str) -> None:
    """Exact, with as many digits as needed."""
    assert in_money(read_rate(rate, sign), count) == shown


def test_money_in_another_language() -> None:
    """German has the comma and the point the other way round, and the sign at the end."""
    for tag, shown in (("de", "−6.172,80\u00a0€"), ("nl", "−€\u00a06.172,80")):
        with speaking(language(tag)):
            assert in_money(read_rate("0.05", "€"), -123456) == shown


def test_money_in_a_language_written_to_the_left() -> None:
    """The sign of what is owed stays at the left, as that of any number."""
    with speaking(language("he")):
        assert in_money(read_rate("0.10", "€"), -9) == "\u2068−0.90\u2069\u00a0€"


def test_money_is_not_rounded() -> None:
    """Three times ten cents is thirty, unlike with binary fractions."""
    assert in_money(read_rate("0.1", "€"), 3) == "€0.30"


@pytest.mark.parametrize(
    "rate",
    ["", "0", "0.00", "-1", "1e5", "NaN", "1.2.3", "½", "٣", "1234567", "0.1234567", ",", "."],
)
def test_a_bad_rate_is_refused(rate: str) -> None:
    """The sentence quotes it and gives an example."""
    with pytest.raises(MalformedEntry, match=r"Enter a number, such as 0\.05"):
        read_rate(rate, "€")


@pytest.mark.parametrize("sign", ["", "EURO", "<b>", "1", "\u202e", "\n", "€ €"])
def test_a_bad_currency_is_refused(sign: str) -> None:
    """A sign is one to three letters or currency signs."""
    with pytest.raises(MalformedEntry, match="letters or signs for the currency"):
        read_rate("1", sign)
