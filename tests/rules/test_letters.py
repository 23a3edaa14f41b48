"""Invisible characters: refused, or allowed where they shape an emoji or a name."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.rules.letters import folded, initial, unseen, written_out
from referee.rules.text import listed, say

PACKAGE = Path(referee.__file__).parent

DECEIVES = {
    "escape": "\x1b[2J",
    "delete": "\x7f",
    "C1": "\x9b",
    "override": "\u202e",
    "soft hyphen": "\xad",
    "zero width space": "\u200b",
    "joiner": "\u200d",
    "non-joiner": "\u200c",
    "line separator": "\u2028",
    "tag": "\U000e0041",
    "combining joiner": "\u034f",
    "Hangul filler": "\u3164",
    "blank Braille": "\u2800",
    "emoji style": "\ufe0f",
    "variant": "\U000e0100",
    "half a letter": "\udcff",
}
MEANS_SOMETHING = {
    "a rocket pilot": "👩\u200d🚀",
    "a family": "👨\u200d👩\u200d👧\u200d👦",
    "a shade": "👩🏽\u200d⚕\ufe0f",
    "a colored heart": "❤\ufe0f",
    "a heart on fire": "❤\ufe0f\u200d🔥",
    "a flag": "🏳\ufe0f\u200d🌈",
    "a key": "9\ufe0f\u20e3",
    "a nod": "🙂\u200d↕\ufe0f",
    "Persian": "علی\u200cرضا",
    "Sinhala": "ශ\u0dca\u200dරී",
    "Kannada": "ಕ\u0ccd\u200cಷ",
    "a form of a kanji": "葛\U000e0100城",
    "accents": "Zoë, Łukasz, Nguyễn, Zoe\u0308",
    "other scripts": "Ольга 林 دانا מיכל",
    "signs": "“♠” −3 → ½",
}


@pytest.mark.parametrize("letters", DECEIVES.values(), ids=DECEIVES)
@pytest.mark.parametrize("text", ["Ann{}", "{}Ann", "A{}nn"])
def test_deceptive_characters(text: str, letters: str) -> None:
    """They are found anywhere in a name, and printed as escapes."""
    assert unseen(text.format(letters)) == letters[:1]
    assert written_out(text.format(letters)).isprintable()


@pytest.mark.parametrize("text", MEANS_SOMETHING.values(), ids=MEANS_SOMETHING)
def test_characters_that_shape_text(text: str) -> None:
    """Emoji, and names that cannot be written without them, are shown as they are."""
    assert unseen(text) == ""
    assert written_out(text) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", " ANN "),
        *[("Ann", f"An{letter}n") for letter in "\xad\u200b\u200c\u200d\u2060\ufeff\u034f\u202e"],
        *[("Ann", f"Ann{letter}") for letter in "\u3164\u2800\ufe0f\U000e0100\U000e0041"],
        ("Zoe\u0308", "Zoë"),
        ("Ann Lee", "Ann  Lee"),
        ("Ann Lee", "Ann\xa0Lee"),
        ("❤", "❤\ufe0f"),
        ("STRAUSS", "Strauß"),
    ],
)
def test_names_that_count_as_the_same(one: str, other: str) -> None:
    """Nobody at a table could distinguish them."""
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Ａｎｎ"), ("Ann", "Аnn"), ("Ann", "Änn"), ("Al", "AI"), ("x²", "x2")],
)
def test_names_that_look_alike_stay_different(one: str, other: str) -> None:
    """They look alike, or nearly, but whoever chose both can distinguish them."""
    assert folded(one) != folded(other)


@given(st.text())
def test_quoted_text_is_escaped(text: str) -> None:
    """In a sentence or a list, no quoted text moves the cursor or reverses the line."""
    for said in (say("“{text}”?", text=text), say("{all}", all=listed([text, "Ann"]))):
        assert unseen(str(said)).isprintable()


@given(st.text(st.characters(codec="utf-8")))
def test_escaped_json_is_the_same_document(text: str) -> None:
    """A JSON document still decodes to the same value."""
    assert json.loads(written_out(json.dumps(text, ensure_ascii=False))) == text


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("Ann", "A"),
        ("A", "A"),
        ("", ""),
        ("E\u0301va", "E\u0301"),
        ("🇩🇪🇫🇷", "🇩🇪"),
        ("👨‍👩‍👧 Kim", "👨‍👩‍👧"),
        ("👋🏽 Bo", "👋🏽"),
        ("❤\ufe0f Di", "❤\ufe0f"),
        ("नीना", "नी"),
        ("🏴󠁧󠁢󠁳󠁣󠁴󠁿Mac", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
        ("👍👍", "👍"),
    ],
)
def test_the_first_letter_of_a_name_is_whole(name: str, first: str) -> None:
    assert initial(name) == first


def test_names_are_compared_by_this_module_only() -> None:
    """Only what somebody searches for is compared in another way."""
    searched = {"home.py", "new.py"}
    otherwise = [
        f"{path.name}: {line.strip()}"
        for kind, without in (("*.py", {"letters.py", *searched}), ("*.html", set[str]()))
        for root in (PACKAGE, PACKAGE.parent / "templates")
        for path in sorted(root.rglob(kind))
        if path.name not in without
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"casefold\(|\| *lower\b", line)
    ]
    assert otherwise == []
