"""What goes along with games that move: no counter is lost, and what was settled stays settled."""

from collections import Counter
from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.extras.clubs.along import along, noted_by_names
from referee.extras.clubs.figures import Period
from referee.extras.clubs.games import PlayedGame, Result, in_order, person_of
from referee.extras.clubs.notes import Merge, Paid, People, note_faults, people_of
from referee.rules.settling import payments
from tests.support.campaign import often

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
    """What everybody still has to get, or owes if it is negative."""
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


@settings(max_examples=often(120, 1000))
@given(games(), st.data(), PERIODS, st.booleans())
def test_nothing_is_lost_and_what_was_settled_stays_so(
    played: list[PlayedGame], data: st.DataObject, periods: list[Period], merged: bool
) -> None:
    """Whatever moves, whatever was paid for which days, and however people are called."""
    one_person = [Merge("Ben", ["Benny"])] if merged else []
    people = people_of(one_person, played)
    going = data.draw(st.sets(st.sampled_from([game.sheet for game in played])))
    paid = settled(played, people, periods)
    found = along(played, going, list(enumerate(paid)), people, None)
    stays = [note for seq, note in enumerate(paid) if seq not in found.void] + list(found.stay)
    assert all(not list(note_faults(note)) for note in (*found.stay, *found.go))
    assert all(note.amount > 0 for note in (*found.stay, *found.go))
    assert len(set(found.void)) == len(found.void)
    if not paid:
        assert found.stay == found.go == ()
    here = [game for game in played if game.sheet not in going]
    there = [game for game in played if game.sheet in going]
    written = {person_of(one.name) for game in there for one in game.results}
    for unit in ("counter", "chip"):
        before = open_by(played, paid, people, unit)
        left, gone = open_by(here, stays, people, unit), open_by(there, found.go, people, unit)
        together = Counter(left)
        together.update(gone)
        assert {name: net for name, net in together.items() if net} == before
        owed = open_by(
            [], [Paid(o.payee, o.payer, o.amount, o.unit) for o in found.owed], people, unit
        )
        assert owed == gone, "what is said to be owed is what is open there"
        if not before and Period() in periods:
            assert not left
            assert not gone, "all of it was settled, at once"
    assert all({person_of(n.payer), person_of(n.payee)} <= written for n in found.go), (
        "by the names on the sheets"
    )


@settings(max_examples=often(50, 500))
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


def test_a_day_paid_by_itself_and_the_rest_with_all() -> None:
    """Of the payment for everything, what was for the day that moves goes; what is left stays."""
    played = in_order(
        PlayedGame(
            number,
            "pink-nines",
            (Result("Ben", 1, lost), Result("Ann", 2, -lost)),
            ended=f"{day}T20:00:00+00:00",
            finished=True,
        )
        for number, day, lost in ((1, DAYS[0], 3), (2, DAYS[1], 2), (3, DAYS[2], 4))
    )
    paid = [
        Paid("Ann", "Ben", 3, "counter", DAYS[0], DAYS[0]),
        Paid("Ann", "Ben", 6, "counter"),
    ]
    found = along(played, {2}, list(enumerate(paid)), People(), None)
    assert found.void == (1,)
    assert found.stay == (Paid("Ann", "Ben", 4, "counter"),)
    assert found.go == (Paid("Ann", "Ben", 2, "counter", DAYS[1], DAYS[1]),)
    assert found.owed == ()
