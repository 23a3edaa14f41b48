"""Decode a form as sent by a browser into plain values for an entry or a question.

A field's name is a path: `hands.2.cards` is the hand of the player in seat 2. Blank fields are
left out, numbers may be sums (`3+6+2`), a 1 among cards is an ace, and all faults are reported
together.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from msgspec import Struct, inspect
from werkzeug.datastructures import MultiDict

from referee.rules.core.asking import (
    CARD_KEYS,
    RED_NINES,
    CardKeys,
    FieldType,
    RedNines,
    fields_in,
    words_of,
)
from referee.rules.core.decoding import Refused
from referee.rules.core.ruling import Fault, MalformedEntry, shared_fault
from referee.rules.text import NOTHING, Text, quoted, say, typed
from referee.sheets.sheet import OpenSheet
from referee.web.forms.taps import Form, in_columns, row_number

_SUM = re.compile(r"[+-]?\d+(?:\+\d+)*")
_APART = re.compile(r"\d\s+(?!\d{3}\b)\d")  # "1 000" is a number, "20 30" are two
_ONE = re.compile(r"(?<![^\s,+|=])1(?=[a-zA-Z♠♥♦♣]?(?![^\s,+|=]))")  # an ace typed as 1
_RED_NINE = re.compile(r"9(?:[♥♦]\ufe0e?|[HDR])", re.IGNORECASE)
UNANSWERED = "red-nines"  # fault: nobody has said how many cards of a number are red nines
_LONGEST = 40  # characters of a sum; the limit on its value is the entry's
_MINUS_SIGNS = str.maketrans("−–", "--")


def keys_of(field: str, struct: type[Struct]) -> CardKeys | None:
    """The card keys for this field of a form for `struct`, None if it is not for cards."""
    name, *path = field.split(".")
    for one, kinds in fields_in(struct):
        if one.encode_name == name:
            return _pad_at(kinds, path)
    return None


def _pad_at(kinds: Iterable[FieldType], path: Sequence[str]) -> CardKeys | None:
    for kind in kinds:
        pad: CardKeys | None = kind.metadata.get(CARD_KEYS)
        match kind.plain:
            case inspect.DictType() if path:
                pad = pad or _pad_at(kind.held, path[1:])
            case inspect.StructType(cls=struct) if path:
                pad = pad or keys_of(".".join(path), struct)
        if pad:
            return pad
    return None


def filled_in(form: Form, struct: type[Struct]) -> dict[str, Any]:
    """The values that the form gives for a flat `struct`; raises `MalformedEntry`."""
    values = _Reader(form, ()).struct("", struct) or {}
    faults = [value.fault for value in values.values() if isinstance(value, Refused)]
    if faults:
        raise MalformedEntry(faults)
    return values


def entry_from(form: Form, kind: type[Struct], players: Sequence[str]) -> dict[str, Any]:
    """The entry of type `kind` in a form, as plain JSON types.

    A value that cannot be read is `Refused` in its place, so that its fault can be reported
    together with the entry's other faults.
    """
    read = _Reader(form, players).struct("", kind)
    return {"action": kind.__struct_config__.tag, **(read or {})}


def entry_sent(sent: Form, sheet: OpenSheet, players: Sequence[str]) -> dict[str, Any]:
    """The entry in a form; raises `MalformedEntry` for a form of another game.

    `players` are those seated at the row for which it was filled in.
    """
    kind = sheet.game.entries.get(sent.get("action", ""))
    if kind is None:
        says = say("This form doesn’t belong to this game. Load the sheet again.")
        raise MalformedEntry([form_fault("unknown-action", says)])
    return entry_from(sent, kind.entry, players)


def is_of_several(sent: Form, sheet: OpenSheet) -> bool:
    """Whether a form takes the turns of several players."""
    several = sheet.game.turns.several
    return several is not None and sent.get("action") == several.__struct_config__.tag


def entries_sent(sent: Form, sheet: OpenSheet) -> list[Mapping[str, Any]]:
    """The entries in a form: one, or the turns of several players; raises as `entry_sent`."""
    players, turns = sheet.state.table.players, sheet.game.turns
    if turns.several and is_of_several(sent, sheet):
        return turns.moves(sheet.state, entry_from(sent, turns.several, players))
    return [entry_sent(sent, sheet, players)]


def as_form(entry: Mapping[str, Any], kind: type[Struct], players: Sequence[str]) -> Form:
    """The form for `entry`, a `kind` as plain JSON types: the inverse of `entry_from`."""
    form: Form = MultiDict()
    hands = {field.encode_name: _hand_in(kinds) for field, kinds in fields_in(kind)}
    for name, value in entry.items():
        if isinstance(value, dict):
            for player, held in value.items():
                if player not in players:  # a void entry in an imported file may name anyone
                    continue
                place = f"{name}.{players.index(player)}"
                hand = hands.get(name)
                parts = _hand_written(held, hand) if hand and isinstance(held, dict) else {"": held}
                for part, content in parts.items():
                    form[f"{place}.{part}" if part else place] = as_sent(content)
        elif isinstance(value, list):
            form.setlist(name, [as_sent(one) for one in value])
        else:
            form[name] = as_sent(value)
    return form


def _hand_in(kinds: Iterable[FieldType]) -> type[Struct] | None:
    """The struct that a field holds for each player, None if it is no such field."""
    for by_player in kinds:
        if isinstance(by_player.plain, inspect.DictType):
            for kind in by_player.held:
                if isinstance(kind.plain, inspect.StructType):
                    return kind.plain.cls
    return None


def way_told(entry: Mapping[str, Any]) -> str:
    """How the hands in `entry` (plain JSON types) were given: "cards", "count", or "" if mixed."""
    hands = [hand for value in entry.values() if isinstance(value, dict) for hand in value.values()]
    told = [hand.get("cards") if isinstance(hand, dict) else hand for hand in hands]
    ways = {"cards" if isinstance(one, str) and one else "count" for one in told}
    return ways.pop() if len(ways) == 1 else ""


def reseated(form: Form, was: Sequence[str], now: Sequence[str]) -> Form:
    """The form with its fields moved to their players' seats in `now`, those of others dropped."""
    if was == now:
        return form
    moved: Form = MultiDict()
    for name, values in form.lists():
        field, dot, rest = name.partition(".")
        seat = row_number(rest.partition(".")[0])
        if not dot or not 0 <= seat < len(was):
            moved.setlist(name, values)
        elif was[seat] in now:
            _, *part = rest.split(".")
            moved.setlist(".".join([field, str(now.index(was[seat])), *part]), values)
    return moved


