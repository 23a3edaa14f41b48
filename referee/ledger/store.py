"""The ledger: appending to sheets and reading them, safe for many threads and processes."""

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from referee.ledger.chain import HashedPart, Mark, first_hash, mark_of, row_hash, seal
from referee.ledger.databases import open_engine
from referee.ledger.engine import Engine, Place, Writing
from referee.ledger.errors import MovedOnError
from referee.ledger.extras import ledger_parts
from referee.progress import steps

Kind = Literal["play", "amend", "void", "note"]
Role = Literal["view", "play", "score", "host"]
#: The roles of links; each allows what the one before does, and more. "play" allows what extras let
#: players do for themselves.
ROLES: tuple[Role, ...] = get_args(Role)

# One statement, so that all of it is of one moment; every live board runs it every two seconds.
_GLANCE = """
SELECT links.sheet, links.role, sheets.kind,
    (SELECT CASE what WHEN 'put' THEN at END FROM trash
     WHERE trash.sheet = links.sheet ORDER BY id DESC LIMIT 1),
    (SELECT max(id) FROM evening_sheets WHERE evening_sheets.sheet = links.sheet),
    seq, hash, entries.at, CASE WHEN seq IS NULL THEN head END {of_extras}
FROM links LEFT JOIN sheets ON sheets.id = links.sheet
LEFT JOIN entries ON entries.sheet = links.sheet
    AND seq = (SELECT max(seq) FROM entries WHERE entries.sheet = links.sheet)
WHERE digest = ? AND withdrawn IS NULL
"""
_DOCUMENT = "(SELECT {1} FROM {0} WHERE {0}.sheet = links.sheet ORDER BY id DESC LIMIT 1)"
_WITHIN = ", {document}, (SELECT max(seq) FROM entries WHERE entries.sheet = {document})"
_NOTED = ", (SELECT max(id) FROM {table} WHERE {table}.sheet = links.sheet)"
# Read into a dict, so of several links of a role the last row counts: for hosts, the first host's.
_LINKS = """
SELECT role, token FROM links
WHERE sheet = ? AND withdrawn IS NULL AND role IN ('view', 'play', 'score', 'host')
ORDER BY name = '', at DESC, name DESC
"""
_NEWEST = "SELECT seq, hash FROM entries WHERE sheet = ? ORDER BY seq DESC LIMIT 1"
_NEWEST_AND_KNOWN = """
SELECT seq, hash, EXISTS (SELECT 1 FROM entries WHERE sheet = ? AND key = ?)
FROM entries WHERE sheet = ? ORDER BY seq DESC LIMIT 1
"""
_ROW = 'seq, kind, target, body, key, role, at, "by", hash'


#: The random bytes of a link's token, and so how long its address is, and how fine its QR code.
TOKEN_BYTES = 16


def new_token() -> str:
    """An unguessable token, fit for an address and for a command line."""
    while (token := secrets.token_urlsafe(TOKEN_BYTES)).startswith("-"):
        pass
    return token


def token_of_form(key: str, content: str) -> str:
    """The token for what a form with this `key` begins: the same if the form is sent again.

    It is a new one if the key is short enough to be guessed, as a token must not be.
    """
    return (
        digest(f"{key} {content}")[: 2 * TOKEN_BYTES]
        if len(key) >= len(new_token())
        else new_token()
    )


