"""Translatable sentences: templates with named values, put into words when they are shown.

`say("{player} holds {cards}.", player="Ann", cards=count)` is a `Text`. Only `str()` puts it into
words, in the language spoken at that moment; a `Text` may be a value of another. The templates are
the messages of gettext catalogs: one of the base, and one of each extra for its own sentences.
Code never compares or looks up the words of a text: it goes by codes, sections and values.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Literal, Union
from unicodedata import bidirectional

from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from msgspec import Struct

from referee.rules.language import COURT, ENGLISH_FROM, spoken
from referee.rules.letters import written_out

MINUS = "−"
#: In a right-to-left language: around what people typed, signed numbers and formulas.
ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"
_MARKS = ISOLATE + END_OF_ISOLATE + "\u200e\u200f"  # the last two in translations alone
#: A template without words, only arithmetic with its values: "{first} − {second}".
_FORMULA = re.compile(r"(?:\{\w+\})?[ ×=+−]+\{\w+\}")
QUOTED = 40  # characters of user input in a sentence
_COURT_CARD = re.compile(r"(?<![^\s,+|=\u05be-])[JQK](?=[SHDC]?\b)", re.IGNORECASE)
BEYOND_COUNTING = 10**18  # more points than anybody has, but a file may hold them

Value = Union[str, int, "Text", "Listed", "Percent", "Printed", "Signed", "Sum"]


class Text(Struct, frozen=True, gc=False):
    """A sentence, or a part of one, put into words by `str()`.

    `template` holds its values by name in braces; `{card:C}` begins the value with a capital. Where
    there is a `plural`, the value `n` chooses between the two. An empty text is false.
    """

    template: str
    plural: str = ""
    values: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        if not self.template:  # the key of a catalog's own metadata
            return ""
        language = spoken()
        if self.plural:
            number = dict(self.values)["n"]
            assert isinstance(number, int)
            template = language.catalog.ngettext(self.template, self.plural, number)
        else:
            template = language.catalog.gettext(self.template)
        if not self.values:
            return template
        words = {name: _in_words(value) for name, value in self.values}
        if ":C}" in template:
            words = {name: _Capitalizable(word) for name, word in words.items()}
        sentence = template.format_map(words)
        is_formula = language.direction == "rtl" and _FORMULA.fullmatch(self.template)
        return formula(sentence) if is_formula else sentence

    def __bool__(self) -> bool:
        return bool(self.template)

    def __format__(self, spec: str) -> str:
        return format(_Capitalizable(self), spec)


#: By language, an "and" or "or" that changes before some sounds, these, and what it becomes. Babel
#: has no such rule.
_CHANGES = {
    "es": ((" y ", re.compile("hi(?![aeou])|[ií]", re.IGNORECASE), " e "),
           (" o ", re.compile(r"h?[oó]|8|11\b", re.IGNORECASE), " u ")),
    "he": (("ו", re.compile(rf"(?![{_MARKS}]*[\u0590-\u05ff])"), "ו־"),),
}  # fmt: skip


class Listed(Struct, frozen=True, gc=False):
    """A list as one value of a text: "Ann, Ben, and Cat", or with "or" before the last."""

    items: tuple[Value, ...]
    style: Literal["standard", "or"] = "standard"

    def __str__(self) -> str:
        *items, last = [_in_words(item) for item in self.items] or [""]
        before = format_list([*items, ""], self.style, spoken().locale)  # ends in the word "and"
        for word, sound, changed in _CHANGES.get(spoken().locale.language, ()):
            if before.endswith(word) and sound.match(last):
                before = before.removesuffix(word) + changed
        return before + last


class Printed(Struct, frozen=True, gc=False):
    """Cards in a text, or a text about them, with the letters that the deck on the table has.

    With `red_nines` a 9R is a red nine: for a deck whose kings have an R it is written 9♥.
    """

    cards: Union[str, "Text"]
    red_nines: bool = False

    def __str__(self) -> str:
        cards = str(self.cards)
        if self.red_nines and "R" in spoken().letters:
            cards = cards.replace("9R", "9♥")
        printed = as_printed(cards)
        return _in_words(printed) if isinstance(self.cards, str) else printed


class Percent(Struct, frozen=True, gc=False):
    """A fraction shown in percent, with one decimal: "84.1%"."""

    part: Fraction

    def __str__(self) -> str:
        exact = Decimal(self.part.numerator) / Decimal(self.part.denominator)
        locale = spoken().locale
        whole = locale.percent_formats[None].pattern  # with the space that a language has before %
        return format_percent(exact, whole.replace("#,##0", "0.0"), locale=locale)


class Signed(Struct, frozen=True, gc=False):
    """A change in a text, with its sign: "+3"."""

    change: int

    def __str__(self) -> str:
        return signed(self.change)


class Sum(Struct, frozen=True, gc=False):
    """A number with the arithmetic that gives it, as written on the pad: "(25 + 9) × 2"."""

    terms: tuple[int, ...]
    times: int = 1

    @property
    def total(self) -> int:
        """The result."""
        return sum(self.terms) * self.times

    @property
    def is_worked(self) -> bool:
        """Whether it has any arithmetic, not just a number."""
        return len(self.terms) > 1 or self.times > 1

    @property
    def as_factor(self) -> str:
        """The sum as a part of more arithmetic, in parentheses if needed: "(25 + 9)"."""
        return f"({self})" if len(self.terms) > 1 and self.times == 1 else str(self)

    def __str__(self) -> str:
        written = " + ".join(map(number, self.terms))
        if self.times != 1:
            first = f"({written})" if len(self.terms) > 1 else written
            written = f"{first} × {self.times}"
        return isolated(written) if self.is_worked else written


NOTHING = Text("")


def say(template: str, /, **values: Value) -> Text:
    """A text from this template and these values."""
    return Text(template, values=tuple(values.items()))


def say_many(one: str, many: str, /, *, n: int, **values: Value) -> Text:
    """A text about `n` things: `one` for a single one, else `many`, as in English.

    A catalog, which may have more forms, finds the pair by `one` alone: the same `one` must
    always go with the same `many`.
    """
    return Text(one, many, (("n", n), *values.items()))


def typed(text: str) -> Text:
    """User input as a text, braces and all; `NOTHING` if it is empty."""
    return Text("{text}", values=(("text", text),)) if text else NOTHING


def quoted(text: str) -> str:
    """User input to be quoted in a sentence: its beginning, if it is long."""
    return text if len(text) <= QUOTED else text[:QUOTED] + "…"


def listed(items: Iterable[Value], style: Literal["standard", "or"] = "standard") -> Listed:
    """A list of values for a text; with `style` "or" as alternatives."""
    return Listed(tuple(items), style)


def number(value: int) -> str:
    """A whole number in the locale's format, with a real minus sign: "−3", "1,250"."""
    if -1000 < value < 1000:  # the same in every locale, a thousand times a page
        return isolated(f"{MINUS}{-value}") if value < 0 else str(value)
    if abs(value) >= BEYOND_COUNTING:  # Babel cannot write it
        return _with_minus(str(value))
    return _with_minus(format_decimal(value, locale=spoken().locale))


