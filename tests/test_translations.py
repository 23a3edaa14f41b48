"""Every catalog that ships is whole, and each translation has all that can be checked of it."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from babel.messages import Catalog

from referee.rules.language import languages
from referee.rules.registry import GAMES
from tests.catalogs import FILE, messages, read, templates

Check = Callable[[str, str, str], bool]
LANGUAGES = [tag.replace("-", "_") for tag in languages()[1:]]
of_each_language = pytest.mark.parametrize("tag", LANGUAGES)


@cache
def catalogs(tag: str) -> dict[Path, Catalog]:
    """The catalogs of a language, by folder."""
    return {folder: read(folder / FILE.format(tag=tag)) for folder in templates()}


@cache
def translations(tag: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """What is said in a language, each form with the English that it may be held to.

    A form that is for one thing alone may leave out the figure; with 0 and 1 alike it may not.
    """
    found = []
    for one in (one for catalog in catalogs(tag).values() for one in catalog if one.id):
        english = forms(one.id)
        for which, said in enumerate(forms(one.string)):
            for_one = which == 0 and len(english) > 1 and tag not in ("fr", "pt_BR")
            alone = (COUNT.sub("one", english[0]),) if for_one else ()
            found.append((english + alone, said))
    return tuple((english, said) for english, said in found if said)


def forms(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    """A message alone, or its singular and plurals."""
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


@of_each_language
def test_every_message_is_translated(tag: str) -> None:
    """In as many forms as the language has; `python -m tests.catalogs` adds what is new."""
    missing, unsure, unsaid = [], [], []
    for folder, catalog in catalogs(tag).items():
        template = templates()[folder]
        missing += [one.id for one in template if one.id and one.id not in catalog]
        for one in (one for one in catalog if one.id):
            said = forms(one.string)
            if not all(said) or len(said) != (catalog.num_plurals if one.pluralizable else 1):
                missing.append(one.id)
        unsure += [one.id for one in catalog if one.id and one.fuzzy]
        unsaid += [one.id for one in catalog if one.id and one.id not in template]
        unsaid += [one.id for one in catalog.obsolete.values()]
    assert (missing, unsure, unsaid) == ([], [], [])


# --- each sentence: checks of the English, the translation, and the language

PLACE = re.compile(r"\{\w+(?::C)?\}|%\(\w+\)s")
COUNT = re.compile(r"\{n\}|%\((?:n|num|count)\)s")
TYPED = re.compile(r"<[^>]*>|`[^`]*`|https?://[^\s”»,]*")
_CARD = r"(?<![\w{])(?:10|[2-9AJQK])(?:[SHDCRPXWL](?:=\w+)?)?(?![\w}])"
CARDS = re.compile(rf"{_CARD}(?:[ |]+{_CARD})+|(?<![\w{{])(?:10|[2-9])[SHDCRPXWL](?:=\w+)?\b")
#: "Std." and "Jh." are short for hours and a century.
END = re.compile(r"(?:(?<!Std)(?<!Min)(?<!Jh)([.:…?!]))?\)*$")
MARKS = "\u200e\u200f"  # of direction
QUOTES = {
    "de": "„“", "es": "«»", "fr": "«»", "he": "״", "it": "«»", "nl": "“”", "pl": "„”",
    "pt_BR": "“”",
}  # fmt: skip
NARROW, FIRM = "\u202f", "\u00a0"
_NAMES = (
    *(game.title.template for game in GAMES.values()),
    *("Blocker", "Chicken", "Referee", "Robert’s Rules of Poker", "The BARGE rulebook"),
)
NAMES = re.compile("|".join(map(re.escape, sorted(_NAMES, reverse=True))), re.IGNORECASE)
#: What players of poker say everywhere.
POKER = {"big", "small", "blind", "pot", "fixed", "no", "limit"}


def bare(text: str) -> str:
    """The words of a text, with a line for each value, element, and what is typed as it is."""
    return TYPED.sub("_", PLACE.sub("_", text))


def has_the_values(english: str, said: str, _: str) -> bool:
    """Neither more nor fewer; which of them begins with a capital is up to the language."""
    named, expected = (
        {place.replace(":C", "") for place in PLACE.findall(text)} for text in (said, english)
    )
    return named == expected


def has_the_signs(english: str, said: str, _: str) -> bool:
    """Elements, commands and addresses, and no sign besides that has a meaning for programs."""
    typed = [sorted(TYPED.findall(text)) for text in (english, said)]
    signs = [sorted(re.findall("[{}%<&]", bare(text))) for text in (english, said)]
    return typed[0] == typed[1] and signs[0] == signs[1]


def has_the_cards(english: str, said: str, _: str) -> bool:
    """As they are typed; and its figures, of which those of one digit may be words."""
    cards = [sorted(CARDS.findall(text)) for text in (english, said)]
    figures = [set(re.findall(r"\b\d\d+\b", bare(text))) for text in (english, said)]
    return cards[0] == cards[1] and figures[0] <= figures[1]


def is_not_english(english: str, said: str, _: str) -> bool:
    """Unless it has only names and terms, or a single word, which may be the same: “Joker”."""
    words = re.findall(r"[^\W\d_]{2,}", NAMES.sub("", bare(english)))
    return said != english or len(words) < 2 or {word.lower() for word in words} <= POKER


def has_its_quotes(_: str, said: str, tag: str) -> bool:
    """Those of the language, none of a typewriter."""
    quotes = set(re.findall("[“”„«»״]", bare(said)))
    return quotes <= set(QUOTES[tag]) and not re.search(r"['\"]|\.\.\.|  | - ", bare(said))


def begins_alike(english: str, said: str, tag: str) -> bool:
    """With a capital, or as a part of a sentence; German nouns have one anyway."""
    first, here = english[:1], said[:1]
    if tag == "he" or NAMES.match(said) or not (first.isalpha() and here.isalpha()):
        return True
    return here.isupper() if first.isupper() else here.islower() or tag == "de"


def ends_alike(english: str, said: str, _: str) -> bool:
    """With the same sign, or none; the English of a quote is within it."""
    ends = [END.findall(text.rstrip(MARKS))[0] for text in (english, said)]
    return (ends[0] == ends[1] or english.endswith("”")) and said.strip() == said


def is_well_set(_: str, said: str, tag: str) -> bool:
    """Spanish opens a question; French has spaces around quotes and before two-part signs."""
    words = TYPED.sub("", said).replace(":C}", "}")
    if tag == "es":
        return all(
            words.count(one) == len(re.findall(rf"(?<! )\{end}", words))
            for one, end in ("¿?", "¡!")
        )
    if tag == "fr":
        return not re.search(rf"[^{NARROW}][;!?»]|[^{FIRM}]:|«[^{NARROW}]", words)
    return True


CHECKS: tuple[Check, ...] = (
    has_the_values, has_the_signs, has_the_cards, is_not_english, has_its_quotes, begins_alike,
    ends_alike, is_well_set,
)  # fmt: skip
each_check = pytest.mark.parametrize("is_right", CHECKS, ids=lambda check: check.__name__)


@of_each_language
@each_check
def test_every_translation(tag: str, is_right: Check) -> None:
    assert [
        f"{said} ← {english[0]}"
        for english, said in translations(tag)
        if not any(is_right(text, said, tag) for text in english)
    ] == []


@pytest.mark.parametrize(
    ("is_right", "english", "said"),
    [
        (has_the_values, "{a} pays {b}.", "{a} zahlt."),
        (has_the_values, "%(a)s", "%(b)s"),
        (has_the_signs, "<b>Now</b>", "<b>Jetzt"),
        (has_the_signs, "Run `referee`.", "Starte `schieri`."),
        (has_the_signs, "All", "100%"),
        (has_the_cards, "as in 9H=8S", "wie 9H=8P"),
        (has_the_cards, "such as K K", "wie K D"),
        (has_the_cards, "0 to 99", "bis neunundneunzig"),
        (is_not_english, "Two nines", "Two nines"),
        (has_its_quotes, "“Ann”", "“Ann”"),
        (has_its_quotes, "Don’t", "Lass' das"),
        (has_its_quotes, "On…", "Weiter..."),
        (begins_alike, "Now", "jetzt"),
        (ends_alike, "Now.", "Jetzt"),
        (ends_alike, "Now:", "Jetzt."),
        (ends_alike, "Now", "Jetzt "),
        (ends_alike, "(No.)", "(Nein)"),
    ],
)
def test_what_is_wrong_is_found(is_right: Check, english: str, said: str) -> None:
    assert is_right(english, english, "nl") is (is_right is not is_not_english)
    assert is_right(english, said, "de") is False


@pytest.mark.parametrize(
    ("tag", "said", "right"),
    [
        ("es", "¿Quién da?", True),
        ("es", "Quién da?", False),
        ("fr", "Qui donne\u202f?", True),
        ("fr", "Qui donne ?", False),
        ("fr", "«\u202fOui\u202f»\u00a0: {card:C}", True),
        ("fr", "« Oui »: {card}", False),
    ],
)
def test_a_language_has_its_own_typography(tag: str, said: str, *, right: bool) -> None:
    assert is_well_set("", said, tag) is right


# --- numbers that govern a noun: most languages have a form for one thing, Polish three in all

A_NAME = r"player|players|dealer|name|told|place|grid"
GOVERNS = r"(?:\{{(\w+)\}}|%\((\w+)\)s) (?:[a-z]+ )?(?:[a-z]+ )?(?:{nouns})\b"
#: Numbers whose form is settled: they are always the same, the last of a range, or no numbers.
SETTLED = {
    "{cards} beats other hands of nine nines": "a hand",
    "Player %(n)s deals first": "a number that is a name",
    "{game} is for {seats} players here, not {number}.": "a range",
    "{game} needs {seats} players, so nobody can leave, only hand over their place. To end the "
    "game here, choose Stop.": "a range",
    "The board is {sizes} cards here; you entered {n}.": "5, or 3 to 5",
    "%(least)s–%(most)s players": "a range, to 4 at least",
    "{player} can win 0 to {most} tricks, not {n}.": "a range, to 16",
    "A name has 1 to {most} characters; “{name}” has {length}.": "a range, always to the same",
    "A form’s key has 1 to {most} plain characters.": "a range, always to the same",
    "%(seats)s players, clockwise": "always 3",
    "{name} needed {needed} tricks in the last deal, so can’t have scored {score} in it, only "
    "{least} to {most}.": "9, 5 or 2",
    "Use {n} packs with {jokers} jokers": "2 or 4",
    "{player}: {cards} cards can’t make {points} before doubling; the most is {most}.": "13",
    "{player}: {cards} cards, {n} red nines among them, can’t make {points} before doubling; the "
    "most is {most}.": "13",
    "All hands together make {total} before doubling. With {cards} cards played, at most {most} "
    "can be left.": "13",
    "{player}’s nine cards can count 0 to {most} points, not {points}.": "a range",
    "With {n} matching cards {player} has {least} to {most} points left, not {points}.": "a range, "
    "to 9 at least",
    "After a false call {player} has 1 to {most} points left, not {points}.": "a range, to 72",
    "Nine cards count at most {most} points, so {player} can’t have {points} left.": "81",
    "Turn up {most} cards, not {n}.": "2",
    "The others hold {n} of {deck} cards here, but the winner has laid down {each} at least.": "52 "
    "or 104",
    "One pack is enough for {most} hands, not for {n}.": "22",
    "A hand has {most} cards before the exchange; this one has {n}.": "16",
    "The kitty has {most} cards, not {n}.": "4",
    "The dealer has {most} cards before taking the kitty; you entered {n}.": "16",
    "The dealer discards {most} cards, not {n}.": "4",
    "A trick has {most} cards, not {n}.": "3",
    "A hand has {most} cards at most; this one has {n}.": "16",
    "Leave out the 2s and 3s: {deck} cards": "44",
    "Write one line of up to {most} visible characters.": "always the same",
    "{most} sheets are enough for one evening. Start a new one from home.": "always the same",
    "Only {most} people fit on this page; you named more.": "always the same",
    "up to %(n)s characters": "always the same",
    "up to %(n)s characters; leave it empty for no name": "always the same",
    "This code was used already, was canceled, or is more than {n} minutes old. Make a new one on "
    "the other phone.": "always the same",
    "It works <b>once</b>, within %(n)s minutes. Show it to nobody but your own phone: whoever "
    "scans it first can do all that you can.": "always the same",
    "Scan this with your other phone. It works <b>once</b>, within %(n)s minutes.": "always the "
    "same",
    "Shown from %(n)s games on.": "always the same",
}


def test_a_number_chooses_the_form_of_its_noun() -> None:
    """By `say_many` or `{% pluralize %}`, which choose for one number alone."""
    found = {message.forms for message in messages()}
    nouns = {"people"}
    for one, many in (said for said in found if len(said) > 1):
        alone = re.findall("[a-z]+", one)
        nouns |= {word for word in re.findall(r"\b[a-z]+s\b", many) if word not in alone}
    nouns -= {"others", "s"}
    governs = re.compile(GOVERNS.format(nouns="|".join(sorted(nouns))))
    unsettled = set()
    for said in found:
        places = ["".join(match) for match in governs.findall(said[-1])]
        if len([name for name in places if not re.fullmatch(A_NAME, name)]) >= len(said):
            unsettled.add(said[-1])
    assert {"cards", "points", "rows"} <= nouns
    assert sorted(unsettled - SETTLED.keys()) == []
    assert sorted(SETTLED.keys() - unsettled) == []
