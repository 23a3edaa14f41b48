"""From a form as a browser sends it to the plain values that an entry or a question is made of.

A field's name is a path: `hands.2.cards` is what the player in seat 2 holds. Blank fields are
left out, numbers may be sums (`3+6+2`), a 1 among cards is an ace, and everything that cannot be
read is named at once.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, inspect
from werkzeug.datastructures import MultiDict

from referee.rules.core.asking import (
    CARD_KEYS,
    RED_NINES,
    CardKeys,
    FieldType,
    RedNines,
    struct_of,
    types_of,
    words_of,
)
from referee.rules.core.decoding import Refused
from referee.rules.core.ruling import Fault, MalformedEntry, shared_fault
from referee.rules.text import NOTHING, Text, say, typed
from referee.web.forms.taps import Form, in_columns, row_number

_SUM = re.compile(r"[+-]?\d+(?:\+\d+)*")
_APART = re.compile(r"\d\s+(?!\d{3}\b)\d")  # "1 000" is a number, "20 30" are two
_ONE = re.compile(r"(?<![^\s,+|=])1(?=[a-zA-Z♠♥♦♣]?(?![^\s,+|=]))")  # a card that is called 1
_RED_NINE = re.compile(r"9(?:[♥♦]\ufe0e?|[HDR])", re.IGNORECASE)
_LONGEST = 40  # characters of a sum; what it comes to is limited by the entry
_MINUS_SIGNS = str.maketrans("−–", "--")


def keys_of(field: str, struct: type[Struct]) -> CardKeys | None:
    """The card pad for this field of a form that fills in `struct`; None where it has none."""
    return _pad_at(struct_of(struct), field.split("."))


def _pad_at(wanted: inspect.Type, path: Sequence[str]) -> CardKeys | None:
    for kind in types_of(wanted):
        pad: CardKeys | None = kind.beside.get(CARD_KEYS)
        inside = list[inspect.Type]()
        match kind.plain:
            case inspect.DictType(value_type=held) if path:
                inside = [held]
            case inspect.StructType(fields=fields) if path:
                inside = [field.type for field in fields if field.encode_name == path[0]]
        for one in inside:
            pad = pad or _pad_at(one, path[1:])
        if pad:
            return pad
    return None


def filled_in(form: Form, struct: type[Struct]) -> dict[str, Any]:
    """The fields of a flat `struct` that the form fills in; raises `MalformedEntry`."""
    reading = _Reading(())
    value = reading.whole(form, struct)
    if reading.faults:
        raise MalformedEntry(reading.faults)
    return value


def entry_from(form: Form, kind: type[Struct], players: Sequence[str]) -> dict[str, Any]:
    """An entry of type `kind` as plain JSON types.

    What cannot be read is `Refused` where it stands: what is wrong with it is said together with
    all else that is wrong with the entry.
    """
    return {"action": kind.__struct_config__.tag, **_Reading(players).whole(form, kind)}


def as_form(entry: Mapping[str, Any], kind: type[Struct], players: Sequence[str]) -> Form:
    """The form that makes `entry`, a `kind` as plain JSON types: the way back from `entry_from`."""
    form: Form = MultiDict()
    hands = {field.encode_name: _hand_in(field.type) for field in struct_of(kind).fields}
    for name, value in entry.items():
        if isinstance(value, dict):
            for player, held in value.items():
                if player not in players:  # an imported entry that was voided may name anybody
                    continue
                place = f"{name}.{players.index(player)}"
                hand = hands.get(name)
                parts = _hand_written(held, hand) if hand and isinstance(held, dict) else {"": held}
                for part, content in parts.items():
                    form[f"{place}.{part}" if part else place] = _shown(content)
        elif isinstance(value, list):
            form.setlist(name, [_shown(one) for one in value])
        else:
            form[name] = _shown(value)
    return form


def _hand_in(wanted: inspect.Type) -> inspect.StructType | None:
    """The type of what a field has for each player in several parts, where it is such a field."""
    for by_player in types_of(wanted):
        if isinstance(by_player.plain, inspect.DictType):
            for kind in types_of(by_player.plain.value_type):
                if isinstance(kind.plain, inspect.StructType):
                    return kind.plain
    return None


def way_told(entry: Mapping[str, Any]) -> str:
    """How the hands in `entry`, plain JSON types, were told: "cards" or "count".

    Empty where some were told this way and some that way: then a form asks for both.
    """
    hands = [hand for value in entry.values() if isinstance(value, dict) for hand in value.values()]
    told = [hand.get("cards") if isinstance(hand, dict) else hand for hand in hands]
    ways = {"cards" if isinstance(one, str) and one else "count" for one in told}
    return ways.pop() if len(ways) == 1 else ""


def reseated(form: Form, was: Sequence[str], now: Sequence[str]) -> Form:
    """A form that was filled in for other seats: what each player has goes where that player sits.

    Its fields name seats of `was`. What it says of players who are not seated `now` is left out.
    """
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
    """What is wrong with the way a form is filled in."""
    return shared_fault(code, says, "filling-in")


def read_number(text: str, whose: Text = NOTHING) -> int | Fault:
    """A whole number or a sum of them, or why `text` is none; `whose` ("Ben", "points") it is."""
    plain = re.sub(r"\s", "", text).translate(_MINUS_SIGNS)
    if len(plain) > _LONGEST:
        return form_fault("number", _about(whose, say("That number is too large.")))
    if _APART.search(text) or _SUM.fullmatch(plain) is None:
        says = say(
            "“{text}” isn’t a whole number. Enter one such as 11, −3, or 3+6+2.", text=text[:24]
        )
        return form_fault("number", _about(whose, says))
    sign = -1 if plain.startswith("-") else 1
    first, *more = plain.lstrip("+-").split("+")
    return sign * int(first) + sum(int(part) for part in more)


def _about(whose: Text, says: Text) -> Text:
    return say("{whose:C}: {what}", whose=whose, what=says) if whose else says


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Reading:
    """Reads one form, remembering everything that cannot be read."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = players
        self.faults: list[Fault] = []

    def whole(self, form: Form, struct: type[Struct]) -> dict[str, Any]:
        return self._struct(_tree(form), struct_of(struct), "") or {}

    def _value(self, node: "_Node", wanted: inspect.Type, player: str, whose: Text) -> Any:
        """The value of a form field, or None where it was left blank.

        `whose` is what the field is called, and `player` whose it is, where it is anybody's.
        """
        kinds = {type(kind.plain): kind for kind in types_of(wanted)}
        plain, parts = None, None
        if by_player := kinds.get(inspect.DictType):
            return self._by_player(node, by_player)
        if inspect.ListType in kinds:
            return [value for value in node.values if value.strip()] or None
        if inspect.BoolType in kinds:
            return node.values[-1] in ("true", "on", "1") if node.values else None
        if node.children and (struct := kinds.get(inspect.StructType)):
            parts = self._struct(node, struct.plain, player)
        if text := node.text:
            plain = self._plain(text, kinds, whose)
        if plain is not None and parts is not None:
            says = say("Enter the cards or the count, not both.")
            return self._refused(form_fault("both", _about(whose, says)))
        return plain if plain is not None else parts

    def _plain(self, text: str, kinds: Mapping[type, FieldType], whose: Text) -> Any:
        """A number or cards or another text, as what is written looks like where both will do."""
        literal = kinds.get(inspect.LiteralType)
        number = inspect.IntType in kinds or (
            literal and all(isinstance(value, int) for value in literal.plain.values)
        )
        cards = kinds.get(inspect.StrType)
        # "5 5 7" is three cards; only a sum without blanks is a number here.
        if number and not (cards and not _SUM.fullmatch(text.translate(_MINUS_SIGNS))):
            read = read_number(text, whose)
            return self._refused(read) if isinstance(read, Fault) else read
        pad = cards.beside.get(CARD_KEYS) if cards else None
        return _as_cards(text, pad.column) if pad else text

    def _struct(self, node: "_Node", wanted: Any, player: str) -> dict[str, Any] | None:
        found = {}
        _take_red_nines_apart(node, wanted)
        for field in wanted.fields:
            if field.encode_name in node.children:
                whose = words_of(field, player)
                value = self._value(node.children[field.encode_name], field.type, player, whose)
                if value is not None:
                    found[field.encode_name] = value
        for field in wanted.fields:
            # Of two counts one was filled in: the other is none.
            number = isinstance(types_of(field.type)[0].plain, inspect.IntType)
            if player and found and number and field.required:
                found.setdefault(field.encode_name, 0)
        return found or None

    def _by_player(self, node: "_Node", by_player: FieldType) -> dict[str, Any] | None:
        found = {}
        for seat, player in enumerate(self.players):
            if str(seat) in node.children:
                whose = by_player.asked.named(player) if by_player.asked else typed(player)
                held = by_player.plain.value_type
                value = self._value(node.children[str(seat)], held, player, whose)
                if value is not None:
                    found[player] = value
        # An entry that asks for hands is sent with whatever was filled in, perhaps none of them:
        # the game then says whose are missing.
        return found if node.children else None

    def _refused(self, fault: Fault) -> Refused:
        self.faults.append(fault)
        return Refused(fault)


