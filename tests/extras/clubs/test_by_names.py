"""What was paid between people of several names stays theirs once they are separated."""

from collections import Counter
from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.extras.clubs.by_names import noted_by_names
from referee.extras.clubs.figures import Period
from referee.extras.clubs.games import PlayedGame, Result, in_order
from referee.extras.clubs.notes import Merge, Paid, People, people_of
from referee.rules.settling import payments
from tests.support.campaign import usual_or_nightly

PLAYERS = ("Ann", "Ben", "Benny", "Cat", "Dan")
DAYS = ("2026-03-05", "2026-03-06", "2026-03-12")


@st.composite
def games(draw: st.DrawFn) -> list[PlayedGame]:
    """Some games for counters or chips on three days, each won by one of those seated."""
    found = []
    for number in range(draw(st.integers(1, 6))):
        seated = draw(st.lists(st.sampled_from(PLAYERS), min_size=2, max_size=4, unique=True))
        lost = [draw(st.integers(0, 9)) for _ in seated[1:]]
        results = [Result(seated[0], 1, sum(lost))]
        results += (Result(name, 2, -one) for name, one in zip(seated[1:], lost, strict=True))
        slug = draw(st.sampled_from(("pink-nines", "multiple-9-holdem")))
        day = draw(st.sampled_from(DAYS))
        ended = f"{day}T20:00:{number:02}+00:00"
        found.append(PlayedGame(number + 1, slug, tuple(results), ended=ended, finished=True))
    return in_order(found)


UNITS = {"pink-nines": "counter", "multiple-9-holdem": "chip"}


def open_by(
    played: Iterable[PlayedGame], paid: Iterable[Paid], people: People, unit: str
) -> dict[str, int]:
    """Everybody's balance: what they still get, or owe if it is negative."""
    nets = Counter[str]()
    for game in played:
        if UNITS[game.slug] == unit:
            for one in game.results:
                nets[people.of(one.name)] += one.points
    for note in paid:
        if note.unit == unit:
            nets[people.of(note.payer)] += note.amount
            nets[people.of(note.payee)] -= note.amount
    return {name: net for name, net in nets.items() if net}


def settled(played: list[PlayedGame], people: People, periods: Iterable[Period]) -> list[Paid]:
    """What settles the games of each of these periods, after those before."""
    paid = list[Paid]()
    for period in periods:
        for unit in ("counter", "chip"):
            of = [game for game in played if period.holds(game)]
            within = [one for one in paid if period.covers(Period(one.since, one.until))]
            for one in payments(open_by(of, within, people, unit)):
                note = Paid(one.payer, one.payee, one.amount, unit, period.since, period.until)
                paid += noted_by_names(note, played, paid, people)
    return paid


SPANS = [Period(day, day) for day in DAYS] + [Period(DAYS[0], DAYS[1])]
#: The periods for which all is paid, one after the other; mostly everything in the end.
PERIODS = st.builds(
    lambda spans, everything: [*spans, *everything],
    st.lists(st.sampled_from(SPANS), max_size=3),
    st.sampled_from([[Period()], [Period()], []]),
)


@settings(max_examples=usual_or_nightly(50, 500))
@given(games(), PERIODS)
def test_a_merge_undone_leaves_nobody_owing(
    played: list[PlayedGame], periods: list[Period]
) -> None:
    """What was paid while two were one is paid once they are two, where all was settled."""
    people = people_of([Merge("Ben", ["Benny"])], played)
    paid = settled(played, people, [*periods, Period()])
    for unit in ("counter", "chip"):
        assert not open_by(played, paid, people, unit)
        apart = open_by(played, paid, People(), unit)
        assert set(apart) <= {"ben", "benny"}, "at most these two have to settle between them"