def digest(token: str) -> str:
    """The SHA-256 of a token in hexadecimal, by which its link is looked up."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Row(Struct, frozen=True, gc=False):
    """One row of a sheet: `body` is JSON text, `target` the `seq` of the row that it changes.

    `by` is the name of the phone that wrote it, if any; `hash` is that of the sheet's chain so far.
    """

    seq: int
    kind: Kind
    target: int | None
    body: str
    key: str
    role: Role
    at: str
    by: str = ""
    hash: str = ""


class Draft(Struct, frozen=True):
    """A row to be appended: a `Row` without its place in the chain."""

    kind: Kind
    body: str
    key: str
    role: Role
    at: str
    target: int | None = None
    by: str = ""


class NewSheet(Struct, frozen=True):
    """A sheet to be begun: head as JSON text, links as (role, token), time, and first rows.

    A document of another `kind` has links, rows and a trash as a sheet has.
    """

    head: str
    links: Sequence[tuple[Role, str]]
    at: str
    drafts: Sequence[Draft] = ()
    kind: str = "sheet"


class Link(Struct, frozen=True):
    """A link to a document, what its holder may do, and the name of the holder's phone.

    `kind` is that of the document: "sheet", or one of an extra.
    """

    token: str
    document: int
    role: Role
    by: str = ""
    kind: str = "sheet"

    def allows(self, role: Role) -> bool:
        """Whether its holder may do what a link with this `role` allows."""
        return ROLES.index(self.role) >= ROLES.index(role)


class Within(Struct, frozen=True):
    """The number of a document that a sheet is in, and that of its newest row."""

    document: int
    newest: int


class Glance(Struct, frozen=True):
    """A link, the `mark` and the time of its sheet's newest row, and when the sheet was `trashed`.

    `evening` is the newest note on which evening the sheet is in, None if there is none; `within`
    are the documents that the sheet is in, by the name of their extra, and `noted` the newest row
    that each extra has about it.
    """

    link: Link
    mark: Mark
    trashed: str | None
    evening: int | None = None
    within: Mapping[str, Within] = {}
    at: str = ""
    noted: Mapping[str, int] = {}

    @property
    def tag(self) -> str:
        """The tag of a board, sent as HX-PTag: the link’s role and the newest rows shown.

        The mark includes the row’s hash, since after restoring a backup row 12 may be another one.
        Documents that the sheet is in may change who its players are, and its evening goes on.
        """
        around = (f"{one.document}-{one.newest}" for one in self.within.values())
        noted = (f"{name}-{newest}" for name, newest in self.noted.items())
        return "-".join((self.link.role, str(self.mark), str(self.evening or 0), *around, *noted))


def lock_of(sheet: int) -> str:
    """The name of the lock for a sheet's rows and links, and for its being in the trash."""
    return f"sheet {sheet}"


