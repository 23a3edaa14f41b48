"""What an extra may add to the pages: routes, pieces of pages, keys with a page of their own."""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
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
    """What an extra adds to the pages.

    `install` registers its blueprints, with their templates. `places` are the templates that belong
    in named places of other pages. `taps` answers card keys of its own, by the key's value. Its
    pages show `pictures` from there as well as from our own host: "blob:", say. `documents` are its
    own kinds.

    On the pages of a sheet, which are made anew once its `stage` is another, `around` is shown.
    `begun_in` finds where a form, or an address, begins a game; `begun` is told once it has done
    so, and `followed` of a sheet and the next one of its evening. `hidden` are those of an
    evening’s sheets that somebody with links to some sheets may not see. `put_away` is told of a
    document, of any kind, before it goes to the trash, and `restored` once it is back.
    """

    install: Callable[[Flask, Settings], None]
    places: Mapping[str, str] = {}
    taps: Mapping[str, Callable[[CardsField], Page]] = {}
    pictures: str = ""
    documents: Sequence[Document] = ()
    around: Callable[[OpenSheet], Around | None] | None = None
    stage: Callable[[Glance], Hashable] | None = None
    begun_in: Callable[[Form], BegunIn | None] | None = None
    begun: Callable[[Form, Link], None] | None = None
    followed: Callable[[Link, Link], None] | None = None
    hidden: Callable[[Collection[int], Sequence[int]], Collection[int]] | None = None
    put_away: Callable[[Link], None] | None = None
    restored: Callable[[Link], None] | None = None


def install(app: Flask, settings: Settings) -> None:
    """Add all extras to `app`; templates have their pieces: `places("beside-cards")`."""
    filled: dict[str, tuple[str, ...]] = {}
    for part in _parts():
        part.install(app, settings)
        for place, template in part.places.items():
            filled[place] = *filled.get(place, ()), template
    app.jinja_env.globals["places"] = lambda place: filled.get(place, ())


def pictures() -> str:
    """Where pages show pictures from, besides our own host."""
    return " ".join(filter(None, (part.pictures for part in _parts())))


def documents() -> Iterator[Document]:
    """Yield the kinds of documents that extras have."""
    for part in _parts():
        yield from part.documents


@cache
def _parts() -> list[WebPart]:
    return list(parts("web", WebPart))


@cache
def _taps() -> dict[str, Callable[[CardsField], Page]]:
    return {key: page for part in _parts() for key, page in part.taps.items()}


def around(sheet: OpenSheet) -> Around:
    """What the first extra that knows more of this sheet says; else the colours by its seats."""
    found = (part.around(sheet) for part in _parts() if part.around)
    return next(filter(None, found), Around(sheet.colours))


def stages(glance: Glance) -> tuple[Hashable, ...]:
    """What `around` rests on besides the sheet, to be asked before it."""
    return tuple(part.stage(glance) for part in _parts() if part.stage)


def begun_in(form: Form) -> BegunIn:
    """Where the game is begun that a form, or an address, asks for; nowhere if it says nothing."""
    found = (part.begun_in(form) for part in _parts() if part.begun_in)
    return next(filter(None, found), BegunIn())


def begun(form: Form, sheet: Link) -> None:
    """Tell the extras that a form has begun this sheet."""
    for part in _parts():
        if part.begun:
            part.begun(form, sheet)


def followed(before: Link, sheet: Link) -> None:
    """Tell the extras that this sheet follows another in its evening."""
    for part in _parts():
        if part.followed:
            part.followed(before, sheet)


def hidden(own: Collection[int], sheets: Sequence[int]) -> set[int]:
    """Those of an evening’s `sheets` that may not be seen with links to the sheets `own`."""
    return {sheet for part in _parts() if part.hidden for sheet in part.hidden(own, sheets)}


def put_away(document: Link) -> None:
    """Tell the extras that this document goes to the trash."""
    for part in _parts():
        if part.put_away:
            part.put_away(document)


def restored(document: Link) -> None:
    """Tell the extras that this document came back from the trash."""
    for part in _parts():
        if part.restored:
            part.restored(document)


def page_of_key(sent: Form, field_of: Callable[[str], CardsField]) -> Page | None:
    """The page of the key that was tapped, if it has one; `field_of` finds its field by name."""
    field, key = field_and_key(sent)
    page = _taps().get(key)
    return None if page is None else page(field_of(field))


def pad_or_400(pad: CardKeys | None) -> CardKeys:
    """Return `pad`; answers 400 if a form has no such field."""
    if pad is None:
        abort(400, str(say("This form doesn’t belong to this game. Load the sheet again.")))
    return pad
