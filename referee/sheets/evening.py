"""An evening: sheets played one after another by the same people, looked at together."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from itertools import combinations
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.ledger.evenings import Evenings, Note
from referee.ledger.links import was_renewed
from referee.ledger.store import ROLES, Link, NewSheet, Role, new_token
from referee.rules.core.ruling import IllegalEntry, shared_fault
from referee.rules.letters import folded
from referee.rules.settling import Balance
from referee.rules.text import say
from referee.sheets.book import Book
from referee.sheets.files import seat_table
from referee.sheets.history import Head
from referee.sheets.hosting import require
from referee.sheets.summaries import Summary

MAX_SHEETS = 50
DAY_ENDS = timedelta(hours=5)  # after midnight: a night of cards is one day


class EveningSheet(Struct, frozen=True):
    """The summary of a sheet in an evening, and the link by which the visitor may open it.

    `joined`: it was not begun in the evening, but joined with it.
    """

    link: Link
    summary: Summary
    joined: bool


class Offer(Struct, frozen=True):
    """Sheets of one day, oldest first, that look like one evening.

    `people` are on at least two of them, `guests` of each sheet on that one alone; `left_apart`:
    some of the sheets were left apart on purpose.
    """

    sheets: list[Summary]
    people: list[str]
    guests: dict[int, list[str]]
    left_apart: bool


class EveningBook:
    """The evenings of one book and the sheets in them."""

    def __init__(
        self,
        book: Book,
        hidden: Callable[[Collection[int], Sequence[int]], Collection[int]] = lambda *_: (),
    ) -> None:
        """`hidden(own, sheets)`: further sheets that a visitor with links to `own` may not see."""
        self._ledger = book.ledger
        self.stored = Evenings(book.ledger)  # what the ledger has of them
        self._book = book
        self._hidden = hidden

    def place(self, sheet: int) -> tuple[int, int]:
        """The place of `sheet` in its evening, from 1, and how many sheets that has; or 0 and 0."""
        sheets = self.together(sheet)
        return (sheets.index(sheet) + 1, len(sheets)) if sheets else (0, 0)

    def together(self, sheet: int) -> list[int]:
        """The sheets of the evening that `sheet` belongs to; empty if there is none."""
        return self.stored.sheets(self.stored.evening_of(sheet))

    def play_again(self, link: Link, seen: int, key: str, slug: str = "") -> Link | None:
        """Begin the next sheet of the evening: the same players, the next dealer.

        The game is that of `slug`, or the same if that is empty; the same game keeps its house
        rules. Returns the host link of the new sheet. The same `key` twice is one sheet; None if
        its host link has been withdrawn since. Raises `MovedOnError` if the evening has more than
        `seen` sheets, `MalformedEntry` if these players cannot play the game, and `IllegalEntry`
        for a link that may not, or an evening that takes no more sheets.
        """
        require(link, "score")
        if seen >= MAX_SHEETS:
            raise _too_long()
        sheets = self.together(link.document)
        if len(sheets) == seen:  # otherwise the form is old, or has been answered already
            self._check_room(link, sheets)
        sheet = self._book.open(link)
        same = slug in ("", sheet.game.slug)
        options: dict[str, Any] = msgspec.to_builtins(sheet.state.table.options) if same else {}
        players, dealer = sheet.next_players, sheet.next_dealer
        game, seated = seat_table(slug or sheet.game.slug, players, dealer, options)
        head = Head(game.slug, list(players), dealer, msgspec.to_builtins(seated.options))
        following = NewSheet(head.text(), self._book.new_links(), self._book.now())
        begun, host = self.stored.begin_next(link.document, seen, following, key)
        return None if host is None else Link(host, begun, "host")

    def _check_room(self, link: Link, sheets: Sequence[int]) -> None:
        """Raise `IllegalEntry` if the holder of `link` cannot add to an evening of `sheets`.

        A link for keeping score goes on only from the latest sheet, and only once that was played:
        otherwise anybody with such a link could fill an evening with empty sheets.
        """
        if not sheets or self._ledger.trashed(sheets[-1]) is not None:
            return
        if link.role != "host" and link.document != sheets[-1]:
            says = say("The evening has moved on. Start the next sheet from the latest one.")
            raise IllegalEntry([shared_fault("earlier-sheet", says, "end")])
        if not self._ledger.newest(sheets[-1]):
            says = say(
                "Nothing has been recorded on the latest sheet of this evening yet. "
                "Play that one, or have its host move it to the trash."
            )
            raise IllegalEntry([shared_fault("unplayed-sheet", says, "end")])

    # --- joining sheets, and taking them out again

    def join(self, links: Sequence[Link]) -> str:
        """Join these sheets, and any evenings they are in, into one evening; returns its link.

        Raises `IllegalEntry` for a link that may not score on its sheet, or on a sheet that its
        evening brings along; and for too many sheets. Raises `MovedOnError` if a sheet was added to
        one of these evenings meanwhile.
        """
        own = _own(links)
        notes = self.stored.notes(own)
        evenings = sorted({note.evening for note in notes.values() if note.evening is not None})
        members = [self.stored.sheets(evening) for evening in evenings]
        for sheet in {sheet for sheets in members[1:] for sheet in sheets} - own.keys():
            own[sheet] = require(self._best_link(sheet, None, "score"), "score")
        if len(own.keys() | {sheet for sheets in members for sheet in sheets}) > MAX_SHEETS:
            raise _too_long()
        return self._token(self.stored.join(own, self._book.now()))

    def leave_apart(self, links: Sequence[Link]) -> None:
        """Stop offering these sheets for an evening, unless they have become one by now."""
        self.stored.leave_apart(_own(links), self._book.now())

    def part(self, token: str, links: Sequence[Link]) -> bool:
        """Take these sheets out of the evening that `token` leads to; False if that leads to none.

        Those that were joined with it return to the evening they were in before, if any.
        """
        evening = self.stored.with_token(token)
        if evening is not None:
            self.stored.part(evening, _own(links), self._book.now())
        return evening is not None

    # --- looking at an evening

    def token_of(self, sheet: int) -> str | None:
        """The link of the evening that `sheet` belongs to; None if there is none."""
        evening = self.stored.evening_of(sheet)
        return None if evening is None else self._token(evening)

    def _token(self, evening: int) -> str:
        return self.stored.token(evening, new_token(), self._book.now())

    def _with_token(self, token: str) -> int | None:
        evening = self.stored.with_token(token)
        return None if evening is None else self.stored.gone_to(evening)

    def count_hidden(self, token: str, own: Collection[int]) -> int:
        """The number of sheets that `open` leaves out though they have a link for viewing."""
        sheets = self.stored.sheets(self._with_token(token))
        return len(sheets) - len(self._seen_by(own, sheets))

    def _seen_by(self, own: Collection[int], sheets: Sequence[int]) -> list[int]:
        """The `sheets` of an evening that may be seen by a visitor with links to the sheets `own`.

        A sheet whose link for viewing was renewed is left out: people who were turned away from it
        may still have a link to another sheet of the evening.
        """
        hidden = self._hidden(own, sheets)
        return [
            sheet
            for sheet in sheets
            if sheet in own or not (was_renewed(self._ledger, sheet, "view") or sheet in hidden)
        ]

    def open(self, token: str, own: Mapping[int, Link]) -> list[EveningSheet] | None:
        """The sheets of the evening that `token` leads to, in order; None if it leads to none.

        `own` are the visitor's links, by sheet. A visitor who may keep score on one sheet of the
        evening may do so on the others, unless the link for that was renewed, which turns somebody
        away; otherwise they may view. Left out are sheets without a link for viewing or in the
        trash; and, unless among `own`, one whose link for viewing was renewed, or that is `hidden`.
        """
        evening = self._with_token(token)
        return None if evening is None else self._opened(evening, own)

    def latest(self, link: Link, own: Mapping[int, Link]) -> Link | None:
        """The link to the latest sheet of the evening of a sheet; None if that is the latest.

        It is opened by `link`, and the visitor's links are `own`; None also if they may see none.
        """
        evening = self.stored.evening_of(link.document)
        seen = [] if evening is None else self._opened(evening, {**own, link.document: link})
        return seen[-1].link if seen and seen[-1].link.document != link.document else None

    def open_to_all(self, link: Link) -> list[Summary]:
        """The sheets of the evening of `link`'s sheet that whoever may view that sheet may view.

        So they are the same for everybody at the table, whatever links they have.
        """
        evening = self.stored.evening_of(link.document)
        viewed = {link.document: replace(link, role="view")}
        return [] if evening is None else [one.summary for one in self._opened(evening, viewed)]

    def evenings_of(self, own: Mapping[int, Link]) -> list[list[EveningSheet]]:
        """The evenings of the sheets `own`, the last begun first, each as `open` shows it."""
        found = {note.evening for note in self.stored.notes(own).values()}
        evenings = (self._opened(one, own) for one in found if one is not None)
        return sorted(filter(None, evenings), key=lambda one: -one[0].summary.sheet)

    def _opened(self, evening: int, own: Mapping[int, Link]) -> list[EveningSheet]:
        sheets = self.stored.sheets(evening)
        roles = [own[sheet].role for sheet in sheets if sheet in own]
        may: Role = max(roles, key=ROLES.index, default="view")
        links: dict[int, Link] = {}
        for sheet in self._seen_by(own, sheets):
            link = self._best_link(sheet, own.get(sheet), may)
            if link and self._ledger.trashed(sheet) is None:
                links[sheet] = link
        joined = {sheet for sheet, note in self.stored.notes(links).items() if note.how == "joined"}
        return [
            EveningSheet(links[one.sheet], one, one.sheet in joined)
            for one in self._book.summaries.of(links)
        ]

    def _best_link(self, sheet: int, own: Link | None, may: Role) -> Link | None:
        """The link by which a visitor may open a sheet, given their `own` link to it, if any.

        Their strongest role on a sheet of the same evening is `may`.
        """
        if own is not None and own.role == "host":
            return own
        tokens, role = self._ledger.links(sheet), min(may, "score", key=ROLES.index)
        if role in tokens and not was_renewed(self._ledger, sheet, role):
            return self._ledger.link(tokens[role])
        return own or self._ledger.link(tokens.get("view", ""))


def _own(links: Sequence[Link]) -> dict[int, Link]:
    """These links by sheet; raises `IllegalEntry` for one that may not score."""
    for link in links:
        require(link, "score")
    return {link.document: link for link in links}


def _too_long() -> IllegalEntry:
    says = say(
        "{most} sheets are enough for one evening. Start a new one from home.", most=MAX_SHEETS
    )
    return IllegalEntry([shared_fault("long-evening", says, "end")])


# --- which sheets look like one evening


def card_day(at: str, zone: tzinfo | None = None) -> date | None:
    """The day of a time in this zone, else this machine's; a day ends at five. None if invalid."""
    try:
        return (datetime.fromisoformat(at).astimezone(zone) - DAY_ENDS).date()
    except (ValueError, OverflowError):
        return None