class Ledger:
    """The sheets in one database."""

    def __init__(self, place: Place) -> None:
        """Open or create the one at `place`; raises as `open_engine` does."""
        self.engine: Engine = open_engine(place)
        within = {part.name: part.within for part in ledger_parts() if part.within}
        noted = {part.name: part.noted for part in ledger_parts() if part.noted}
        self._within, self._noted = tuple(within), tuple(noted)
        documents = (_DOCUMENT.format(*place) for place in within.values())
        of_extras = "".join(_WITHIN.format(document=query) for query in documents)
        of_extras += "".join(_NOTED.format(table=table) for table in noted.values())
        self._glance = _GLANCE.format(of_extras=of_extras)

    def close(self) -> None:
        """Close this thread's connection; it is opened again when needed."""
        self.engine.close()

    # --- beginning a sheet, and writing on it

    def create_all(self, sheets: Sequence[NewSheet]) -> list[int]:
        """Begin all of these sheets, or none if one cannot be stored; returns their numbers."""
        with self.engine.writing() as writing:
            return [insert_sheet(writing, one) for one in steps(sheets)]

    def begin(self, new: NewSheet) -> Link:
        """Begin a sheet, unless its host link leads to one already; returns that link."""
        token = dict(new.links)["host"]
        with self.engine.writing(f"begin {digest(token)}") as writing:
            known = self.engine.read("SELECT sheet FROM links WHERE digest = ?", digest(token))
            number = known[0][0] if known else insert_sheet(writing, new)
        return Link(token, number, "host", kind=new.kind)

    def append(
        self,
        sheet: int,
        after: Mark,
        drafts: Sequence[Draft],
        precondition: Callable[[], bool] | None = None,
    ) -> Row:
        """Append `drafts`; `after` is the mark of the newest row that the writer has seen.

        Returns the last new row. If they are stored already, beginning with the row that has the
        first one's key, stores nothing and returns the last of those. Raises `MovedOnError`, and
        stores nothing, if `after` is not the newest row, if the key belongs to other content, or if
        the `precondition` is false, which is called in the transaction.
        """
        first = drafts[0]
        with self.engine.writing(lock_of(sheet)) as writing:
            found = writing.execute(_NEWEST_AND_KNOWN, (sheet, first.key, sheet)).fetchone()
            seq, hash_, is_known = found or (0, _first_hash_of(writing, sheet), False)
            if is_known:
                stored = self._rows_from(sheet, first.key)[: len(drafts)]
                if [_content(one) for one in stored] == [_content(one) for one in drafts]:
                    return stored[-1]
            moved_on = is_known or not after.stands_for(seq, hash_)
            if moved_on or (precondition and not precondition()):
                raise MovedOnError(seq)
            return _insert(writing, sheet, (seq, hash_), drafts)

    def note_trash(self, sheet: int, what: Literal["put", "taken"], at: str) -> None:
        """Note that `sheet` was put in the trash or taken out, unless it already was."""
        with self.engine.writing(lock_of(sheet)) as writing:
            if (self.trashed(sheet) is not None) != (what == "put"):
                add_row(writing, "trash", {"sheet": sheet, "what": what, "at": at})

    def _rows_from(self, sheet: int, key: str) -> list[Row]:
        """The row with this key, and all after it."""
        query = "SELECT seq FROM entries WHERE sheet = ? AND key = ?"
        return self.rows(sheet, after=self.engine.read(query, sheet, key)[0][0] - 1)

    # --- reading

    def newest(self, sheet: int) -> int:
        """The `seq` of the newest row of `sheet`, 0 if there is none."""
        found = self.engine.read(_NEWEST, sheet)
        return int(found[0][0]) if found else 0

    def head(self, sheet: int) -> tuple[str, str] | None:
        """The head of `sheet` as JSON text, and when it was begun; None if there is no sheet."""
        return next(iter(self.engine.read("SELECT head, at FROM sheets WHERE id = ?", sheet)), None)

    def rows(self, sheet: int, after: int = 0) -> list[Row]:
        """The rows of `sheet` that come after row `after`, oldest first."""
        query = f"SELECT {_ROW} FROM entries WHERE sheet = ? AND seq > ? ORDER BY seq"
        return [Row(*row) for row in self.engine.read(query, sheet, after)]

    def sheets(self, kind: str = "sheet") -> list[int]:
        """The numbers of all sheets, or documents of another `kind`, oldest first."""
        query = "SELECT id FROM sheets WHERE kind = ? ORDER BY id"
        return [number for (number,) in self.engine.read(query, kind)]

    def sheets_with_row(self, seq: int, hash_: str) -> list[int]:
        """The sheets whose row `seq` has this hash: they have the same rows up to there."""
        query = "SELECT id FROM sheets JOIN entries ON sheet = id AND seq = ? WHERE hash = ?"
        return [sheet for (sheet,) in self.engine.read(query, seq, hash_)]

    def last_begun(self) -> str:
        """The latest time at which a sheet was begun, "" if none can be read."""
        query = "SELECT max(at) FROM sheets WHERE at LIKE '2___-__-__T%:%'"
        return self.engine.read(query)[0][0] or ""

    def trashed(self, sheet: int) -> str | None:
        """When `sheet` was put in the trash; None if it is not there now."""
        query = "SELECT what, at FROM trash WHERE sheet = ? ORDER BY id DESC LIMIT 1"
        return next((at for what, at in self.engine.read(query, sheet) if what == "put"), None)

    def glance(self, token: str) -> Glance | None:
        """Look up the link with this token; None if there is none, or it was withdrawn.

        How long this takes reveals nothing about any token: the lookup is by digest.
        """
        watched = self.engine.watched
        moment = watched.moment() if watched else 0
        found = self.engine.read(self._glance, digest(token))
        if not found or found[0][1] not in ROLES:
            return None
        sheet, role, kind, trashed, evening, seq, hash_, at, head, *of_extras = found[0]
        mark = mark_of(seq or 0, hash_ or _first_hash_or_blank(head))
        link = Link(token, sheet, role, kind=kind or "sheet")
        pairs = len(self._within) * 2
        documents = zip(self._within, of_extras[0:pairs:2], of_extras[1:pairs:2], strict=True)
        within = {
            name: Within(document, newest or 0)
            for name, document, newest in documents
            if document is not None
        }
        noted = {
            name: newest or 0 for name, newest in zip(self._noted, of_extras[pairs:], strict=True)
        }
        glance = Glance(link, mark, trashed, evening, within, at or "", noted)
        if watched:
            watched.keep(token, (sheet, *(one.document for one in within.values())), moment, glance)
        return glance

    def glance_at_once(self, token: str) -> Glance | None:
        """As `glance`, but None as well if a database server would have to be asked."""
        watched = self.engine.watched
        return watched.kept(token) if watched else self.glance(token)

    def link(self, token: str) -> Link | None:
        """The link with this token; None if there is none, or it was withdrawn."""
        glance = self.glance(token)
        return None if glance is None else glance.link

    def links(self, sheet: int) -> dict[Role, str]:
        """The current tokens for `sheet` by role; for hosts, the first host's."""
        return dict(self.engine.read(_LINKS, sheet))


