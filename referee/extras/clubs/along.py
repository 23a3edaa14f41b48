"""What goes along with games that move from one club to another.

A club settles its own games. What was paid for games goes where they go: nobody is asked for it
twice, and no payment stays behind that would turn a debt round.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import Literal

from msgspec import Struct

from referee.extras.clubs.figures import Period
from referee.extras.clubs.games import PlayedGame, day_of, person_of
from referee.extras.clubs.notes import Paid, People
from referee.rules.registry import GAMES
from referee.rules.settling import Payment, payments

Unit = Literal["counter", "chip"]
UNITS: tuple[Unit, ...] = ("counter", "chip")


class Along(Struct, frozen=True):
    """What goes along with games that leave a club, and what becomes of its payments.

    The notes with the numbers `void` hold there no longer, and `stay` take their place; `go` are to
    be noted where the games come, by the names on their sheets. `owed` is what nobody has paid yet
    for the games, by these names.
    """

    void: tuple[int, ...] = ()
    stay: tuple[Paid, ...] = ()
    go: tuple[Paid, ...] = ()
    owed: tuple[Paid, ...] = ()


def along(
    games: Iterable[PlayedGame],
    going: Collection[int],
    paid: Iterable[tuple[int, Paid]],
    people: People,
    zone: tzinfo | None,
) -> Along:
    """What goes along with the sheets `going` of a club with these `games` and payments.

    It is noted for the days on which the games ended in `zone`, that of the place they come to.
    A payment that was for these games alone goes with them. One that was for others as well is
    divided: what was settled is settled on either side, and what is open is where it was left open.
    """
    counting, notes, found = [game for game in games if game.counts], list(paid), Along()
    for unit in UNITS:
        of_unit = {seq: note for seq, note in notes if note.unit == unit}
        played = [game for game in counting if GAMES[game.slug].unit == unit]
        leaving = [game for game in played if game.sheet in going]
        staying = [game for game in played if game.sheet not in going]
        if leaving:
            found = added(found, _along(unit, (leaving, staying), of_unit, people, zone))
    return found


def added(one: Along, more: Along) -> Along:
    """All of two."""
    return Along(one.void + more.void, one.stay + more.stay, one.go + more.go, one.owed + more.owed)


def _along(
    unit: Unit,
    sides: tuple[Sequence[PlayedGame], Sequence[PlayedGame]],
    paid: Mapping[int, Paid],
    people: People,
    zone: tzinfo | None,
) -> Along:
    """As `along`, for one unit; `sides` are the games that leave, and those that stay."""
    leaving, staying = sides
    touched = {seq: note for seq, note in paid.items() if _games_of([note], leaving)}
    mixed = [note for note in touched.values() if _games_of([note], staying)]
    whole = {seq: note for seq, note in touched.items() if note not in mixed}
    names = _names([*leaving, *staying], people) | _names(leaving, people)
    stay, go = list[Paid](), list[Paid]()
    for note in whole.values():
        handed = Payment(people.of(note.payer), people.of(note.payee), note.amount)
        go += _noted([handed], names, _days(_games_of([note], leaving), zone), unit)
    still_open = _open(leaving, whole.values(), people)
    if mixed:
        left = _games_of(mixed, staying)
        known = {game.sheet for game in left}
        theirs = [
            note
            for seq, note in paid.items()
            if seq in touched or known.issuperset(one.sheet for one in _games_of([note], staying))
        ]
        due = _share(_open([*leaving, *left], theirs, people), still_open)
        if settled := payments(_less(still_open, due)):
            go += _noted(settled, names, _days(_games_of(mixed, leaving), zone), unit)
            days = (
                min(note.since for note in mixed),
                max((note.until for note in mixed), key=lambda day: (not day, day)),
            )
            rest = payments(_less(due, _open(leaving, touched.values(), people)))
            stay += _noted(rest, names | _names(staying, people), days, unit)
            whole, still_open = touched, due
    owed = _noted(payments(still_open), names, _days(leaving, zone), unit)
    return Along(tuple(whole), tuple(stay), tuple(go), tuple(owed))


def noted_by_names(
    note: Paid, games: Iterable[PlayedGame], paid: Iterable[Paid], people: People
) -> list[Paid]:
    """A payment between people who go by several names, by those that owe and are owed.

    What they owe is what the games for which it is have brought each name, and the earlier payments
    for these.
    """
    unit: Unit = note.unit
    played = [game for game in games if game.counts and GAMES[game.slug].unit == unit]
    names = _names(_games_of([note], played), people)
    period = Period(note.since, note.until)
    for one in paid:
        if one.unit == unit and period.covers(Period(one.since, one.until)):
            for name, amount in ((one.payer, one.amount), (one.payee, -one.amount)):
                own = names.get(people.of(name), {})
                same = next((key for key in own if person_of(key) == person_of(name)), None)
                if same is not None:
                    own[same] += amount
    handed = Payment(people.of(note.payer), people.of(note.payee), note.amount)
    names = {handed.payer: {note.payer: 0}, handed.payee: {note.payee: 0}} | names
    return _noted([handed], names, (note.since, note.until), unit)


def _by_names(
    amount: int, payers: Mapping[str, int], payees: Mapping[str, int]
) -> Iterator[tuple[str, str, int]]:
    """Divide a payment between two people who go by several names: who, whom, and how much.

    `payers` and `payees` are what each of these names has won or lost: whichever owes, pays first,
    and whichever is owed, is paid first.
    """
    to = _divided(amount, payees)
    for payer, debt in _divided(amount, {name: -net for name, net in payers.items()}):
        left = debt
        while left:
            payee, most = to.pop()
            part = min(left, most)
            yield payer, payee, part
            left -= part
            if part < most:
                to.append((payee, most - part))


def _divided(amount: int, most: Mapping[str, int]) -> list[tuple[str, int]]:
    """Divide an amount among names, each at most by what is given; the first has what is left."""
    parts, left = Counter[str](), amount
    for name, limit in most.items():
        parts[name] += (part := min(left, max(limit, 0)))
        left -= part
    parts[next(iter(most))] += left
    return [(name, part) for name, part in parts.items() if part]


def _noted(
    handed: Iterable[Payment],
    names: Mapping[str, Mapping[str, int]],
    days: tuple[str, str],
    unit: Unit,
) -> list[Paid]:
    """What was handed over from person to person, as notes by the names that they go by."""
    return [
        Paid(payer, payee, amount, unit, *days)
        for one in handed
        for payer, payee, amount in _by_names(
            one.amount, names.get(one.payer, {one.payer: 0}), names.get(one.payee, {one.payee: 0})
        )
    ]


def _names(games: Iterable[PlayedGame], people: People) -> dict[str, dict[str, int]]:
    """The names by which people are written in these games, with what each has won or lost."""
    names, spelled = dict[str, dict[str, int]](), dict[str, str]()
    for game in games:
        for one in game.placed:
            name = spelled.setdefault(person_of(one.name), " ".join(one.name.split()))
            own = names.setdefault(people.of(one.name), {})
            own[name] = own.get(name, 0) + one.points
    return names


def _days(games: Iterable[PlayedGame], zone: tzinfo | None) -> tuple[str, str]:
    """The first and the last day on which these games ended."""
    days = sorted(day_of(game.ended, zone) for game in games)
    return days[0], days[-1]


def _games_of(notes: Iterable[Paid], games: Iterable[PlayedGame]) -> list[PlayedGame]:
    """Those of `games` for which something was paid."""
    periods = [Period(note.since, note.until) for note in notes]
    return [game for game in games if any(period.holds(game) for period in periods)]


def _share(open_of_all: Mapping[str, int], nets: Mapping[str, int]) -> dict[str, int]:
    """What is open because of some of the games, given what is open of all of them.

    `nets` are what those have brought and what was paid for them alone.
    """
    share = dict.fromkeys(nets, 0)
    for one in payments(open_of_all):
        amount = min(one.amount, -nets.get(one.payer, 0), nets.get(one.payee, 0))
        if amount > 0:
            share[one.payer] -= amount
            share[one.payee] += amount
    return share


def _open(games: Iterable[PlayedGame], paid: Iterable[Paid], people: People) -> dict[str, int]:
    """What everybody is still to get for these games after these payments; who owes, below 0."""
    found = Counter[str]()
    for game in games:
        for one in game.placed:
            found[people.of(one.name)] += one.points
    for note in paid:
        found[people.of(note.payer)] += note.amount
        found[people.of(note.payee)] -= note.amount
    return dict(found)


def _less(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {person: one.get(person, 0) - other.get(person, 0) for person in {**one, **other}}
