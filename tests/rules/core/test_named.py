"""Several players in one text field: `Ann:Q 5;Ben:K A`, `Ann:2;Ben:-1`, `Ann,Ben`."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.named import by_player, names, numbers_by_player
from referee.rules.core.ruling import MalformedEntry

HANDS = "Ann:Q 5;Ben:K A"
SCORES = "Ann:2;Ben:-1"


def messages(error: MalformedEntry) -> list[str]:
    assert {fault.code for fault in error.faults} == {"unreadable-question"}
    return [fault.message for fault in error.faults]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        (" ; ;", {}),
        ("Ann:Q 5", {"Ann": "Q 5"}),
        ("Ann:Q 5;Ben:K A", {"Ann": "Q 5", "Ben": "K A"}),
        (" Ann : Q 5 ; Ben : K A ; ", {"Ann": "Q 5", "Ben": "K A"}),
        ("Ben:K A;Ann:", {"Ben": "K A", "Ann": ""}),
        ("Ann: Lee:Q 5", {"Ann: Lee": "Q 5"}),
        ("ann:1;Ann:2", {"ann": "1", "Ann": "2"}),
    ],
)
def test_values_by_player(text: str, found: dict[str, str]) -> None:
    """In the order written; blanks around names and values are ignored."""
    assert list(by_player(text, HANDS).items()) == list(found.items())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ann:2;Ben:0", {"Ann": 2, "Ben": 0}),
        ("Ann:+2;Ben:007", {"Ann": 2, "Ben": 7}),
        ("Ann:-2;Ben:−3;Cat:–4", {"Ann": -2, "Ben": -3, "Cat": -4}),
        ("Ann:999999999999", {"Ann": 999_999_999_999}),
    ],
)
def test_numbers(text: str, found: dict[str, int]) -> None:
    """With a plus sign, and with any minus that a phone offers."""
    assert numbers_by_player(text, SCORES, least=None) == found


NO_NUMBER = "{}: “{}” isn’t a whole number. Write it like Ann:2;Ben:-1."
NOBODYS = "“{}” doesn’t say whose it is. Write it like Ann:2;Ben:-1."


@pytest.mark.parametrize(
    ("text", "least", "wrong"),
    [
        *(
            (f"Ann:{value}", 0, [NO_NUMBER.format("Ann", value)])
            for value in ("two", "1.5", "1,250", "--1", "1-", "٣", "½", "1" * 13, "1 2")
        ),
        ("Ann:-9;Ben:0;Cat:-10", -9, ["Cat: −10 is below −9."]),
        ("Ann:-9;Ben:0;Cat:1", 1, ["Ann: −9 is below 1.", "Ben: 0 is below 1."]),
        (
            "Ann:two;3;Ann:4;Ben:;Cat:1",
            0,
            [
                NO_NUMBER.format("Ann", "two"),
                NOBODYS.format(3),
                "Ann is named twice.",
                "Ben’s number is missing. Write it like Ann:2;Ben:-1.",
            ],
        ),
        (
            f"{'A' * 99}:{'9' * 99};{'x' * 99}",
            0,
            [NO_NUMBER.format(f"{'A' * 40}…", f"{'9' * 40}…"), NOBODYS.format(f"{'x' * 40}…")],
        ),
    ],
)
def test_faults_in_numbers(text: str, least: int, wrong: list[str]) -> None:
    """All at once, in the order written; long texts are cut short."""
    with pytest.raises(MalformedEntry) as found:
        numbers_by_player(text, SCORES, least=least)
    assert messages(found.value) == wrong


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" , ;", []),
        ("Ann", ["Ann"]),
        ("Ann,Ben; Cat ", ["Ann", "Ben", "Cat"]),
        ("Ben,Ann,Ben", ["Ben", "Ann"]),
    ],
)
def test_names(text: str, found: list[str]) -> None:
    """Each once, in the order written."""
    assert names(text) == found


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(
        st.text(st.characters(blacklist_characters=";"), min_size=1).map(str.strip).filter(bool),
        st.integers(-(10**12) + 1, 10**12 - 1),
    )
)
def test_names_are_read_back(scores: dict[str, int]) -> None:
    """Whatever players are called, unless there is a semicolon in it."""
    text = ";".join(f"{name}:{score}" for name, score in scores.items())
    assert list(numbers_by_player(text, SCORES, least=None).items()) == list(scores.items())


@settings(max_examples=200, deadline=None)
@given(st.text("AB:;,-−+19 ٣", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    """With the referee’s own error, which has words."""
    try:
        assert all(number >= 0 for number in numbers_by_player(text, SCORES).values())
    except MalformedEntry as error:
        assert all(messages(error))