def offers(
    sheets: Iterable[Summary], notes: Mapping[int, Note], *, again: bool = False
) -> list[Offer]:
    """Find `sheets` that look like one evening: begun on one day by the same people.

    Any two sheets of an offer share two names, or are connected by others that do. The latest offer
    comes first. Sheets that are one evening already are left out; so are empty sheets, sheets
    imported with an older history, and, unless `again`, those left apart on purpose.
    """
    groups = list[tuple[date, set[tuple[str, str]], list[Summary]]]()
    apart = {sheet for sheet, note in notes.items() if note.how == "apart"}
    for sheet in sorted(sheets, key=lambda one: one.sheet):
        begun, changed = card_day(sheet.begun), card_day(sheet.changed)
        left_out = sheet.sick or not sheet.rows or (sheet.sheet in apart and not again)
        if left_out or not begun or not changed or changed < begun:
            continue
        pairs = set(combinations(sorted(set(map(folded, sheet.players))), 2))
        same = [one for one in groups if one[0] == begun and not pairs.isdisjoint(one[1])]
        together = [earlier for _, _, group in same for earlier in group]
        groups = [one for one in groups if one not in same]
        groups.append((begun, pairs.union(*(one[1] for one in same)), [*together, sheet]))
    found = list[Offer]()
    for _, _, group in reversed(groups):  # by the latest sheet of each
        evenings = {notes[one.sheet].evening if one.sheet in notes else None for one in group}
        if 2 <= len(group) <= MAX_SHEETS and (len(evenings) > 1 or None in evenings):
            group.sort(key=lambda one: one.sheet)
            found.append(_offer(group, any(one.sheet in apart for one in group)))
    return found


