"""Divide payments between people with several names, so that each is from one name to another.

They stay correct if the names are separated again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from referee.extras.clubs.figures import Period
from referee.extras.clubs.games import PlayedGame, person_of
from referee.extras.clubs.notes import Paid, People
from referee.rules.registry import GAMES


def noted_by_names(
    note: Paid, games: Iterable[PlayedGame], paid: Iterable[Paid], people: People
) -> list[Paid]:
    """Divide a payment between people with several names among those that owe and are owed.

    What these owe follows from the games that it is for, and from earlier payments for them.
    """
    period = Period(note.since, note.until)
    names, spelled = dict[str, dict[str, int]](), dict[str, str]()
    for game in games:
        if game.counts and GAMES[game.slug].unit == note.unit and period.holds(game):
            for each in game.placed:
                name = spelled.setdefault(person_of(each.name), " ".join(each.name.split()))
                own = names.setdefault(people.of(each.name), {})
                own[name] = own.get(name, 0) + each.points
    for one in paid:
        if one.unit == note.unit and period.covers(Period(one.since, one.until)):
            for name, amount in ((one.payer, one.amount), (one.payee, -one.amount)):
                own = names.get(people.of(name), {})
                same = next((key for key in own if person_of(key) == person_of(name)), None)
                if same is not None:
                    own[same] += amount
    payers = names.get(people.of(note.payer), {note.payer: 0})
    payees = names.get(people.of(note.payee), {note.payee: 0})
    return [
        Paid(payer, payee, amount, note.unit, note.since, note.until)
        for payer, payee, amount in _by_names(note.amount, payers, payees)
    ]


def _by_names(
    amount: int, payers: Mapping[str, int], payees: Mapping[str, int]
) -> Iterator[tuple[str, str, int]]:
    """Divide an amount paid between two people with several names: (payer, payee, amount).

    `payers` and `payees` have what each name has won or lost: names that owe pay first, and names
    that are owed are paid first.
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
    """Divide an amount among names, each up to its `most`; the first also gets the rest."""
    parts, left = Counter[str](), amount
    for name, limit in most.items():
        parts[name] += (part := min(left, max(limit, 0)))
        left -= part
    parts[next(iter(most))] += left
    return [(name, part) for name, part in parts.items() if part]
