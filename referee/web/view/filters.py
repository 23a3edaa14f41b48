"""Template filters that put values into words: numbers, dates, names of cards."""

from collections.abc import Iterable
from datetime import date, datetime, tzinfo
from fractions import Fraction

from babel.dates import format_date, format_skeleton, format_time
from flask import Flask
from markupsafe import Markup
from msgspec import Struct
from werkzeug.datastructures import ImmutableMultiDict

from referee.ledger.chain import MARK_LENGTH
from referee.rules.cards import card_keys
from referee.rules.cards.cards import (
    FRENCH_SUITS,
    JANKEN_SUITS,
    JOKER,
    RANK_NAMES,
    RANKS,
    RANKS_AND_JOKERS,
    SUIT_NAMES,
    SUIT_SIGNS,
    VALUE,
    read_cards,
    write_cards,
)
from referee.rules.core import terms
from referee.rules.core.entries import REASON_LENGTH
from referee.rules.core.seating import NAME_LENGTH
from referee.rules.documents import rule_name
from referee.rules.language import languages, spoken
from referee.rules.letters import folded, initial
from referee.rules.settling import RATE_LENGTH, SIGN_LENGTH
from referee.rules.text import (
    Percent,
    Text,
    as_printed,
    decimal,
    isolated,
    listed,
    number,
    say,
    signed,
    typed,
)
from referee.sheets.history import TITLE_LENGTH
from referee.web.forms.decks import as_filled_in, letters_in
from referee.web.forms.fields import Also, NumberField, WhoField, fields_of
from referee.web.forms.sent import SEARCH_LENGTH
from referee.web.forms.taps import in_rows, is_mucked
from referee.web.view.chart import chart_of
from referee.web.view.names import hyphenated
from referee.web.view.pad import best_first, row_title, who_ended

JOKER_SIGN = "★"
LARGE_HEADING = 34  # characters of a verdict's heading; a longer one is in smaller letters
KNOWN_STEPS = 3  # this many that repeat the last deal’s are folded
_SIGNS = {letter: sign + "\ufe0e" for sign, letter in SUIT_SIGNS.items()}


class Face(Struct, frozen=True):
    """How a card is shown: its rank as printed, its suit's letter and sign, its name in words."""

    rank: str
    suit: str
    sign: str
    name: Text
    stands_for: str = ""


def install(app: Flask) -> None:
    """Register the filters and globals for the templates of `app`."""
    app.context_processor(lambda: {"language": spoken()})
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.newstyle_gettext = True  # type: ignore[attr-defined]  # the extension's
    app.jinja_env.globals.update(
        gettext=_translated,
        ngettext=_translated_many,
        isolated=isolated,
        NAME_LENGTH=NAME_LENGTH,
        TITLE_LENGTH=TITLE_LENGTH,
        REASON_LENGTH=REASON_LENGTH,
        CARDS_LENGTH=card_keys.CARDS_LENGTH,
        SEARCH_LENGTH=SEARCH_LENGTH,
        RATE_LENGTH=RATE_LENGTH,
        SIGN_LENGTH=SIGN_LENGTH,
        MARK_LENGTH=MARK_LENGTH,
        languages=languages,
        letters_in=letters_in,
        SUIT_NAMES=SUIT_NAMES,
        KNOWN_STEPS=KNOWN_STEPS,
        LARGE_HEADING=LARGE_HEADING,
        none_typed=ImmutableMultiDict(),
        rule_name=rule_name,
        card_keys=card_keys,
        terms=terms,
        Also=Also,
        WhoField=WhoField,
        NumberField=NumberField,
        chart_of=chart_of,
        row_title=row_title,
        best_first=best_first,
        who_ended=who_ended,
        SUIT_SIGNS=_SIGNS,
        FRENCH_SUITS=FRENCH_SUITS,
        JANKEN_SUITS=JANKEN_SUITS,
    )
    app.jinja_env.filters.update(
        signed=signed,
        number=number,
        decimal=decimal,
        and_list=and_list,
        beginning="{:C}".format,  # with a capital, as at the beginning of a line
        face=face,
        as_filled_in=as_filled_in,
        as_printed=as_printed,
        hyphenated=hyphenated,
        folded=folded,
        initial=initial,
        moment=moment,
        day=day,
        values=values,
        columns=columns,
        in_rows=in_rows,
        percent=percent,
        fields_of=fields_of,
        is_mucked=is_mucked,
    )


