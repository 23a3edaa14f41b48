"""Figures on a seat's felt: the player's hand and its cost, and figures that conflict."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product, zip_longest

from msgspec import Struct

from referee.extras.seats.gathering import OWN, Deal, Part, merged
from referee.rules.core.ruling import Fault, RefereeError
from referee.rules.text import Listed, Text, as_printed
from referee.sheets.sheet import OpenSheet
from referee.web.forms.decode import entries_sent, keys_of


class Figure(Struct, frozen=True):
    """A figure by one player, or the sum of the figures of several `players`."""

    players: Sequence[str]
    says: int | str


class Clash(Struct, frozen=True):
    """Figures that can't all be right, and `why`; without figures if only one's own may be seen.

    Where they have a fixed total, `over` is their excess, negative if they fall short; else None.
    """

    why: Text
    figures: Sequence[Figure]
    over: int | None


def total_of(sheet: OpenSheet, parts: Mapping[str, Part]) -> int | None:
    """The fixed sum of everybody's numbers in an entry of these parts; None if it varies."""
    action = merged(parts, sheet.state.table.players).get("action", "")
    kind = sheet.game.entries.get(action)
    return kind.total if kind else None


def numbers_in(sheet: OpenSheet, parts: Mapping[str, Part]) -> Mapping[str, int]:
    """The numbers in these parts, by player."""
    entry = entries_sent(merged(parts, sheet.state.table.players), sheet)[-1]
    return next((value for value in entry.values() if isinstance(value, dict)), {})


def left_for(sheet: OpenSheet, deal: Deal, player: str) -> int | None:
    """What is left for the last player, where all numbers have a fixed total; else None.

    It reveals only the sum of the others. It is no longer offered once figures didn't add up, as
    everybody would adopt it.
    """
    is_last = player not in deal.parts and {*deal.parts, player} == {*sheet.board.in_play}
    total = total_of(sheet, deal.parts)
    if total is None or deal.claims or not is_last:
        return None
    left = total - sum(numbers_in(sheet, deal.parts).values())
    return left if left >= 0 else None


def clash_of(
    sheet: OpenSheet, parts: Mapping[str, Part], faults: Sequence[Fault], player: str = ""
) -> Clash:
    """The clash of these parts, as shown to a `player` in it, or else to a scorekeeper.

    A player sees only the sum of the others' figures, never a single one of several.
    """
    total = total_of(sheet, parts)
    if total is None:
        with_hands = {one: part.written for one, part in parts.items() if part.has_hand}
        written = [Figure([one], as_printed(cards)) for one, cards in with_hands.items()]
        return Clash(faults[0].says, () if player else written, None)
    numbers = numbers_in(sheet, parts)
    groups = [[one] for one in numbers]
    if player in numbers:
        groups = [[one for one in numbers if one != player], [player]]
    figures = [Figure(group, sum(numbers[one] for one in group)) for group in groups]
    return Clash(faults[0].says, figures, sum(numbers.values()) - total)


def at_odds(
    parts: Mapping[str, Part], faults_in: Callable[[Mapping[str, Part]], Sequence[Fault]]
) -> list[str]:
    """The players whose figures contradict one another.

    `faults_in` returns what the game finds wrong with some of the parts. Hands are added one by
    one, starting with each player in turn, once to all calls and once to none. A hand that can't be
    right together with those before it is at odds, and so is a call without which it could be.
    """
    calls = Deal(parts).called_by("")
    if calls and wrong(faults_in(calls)):
        return [*calls]
    odd, with_hands = set[str](), [player for player, one in parts.items() if one.has_hand]
    for before, place in product([calls, {}] if calls else [{}], range(len(with_hands))):
        together = before
        for player in with_hands[place:] + with_hands[:place]:
            with_theirs = together | {player: parts[player]}
            if not wrong(faults_in(with_theirs)):
                together = with_theirs
                continue
            odd.add(player)
            for caller in calls:
                without = {one: part for one, part in with_theirs.items() if one != caller}
                if not wrong(faults_in(without)):
                    odd.add(caller)
    return [player for player in parts if player in odd]


def named_in(says: Text) -> set[object]:
    """The values in a sentence, among them the players whom it names."""
    inner = [named_in(value) for _, value in says.values if isinstance(value, Text)]
    lists = [value.items for _, value in says.values if isinstance(value, Listed)]
    return {value for _, value in says.values}.union(*inner, *lists)


def wrong(faults: Iterable[Fault]) -> list[Fault]:
    """The faults in what has been entered, leaving out those for what is still missing."""
    return [fault for fault in faults if not fault.lacks]


class Hand(Struct, frozen=True):
    """A hand as it is drawn on the felt: its `cards`, or their number without its red nines.

    `number` is a figure that counts no cards, None if there is none. The cards may be of
    `nine_suits`, or lie `in_columns`: then they are given row by row.
    """

    backs: int = 0
    red_nines: int = 0
    number: int | None = None
    cards: Sequence[str] = ()
    nine_suits: bool = False
    in_columns: bool = False


def hand_in(sheet: OpenSheet, player: str, part: Part) -> Hand:
    """The hand in a player’s part, as cards or numbers; empty if there is none."""
    try:
        entry = entries_sent(merged({player: part}, sheet.state.table.players), sheet)[-1]
    except RefereeError:
        return Hand()
    by_player = (value for value in entry.values() if isinstance(value, dict))
    held = next((value[player] for value in by_player if player in value), None)
    text = held.get("cards", "") if isinstance(held, dict) else held
    if isinstance(text, str) and text:
        columns = [column.split() for column in text.split("|")]
        in_rows = [card for row in zip_longest(*columns) for card in row if card not in (None, "-")]
        kind = sheet.game.entries[part.action].entry
        keys = [keys_of(name.replace(OWN, "0"), kind) for name in part.hand]
        nine_suits = any(one.nine_suits for one in keys if one)
        return Hand(cards=in_rows, nine_suits=nine_suits, in_columns=len(columns) > 1)
    if isinstance(held, dict):
        counts = {name: n for name, n in held.items() if isinstance(n, int)}
        return Hand(counts.get("plain", 0), counts.get("red_nines", 0), counts.get("points"))
    return Hand(number=held) if isinstance(held, int) else Hand()


class Score(Struct, frozen=True):
    """What a figure gains its player, or costs, and how that adds up.

    `to` is the player to whom all of it is paid, "" if it isn't, or not to one player alone.
    """

    points: int
    to: str
    words: Text