def _with_minus(written: str) -> str:
    return isolated(written.replace("-", MINUS)) if "-" in written else written


def say_number(value: int) -> Text:
    """A whole number as a text."""
    return say("{number}", number=value)


def signed(value: int) -> str:
    """A change with its sign: "+3", "−2", "0"."""
    return isolated(f"+{number(value)}") if value > 0 else number(value)


def decimal(value: float) -> str:
    """A number in the locale's format with two decimals: "2.25"."""
    return _with_minus(format_decimal(value, "#,##0.00", locale=spoken().locale))


def as_printed(cards: str) -> str:
    """Cards with the letters of the deck on the table: on a German one "QS 10" is "DS 10"."""
    letters = spoken().letters
    if letters == COURT:
        return cards
    return _COURT_CARD.sub(lambda found: letters[COURT.index(found[0].upper())], cards)


def isolated(words: str) -> str:
    """Words isolated from the direction of a right-to-left sentence (Unicode bidi)."""
    return words if spoken().direction == "ltr" else f"{ISOLATE}{words}{END_OF_ISOLATE}"


def formula(words: str) -> str:
    """A formula, written left to right in every language unless it has right-to-left words."""
    has_words = any(bidirectional(letter) in ("R", "AL") for letter in words)
    return words if has_words else isolated(words)


def without_marks(words: str) -> str:
    """Words without invisible marks of direction, to measure them or for a terminal."""
    return words if spoken().direction == "ltr" else re.sub(f"[{_MARKS}]", "", words)


def joined(sentences: Iterable[Text]) -> str:
    """Whole sentences in words, separated by spaces."""
    return " ".join(map(str, sentences))


def _in_words(value: Value) -> str:
    """A value in words; invisible characters of user input are escaped."""
    if isinstance(value, str):
        return isolated(written_out(value))
    return number(value) if isinstance(value, int) else str(value)


class _Capitalizable(str):
    """A value in words that a template can capitalize: `{card:C}`."""

    __slots__ = ()

    def __new__(cls, words: object) -> "_Capitalizable":
        return super().__new__(cls, str(words))

    def __format__(self, spec: str) -> str:
        if spec == "C":
            words = self.lstrip(ENGLISH_FROM)
            return self.removesuffix(words) + words[:1].upper() + words[1:]
        return super().__format__(spec)