def moment(at: str) -> str:
    """A time from the ledger in this machine's time zone: "Jan 2, 8:14 PM"."""
    local = local_time(at)
    if local is None:
        return at
    locale = spoken().locale
    # Not Babel's own "medium", which includes seconds.
    written: str = locale.datetime_formats["medium"].replace("'", "")
    time, on = format_time(local, "short", locale=locale), written_day(local)
    return written.replace("{0}", time).replace("{1}", on)


def day(at: str | date, *, year: bool = False, today: bool = False) -> str:
    """A date, or that of a time in this machine's time zone, as `written_day` has it.

    With `today`, the present day is “today”.
    """
    local = local_time(at) if isinstance(at, str) else at
    if today and local and f"{local:%x}" == f"{datetime.now().astimezone():%x}":
        return str(say("today"))
    return written_day(local, year=year) if local else str(at)


def written_day(on: date, *, heading: bool = False, year: bool = False) -> str:
    """A date as written everywhere: "Jan 2", with its year if that isn't the present one.

    A `heading` has the weekday as well. With `year`, as on paper, the year is always there.
    """
    locale, other_year = spoken().locale, year or on.year != datetime.now().astimezone().year
    if other_year:
        return format_date(on, "full" if heading else "medium", locale=locale)
    if not heading:
        return str(format_skeleton("MMMd", on, locale=locale)).replace(" ", "\u00a0")
    weekday = format_date(on, "EEEE", locale=locale)
    short = format_skeleton("MMMMd", on, locale=locale)
    return str(say("{weekday}, {date}", weekday=weekday, date=short))


def local_time(at: str, zone: tzinfo | None = None) -> datetime | None:
    """A time in this zone, else in this machine's; None if an imported one is invalid."""
    try:
        return datetime.fromisoformat(at).astimezone(zone)
    except (ValueError, OverflowError):
        return None


def _translated(one: str, /, **values: object) -> Markup:
    said = spoken().catalog.gettext(one)
    return Markup(said) % _each_isolated(values) if values else Markup(said % ())


def _translated_many(one: str, many: str, n: int, /, **values: object) -> Markup:
    return Markup(spoken().catalog.ngettext(one, many, n)) % _each_isolated({"num": n} | values)


def _each_isolated(values: dict[str, object]) -> dict[str, object]:
    """The values of a message; those that are not our own texts keep their own direction."""
    if spoken().direction == "ltr":
        return values
    return {
        name: isolated(value) if type(value) is str else value for name, value in values.items()
    }


def and_list(names: Iterable[Text | str]) -> str:
    """Names as a list in words: "Ann, Ben, and Cat"."""
    return str(listed(names))


def face(card: str, nine_suits: bool = False) -> Face:
    """The face of a card ("10D", "K", "9R", "9H=8S"); with `nine_suits`, R is rock."""
    text, equals, meant = card.upper().partition("=")
    other = face(meant) if equals else None
    stands_for = f"{other.rank}{other.sign}" if other else ""
    if text == JOKER:
        return Face(JOKER_SIGN, "joker", "", RANK_NAMES[JOKER])
    rank = next((rank for rank in ("10", *RANKS) if text.startswith(rank)), text)
    suit = text[len(rank) :]
    if (rank, suit) == ("9", "R") and not nine_suits:
        return Face(rank, "red", "", say("red nine"), stands_for)
    name = RANK_NAMES.get(rank) or typed(rank)
    if suit in SUIT_NAMES:
        name = say("{rank} of {suit}", rank=name, suit=SUIT_NAMES[suit])
    return Face(as_printed(rank), suit, _SIGNS.get(suit, suit), name, stands_for)


def values(ranks: Iterable[str]) -> list[int]:
    """The values of cards given by rank, ace 1."""
    return [VALUE[rank] for rank in ranks]


def columns(grid: str) -> list[str]:
    """The columns of a grid in notation, each with its cards separated by one space."""
    return [write_cards(read_cards(column, RANKS_AND_JOKERS)) for column in grid.split("|")]


def percent(fraction: str) -> str:
    """A probability written as a fraction ("37/44"), as a percentage with one decimal."""
    return str(Percent(Fraction(fraction)))