def _first_hash_or_blank(head: str | None) -> str:
    """The first hash of a chain; "" for a damaged head, which opening the sheet reports."""
    try:
        return first_hash(head or "")
    except (msgspec.DecodeError, RecursionError):
        return ""


# --- inside a transaction


def _first_hash_of(writing: Writing, sheet: int) -> str:
    """The first hash of a sheet's chain; "" if there is no sheet."""
    head = writing.execute("SELECT head FROM sheets WHERE id = ?", (sheet,)).fetchone()
    return first_hash(head[0]) if head else ""


def add_row(writing: Writing, table: str, values: Mapping[str, object], returning: str = "") -> Any:
    """Insert a row; returns a cursor with what `returning`, a clause of SQL, asks for."""
    columns, places = ", ".join(values), ", ".join("?" * len(values))
    statement = f"INSERT INTO {table} ({columns}) VALUES ({places}) {returning}"
    return writing.execute(statement, tuple(values.values()))


def add_numbered_row(writing: Writing, table: str, values: Mapping[str, object]) -> int:
    """Insert a row in a table that numbers its rows; returns its number."""
    return int(add_row(writing, table, values, "RETURNING id").fetchone()[0])


def insert_sheet(writing: Writing, new: NewSheet) -> int:
    """Insert a sheet with its links and first rows; returns its number."""
    values = {"kind": new.kind, "head": new.head, "at": new.at}
    sheet = add_numbered_row(writing, "sheets", values)
    for role, token in new.links:
        add_row(writing, "links", link_row(sheet, role, token, new.at))
    if new.drafts:
        _insert(writing, sheet, (0, first_hash(new.head)), new.drafts)
    return sheet


def link_row(sheet: int, role: Role, token: str, at: str) -> dict[str, object]:
    """Values for a new row of the table `links`."""
    return {"token": token, "digest": digest(token), "sheet": sheet, "role": role, "at": at}


def _content(one: Row | Draft) -> tuple[str, int | None, str]:
    return one.kind, one.target, one.body


def _insert(writing: Writing, sheet: int, newest: tuple[int, str], drafts: Sequence[Draft]) -> Row:
    """Append rows after the `newest`, given by number and hash; returns the last new row."""
    last, hash_ = newest
    for seq, one in enumerate(drafts, start=last + 1):
        hash_ = row_hash(hash_, HashedPart(seq, one.kind, one.target, one.at, one.by, one.body))
        sealed = seal(hash_, one.key, one.role, one.body)
        values = (seq, one.kind, one.target, one.body, one.key, one.role, one.at, one.by, hash_)
        writing.execute(
            f"INSERT INTO entries (sheet, {_ROW}, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (sheet, *values, sealed),
        )
    return Row(*values)