class _Node(Struct):
    """A place in a form: what was sent under its own name, and the places below it."""

    values: list[str] = msgspec.field(default_factory=list)
    children: dict[str, "_Node"] = msgspec.field(default_factory=dict)

    @property
    def text(self) -> str:
        return self.values[-1].strip() if self.values else ""


def _take_red_nines_apart(node: _Node, wanted: inspect.StructType) -> None:
    """Count by themselves the red nines that were written in another number.

    So they are tapped and typed, “25 + 9♦” for 34 points of which one is a red nine; entries keep
    the two numbers apart.
    """
    for name, red_nines in _counts_of(wanted):
        if red_nines.field in node.children:
            number = node.children[red_nines.field]
            plain, held = _read_apart(number.text, red_nines.points)
            if held:
                number.values = [plain]
                node.children[name] = _Node([str(held)])


def _read_apart(text: str, points: int) -> tuple[str, int]:
    """The number in `text` with `points` for each red nine in it, and how many these are.

    The number may be a sum; it is empty where `text` has nothing else.
    """
    parts = [part.strip() for part in text.split("+")]
    plain = [part for part in parts if not _RED_NINE.fullmatch(part)]
    red_nines = len(parts) - len(plain)
    if not red_nines:
        return text, 0
    counted = [str(points)] * red_nines if points else []
    return "+".join(plain + counted), red_nines