def _offer(sheets: list[Summary], left_apart: bool) -> Offer:
    names = dict[str, str]()  # as first written
    for name in (name for one in sheets for name in one.players):
        names.setdefault(folded(name), name)
    seated = Counter(person for one in sheets for person in set(map(folded, one.players)))
    people = [name for person, name in names.items() if seated[person] > 1]
    guests = {
        one.sheet: [name for name in one.players if seated[folded(name)] == 1] for one in sheets
    }
    return Offer(sheets, people, guests, left_apart)


def wins(sheets: Sequence[Summary]) -> list[tuple[str, int]]:
    """How many finished sheets each player has won, shared wins included; most first."""
    called = _called(sheets)
    won = Counter({called[player]: 0 for sheet in sheets for player in sheet.players})
    for sheet in sheets:
        if sheet.finished:
            won.update(called[player] for player in sheet.winners)
    return won.most_common()


def won_against(sheets: Sequence[Summary], one: str, other: str) -> tuple[int, int, int]:
    """Two players' games: the number that `one` won alone, that `other` won alone, and of all.

    Only finished games in which both were seated count.
    """
    called = _called(sheets)
    pair = (called.get(one, one), called.get(other, other))
    won, met = Counter[str](), 0
    for sheet in sheets:
        winners = {called[player] for player in sheet.winners if player in called}
        seated = {called[player] for player in sheet.players}
        if sheet.finished and seated.issuperset(pair):
            met += 1
            won.update(name for name in pair if winners.intersection(pair) == {name})
    return won[pair[0]], won[pair[1]], met