def form_fault(code: str, says: Text) -> Fault:
    """A fault in how a form was filled in."""
    return shared_fault(code, says, "filling-in")


def read_number(text: str, whose: Text = NOTHING) -> int | Fault:
    """The value of a whole number or sum, or a fault that begins with `whose` ("Ben", "points")."""
    plain = re.sub(r"\s", "", text).translate(_MINUS_SIGNS)
    if len(plain) > _LONGEST:
        return form_fault("number", _about(whose, say("That number is too large.")))
    if _APART.search(text) or _SUM.fullmatch(plain) is None:
        says = say(
            "“{text}” isn’t a whole number. Enter one such as 11, −3, or 3+6+2.", text=quoted(text)
        )
        return form_fault("number", _about(whose, says))
    sign = -1 if plain.startswith("-") else 1
    first, *more = plain.lstrip("+-").split("+")
    return sign * int(first) + sum(int(part) for part in more)


def _about(whose: Text, says: Text) -> Text:
    return say("{whose:C}: {what}", whose=whose, what=says) if whose else says


def as_sent(value: object) -> str:
    """A value as a form would send it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Reader(Struct):
    """Reads values from a form for these players, by the names of its fields."""

    form: Form
    players: Sequence[str]

    def text(self, name: str) -> str:
        """What was sent last under this name."""
        return "".join(self.form.getlist(name)[-1:]).strip()

    def has_parts(self, name: str) -> bool:
        """Whether the field `name` was sent in parts, each with a name of its own behind a dot."""
        return f"\n{name}." in "\n".join(("", *self.form))

    def struct(self, prefix: str, struct: type[Struct], player: str = "") -> dict[str, Any] | None:
        """The values of a struct whose fields' names begin with `prefix`; None if all are blank."""
        found = {}
        for name, red_nines in _counts_of(struct):
            self.take_apart(prefix + red_nines.field, prefix + name, red_nines)
        for field, kinds in fields_in(struct):
            name = prefix + field.encode_name
            if name not in self.form and not self.has_parts(name):
                continue
            value = self.value(name, kinds, player, partial(words_of, field, kinds, player))
            if value is not None:
                found[field.encode_name] = value
        for name, red_nines in _counts_of(struct):
            asked = f"{prefix}{red_nines.field}:{name}"
            if red_nines.field in found and asked in self.form and not self.text(asked):
                says = say(
                    "Is a red nine among {player}’s cards? Tap No, or how many.", player=player
                )
                found[name] = Refused(form_fault(UNANSWERED, says))
        for field, kinds in fields_in(struct):
            # If only one of two counts was filled in, the other is 0.
            number = isinstance(kinds[0].plain, inspect.IntType)
            if player and found and number and field.required:
                found.setdefault(field.encode_name, 0)
        return found or None

    def value(
        self, name: str, wanted: Iterable[FieldType], player: str, whose: Callable[[], Text]
    ) -> Any:
        """The value of a field, None if blank, or `Refused`; `whose` begins its fault."""
        kinds = {type(kind.plain): kind for kind in wanted}
        if by_player := kinds.get(inspect.DictType):
            found = {}
            for seat, other in enumerate(self.players):
                called = partial(_words_for, by_player, other)
                value = self.value(f"{name}.{seat}", by_player.held, other, called)
                if value is not None:
                    found[other] = value
            # Keep the field even if no hand was filled in: the game then says whose are missing.
            return found if found or self.has_parts(name) else None
        if inspect.ListType in kinds:
            return [value for value in self.form.getlist(name) if value.strip()] or None
        text = self.text(name)
        if inspect.BoolType in kinds:
            return text in ("true", "on", "1") if name in self.form else None
        struct, parts = kinds.get(inspect.StructType), None
        if struct and self.has_parts(name):
            parts = self.struct(f"{name}.", struct.plain.cls, player)
        plain = _plain(text, kinds, whose) if text else None
        if plain is not None and parts is not None:
            says = say("Enter the cards or the count, not both.")
            return Refused(form_fault("both", _about(whose(), says)))
        return plain if plain is not None else parts

    def take_apart(self, number: str, count: str, red_nines: RedNines) -> None:
        """Split red nines written within the field `number` into a field of their own, `count`.

        People tap and type “25 + 9♦” for 34 points including one red nine; entries store the points
        and the count separately. The number may be a sum; it is blank if there are only red nines,
        and these count no points.

        On a player's own phone a question of its own asks how many of the counted cards they are.
        """
        parts = [part.strip() for part in self.text(number).split("+")]
        plain = [part for part in parts if not _RED_NINE.fullmatch(part)]
        typed = len(parts) - len(plain)
        asked = 0 if typed else row_number(self.text(f"{number}:{count.rpartition('.')[2]}"))
        if held := typed or max(asked, 0):
            counted = [str(red_nines.points)] * held if red_nines.points else []
            self.form = MultiDict(self.form)  # the form that was sent stays as it is
            self.form[number] = "+".join(plain + counted)
            self.form[count] = str(held)
            cards = read_number(self.form[number])
            if asked > 0 and not counted and isinstance(cards, int):
                self.form[number] = str(cards - asked)


