"""What an extra may add to the pages: routes, pieces of pages, keys with a page of their own."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import cache
from typing import Literal, Protocol

from flask import Flask, abort
from msgspec import Struct

from referee.extras import parts
from referee.ledger.store import Glance, Link
from referee.rules.core.asking import CardKeys
from referee.rules.text import Text, say
from referee.settings import Settings
from referee.sheets.sheet import OpenSheet
from referee.web.forms.taps import Form, field_and_key

Page = str | tuple[str, int]


class CardsField(Struct, frozen=True):
    """A field for cards: `name` in a form that is sent to `form_at`.

    `sent` is the form as filled in, `pad` the field's card pad, `title` the form's page title. Its
    cards are of at most `packs` packs; those `lying` on the table were entered before.
    """

    form_at: str
    name: str
    pad: CardKeys
    title: Text
    packs: int
    sent: Form
    method: Literal["post", "get"] = "post"
    lying: Sequence[str] = ()


class Star(Protocol):
    """What stands out in the last deal of a sheet: the deal's `row`, and the `player`."""

    @property
    def row(self) -> int:  # noqa: D102
        ...

    @property
    def player(self) -> str:  # noqa: D102
        ...


class Around(Struct, frozen=True):
    """What an extra knows of a sheet: the `colours` of its players, and whether a `star` is due."""

    colours: Mapping[str, int]
    star: Star | None = None


class BegunIn(Struct, frozen=True):
    """Where a new game is begun: its `name`, the page `back` to it, and whom it offers as players.

    `carries` are the parameters by which it is named in forms and addresses.
    """

    name: str = ""
    back: str = ""
    people: Sequence[str] = ()
    carries: Mapping[str, str] = {}


class About(Struct, frozen=True):
    """What a document is: its `title`, and since when (ISO 8601), by which `players`.

    `back` is the page from which it is put away.
    """

    title: Text | str
    begun: str
    back: str
    players: Sequence[str] = ()


class Document(Struct, frozen=True):
    """A kind of document: it has links to be shared, and a trash, on pages that are the base’s.

    All of its pages are `/<at>/<token>/…`, that of the endpoint `show` being the first; `after` is
    that of the page to go on with when one was put away. The template `words` has as macros what
    the pages of links and trash say of this kind.
    """

    kind: str
    at: str
    show: str
    after: str
    words: str
    about: Callable[[Link], About]


class WebPart(Struct, frozen=True):
    """What an extra adds to the pages: its values, and what its own class does.

    `places` are the templates that belong in named places of other pages. `taps` answers card keys
    of its own, by the key's value. Its pages show `pictures` from there as well as from our own
    host: "blob:", say. `documents` are its own kinds.
    """

    places: Mapping[str, str] = {}
    taps: Mapping[str, Callable[[CardsField], Page]] = {}
    pictures: str = ""
    documents: Sequence[Document] = ()

    def install(self, app: Flask, settings: Settings) -> None:
        """Register its blueprints, with their templates."""

    def around(self, sheet: OpenSheet) -> Around | None:
        """What the pages of a sheet show around it, if this knows more of the sheet."""

    def stage(self, glance: Glance) -> Hashable:
        """What `around` rests on besides the sheet: where it is another, pages are made anew."""

    def begun_in(self, form: Form) -> BegunIn | None:
        """Where a form, or an address, begins a game, if it is here."""

    def begun(self, form: Form, sheet: Link) -> None:
        """Be told that this form has begun this sheet."""

    def followed(self, before: Link, sheet: Link) -> None:
        """Be told that this sheet follows another in its evening."""

    def hidden(self, own: Collection[int], sheets: Sequence[int]) -> Collection[int]:
        """Those of an evening's `sheets` that may not be seen with links to the sheets `own`."""
        return ()

    def put_away(self, document: Link) -> None:
        """Be told that a document, of any kind, goes to the trash."""

    def restored(self, document: Link) -> None:
        """Be told that a document, of any kind, came back from the trash."""


@cache
def web_parts() -> tuple[WebPart, ...]:
    """The parts of all extras that are here."""
    return tuple(parts("web", WebPart))


def install_extras(app: Flask, settings: Settings) -> None:
    """Add all extras to `app`; templates have their pieces: `places("beside-cards")`."""
    filled: dict[str, tuple[str, ...]] = {}
    for part in web_parts():
        part.install(app, settings)
        for place, template in part.places.items():
            filled[place] = *filled.get(place, ()), template
    app.jinja_env.globals["places"] = lambda place: filled.get(place, ())


def around_sheet(sheet: OpenSheet) -> Around:
    """What the first extra that knows more of this sheet says; else the colours by its seats."""
    for part in web_parts():
        if found := part.around(sheet):
            return found
    return Around(sheet.colours)


def where_begun(form: Form) -> BegunIn:
    """Where the game is begun that a form, or an address, asks for; nowhere if it says nothing."""
    found = (part.begun_in(form) for part in web_parts())
    return next(filter(None, found), BegunIn())


def hidden_sheets(own: Collection[int], sheets: Sequence[int]) -> set[int]:
    """Those of an evening’s `sheets` that may not be seen with links to the sheets `own`."""
    return {sheet for part in web_parts() for sheet in part.hidden(own, sheets)}


def page_of_key(sent: Form, field_of: Callable[[str], CardsField]) -> Page | None:
    """The page of the key that was tapped, if it has one; `field_of` finds its field by name."""
    field, key = field_and_key(sent)
    pages = (part.taps[key] for part in web_parts() if key in part.taps)
    return next((page(field_of(field)) for page in pages), None)


def pad_or_400(pad: CardKeys | None) -> CardKeys:
    """Return `pad`; answers 400 if a form has no such field."""
    if pad is None:
        abort(400, str(say("This form doesn’t belong to this game. Load the sheet again.")))
    return pad