def all_balances(sheets: Sequence[Summary]) -> tuple[Balance, ...]:
    """Everybody's balance over the `sheets` that are played for counters or chips.

    A sheet counts from its first entry: until then nobody has won or lost what was staked.
    """
    called = _called(sheets)
    given: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for one in (balance for sheet in sheets if sheet.entries for balance in sheet.balances):
        given[called[one.player]] += one.given
        held[called[one.player]] += one.held
    return tuple(Balance(player, given[player], held[player]) for player in given)


def _called(sheets: Sequence[Summary]) -> dict[str, str]:
    """Map every name on these sheets to one name for its player, mostly the same.

    Two names are one player's if one was changed to the other on a sheet, or if both are the same
    once `folded`, unless both sit at one table. The player is called as on the latest sheet.
    """
    tables = [sheet.players for sheet in sheets]
    renamed = [pair for sheet in sheets for pair in sheet.renamed]
    called = {name: name for names in (*tables, *renamed) for name in names}
    first = {folded(name): name for name in reversed(called)}
    spelled = [(one, name) for name in called if (one := first[folded(name)]) != name]
    for old, new in (*renamed, *spelled):
        same = {name for name in called if called[name] in (called[old], called[new])}
        if all(len(same.intersection(table)) < 2 for table in tables):
            latest = (name for table in tables[::-1] for name in table if name in same)
            called.update(dict.fromkeys(same, next(latest, new)))
    return called
