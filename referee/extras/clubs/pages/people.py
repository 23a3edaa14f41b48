"""The people of a club: merging names, guests, members who left; and the club's name and place."""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from zoneinfo import available_timezones

from flask import abort, request
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from referee.extras.clubs.games import person_of
from referee.extras.clubs.notes import (
    AnyNote,
    Called,
    Gone,
    Guest,
    Member,
    Merge,
    Place,
    Status,
    apart_though_renamed,
    merge_faults,
)
from referee.extras.clubs.pages.context import club_state
from referee.extras.clubs.pages.view import ClubView, OfClub, blueprint, club_view, of_club
from referee.extras.clubs.season_table import TableRow, ranked
from referee.ledger.store import Link
from referee.rules.core.ruling import Fault, MalformedEntry
from referee.rules.text import say
from referee.sheets.hosting import require
from referee.web.answers.pages import Shown, render
from referee.web.context import onward, writer
from referee.web.forms.sent import key_of, new_key
from referee.web.forms.taps import Form
from referee.web.serving.routes import LONG, declares

STATUS: dict[str, type[Member | Guest | Gone]] = {"member": Member, "guest": Guest, "gone": Gone}
zones = cache(lambda: sorted(zone for zone in available_timezones() if "/" in zone))


class Person(Struct, frozen=True):
    """A person of a club: their games, wins, status and other names, and `tone`, their color.

    `last` is when the last of their games ended (ISO 8601, empty if not known). `also` has each
    merge that they are in, its row, and the number of games under its names; 0 for a merge that
    doesn’t hold.
    """

    who: str
    name: str
    status: Status
    games: int = 0
    wins: int = 0
    last: str = ""
    also: tuple[tuple[int, Merge, int], ...] = ()
    tone: int = 1

    @property
    def others(self) -> list[str]:
        """Their other names."""
        return [name for _, merge, games in self.also for name in merge.others if games]


class Sum(Struct, frozen=True):
    """Two people counted as one; `was` and `place` are places in the table, 0 for none."""

    one: Person
    other: Person
    was: int
    place: int

    @property
    def games(self) -> int:
        """The games of both together."""
        return self.one.games + self.other.games

    @property
    def wins(self) -> int:
        """The wins of both together."""
        return self.one.wins + self.other.wins


# --- the page


class PeoplePage(Shown, frozen=True):
    """The people, with the faults of a refused note; `merged` is the merge just noted.

    `who` is the one unfolded, `also` whether their other names are asked for; `merging` are two
    people as they would be as one. `renamed` are pairs of people, `who` among them: on a sheet, a
    name was changed from that of the first to that of the second.
    """

    templates = ("clubs/people.html",)
    of: OfClub
    everybody: Collection[Person]
    who: Person | None
    also: bool
    renamed: Sequence[tuple[Person, Person]]
    merging: Sum | None
    merged: tuple[int, Merge] | None
    faults: Sequence[Fault]
    zones: Sequence[str]
    key: str


@blueprint.get("/people")
@declares(LONG)
def people(token: str) -> str | tuple[str, int]:
    """The people; with `who` one unfolded, with `name` and `other` these two as one."""
    return _people(token, ())


def _people(token: str, faults: tuple[Fault, ...]) -> str | tuple[str, int]:
    view, asked, merging = club_view(token), request.args, None
    is_host = view.club.link.allows("host")
    everybody = {one.who: one for one in _everybody(view)}
    if {"name", "other"} <= asked.keys():
        require(view.club.link, "host")
        merge = Merge(asked["name"], [asked["other"]])
        faults = tuple(merge_faults(view.figures.people, view.counted.games, merge))
        merging = None if faults else _as_one(view, everybody, merge)
    who = view.figures.people.of(asked.get("who", asked.get("name", "")))
    shown = everybody.get(who) if is_host else None
    renamed = apart_though_renamed(view.figures.people, view.counted.games, who) if shown else ()
    page = PeoplePage(
        of_club(token, view),
        everybody=everybody.values(),
        who=shown,
        also="also" in asked,
        renamed=[
            (everybody[old], everybody[new])
            for old, new in renamed
            if {old, new} <= everybody.keys()
        ],
        merging=merging,
        merged=next(iter(view.club.merges[::-1]), None) if "merged" in asked else None,
        faults=faults,
        zones=zones() if is_host else (),
        key=new_key(),
    )
    return (render(page), 422) if faults else render(page)