def _words_for(by_player: FieldType, player: str) -> Text:
    return by_player.asked.named(player) if by_player.asked else typed(player)


def _plain(text: str, kinds: Mapping[type, FieldType], whose: Callable[[], Text]) -> Any:
    """A number, cards or other text; if several are allowed, its look decides.

    An ace typed as 1 becomes A, and a square of cards typed row by row becomes columns.
    """
    literal = kinds.get(inspect.LiteralType)
    number = inspect.IntType in kinds or (
        literal and all(isinstance(value, int) for value in literal.plain.values)
    )
    cards = kinds.get(inspect.StrType)
    # "5 5 7" is three cards; only a sum without blanks is a number here.
    if number and not (cards and not _SUM.fullmatch(text.translate(_MINUS_SIGNS))):
        read = read_number(text, whose())
        return Refused(read) if isinstance(read, Fault) else read
    pad = cards.metadata.get(CARD_KEYS) if cards else None
    if pad is None:
        return text
    text = _ONE.sub("A", text)
    if not pad.column or "|" in text:
        return text
    laid = re.split(r"[\s,]+", text.strip())
    return in_columns(laid, pad.column) if len(laid) == pad.column**2 else text


def _hand_written(hand: Mapping[str, Any], struct: type[Struct]) -> dict[str, Any]:
    """A hand given in numbers, as form fields: its red nines are written within their number."""
    parts = dict(hand)
    for name, red_nines in _counts_of(struct):
        if held := parts.pop(name, 0):
            number = parts[red_nines.field] - held * red_nines.points
            parts[red_nines.field] = " + ".join([str(number)] * bool(number) + ["9♦"] * held)
    return parts


@cache
def _counts_of(struct: type[Struct]) -> tuple[tuple[str, RedNines], ...]:
    """The fields of a struct that count red nines, as (name, how they are counted)."""
    counts = ((field, kinds[0].metadata.get(RED_NINES)) for field, kinds in fields_in(struct))
    return tuple((field.encode_name, red_nines) for field, red_nines in counts if red_nines)