def _hand_written(hand: Mapping[str, Any], wanted: inspect.StructType) -> dict[str, Any]:
    """A hand in numbers as a form has it: its red nines in the number that they are written in."""
    parts = dict(hand)
    for name, red_nines in _counts_of(wanted):
        if held := parts.pop(name, 0):
            number = parts[red_nines.field] - held * red_nines.points
            parts[red_nines.field] = " + ".join([str(number)] * bool(number) + ["9♦"] * held)
    return parts


def _counts_of(wanted: inspect.StructType) -> Iterator[tuple[str, RedNines]]:
    """The fields of a struct that count red nines, by name."""
    for field in wanted.fields:
        beside = types_of(field.type)[0].beside
        if RED_NINES in beside:
            yield field.encode_name, beside[RED_NINES]


def _as_cards(text: str, across: int) -> str:
    """Cards as an entry has them: A for the ace that somebody typed as a 1.

    A square of cards that was typed as it is read, row by row, becomes columns.
    """
    text = _ONE.sub("A", text)
    cards = re.split(r"[\s,]+", text.strip())
    return (
        in_columns(cards, across)
        if across and len(cards) == across**2 and "|" not in text
        else text
    )


def _tree(form: Mapping[str, Any]) -> _Node:
    root = _Node()
    for name, values in MultiDict(form).lists():
        node = root
        for part in name.split("."):
            node = node.children.setdefault(part, _Node())
        node.values = list(values)
    return root