def _everybody(view: ClubView) -> list[Person]:
    """Everybody who has played a game that counts or was noted, by name."""
    figures, noted = view.figures, view.figures.people.noted
    found = []
    for who in dict.fromkeys((*figures.seen, *noted)):
        played = figures.seen.get(who, ())
        last = played[-1] if played else None
        also = tuple(
            (
                seq,
                merge,
                sum(_written(one.result.name, merge) for one in played if one.result.place),
            )
            for seq, merge in view.club.merges
            if figures.people.of(merge.name) == who
        )
        found.append(
            Person(
                who,
                figures.name(who),
                figures.people.status(who),
                games=last.games if last else 0,
                wins=last.wins if last else 0,
                last=last.game.ended if last else "",
                also=also,
                tone=view.tone(who),
            )
        )
    return sorted(found, key=lambda one: (one.status == "gone", person_of(one.name)))


def _written(name: str, merge: Merge) -> bool:
    return person_of(name) in map(person_of, merge.others)


def _as_one(view: ClubView, everybody: dict[str, Person], merge: Merge) -> Sum | None:
    """Two people counted as one, by adding up their games instead of recounting the club."""
    one, other = (view.figures.people.of(name) for name in (merge.name, *merge.others))
    if one == other:
        return None
    rows = {row.person: row for row in view.figures.ranking(view.period)}
    was, place = _place(rows.values(), one), 0
    if both := [rows.pop(who) for who in (one, other) if who in rows]:
        place = _place([*rows.values(), _added(one, both)], one)
    nobody = Person("", "", "member")
    names = {one: merge.name, other: merge.others[0]}
    first, second = (everybody.get(who, replace(nobody, name=names[who])) for who in (one, other))
    return Sum(first, second, was, place)


def _added(who: str, rows: list[TableRow]) -> TableRow:
    games = sum(row.games for row in rows)
    average = sum(row.average * row.games for row in rows) / games
    wins = sum(row.wins for row in rows)
    return replace(rows[0], person=who, games=games, wins=wins, average=average)


def _place(rows: Iterable[TableRow], who: str) -> int:
    """The place of a person among these, 0 for none."""
    numbered = enumerate(ranked(rows), start=1)
    return next((place for place, row in numbered if row.person == who), 0)


# --- writing notes


def _noted(link: Link, note: AnyNote, **shown: str) -> AnyResponse | str | tuple[str, int]:
    """Write a note, and show the people, or the club if the form came from there."""
    try:
        club_state().clubs.note(link, note, key_of(Form(request.form)))
    except MalformedEntry as error:
        page_shown = _people(link.token, error.faults)
        return page_shown if isinstance(page_shown, tuple) else (page_shown, 422)
    if "club" in request.form:
        return onward("club.show", token=link.token)
    return onward("club.people", token=link.token, **shown)


def _name() -> str:
    return request.form.get("name", "").strip()


@blueprint.post("/merge")
@declares(LONG)
def merge(token: str) -> AnyResponse | str | tuple[str, int]:
    """Note that several names are one person."""
    others = [name.strip() for name in request.form.getlist("other")]
    return _noted(writer(token), Merge(_name(), others), who=_name(), merged="yes")


@blueprint.post("/status")
def status(token: str) -> AnyResponse | str | tuple[str, int]:
    """Note that somebody is a member, a guest, or has left the club."""
    link, kind = writer(token), STATUS.get(request.form.get("status", ""))
    if kind is None:
        abort(422, str(say("Choose what they are: a member, a guest, or gone.")))
    return _noted(link, kind(_name()), who=_name())


@blueprint.post("/name")
def rename(token: str) -> AnyResponse | str | tuple[str, int]:
    """Give the club another name."""
    return _noted(writer(token), Called(" ".join(request.form.get("name", "").split())))


@blueprint.post("/place")
def place(token: str) -> AnyResponse | str | tuple[str, int]:
    """Note the club's place, whose time zone its days are in."""
    return _noted(writer(token), Place(request.form.get("zone", "").strip()))
